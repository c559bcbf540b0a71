"""Who works on a part: a name that other processes can tell to be dead or maybe alive."""

from __future__ import annotations

import os
import platform
import sys
import uuid
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Owner"]

# The marks of the checkpoints that this process has open.
_open_marks: set[str] = set()


@dataclass(frozen=True, slots=True)
class Owner:
    """One opened checkpoint in one process of one machine.

    Attributes
    ----------
    machine : str
        Host, boot and process namespace: process numbers mean the same within.
    process : int
        Process number.
    born : str
        When the process started, since numbers are used again; empty where that is not known.
    mark : str
        Tells two checkpoints opened by one process apart.
    """

    machine: str
    process: int
    born: str
    mark: str

    @classmethod
    def here(cls) -> Owner:
        """Return a new name for this process, alive until it is retired."""
        owner = cls(_machine(), os.getpid(), _born(os.getpid()), uuid.uuid4().hex)
        _open_marks.add(owner.mark)
        return owner

    def retire(self) -> None:
        """Say that nobody works under this name any more."""
        _open_marks.discard(self.mark)

    @classmethod
    def parse(cls, text: str) -> Owner:
        """Read what `str` wrote; ValueError for anything else."""
        machine, process, born, mark = text.split("|")
        return cls(machine, int(process), born, mark)

    def __str__(self) -> str:
        return f"{self.machine}|{self.process}|{self.born}|{self.mark}"

    def may_live(self) -> bool:
        """Return False when the process is known to be gone, or to have closed its checkpoint."""
        if self.machine != _machine():
            return True
        if self.process == os.getpid():
            return self.mark in _open_marks
        if self.born:
            return _born(self.process) == self.born
        if sys.platform == "win32":  # there, signal 0 is Ctrl-C
            return True
        try:
            os.kill(self.process, 0)
        except ProcessLookupError:
            return False
        except OSError:
            return True
        return True


def _machine() -> str:
    facts = [platform.node().replace("|", "")]
    try:
        facts.append(Path("/proc/sys/kernel/random/boot_id").read_text().strip())
        facts.append(os.readlink("/proc/self/ns/pid"))
    except OSError:
        pass  # not Linux
    return "/".join(facts)


def _born(process: int) -> str:
    """Return the start time of a living process on Linux, else an empty text."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return ""
    state, *fields = stat.rpartition(")")[2].split()
    return "" if state in "ZX" else fields[18]
