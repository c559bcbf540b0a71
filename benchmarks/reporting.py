"""Figures as JSON and as Markdown tables, with the machine and the versions they belong to."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from importlib import metadata
from itertools import groupby
from pathlib import Path
from typing import TypedDict

__all__ = ["Document", "Row", "compared", "machine", "markdown", "merged", "read", "table"]


class Row(TypedDict):
    """One way of one case: seconds, bytes, and a rate where the case has an amount."""

    file: str
    case: str
    way: str
    status: str
    message: str
    least: float | None
    median: float | None
    runs: int
    peak: int | None
    amount: float | None
    unit: str
    facts: dict[str, float]


class Document(TypedDict):
    """A whole run."""

    machine: dict[str, str]
    rows: list[Row]


def machine(packages: Iterable[str] = ("gridkit", "numpy", "numba", "scipy")) -> dict[str, str]:
    """Say when, on what and with which versions figures were taken."""
    facts = {"date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")}
    for name in packages:
        try:
            facts[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    if "gridkit" in packages:
        import gridkit

        facts["gridkit"] = gridkit.__version__
    facts["python"] = f"{platform.python_version()} ({platform.system()} {platform.machine()})"
    facts["cpu"] = _cpu()
    facts["threads"] = str(os.cpu_count())
    if hasattr(os, "getloadavg"):
        facts["load"] = f"{os.getloadavg()[0]:.1f}"
    return facts


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        return next(line.partition(":")[2].strip() for line in lines if line[:10] == "model name")
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def read(path: str | Path) -> Document:
    """Read the JSON of an earlier run; ValueError for what is none."""
    document = json.loads(Path(path).read_text(encoding="utf-8"))
    if not isinstance(document, dict) or not isinstance(document.get("rows"), list):
        raise ValueError(f"{path}: expected the JSON of a run, an object with machine and rows")
    return Document(machine=document.get("machine", {}), rows=document["rows"])


def merged(runs: Sequence[Sequence[Row]]) -> list[Row]:
    """Put runs of the same cases into one: the least of the minima, the median of the medians."""
    together: dict[tuple[str, str, str], list[Row]] = {}
    for row in (row for run in runs for row in run):
        together.setdefault((row["file"], row["case"], row["way"]), []).append(row)
    rows = []
    for same in together.values():
        worst = next((row for row in same if row["status"] != "ok"), same[0])
        least = [row["least"] for row in same if row["least"] is not None]
        medians = sorted(row["median"] for row in same if row["median"] is not None)
        row = Row(**worst)
        row["least"] = min(least, default=None)
        row["median"] = medians[len(medians) // 2] if medians else None
        row["runs"] = sum(each["runs"] for each in same)
        rows.append(row)
    return rows


def compared(new: Sequence[Row], old: Sequence[Row]) -> list[float | None]:
    """Return for each new row its least seconds over those of the same row in an old run."""
    known = {(row["file"], row["case"], row["way"]): row["least"] for row in old}
    ratios = []
    for row in new:
        before = known.get((row["file"], row["case"], row["way"]))
        now = row["least"]
        ratios.append(now / before if now is not None and before else None)
    return ratios


def markdown(document: Document, ratios: Sequence[float | None] | None = None) -> str:
    """Return the machine and a table for each file.

    The column "ratio" says how many times as long as the first way (ours) another one takes, for
    the same amount of work.
    """
    facts = "; ".join(f"{name} {value}" for name, value in document["machine"].items())
    parts = [f"{facts}\n"]
    numbered = list(enumerate(document["rows"]))
    for file, group in groupby(numbered, key=lambda entry: entry[1]["file"]):
        lines, first = [], 0.0
        case = None
        for number, row in group:
            cost = (row["least"] or 0.0) / (row["amount"] or 1.0)
            name, ratio = "", ""
            if row["case"] != case:
                name = case = row["case"]
                first = cost
            elif cost and first:
                ratio = f"{cost / first:.2f}"
            cells = [name, row["way"], *_figures(row), ratio]
            if ratios is not None:
                now = ratios[number]
                cells.append("" if now is None else f"{now:.3f}")
            lines.append([*cells, _notes(row)])
        head = ["case", "way", "least", "median", "peak", "ratio"]
        head += ["new / old"] if ratios is not None else []
        parts.append(f"## {file}\n\n{table([*head, 'notes'], lines)}")
    return "\n".join(parts)


def table(head: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table; figures, which stand neither first nor last, are set right."""
    rule = ["---" if column in (0, len(head) - 1) else "---:" for column in range(len(head))]
    rows = [head, rule, *([cell.replace("|", "\\|") for cell in line] for line in lines)]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _figures(row: Row) -> tuple[str, str, str]:
    held = row["peak"] or 0
    peak = f"{held / 1e6:.0f} MB" if held >= 1e6 else ""  # less is hidden by what was freed before
    if row["status"] != "ok":
        return row["status"], "", ""
    return seconds(row["least"]), seconds(row["median"]), peak


def _notes(row: Row) -> str:
    notes = [f"{_short(value)} {name}" for name, value in row["facts"].items()]
    if row["amount"] and row["least"]:
        notes.insert(0, f"{_short(row['amount'] / row['least'])} {row['unit']}/s")
    return "; ".join([*notes, *([row["message"]] if row["message"] else [])])


def seconds(value: float | None) -> str:
    """Return a time with its unit, three digits of it."""
    if value is None:
        return ""
    for factor, unit in ((1, "s"), (1e3, "ms")):
        if value * factor >= 1:
            return f"{value * factor:.3g} {unit}"
    return f"{value * 1e6:.3g} µs"


def _short(value: float) -> str:
    for factor, unit in ((1e9, " G"), (1e6, " M")):
        if value >= factor:
            return f"{value / factor:.3g}{unit}"
    if isinstance(value, int) or value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def dumped(facts: Mapping[str, str], rows: Sequence[Row]) -> str:
    """Return a run as JSON, a row a line, so that two runs can be compared by eye."""
    lines = ",\n".join(f"  {json.dumps(row, ensure_ascii=False)}" for row in rows)
    return f'{{"machine": {json.dumps(dict(facts), ensure_ascii=False)},\n"rows": [\n{lines}\n]}}\n'
