"""``python -m gridkit``."""

from gridkit.cli import entry

if __name__ == "__main__":
    entry()
