"""Colours: 24 hues that colour-blind readers tell apart, and pieces whose neighbours differ.

The hues were chosen one after the other, each as far as possible from all before it, where the
distance of two is the least of their distances in OKLab (Ottosson, 2020) as people see them with
normal vision and without red, green or blue cones (Machado, Oliveira and Fernandes, 2009), and
their lightness differs too, so that a print in greys is legible.  A prefix of the list is the best
choice for few pieces.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from functools import cache
from itertools import chain
from math import hypot

__all__ = [
    "DARK_INK", "HUES", "LEAST_APART", "LIGHT_INK", "ROLES", "Fill", "apart", "by_lightness",
    "contrast", "distinct_fills", "hex_of", "ink_on", "shaded",
]  # fmt: skip

Fill = int | str
Rgb = tuple[float, float, float]

HUES = (
    "#aea2d6", "#9a2c0f", "#a1fede", "#4066c2", "#da7827", "#f3d350", "#9c6575", "#64d7aa",
    "#7e82d6", "#eba42c", "#b7c9fc", "#764e87", "#32b792", "#c25137", "#d8eca0", "#bf5da2",
    "#974d48", "#cdc87a", "#cd995c", "#91a1f6", "#b38cb5", "#b9846c", "#f7add6", "#60f4f4",
)  # fmt: skip

ROLES: Mapping[str, tuple[str, str]] = {
    "paper": ("#ffffff", "#16181d"),
    "open": ("#ffffff", "#434b5a"),
    "soft": ("#e9ecf1", "#525c6d"),
    "warm": ("#f6c3bd", "#713c37"),
    "cool": ("#bcd2f2", "#34507d"),
    "blocked": ("#d5d9e0", "#23272f"),
    "hatch": ("#8b93a1", "#727c8d"),
    "ink": ("#1d2026", "#07080a"),
    "text": ("#1d2026", "#e4e7ec"),
}
"""What is no piece, in its colours on a light page and on a dark one.

"paper" is the page, "ink" the borders, "text" what is written on paper and open cells.
"""

_SHADES = (1.0, 0.84, 0.68)
DARK_INK, LIGHT_INK = "#14161a", "#ffffff"

# What people without red, green or blue cones see: Machado, Oliveira and Fernandes (2009), severity
# 1, rows for linear red, green and blue.
_VISIONS: tuple[tuple[Rgb, Rgb, Rgb], ...] = (
    ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216),
     (-0.003882, -0.048116, 1.051998)),
    ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413),
     (-0.011820, 0.042940, 0.968881)),
    ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602),
     (0.004733, 0.691367, 0.303900)),
)  # fmt: skip

LEAST_APART = 0.06
"""How far apart (see `apart`) the hues of neighbours are at least."""


def hex_of(fill: Fill, shade: int = 0, *, dark: bool = False) -> str:
    """Return a fill as ``#rrggbb``; hues recur after the end of the list.

    Examples
    --------
    >>> hex_of(0), hex_of("open"), hex_of("open", dark=True), hex_of("#123456")
    ('#aea2d6', '#ffffff', '#434b5a', '#123456')
    """
    if isinstance(fill, str):
        colour = ROLES[fill][dark] if fill in ROLES else fill
    else:
        colour = HUES[fill % len(HUES)]
    return shaded(colour, shade)


def shaded(colour: str, shade: int) -> str:
    """Return a colour as the side of a cube that has it: 0 as it is, 1 and 2 darker.

    Examples
    --------
    >>> shaded("#ffffff", 1)
    '#d6d6d6'
    """
    if not shade:
        return colour
    parts = [round(int(colour[at : at + 2], 16) * _SHADES[shade]) for at in (1, 3, 5)]
    return "#" + "".join(f"{part:02x}" for part in parts)


def contrast(one: str, two: str) -> float:
    """Return the contrast of two colours, 1 to 21 (Web Content Accessibility Guidelines 2.2).

    Examples
    --------
    >>> contrast("#000000", "#ffffff")
    21.0
    """
    bright, dim = sorted((_luminance(one), _luminance(two)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


def ink_on(colour: str) -> str:
    """Return the ink that is more legible on a colour: nearly black, or white.

    Examples
    --------
    >>> ink_on("#f3d350"), ink_on("#4066c2")
    ('#14161a', '#ffffff')
    """
    return max((DARK_INK, LIGHT_INK), key=lambda ink: contrast(ink, colour))


def by_lightness() -> list[int]:
    """Return the numbers of the hues from the darkest to the lightest.

    Examples
    --------
    >>> order = by_lightness()
    >>> HUES[order[0]], HUES[order[-1]]
    ('#9a2c0f', '#a1fede')
    """
    return sorted(range(len(HUES)), key=lambda hue: _seen(HUES[hue])[0][0])


@cache
def apart(one: int, two: int) -> float:
    """Return how far apart two hues look, in OKLab, to whoever tells them apart the least.

    Readers of a print in greys count too: they see lightness alone, of which a difference counts
    threefold.

    Examples
    --------
    >>> apart(0, 0), apart(0, 1) > 0.2
    (0.0, True)
    """
    first, second = _seen(HUES[one]), _seen(HUES[two])
    grey = 3 * abs(first[0][0] - second[0][0])
    return min(grey, *(_distance(a, b) for a, b in zip(first, second, strict=True)))


def distinct_fills(
    beside: Mapping[Hashable, Iterable[Hashable]], preferred: Mapping[Hashable, int]
) -> dict[Hashable, int]:
    """Give each piece a hue that none of its neighbours has, nor one that looks like theirs.

    Pieces are coloured one after the other, each by the hue it prefers or the first after it that
    is far enough from the hues of its neighbours; where none is, by the one that is farthest.

    Parameters
    ----------
    beside : mapping of piece to pieces
        The neighbours of each piece.
    preferred : mapping of piece to int
        The hue each piece is to have where it can, a number that may exceed the palette.

    Examples
    --------
    >>> distinct_fills({"a": ["b"], "b": ["a"]}, {"a": 0, "b": 0})
    {'a': 0, 'b': 1}
    """
    chosen: dict[Hashable, int] = {}
    hues = range(len(HUES))
    for piece, neighbours in beside.items():
        near = {chosen[other] for other in neighbours if other in chosen and other != piece}
        first = preferred.get(piece, 0) % len(HUES)
        in_turn = list(chain(hues[first:], hues[:first]))
        room = {hue: min((apart(hue, other) for other in near), default=1) for hue in in_turn}
        farthest = max(in_turn, key=room.__getitem__)
        chosen[piece] = next((hue for hue in in_turn if room[hue] >= LEAST_APART), farthest)
    return chosen


@cache
def _seen(colour: str) -> tuple[Rgb, ...]:
    """Return a colour in OKLab as each kind of vision sees it."""
    linear = _linear(colour)
    return tuple(
        _oklab(
            tuple(
                min(1.0, max(0.0, sum(a * b for a, b in zip(row, linear, strict=True))))
                for row in vision
            )
        )
        for vision in _VISIONS
    )


def _linear(colour: str) -> tuple[float, ...]:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    return tuple(
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )


def _luminance(colour: str) -> float:
    red, green, blue = _linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _oklab(linear: tuple[float, ...]) -> Rgb:
    """Return linear red, green and blue in OKLab (Ottosson, 2020)."""
    red, green, blue = linear
    long = (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3)
    middle = (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3)
    short = (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )


def _distance(one: Rgb, two: Rgb) -> float:
    return hypot(*(a - b for a, b in zip(one, two, strict=True)))
