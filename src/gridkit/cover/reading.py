"""Reading what a user hands in as an exact-cover problem."""

from __future__ import annotations

import gc
import math
import numbers
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, count
from typing import TypeVar

from gridkit.cover.matrix import Matrix
from gridkit.errors import InputError
from gridkit.reading import read_int

__all__ = [
    "Bounds",
    "Colored",
    "collection_paused",
    "is_plain_and_large",
    "make_matrix",
    "read_both",
    "read_bounds",
    "read_costs",
    "read_multiplicity",
    "read_options",
    "read_symmetries",
]

# Kinds of options whose items are read in bulk: any others are looked at one by one.
_ORDERED = {tuple, list, str, range}
_MANY_OPTIONS = 20_000

Item = TypeVar("Item", bound=Hashable)
Bounds = int | tuple[int, int | None] | None


def read_bounds(value: Bounds, what: str) -> tuple[int, int | None]:
    """Read how often an item or a piece is used.

    An int is exactly so often, (least, greatest) a range, with greatest None for no upper bound;
    None is any number of times.
    """
    if value is None:
        return 0, None
    pair = value if isinstance(value, tuple | list) else (value, value)
    try:
        least, last = pair
        lowest = read_int(least, what, 0)
        greatest = None if last is None else read_int(last, what, lowest)
    except ValueError:  # of unpacking, or an InputError
        raise InputError(
            f"{what}: expected an int >= 0, (least, greatest) with least <= greatest, or None, "
            f"got {value!r}"
        ) from None
    return lowest, greatest


@dataclass(frozen=True, slots=True)
class Colored:
    """A secondary item given a colour: options that give it the same colour are compatible.

    Examples
    --------
    >>> from gridkit import ExactCover
    >>> x = Colored("x", "red")
    >>> ExactCover([["p", x], ["q", x]], primary=["p", "q"], secondary=["x"]).count()
    1
    """

    item: Hashable
    color: Hashable


