"""The text format of Knuth's DLX programs.

::

    | a line that begins with a vertical bar is a comment
    p q 2:3|r | x y          the primary items, a bar, the secondary ones
    p q x y:A                an option: its items, secondary ones perhaps with a colour
    q r x:A |7               here with a cost

A prefix ``lo:hi|`` (or ``n|``) gives a primary item's multiplicity, as for DLX3; a suffix ``|n``,
after an item or on its own, adds to the option's cost.  A line whose first mark is a bar is a
comment, even behind blanks; so the format has no problem without primary items.

Source: D. E. Knuth, The Art of Computer Programming 7.2.2.1 (2020), and his programs DLX1 to DLX6.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping
from typing import NamedTuple

from gridkit.cover.reading import Bounds, Colored, collection_paused
from gridkit.errors import InputError, ParseError

__all__ = ["Problem", "parse_problem", "problem_text"]

_DIGITS = 18  # of the longest number
_MULTIPLE = re.compile(rf"(?:([0-9]{{1,{_DIGITS}}}):)?([0-9]{{1,{_DIGITS}}})\|(.+)", re.ASCII)
_COST = re.compile(rf"([^|]*)\|([0-9]{{1,{_DIGITS}}})", re.ASCII)
_BYTE_ORDER_MARK = "\ufeff"


class Problem(NamedTuple):
    """An exact-cover problem in plain data: what the constructor of `ExactCover` takes."""

    options: Iterable[Iterable[Hashable]]
    primary: Iterable[Hashable]
    secondary: Iterable[Hashable]
    multiplicity: dict[str, Bounds]
    costs: tuple[int | float, ...] | None


@collection_paused()
def parse_problem(text: str, *, one_by_one: bool = False) -> Problem:
    """Read a problem; its items and colours are strings (see `gridkit.cover.loads`).

    Items repeated in an option without colours and costs are found where options are read
    `one_by_one` only, which takes three times as long.
    """
    if not isinstance(text, str):
        raise InputError(f"expected a text, got {type(text).__name__}")
    lines = enumerate(text.removeprefix(_BYTE_ORDER_MARK).splitlines(), 1)
    of_items = next(((at, line) for at, line in lines if not _is_comment(line)), None)
    if of_items is None:
        raise ParseError("expected a line of items, found none", 1)
    primary, secondary, multiplicity = _items(*of_items)
    kinds = dict.fromkeys(primary, True) | dict.fromkeys(secondary, False)
    options: list[tuple[Hashable, ...]] = []
    costs: dict[int, int] = {}
    name_of = {name: name for name in kinds}.__getitem__  # one object for each name
    for number, line in lines:
        option: tuple[Hashable, ...] = ()
        if not one_by_one:
            try:
                option = tuple(map(name_of, line.split()))
            except KeyError:
                option = ()
        if not option:  # it has colours, costs or faults, or is none
            if _is_comment(line):
                continue
            option, cost = _option(number, line, kinds)
            if cost is not None:
                costs[len(options)] = cost
        options.append(option)
    prices = tuple(costs.get(index, 0) for index in range(len(options))) if costs else None
    return Problem(options, primary, secondary, multiplicity, prices)


def problem_text(
    options: tuple[tuple[Hashable, ...], ...],
    primary: tuple[Hashable, ...],
    secondary: tuple[Hashable, ...],
    multiplicity: Mapping[Hashable, tuple[int, int | None]],
    costs: tuple[int | float, ...] | None,
) -> str:
    """Write a problem (see `gridkit.cover.dumps`)."""
    if not primary:
        raise InputError("the format has no problem without primary items")
    if costs is not None and not options:
        raise InputError("the format has no costs without options")
    item_texts = _texts((*primary, *secondary), "item")
    color_texts = _texts(
        (item.color for option in options for item in option if isinstance(item, Colored)),
        "colour",
    )
    words = []
    for item in primary:
        prefix = ""
        if item in multiplicity:
            least, greatest = multiplicity[item]
            if greatest is None:
                greatest = max(least, len(options))
            if greatest >= 10**_DIGITS:
                raise InputError(f"the format takes multiplicities below 10**{_DIGITS}: {item!r}")
            prefix = f"{least}:{greatest}|"
        words.append(prefix + item_texts[item])
    if secondary:
        words += ["|", *(item_texts[item] for item in secondary)]
    lines = [" ".join(words)]
    for option in options:
        lines.append(
            " ".join(
                f"{item_texts[item.item]}:{color_texts[item.color]}"
                if isinstance(item, Colored)
                else item_texts[item]
                for item in option
            )
        )
    for index, cost in enumerate(costs or ()):
        if not isinstance(cost, int) or not 0 <= cost < 10**_DIGITS:
            raise InputError(
                f"the format takes costs that are ints from 0 to 10**{_DIGITS} - 1, "
                f"option {index}: {cost!r}"
            )
        if cost or not index:  # costs that are all 0 are costs all the same
            lines[1 + index] += f" |{cost}"
    return "\n".join(lines) + "\n"


def _is_comment(line: str) -> bool:
    """Whether a line is blank or begins with a bar."""
    return line.lstrip()[:1] in ("", "|")


def _words(line: str) -> list[tuple[str, int]]:
    return [(match.group(), match.start() + 1) for match in re.finditer(r"\S+", line)]


def _items(number: int, line: str) -> tuple[list[str], list[str], dict[str, Bounds]]:
    primary: list[str] = []
    secondary: list[str] = []
    multiplicity: dict[str, Bounds] = {}
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


def _option(
    number: int, line: str, kinds: dict[str, bool]
) -> tuple[tuple[Hashable, ...], int | None]:
    """Read an option and its cost, if any; `kinds` tells primary items from secondary."""
    option: list[Hashable] = []
    seen: set[str] = set()
    cost: int | None = None
    for word, column in _words(line):
        match = _COST.fullmatch(word)
        text = word
        if match:
            text, extra = match.groups()
            cost = (cost or 0) + int(extra)
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
    return tuple(option), cost


def _texts(values: Iterable[Hashable], what: str) -> dict[Hashable, str]:
    """Return the text of each item or colour, all distinct."""
    texts: dict[Hashable, str] = {}
    value_of: dict[str, Hashable] = {}
    for value in values:
        if value not in texts:
            texts[value] = text = _word(value, what)
            if text in value_of:
                raise InputError(
                    f"two {what}s have the same text {text!r}: {value_of[text]!r} and {value!r}"
                )
            value_of[text] = value
    return texts


def _word(value: Hashable, what: str) -> str:
    text = str(value)
    if isinstance(value, tuple):
        text = text.replace(" ", "").replace("'", "")
    if not text or re.search(rf"[\s|:{_BYTE_ORDER_MARK}]", text):
        raise InputError(
            f"the format takes no {what} like {text!r}: it must have no blanks, ':', '|' or "
            "byte-order marks, and not be empty"
        )
    return text
