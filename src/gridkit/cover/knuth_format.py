"""Exact-cover problems in the text format of Knuth's DLX programs (see `knuth_text`)."""

from __future__ import annotations

from pathlib import Path

from gridkit.cover.exact_cover import ExactCover

__all__ = ["dumps", "loads", "read", "write"]


def loads(text: str) -> ExactCover:
    """Read a problem from Knuth's format; its items and colours are strings.

    A byte-order mark before the text is skipped.

    Raises
    ------
    ParseError
        Naming line and column.

    Examples
    --------
    >>> problem = loads("| three queens' worth of nothing\\na b | c\\na c:1\\nb c:1\\nb c:2\\n")
    >>> problem.count(), problem.options[0]
    (1, ('a', Colored(item='c', color='1')))
    """
    return ExactCover.parse(text)


def dumps(problem: ExactCover) -> str:
    """Write a problem in Knuth's format; items and colours are written by ``str``.

    `loads` reads the same problem from the text: equal to it where its items and colours are
    strings and its multiplicities have an upper bound (no upper bound is written as the number of
    options, beyond which no item can be covered).

    Raises
    ------
    InputError
        Where the format has no way to say it: no primary item; two items or colours of the same
        text, or one with blanks, colons, bars or a byte-order mark in it; costs that are no ints
        from 0 to 10**18 - 1, or bounds from there on; symmetries; costs without options.

    Examples
    --------
    >>> print(dumps(ExactCover([["a"], ["a", "b"]], multiplicity={"b": (0, 2)})), end="")
    a 0:2|b
    a
    a b
    """
    return problem.to_text()


def read(path: str | Path) -> ExactCover:
    """Read a problem in Knuth's format from a file."""
    return loads(Path(path).read_text(encoding="utf-8"))


def write(problem: ExactCover, path: str | Path) -> None:
    """Write a problem in Knuth's format to a file."""
    Path(path).write_text(dumps(problem), encoding="utf-8")