@contextmanager
def collection_paused() -> Iterator[None]:
    """Let the collector of cycles wait: it would look through a million options, which hold none.

    That took a third of the time in which large problems are read.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


@collection_paused()
def read_options(options: Iterable[Iterable[Hashable]]) -> tuple[tuple[Hashable, ...], ...]:
    """Read the options, none of them empty."""
    if isinstance(options, Mapping):
        raise InputError(
            "ExactCover: expected options one after the other, got a mapping; an option is known "
            "by its number: pass the mapping's values()"
        )
    try:
        given = iter(options)
    except TypeError:
        raise InputError(f"ExactCover: options must be iterable, got {options!r}") from None
    if isinstance(options, tuple | list) and set(map(type, options)) <= _ORDERED:
        read = tuple(map(tuple, options))
        if all(read):
            return read
    return tuple(map(read_option, count(), given))


def read_option(index: int, option: Iterable[Hashable]) -> tuple[Hashable, ...]:
    """Read an option: at least one item."""
    if isinstance(option, Mapping):
        raise InputError(
            f"option {index}: expected an iterable of items, got a mapping; Colored(item, colour) "
            "gives an item a colour"
        )
    try:
        read = in_order(option)
    except TypeError:
        raise InputError(f"option {index}: expected an iterable of items, got {option!r}") from None
    if not read:
        raise InputError(f"option {index} is empty: it covers no item")
    return read


def in_order(items: Iterable[Hashable]) -> tuple[Hashable, ...]:
    """Return items as they come; those of a set sorted, so that every process numbers them alike.

    The order of a set of strings differs from process to process.
    """
    if not isinstance(items, Set):
        return tuple(items)
    try:
        return tuple(sorted(items))
    except TypeError:
        return tuple(sorted(items, key=repr))


def read_both(
    options: tuple[tuple[Hashable, ...], ...],
    primary: Iterable[Hashable] | None,
    secondary: Iterable[Hashable],
) -> tuple[tuple[Hashable, ...], tuple[Hashable, ...]]:
    """Read the primary items, those that appear when None, and the secondary ones."""
    optional = read_items(secondary, "secondary")
    if primary is None:
        return appearing(options, set(optional)), optional
    demanded = read_items(primary, "primary")
    both = set(demanded) & set(optional)
    if both:
        raise InputError(f"ExactCover: item {min(both, key=repr)!r} is primary and secondary")
    return demanded, optional


def read_items(items: Iterable[Hashable], what: str) -> tuple[Hashable, ...]:
    """Read the primary or the secondary items: distinct, hashable, without colours."""
    if isinstance(items, Mapping):
        raise InputError(f"ExactCover: {what}: expected items, got a mapping")
    try:
        read = in_order(items)
    except TypeError:
        raise InputError(f"ExactCover: {what} must be iterable, got {items!r}") from None
    seen: set[Hashable] = set()
    for item in read:
        if isinstance(item, Colored):
            raise InputError(f"ExactCover: {what} names items without a colour, got {item!r}")
        check_hashable(item, what)
        if item in seen:
            raise InputError(f"ExactCover: item {item!r} is repeated in {what}")
        seen.add(item)
    return read


def check_hashable(item: Hashable, where: str) -> None:
    try:
        hash(item)
    except TypeError:
        raise InputError(f"{where}: item {item!r} is not hashable") from None


def appearing(
    options: tuple[tuple[Hashable, ...], ...], secondary: set[Hashable]
) -> tuple[Hashable, ...]:
    """Return the items of the options that are not secondary, as they first appear."""
    try:
        seen = dict.fromkeys(chain.from_iterable(options))
    except TypeError:
        for index, option in enumerate(options):
            for item in option:
                if isinstance(item, Colored):
                    check_hashable(item.item, f"option {index}")
                    check_hashable(item.color, f"option {index}: colour of {item.item!r}")
                check_hashable(item, f"option {index}")
        raise
    return tuple(item for item in seen if item not in secondary and not isinstance(item, Colored))


def read_multiplicity(
    given: Mapping[Item, Bounds] | None, primary: tuple[Hashable, ...], secondary: set[Hashable]
) -> dict[Hashable, tuple[int, int | None]]:
    """Read how often to cover items."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise InputError(f"multiplicity: expected a mapping from items to bounds, got {given!r}")
    known = set(primary)
    bounds: dict[Hashable, tuple[int, int | None]] = {}
    for item, value in given.items():
        if item not in known:
            kind = "secondary" if item in secondary else "unknown"
            raise InputError(f"multiplicity: item {item!r} is {kind}, expected a primary one")
        bounds[item] = read_bounds(value, f"multiplicity of item {item!r}")
    return bounds


def read_costs(costs: Sequence[int | float], options: int) -> tuple[int | float, ...]:
    """Read the cost of each option."""
    if isinstance(costs, Mapping | Set):
        raise InputError(
            f"costs: expected a list of one number for each option, got a {type(costs).__name__}"
        )
    try:
        given = tuple(costs)
    except TypeError:
        raise InputError(
            f"costs: expected a list of one number for each option, got {costs!r}"
        ) from None
    if len(given) != options:
        raise InputError(f"costs: expected one for each of {options} options, got {len(given)}")
    return tuple(map(read_cost, count(), given))


def read_cost(index: int, cost: object) -> int | float:
    """Read the cost of an option: an integer, or a finite float (of numpy, perhaps)."""
    if isinstance(cost, numbers.Real) and not isinstance(cost, numbers.Rational):
        if math.isfinite(cost):
            return float(cost)
    elif hasattr(cost, "__index__") and not isinstance(cost, bool):
        return read_int(cost, f"costs: the cost of option {index}")
    raise InputError(f"costs: expected a finite number for option {index}, got {cost!r}")


def read_symmetries(symmetries: Iterable[Mapping[Item, Item]]) -> list[Mapping[Item, Item]]:
    """Read the permutations of the items."""
    try:
        given = list(symmetries)
    except TypeError:
        raise InputError(f"symmetries: expected mappings of items, got {symmetries!r}") from None
    for symmetry in given:
        if not isinstance(symmetry, Mapping):
            raise InputError(f"symmetries: expected mappings of items, got {symmetry!r}")
    return given


