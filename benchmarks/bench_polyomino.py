"""Counting fixed polyominoes: the transfer matrix against enumeration, here and in C."""

from __future__ import annotations

import subprocess
import tempfile
import time
from pathlib import Path

from gridkit import polyomino

C_SOURCE = Path(__file__).parent / "c" / "redelmeier.c"


def cpu(function: object, *arguments: object, **options: object) -> float:
    assert callable(function)
    begun = time.process_time()
    function(*arguments, **options)
    return time.process_time() - begun


def main() -> None:
    polyomino.count_fixed(11)
    polyomino.count_fixed(11, method="enumerate")
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "redelmeier"
        subprocess.run(["gcc", "-O3", "-o", program, C_SOURCE], check=True)
        print(f"{'n':>3} {'C':>9} {'enumerate':>10} {'/ C':>6} {'transfer':>9} {'/ C':>8}")
        for n in (14, 15, 16, 17):
            printed = subprocess.run([program, str(n)], check=True, capture_output=True, text=True)
            count, seconds = printed.stdout.split()
            assert int(count) == polyomino.count_fixed(n)
            ours = min(cpu(polyomino.count_fixed, n, method="enumerate") for _ in range(3))
            transfer = min(cpu(polyomino.count_fixed, n, method="transfer") for _ in range(3))
            c = float(seconds)
            print(f"{n:>3} {c:>8.3f}s {ours:>9.3f}s {ours / c:>6.2f} {transfer:>8.3f}s "
                  f"{transfer / c:>8.4f}")  # fmt: skip


if __name__ == "__main__":
    main()
