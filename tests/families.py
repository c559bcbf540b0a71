"""The families of data under tests/data: judged inputs with their answers, and tables."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

__all__ = ["FAMILIES", "Judged", "judged", "table"]

FAMILIES = Path(__file__).parent / "data"


class Judged(NamedTuple):
    """An input of a judged problem; `facts` is its entry in the family's index."""

    name: str
    text: str
    facts: dict[str, Any]


def judged(family: str) -> list[Judged]:
    """Return the inputs of a family, in the order of its index."""
    cases = json.loads((FAMILIES / family / "index.json").read_text(encoding="utf-8"))["cases"]
    paths = [(FAMILIES / family / case["file"], case) for case in cases]
    return [Judged(path.stem, path.read_text(), case) for path, case in paths if path.exists()]


def table(family: str, name: str) -> Any:
    """Return the content of a JSON file of a family."""
    return json.loads((FAMILIES / family / f"{name}.json").read_text(encoding="utf-8"))
