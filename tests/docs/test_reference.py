"""The reference: every public name is in it, and has an example that runs."""

from __future__ import annotations

import doctest
import importlib
import re
from pathlib import Path
from types import ModuleType

import pytest

API = (Path(__file__).parents[2] / "docs/reference/api.md").read_text(encoding="utf-8")
PACKAGES = [
    "gridkit", "gridkit.cover", "gridkit.grid", "gridkit.polyomino", "gridkit.polyomino.pieces",
    "gridkit.problems", "gridkit.problems.reader", "gridkit.run.progress", "gridkit.sliding",
    "gridkit.sliding.kings", "gridkit.stacking",
]  # fmt: skip


def public() -> dict[str, object]:
    """Return the public names, each once, under the shortest of its addresses."""
    objects: dict[str, object] = {}
    for package in PACKAGES:
        module = importlib.import_module(package)
        for name in module.__all__:
            value = getattr(module, name)
            known = any(value is each for each in objects.values())
            if not (known or isinstance(value, ModuleType | str)):
                objects[f"{package}.{name}"] = value
    return objects


NAMES = public()
ADDRESSES = set(re.findall(r":: (gridkit[\w.]*)", API))


@pytest.mark.parametrize("name", NAMES)
def test_every_public_name_has_an_example(name: str) -> None:
    examples = doctest.DocTestParser().get_examples(NAMES[name].__doc__ or "")
    assert examples, f"{name} has no example"


@pytest.mark.parametrize("name", NAMES)
def test_every_public_name_is_in_the_reference(name: str) -> None:
    value, (package, _, short) = NAMES[name], name.rpartition(".")
    home = getattr(value, "__module__", "")
    named = {
        f"{each}.{short}" for each in PACKAGES if hasattr(importlib.import_module(each), short)
    }
    assert ADDRESSES & {*named, package, home}, name


@pytest.mark.parametrize("address", sorted(ADDRESSES))
def test_the_reference_names_what_exists(address: str) -> None:
    module, _, last = address.rpartition(".")
    if not hasattr(importlib.import_module(module), last):
        importlib.import_module(address)
