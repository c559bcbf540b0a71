"""``--json``: every line keeps the schema that the documentation has."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from gridkit.cli import COMMANDS, main

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "docs/reference/command.schema.json").read_text(encoding="utf-8"))
TYPES: dict[str, type | tuple[type, ...]] = {
    "array": list,
    "object": dict,
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
}


def fits(value: object, schema: dict[str, Any]) -> bool:
    """Whether a value is what a schema says, in the words of JSON Schema that ours uses."""
    reference = schema.get("$ref")
    if isinstance(reference, str):
        return fits(value, SCHEMA["$defs"][reference.rpartition("/")[2]])
    if isinstance(schema.get("oneOf"), list):
        return sum(fits(value, each) for each in SCHEMA["oneOf"]) == 1
    if "const" in schema and value != schema["const"]:
        return False
    allowed = schema.get("enum")
    if isinstance(allowed, list) and value not in allowed:
        return False
    names = schema.get("type", [])
    kinds = [names] if isinstance(names, str) else names
    assert isinstance(kinds, list)
    right = [isinstance(value, TYPES[kind]) and (kind == "boolean") == isinstance(value, bool)
             for kind in kinds]  # fmt: skip
    if right and not any(right):
        return False
    items = schema.get("items")
    if isinstance(value, list) and isinstance(items, dict):
        return all(fits(each, items) for each in value)
    properties = schema.get("properties", {})
    if isinstance(value, dict) and isinstance(properties, dict):
        required = schema.get("required", [])
        assert isinstance(required, list)
        known = all(name in properties for name in value) or "additionalProperties" not in schema
        inside = [fits(value[name], properties[name]) for name in properties if name in value]
        return known and set(required) <= set(value) and all(inside)
    return True


SLIDING = "AAB\n...\n\n...\n.AA\n"
COVER = "a b c\na b |2\nc |1\na |1\nb c |1\n"
KINGS = "1 . 2\n. . .\n\n. . .\n1 . 2\n"
STACKS = ".0> . ~ .1<\n. .2^ . #\n"
CALLS: list[tuple[str, str, int, str]] = [
    ("problems", "", 0, "problems"),
    ("solve boardcover --sample", "", 0, "answer"),
    ("solve boardcover --sample --picture", "", 0, "picture"),
    ("enumerate 4", "", 0, ""),
    ("enumerate 4 --count", "", 0, "count"),
    ("enumerate 4 --symmetry", "", 0, "classes"),
    ("enumerate 40 --count --seconds 0", "", 3, "stopped"),
    ("tile 2x3 --pieces domino --copies any --count", "", 0, "count"),
    ("tile 2x3 --pieces domino --copies any --all", "", 0, "solution"),
    ("tile 2x3 --pieces domino --copies any --sample 2 --rng 1", "", 0, "solution"),
    ("tile 2x3 --pieces domino --copies any --unique", "", 0, "unique"),
    ("tile 2x3 --pieces domino --copies any --explain", "", 0, "explanation"),
    ("tile 3x3 --pieces domino --copies any --explain", "", 0, "explanation"),
    ("tile 3x3 --pieces domino --copies any --unique", "", 1, "unique"),
    ("tile 3x3 --pieces domino --copies any", "", 1, "solution"),
    ("tile 5x5 --pieces IIIII", "", 0, "solution"),
    ("tile --pieces domino --copies any --explain", "#...\n....\n....\n...#\n", 0, "explanation"),
    ("cover", COVER, 0, "solution"),
    ("cover --all", COVER, 0, "solution"),
    ("cover --count", COVER, 0, "count"),
    ("cover --unique", COVER, 0, "unique"),
    ("cover --minimum", COVER, 0, "cost"),
    ("cover", "a b\na\n", 1, "solution"),
    ("slide", SLIDING, 0, "plan"),
    ("slide --all-metrics", SLIDING, 0, "lengths"),
    ("slide", "A#.\n\n..A\n", 1, "reason"),
    ("npuzzle", "1 2\n. 3\n", 0, "plan"),
    ("npuzzle --distance --metric push", "1 2 3\n4 . 5\n", 0, "distance"),
    ("npuzzle --explain", "2 1 3\n4 5 .\n", 0, "solvable"),
    ("npuzzle", "2 1 3\n4 5 .\n", 1, "reason"),
    ("kings", KINGS, 0, "plan"),
    ("kings --explain", KINGS, 0, "reachable"),
    ("stack", STACKS, 0, "cycle_start"),
    ("stack --trace --max-rounds 2", STACKS, 0, "trace"),
]


@pytest.mark.parametrize(("words", "stdin", "status", "name"), CALLS)
def test_every_line_keeps_the_schema(
    words: str,
    stdin: str,
    status: int,
    name: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
    assert main([*words.split(), "--json"]) == status
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert lines
    for line in lines:
        assert fits(line, SCHEMA), line
        if name:
            assert line["command"] == words.split()[0]
            assert name in line


def test_the_schema_knows_every_command() -> None:
    text = json.dumps(SCHEMA)
    for command in set(COMMANDS) - {"completion"}:
        assert f'"{command}"' in text, command
    line = {"command": "bench", "processes": {}, "work": {"tiling": 0.1}, "wrong": []}
    assert fits(line, SCHEMA)


def test_the_schema_refuses_other_lines() -> None:
    for line in ({"command": "tile"}, {"command": "tile", "count": "3"}, [1], {"count": 3},
                 {"command": "slide", "plan": {"metric": "step"}}):  # fmt: skip
        assert not fits(line, SCHEMA)
