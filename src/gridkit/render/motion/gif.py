"""A film as an animated GIF, drawn with Pillow: an extra."""

from __future__ import annotations

from functools import cache
from io import BytesIO
from math import cos, radians, sin
from typing import TYPE_CHECKING

from gridkit.errors import UnsupportedError
from gridkit.render.motion.animated import GLIDE, seconds_of
from gridkit.render.motion.drawing import MARGIN, label_place, rounded
from gridkit.render.motion.film import Change, Film, Loop, Pose, Stage, joined, poses
from gridkit.render.palette import hex_of, ink_on

if TYPE_CHECKING:
    from PIL import Image, ImageDraw

__all__ = ["MOST_MOVES", "film_gif"]

MOST_MOVES = 200
"""A longer film is shown in so many glides, each of several moves."""

_FINE = 3  # pictures are drawn so many times as large and then made smaller, for smooth edges
_COLOURS = 128


def film_gif(film: Film, cell_size: int, dark: bool, frames: int) -> bytes:
    """Return a film as an animated GIF that plays for ever.

    Parameters
    ----------
    film : Film
        Of more than `MOST_MOVES` moves runs are joined.
    cell_size : int
        Side of a cell in pixels.
    dark : bool
        Whether the board is dark.
    frames : int
        Pictures of each move.

    Raises
    ------
    UnsupportedError
        Where Pillow is not installed, naming the extra.
    """
    try:
        import PIL.Image  # noqa: F401 - whether it is there
    except ImportError:
        raise UnsupportedError(
            "to_gif needs Pillow, which is not installed: pip install 'gridkit[gif]'"
        ) from None
    film = joined(film, MOST_MOVES)
    painter = _Painter(film.stage, cell_size, dark)
    states = poses(film)
    now = next(states)
    pictures, times = [painter.picture(now)], [500]
    for changes in film.moves:
        seconds = seconds_of(max((len(change.path) for change in changes), default=0))
        before = list(now)
        for frame in range(1, frames):
            part = frame / frames
            between = list(before)
            for change in changes:
                between[change.sprite] = _between(before[change.sprite], change, part)
            pictures.append(painter.picture(between))
        now = next(states)
        pictures.append(painter.picture(now))
        glide = max(20, round(1000 * GLIDE * seconds / frames / 10) * 10)
        times += [glide] * (frames - 1) + [glide + round(100 * (1 - GLIDE) * seconds) * 10]
    times[-1] += 2000
    file = BytesIO()
    pictures[0].save(file, "GIF", save_all=True, append_images=pictures[1:], duration=times, loop=0)
    return file.getvalue()


def _between(pose: Pose, change: Change, part: float) -> Pose:
    points = [(pose.x, pose.y), *change.path]
    at = part * part * (3 - 2 * part) * (len(points) - 1)
    leg = min(int(at), max(len(points) - 2, 0))
    (x0, y0), (x1, y1) = points[leg], points[min(leg + 1, len(points) - 1)]
    return Pose(x0 + (x1 - x0) * (at - leg), y0 + (y1 - y0) * (at - leg), pose.turn)


class _Painter:
    """Draws the states of one stage."""

    def __init__(self, stage: Stage, cell_size: int, dark: bool) -> None:
        from PIL import Image, ImageDraw

        self._stage, self._dark, self._scale = stage, dark, cell_size * _FINE
        width = round((stage.width + 2 * MARGIN) * cell_size) * _FINE
        height = round((stage.height + 2 * MARGIN) * cell_size) * _FINE
        self._board = Image.new("RGB", (width, height), hex_of("paper", dark=dark))
        self._draw_board(ImageDraw.Draw(self._board))
        self._patch = cache(self._drawn_patch)
        self._palette: Image.Image | None = None
        self._plain = Image.Dither.NONE  # Pillow is loaded only by those who ask for a GIF

    def picture(self, now: list[Pose]) -> Image.Image:
        """Return the board with the sprites where they are."""
        board = self._board.copy()
        for number, pose in enumerate(now):
            if pose.turn >= 0:
                patch = self._patch(number, pose.turn)
                board.paste(patch, (self._at(pose.x), self._at(pose.y)), patch)
        small = board.reduce(_FINE)
        if self._palette is None:
            self._palette = small.quantize(_COLOURS)
        return small.quantize(palette=self._palette, dither=self._plain)

    def _at(self, value: float) -> int:
        return round((value + MARGIN) * self._scale)

    def _draw_board(self, draw: ImageDraw.ImageDraw) -> None:
        stage, dark, scale = self._stage, self._dark, self._scale
        ends = [
            self._at(value) for value in (-0.11, -0.11, stage.width + 0.11, stage.height + 0.11)
        ]
        draw.rounded_rectangle(ends, 0.2 * scale, hex_of("hatch", dark=dark))
        for row, line in enumerate(stage.floor):
            for col, fill in enumerate(line):
                x, y = col * stage.wide, row * stage.high
                box = [self._at(value) for value in (x, y, x + stage.wide, y + stage.high)]
                draw.rectangle(box, hex_of(fill, dark=dark), hex_of("soft", dark=dark), _FINE)
        for goal in stage.goals:
            for loop in goal.loops:
                points = [(self._at(goal.x + x), self._at(goal.y + y)) for x, y in loop]
                draw.line([*points, points[0]], hex_of(goal.fill), round(0.06 * scale))

    def _drawn_patch(self, number: int, turn: int) -> Image.Image:
        """Return a sprite as a picture with transparent surroundings."""
        from PIL import Image, ImageDraw, ImageFont

        sprite, scale = self._stage.sprites[number], self._scale
        left, top, width, height = sprite.box
        size = round((left + width) * scale) + _FINE, round((top + height) * scale) + _FINE
        mask = Image.new("L", size)
        fill = hex_of(sprite.fill)
        patch = Image.new("RGBA", size, fill)
        draw, cut = ImageDraw.Draw(patch), ImageDraw.Draw(mask)
        for loop in sorted(sprite.loops, key=_area, reverse=True):
            points = [(x * scale, y * scale) for x, y in rounded(loop, sprite.radius)]
            cut.polygon(points, 255 if _area(loop) > 0 else 0)
            draw.line([*points, points[0]], _darker(fill), round(0.04 * scale), "curve")
        ink = ink_on(fill)
        x, y, letters = label_place(sprite)
        if sprite.label:
            font = ImageFont.load_default(letters * scale)
            draw.text((x * scale, y * scale), sprite.label, ink, font, "mm")
        if sprite.turn is not None:
            x = left + 0.76 * width
            angle, by = radians(turn), min(1.6, height / 0.3) * scale
            draw.polygon(
                [
                    (x * scale + by * (a * cos(angle) - b * sin(angle)),
                     y * scale + by * (a * sin(angle) + b * cos(angle)))
                    for a, b in ((-0.08, -0.09), (0.1, 0), (-0.08, 0.09))
                ],
                ink,
            )  # fmt: skip
        patch.putalpha(mask)
        return patch


def _area(loop: Loop) -> float:
    """Return twice the area inside a loop, negative for a hole."""
    return sum(
        x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in zip(loop, (*loop[1:], loop[0]), strict=True)
    )


def _darker(colour: str) -> str:
    return "#" + "".join(f"{int(colour[at : at + 2], 16) * 2 // 3:02x}" for at in (1, 3, 5))
