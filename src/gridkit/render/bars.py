"""Bars: how many things there are of each whole number, as distances or sizes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gridkit.render.palette import Fill
from gridkit.render.scene import Label, Scene, SceneCell, rectangle

__all__ = ["bars_scene"]

_HIGH, _WIDE = 10, 40  # the most that a picture takes, in cells
_PLAIN = 10  # a light hue


def bars_scene(
    counts: Sequence[int],
    *,
    fills: Mapping[int, Fill] | None = None,
    unit: str = "states",
    title: str = "",
) -> Scene:
    """Return a bar for each of the numbers 0, 1, 2, ..., as high as its count asks for.

    Parameters
    ----------
    counts : sequence of int
        How many there are of each number; the largest makes the highest bar.
    fills : mapping of int to fill, optional
        Bars in other colours, which are numbered below, as the first and the last bar are.
    unit : str
        What is counted.
    title : str
        Accessible name of the picture.

    Examples
    --------
    >>> scene = bars_scene([1, 2, 0, 1])
    >>> len(scene.cells), [label.text for label in scene.labels]
    (3, ['0', '3', 'up to 2 states'])
    """
    most, wide = max(counts, default=0), min(1.0, _WIDE / max(1, len(counts)))
    special = fills or {}
    bars = [
        SceneCell(
            rectangle(number * wide, -_HIGH * count / most, wide, _HIGH * count / most),
            number,
            special.get(number, _PLAIN),
        )
        for number, count in enumerate(counts)
        if count
    ]
    numbered = sorted({0, max(0, len(counts) - 1), *special})
    labels = [Label(str(n), (n + 0.5) * wide, 0.7, 2.0, "paper", 0.7) for n in numbered]
    middle, above = len(counts) * wide / 2, -_HIGH - 0.7
    labels.append(Label(f"up to {most} {unit}", middle, above, 12, "paper", 0.7))
    return Scene(tuple(bars), tuple(labels), title=title)