def is_plain_and_large(
    options: tuple[tuple[Hashable, ...], ...], items: tuple[Hashable, ...]
) -> bool:
    """Whether there are many options, without colours and without a fault.

    Then they are numbered when that is needed first: it takes longer than to look them through.
    """
    if len(options) < _MANY_OPTIONS:
        return False
    try:
        if not set(chain.from_iterable(options)) <= set(items):
            return False
    except TypeError:  # not hashable
        return False
    return sum(map(len, map(set, options))) == sum(map(len, options))


@collection_paused()
def make_matrix(
    options: tuple[tuple[Hashable, ...], ...],
    number: dict[Hashable, int],
    bounds: Mapping[Hashable, tuple[int, int | None]],
    names: tuple[Hashable, ...],
) -> Matrix:
    """Number items and colours, and check the options."""
    primary = len(names)
    rows, colors = _plain_rows(options, number), None
    if rows is None:
        rows, colors = _checked_rows(options, number, primary)
    low, high = [1] * primary, [1] * primary
    for place, name in enumerate(names) if bounds else ():
        if name in bounds:
            least, greatest = bounds[name]
            low[place] = least
            high[place] = min(len(rows), len(rows) if greatest is None else greatest)
            if least > len(rows):
                low[place], high[place] = len(rows) + 1, len(rows) + 1  # never enough options
    return Matrix(rows, primary, tuple(low), tuple(high), colors)


def _plain_rows(
    options: tuple[tuple[Hashable, ...], ...], number: dict[Hashable, int]
) -> tuple[tuple[int, ...], ...] | None:
    """Number the items of options in bulk; None where an option has a colour or a fault."""
    number_of = number.__getitem__
    try:
        rows = tuple([tuple(sorted(set(map(number_of, option)))) for option in options])
    except (KeyError, TypeError):
        return None
    return rows if sum(map(len, rows)) == sum(map(len, options)) else None


def _checked_rows(
    options: tuple[tuple[Hashable, ...], ...], number: dict[Hashable, int], primary: int
) -> tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...] | None]:
    """Number items and colours option by option; raise for the first fault."""
    rows: list[tuple[int, ...]] = []
    colors: list[tuple[int, ...]] | None = None
    palette: dict[Hashable, int] = {}
    number_of = number.__getitem__
    for index, option in enumerate(options):
        paint: list[int] = []
        try:
            row = list(map(number_of, option))
        except (KeyError, TypeError):
            row, paint = _numbered(index, option, number, primary, palette)
            if colors is None:
                colors = [(0,) * len(earlier) for earlier in rows]
        if len(set(row)) < len(row):
            twice = next(
                item for item, place in zip(option, row, strict=True) if row.count(place) > 1
            )
            raise InputError(f"option {index} repeats item {twice!r}")
        if colors is not None:
            paint = paint or [0] * len(row)
            pairs = sorted(zip(row, paint, strict=True))
            colors.append(tuple(color for _, color in pairs))
        row.sort()
        rows.append(tuple(row))
    return tuple(rows), None if colors is None else tuple(colors)


def _numbered(
    index: int,
    option: tuple[Hashable, ...],
    number: dict[Hashable, int],
    primary: int,
    palette: dict[Hashable, int],
) -> tuple[list[int], list[int]]:
    """Number the items of an option that has colours, or find what is wrong with it."""
    row, paint = [], []
    for item in option:
        color = 0
        if isinstance(item, Colored):
            check_hashable(item.color, f"option {index}: colour of {item.item!r}")
            color = palette.setdefault(item.color, len(palette) + 1)
            item = item.item
        check_hashable(item, f"option {index}")
        if item not in number:
            raise InputError(
                f"option {index} holds item {item!r}, which is neither primary nor secondary"
            )
        if color and number[item] < primary:
            raise InputError(f"option {index} colours the primary item {item!r}")
        row.append(number[item])
        paint.append(color)
    return row, paint
