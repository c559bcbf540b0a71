"""The text format of Knuth's DLX programs.

::

    | a line that begins with a vertical bar is a comment
    p q 2:3|r | x y          the primary items, a bar, the secondary ones
    p q x y:A                an option: its items, secondary ones perhaps with a colour
    q r x:A |7               here with a cost

A prefix ``lo:hi|`` (or ``n|``) gives a primary item's multiplicity, as for DLX3; a suffix ``|n``,
after an item or on its own, adds to the option's cost.
"""

from __future__ import annotations

import re
from collections.abc import Hashable
from pathlib import Path

from gridkit.cover.exact_cover import Bounds, Colored, ExactCover
from gridkit.errors import InputError, ParseError

__all__ = ["dumps", "loads", "read", "write"]

_MULTIPLE = re.compile(r"(?:([0-9]{1,18}):)?([0-9]{1,18})\|(.+)", re.ASCII)
_COST = re.compile(r"([^|]*)\|([0-9]{1,18})", re.ASCII)


def loads(text: str) -> ExactCover:
    """Read a problem; its items are strings.

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
    if not isinstance(text, str):
        raise InputError(f"expected a text, got {type(text).__name__}")
    lines = [
        (number, line)
        for number, line in enumerate(text.splitlines(), 1)
        if line.strip() and not line.lstrip().startswith("| ") and line.strip() != "|"
    ]
    lines = [(number, line) for number, line in lines if not line.startswith("|")]
    if not lines:
        raise ParseError("expected a line of items, found none", 1)
    primary, secondary, multiplicity = _items(*lines[0])
    kinds = dict.fromkeys(primary, True) | dict.fromkeys(secondary, False)
    options: list[list[Hashable]] = []
    costs: list[int] = []
    for number, line in lines[1:]:
        option, cost = _option(number, line, kinds)
        options.append(option)
        costs.append(cost)
    return ExactCover(
        options,
        primary,
        secondary,
        multiplicity=multiplicity,
        costs=costs if any(costs) else None,
    )


def dumps(problem: ExactCover) -> str:
    """Write a problem; items and colours are written by ``str``.

    Raises
    ------
    InputError
        When two items have the same text, or one has blanks, colons or bars in it, or a cost is
        no int >= 0.

    Examples
    --------
    >>> print(dumps(ExactCover([["a"], ["a", "b"]], multiplicity={"b": (0, 2)})), end="")
    a 0:2|b
    a
    a b
    """
    names = _names(problem)
    words = []
    for item in problem.primary:
        prefix = ""
        if item in problem.multiplicity:
            least, greatest = problem.multiplicity[item]
            prefix = f"{least}:{len(problem.options) if greatest is None else greatest}|"
        words.append(prefix + names[item])
    if problem.secondary:
        words += ["|", *(names[item] for item in problem.secondary)]
    lines = [" ".join(words)]
    for index, option in enumerate(problem.options):
        words = []
        for item in option:
            if isinstance(item, Colored):
                words.append(f"{names[item.item]}:{_word(item.color, 'colour')}")
            else:
                words.append(names[item])
        cost = 0 if problem.costs is None else problem.costs[index]
        if not isinstance(cost, int) or cost < 0:
            raise InputError(f"the format takes costs that are ints >= 0, option {index}: {cost!r}")
        if cost:
            words.append(f"|{cost}")
        lines.append(" ".join(words))
    return "\n".join(lines) + "\n"


def read(path: str | Path) -> ExactCover:
    """Read a problem from a file."""
    return loads(Path(path).read_text(encoding="utf-8"))


def write(problem: ExactCover, path: str | Path) -> None:
    """Write a problem to a file."""
    Path(path).write_text(dumps(problem), encoding="utf-8")


def _words(line: str) -> list[tuple[str, int]]:
    return [(match.group(), match.start() + 1) for match in re.finditer(r"\S+", line)]


def _items(number: int, line: str) -> tuple[list[str], list[str], dict[Hashable, Bounds]]:
    primary: list[str] = []
    secondary: list[str] = []
    multiplicity: dict[Hashable, Bounds] = {}
    seen: set[str] = set()
    behind = False
    for word, column in _words(line):
        if word == "|":
            if behind:
                raise ParseError("a second '|' among the items", number, column)
            behind = True
            continue
        name = word
        match = _MULTIPLE.fullmatch(word)
        if match:
            low, high, name = match.groups()
            bounds = (int(high if low is None else low), int(high))
            if behind:
                raise ParseError(f"multiplicity of secondary item {name!r}", number, column)
            if bounds[0] > bounds[1]:
                raise ParseError(f"multiplicity {low}:{high} is no range", number, column)
            multiplicity[name] = bounds
        if "|" in name or ":" in name:
            raise ParseError(
                f"expected an item without ':' and '|', found {word!r}", number, column
            )
        if name in seen:
            raise ParseError(f"item {name!r} is named twice", number, column)
        seen.add(name)
        (secondary if behind else primary).append(name)
    return primary, secondary, multiplicity


def _option(number: int, line: str, kinds: dict[str, bool]) -> tuple[list[Hashable], int]:
    """Read an option; `kinds` tells the primary items from the secondary."""
    option: list[Hashable] = []
    seen: set[str] = set()
    cost = 0
    for word, column in _words(line):
        match = _COST.fullmatch(word)
        text = word
        if match:
            text, extra = match.groups()
            cost += int(extra)
            if not text:
                continue
        name, colon, color = text.partition(":")
        if name not in kinds:
            raise ParseError(f"unknown item {name!r}", number, column)
        if name in seen:
            raise ParseError(f"item {name!r} is repeated in the option", number, column)
        if colon and not color:
            raise ParseError(f"expected a colour after {text!r}", number, column)
        if colon and kinds[name]:
            raise ParseError(f"the primary item {name!r} is given a colour", number, column)
        seen.add(name)
        option.append(Colored(name, color) if colon else name)
    if not option:
        raise ParseError("expected an option, found no item", number)
    return option, cost


def _names(problem: ExactCover) -> dict[Hashable, str]:
    names = {item: _word(item, "item") for item in (*problem.primary, *problem.secondary)}
    if len(set(names.values())) < len(names):
        twice = [text for text in names.values() if list(names.values()).count(text) > 1]
        raise InputError(f"two items have the same text {twice[0]!r}")
    return names


def _word(value: Hashable, what: str) -> str:
    text = str(value)
    if isinstance(value, tuple):
        text = text.replace(" ", "").replace("'", "")
    if not text or re.search(r"[\s|:]", text):
        raise InputError(f"the format takes no {what} like {text!r}: blanks, ':' and '|' are marks")
    return text
