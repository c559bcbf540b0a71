"""Judged problems: each adapter parses, calls the primitives and prints.

An adapter is a module of this package with a ``solve(text) -> str`` and a one-line docstring, and
maybe a ``pictures(text) -> str``; the registry finds it by its file name.  Inputs are read line by
line with `gridkit.problems.reader`, which adapters elsewhere may use too.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from gridkit.errors import InputError

__all__ = ["names", "pictures", "sample", "solve", "title"]


def names() -> tuple[str, ...]:
    """Return the names of the adapters, in alphabetical order.

    Examples
    --------
    >>> "boardcover" in names()
    True
    """
    import pkgutil

    modules = {module.name for module in pkgutil.iter_modules(__path__) if not module.ispkg}
    return tuple(sorted(modules - {"reader"}))


def solve(name: str, text: str) -> str:
    """Answer a judged problem: the text a judge would send in, the text it expects out.

    Raises
    ------
    InputError
        For an unknown name.
    ParseError
        For malformed input, naming line and column.

    Examples
    --------
    >>> solve("boardcover", "1\\n2 3\\n...\\n...\\n")
    '2\\n'
    """
    answer: str = _adapter(name).solve(text)
    return answer


def title(name: str) -> str:
    """Return the one-line description of an adapter.

    Examples
    --------
    >>> title("boardcover")
    'AlgoSpot BOARDCOVER: in how many ways do L-trominoes cover the white cells of a board?'
    """
    return (_adapter(name).__doc__ or "").strip().splitlines()[0]


def sample(name: str) -> str:
    """Return the sample input that ships with an adapter.

    Examples
    --------
    >>> sample("boardcover").splitlines()[0]
    '3'
    """
    from importlib.resources import files

    _adapter(name)
    return (files(__name__) / "samples" / f"{name}.txt").read_text(encoding="utf-8")


def pictures(name: str, text: str) -> str | None:
    """Return text pictures that go with the answer, or None where the adapter draws none.

    Examples
    --------
    >>> print(pictures("boardcover", "1\\n2 3\\n...\\n...\\n"), end="")
    AAB
    ABB
    """
    draw = getattr(_adapter(name), "pictures", None)
    drawn: str | None = None if draw is None else draw(text)
    return drawn


def _adapter(name: str) -> Any:
    if isinstance(name, str) and name.isidentifier() and not name.startswith("_"):
        try:
            module = import_module(f"{__name__}.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"{__name__}.{name}":
                raise
        else:
            if hasattr(module, "solve"):
                return module
    import difflib

    close = difflib.get_close_matches(str(name), names(), 1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    raise InputError(f"unknown problem {name!r} (known: {', '.join(names())}){hint}")


def __dir__() -> list[str]:
    return sorted(__all__)
