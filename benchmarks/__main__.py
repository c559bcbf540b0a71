"""The benchmarks: ``python benchmarks`` measures, checks, and prints a table.

Each file runs in a process of its own.  Without ``--full`` no case begins after five minutes.
``--compare OLD.json`` prints the ratios to an earlier run; ``--against PATH`` runs these benchmarks
on another checkout's source as well, process by process in turn, and prints the ratios to it.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path

from measuring import Case, Result, measure
from reporting import Document, Row, compared, dumped, machine, markdown, merged, read

HERE = Path(__file__).parent
FILES = tuple(sorted(path.stem.removeprefix("bench_") for path in HERE.glob("bench_*.py")))
SECONDS = 300  # of a run that is not full


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python benchmarks", description=__doc__)
    parser.add_argument("files", nargs="*", metavar="FILE", help=f"of {', '.join(FILES)}")
    parser.add_argument("--only", default="", help="cases whose name holds this text")
    parser.add_argument("--full", action="store_true", help="all cases, however long they take")
    parser.add_argument("--json", type=Path, help="write the figures into this file")
    parser.add_argument("--markdown", type=Path, help="write the tables into this file")
    parser.add_argument("--compare", type=Path, metavar="OLD.json", help="show ratios to that run")
    parser.add_argument("--against", type=Path, metavar="PATH", help="another checkout to compare")
    parser.add_argument("--rounds", type=int, default=2, help="processes of each with --against")
    parser.add_argument("--alone", type=float, metavar="SECONDS", help=argparse.SUPPRESS)
    return parser


def cases(file: str, *, full: bool, only: str) -> list[Case]:
    """Return the cases of a file that are asked for."""
    known: list[Case] = import_module(f"bench_{file}").CASES
    return [case for case in known if only in case.name and (full or not case.full)]


def alone(file: str, chosen: list[Case], seconds: float) -> list[Row]:
    """Measure cases in this process; those not begun in time are left out."""
    begun = time.monotonic()
    rows = []
    for case in chosen:
        if time.monotonic() - begun > seconds:
            results = [Result(case.name, "", "left out", "no time; --full measures it")]
        else:
            results = measure(case)
        for result in results:
            row = Row(file=file, **result.row())  # type: ignore[typeddict-item]  # of these names
            rows.append(row)
            print(f"{file}: {row['case']}, {row['way']}: {row['least'] or row['status']}",
                  file=sys.stderr, flush=True)  # fmt: skip
    return rows


def in_process(file: str, options: argparse.Namespace, source: Path, seconds: float) -> list[Row]:
    """Measure a file in a process of its own, on the gridkit of a source folder."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.json"
        command = [sys.executable, str(HERE), file, "--alone", str(seconds), "--json", str(path)]
        command += ["--only", options.only, *(["--full"] if options.full else [])]
        environment = {**os.environ, "PYTHONPATH": str(source)}
        subprocess.run(command, check=True, env=environment)
        return read(path)["rows"]


def run(options: argparse.Namespace) -> tuple[list[Row], list[Row]]:
    """Measure all files; return the rows, and those of the other checkout if there is one."""
    sources = [HERE.parent / "src"]
    if options.against is not None:
        sources.append(options.against.resolve() / "src")
        if not (sources[1] / "gridkit").is_dir():
            raise SystemExit(f"--against {options.against}: expected a checkout with src/gridkit")
    runs: list[list[list[Row]]] = [[] for _ in sources]
    begun = time.monotonic()
    files = options.files or FILES
    for number, file in enumerate(files):
        for _ in range(options.rounds if options.against else 1):
            for rows, source in zip(runs, sources, strict=True):
                # What a file does not use of its share falls to those after it.
                left = SECONDS - (time.monotonic() - begun)
                seconds = 1e9 if options.full or options.against else left / (len(files) - number)
                rows.append(in_process(file, options, source, max(seconds, 0)))
    both = [merged(rows) for rows in runs]
    return both[0], both[1] if options.against else []


def main() -> int:
    options = arguments().parse_args()
    unknown = [file for file in options.files if file not in FILES]
    if unknown:
        raise SystemExit(f"unknown file {unknown[0]!r}: expected some of {', '.join(FILES)}")
    if options.alone is not None:
        chosen = cases(options.files[0], full=options.full, only=options.only)
        rows = alone(options.files[0], chosen, options.alone)
        options.json.write_text(json.dumps({"machine": {}, "rows": rows}), encoding="utf-8")
        return 0
    old = read(options.compare)["rows"] if options.compare else []
    facts = machine()
    rows, others = run(options)
    document = Document(machine=facts, rows=rows)
    ratios = compared(rows, others or old) if others or old else None
    text = markdown(document, ratios)
    print(text)
    if options.markdown:
        options.markdown.write_text(text, encoding="utf-8")
    if options.json:
        options.json.write_text(dumped(facts, rows), encoding="utf-8")
    return 1 if any(row["status"] in ("wrong", "fails") for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
