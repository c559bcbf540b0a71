"""Several scenes as one: side by side, in rows, in a flow like words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gridkit.render.scene import Label, Scene

__all__ = ["flowed", "joined", "stacked"]


def joined(
    scenes: Iterable[Scene],
    *,
    columns: int | None = None,
    captions: Sequence[str] = (),
    gap: float = 1,
    even: bool = True,
    title: str = "",
) -> Scene:
    """Return scenes side by side as one, in rows of `columns`, each over its caption.

    Scenes are centred in their places, which have the size of the largest scene, or unless
    `even`, of the largest of their row and column.

    Examples
    --------
    >>> from gridkit.render.scene import grid_scene
    >>> board = grid_scene([[None, None]])
    >>> joined([board, board]).size, joined([board] * 3, columns=2).size
    ((5.0, 1.0), (5.0, 3.0))
    """
    parts = list(scenes)
    across = columns or max(1, len(parts))
    sizes = [scene.size for scene in parts]
    widths = [max((w for w, _ in sizes[col::across]), default=0) for col in range(across)]
    heights = [
        max(height for _, height in sizes[first : first + across])
        for first in range(0, len(parts), across)
    ]
    if even:
        widths, heights = [max(widths)] * len(widths), [max(heights, default=0)] * len(heights)
    below = 1.0 if captions else 0.0
    placed = []
    for number, scene in enumerate(parts):
        down, over = divmod(number, across)
        left, top, right, bottom = scene.box
        x = sum(widths[:over]) + over * gap
        y = sum(heights[:down]) + down * (gap + below)
        middle, ground = x + widths[over] / 2, y + heights[down]
        shift_y = (y + ground - top - bottom) / 2
        placed.append(scene.moved(middle - (left + right) / 2, shift_y, part=number))
        if number < len(captions) and captions[number]:
            caption = Label(captions[number], middle, ground + 0.7, widths[over], "paper", 0.6)
            placed.append(Scene((), (caption,)))
    return _merged(placed, title)


def stacked(scenes: Iterable[Scene], *, gap: float = 1, title: str = "") -> Scene:
    """Return scenes one below the other as one.

    Examples
    --------
    >>> from gridkit.render.scene import grid_scene
    >>> stacked([grid_scene([[None]]), grid_scene([[None, None]])]).size
    (2.0, 3.0)
    """
    return joined(scenes, columns=1, gap=gap, title=title, even=False)


def flowed(scenes: Iterable[Scene], width: float, *, gap: float = 1, title: str = "") -> Scene:
    """Return scenes set like words in lines of a width, each standing on its line.

    Examples
    --------
    >>> from gridkit.render.scene import grid_scene
    >>> flowed([grid_scene([[0, 0]])] * 3, 5).size
    (5.0, 3.0)
    """
    placed: list[Scene] = []
    line: list[Scene] = []
    across = down = 0.0

    def end_line() -> None:
        nonlocal across, down
        down += max((scene.size[1] for scene in line), default=0)
        for scene in line:
            placed.append(scene.moved(0, down - scene.box[3], part=len(placed)))
        line.clear()
        across, down = 0, down + gap

    for scene in scenes:
        left, _, right, _ = scene.box
        if line and across + right - left > width:
            end_line()
        line.append(scene.moved(across - left, 0))
        across += right - left + gap
    end_line()
    return _merged(placed, title)


def _merged(scenes: Sequence[Scene], title: str) -> Scene:
    return Scene(
        tuple(cell for scene in scenes for cell in scene.cells),
        tuple(label for scene in scenes for label in scene.labels),
        tuple(line for scene in scenes for line in scene.lines),
        title,
        all(scene.seams for scene in scenes),
    )
