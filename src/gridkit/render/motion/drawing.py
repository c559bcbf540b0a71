"""The board and the sprites of a film as SVG, once: what the page and the animated SVG share."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from gridkit.render.motion.film import Loop, Point, Pose, Sprite, Stage
from gridkit.render.palette import DARK_INK, LIGHT_INK, ROLES, Fill, hex_of, ink_on
from gridkit.render.svg import Theme
from gridkit.render.text import escaped

__all__ = ["MARGIN", "board", "drawn", "label_place", "rounded", "short", "style", "view_box"]

MARGIN = 0.16
"""Room around the board, in cells."""

_FLOORS = ("soft", "warm", "cool", "blocked")
_TEXT = 0.44  # the size of letters where there is room


def style(stage: Stage, theme: Theme = "auto") -> str:
    """Return the rules of the classes that `board` and `drawn` use."""
    plain = (
        ".gm-s rect,.gm-s>path{stroke:#0006;stroke-width:.03}"
        f".gm-s text{{font:600 {short(_TEXT)}px system-ui,sans-serif;text-anchor:middle}}"
        f".gm-s{{fill:{DARK_INK}}}.gm-goal{{stroke-width:.06;stroke-dasharray:.16 .12}}"
        ".gm-grid{stroke-width:.02}.gm-rim{stroke-width:.1}"
        ".gm-goal,.gm-grid,.gm-rim{fill:none}"
    )
    used = {fill for row in stage.floor for fill in row}
    floors = [floor for floor in _FLOORS if floor in used]
    if theme != "auto":
        return plain + _roles(floors, theme == "dark")
    dark = _roles(floors, True)
    return f"{plain}{_roles(floors, False)}@media(prefers-color-scheme:dark){{{dark}}}"


def _roles(floors: list[str], dark: bool) -> str:
    roles = {"open": "open", "bar": "hatch", **{floor: floor for floor in floors}}
    fills = "".join(f".gm-{name}{{fill:{ROLES[role][dark]}}}" for name, role in roles.items())
    lines = f".gm-grid{{stroke:{ROLES['soft'][dark]}}}.gm-rim{{stroke:{ROLES['hatch'][dark]}}}"
    return fills + lines


def view_box(stage: Stage, below: float = 0) -> str:
    """Return the view box of a board, with `below` more room under it."""
    width, height = stage.width + 2 * MARGIN, stage.height + 2 * MARGIN + below
    return f"{short(-MARGIN)} {short(-MARGIN)} {short(width)} {short(height)}"


def board(stage: Stage) -> str:
    """Return the empty board: its cells, the lines between them, and the goals."""
    wide, high = short(stage.wide), short(stage.high)
    width, height = stage.width, stage.height
    by_fill: dict[Fill, list[str]] = defaultdict(list)
    for row, line in enumerate(stage.floor):
        for col, fill in enumerate(line):
            if fill != "open":
                corner = f"{short(col * stage.wide)} {short(row * stage.high)}"
                by_fill[fill].append(f"M{corner}h{wide}v{high}h-{wide}z")
    parts = [f'<rect class="gm-open" width="{short(width)}" height="{short(height)}"/>']
    for fill, squares in by_fill.items():
        paint = f'class="gm-{fill}"' if fill in ROLES else f'fill="{hex_of(fill)}"'
        parts.append(f'<path {paint} d="{"".join(squares)}"/>')
    lines = "".join(
        [f"M{short(col * stage.wide)} 0v{short(height)}" for col in range(1, stage.cols)]
        + [f"M0 {short(row * stage.high)}h{short(width)}" for row in range(1, stage.rows)]
    )
    if lines:
        parts.append(f'<path class="gm-grid" d="{lines}"/>')
    parts.append(
        f'<rect class="gm-rim" x="-.06" y="-.06" width="{short(width + 0.12)}" '
        f'height="{short(height + 0.12)}" rx=".16"/>'
    )
    for goal in stage.goals:
        place = f"translate({short(goal.x)} {short(goal.y)})"
        parts.append(
            f'{_outline(goal)} class="gm-goal" stroke="{hex_of(goal.fill)}" transform="{place}"/>'
        )
    return "".join(parts)


def drawn(sprite: Sprite, pose: Pose, moving: str = "", turning: str = "") -> str:
    """Return a sprite as a group; the arrow, where it has one, is its last child.

    `moving` are elements for the group, `turning` elements for the arrow.
    """
    fill = hex_of(sprite.fill)
    ink = "" if ink_on(fill) == DARK_INK else f' fill="{LIGHT_INK}"'
    left, _, width, height = sprite.box
    x, y, size = label_place(sprite)
    arrow = ""
    if sprite.turn is not None:
        place = f"translate({short(left + 0.76 * width)} {short(y)})"
        arrow = (
            f'<g transform="{place} scale({short(min(1.6, height / 0.3))})"><path{ink} '
            f'd="M-.08-.09.1 0-.08.09z" '
            f'transform="rotate({max(pose.turn, 0)})">{turning}</path></g>'
        )
    text = ""
    if sprite.label:
        own_size = "" if size == _TEXT else f' style="font-size:{short(size)}px"'
        text = (
            f'<text x="{short(x)}" y="{short(y + 0.36 * size)}"{ink}{own_size}>'
            f"{escaped(sprite.label)}</text>"
        )
    hidden = ' visibility="hidden"' if pose.turn < 0 else ""
    return (
        f'<g class="gm-s" transform="translate({short(pose.x)} {short(pose.y)})"{hidden}>{moving}'
        f'{_outline(sprite)} fill="{fill}"/>{text}{arrow}</g>'
    )


def label_place(sprite: Sprite) -> tuple[float, float, float]:
    """Return the middle of a sprite's label and the size of its letters."""
    left, top, width, height = sprite.box
    x, y = sprite.middle or (left + width / 2, top + height / 2)
    room = 1.0 if sprite.middle else width
    if sprite.turn is not None:  # beside the arrow
        x, room = left + 0.36 * width, 0.5 * width
    return x, y, min(_TEXT, 0.8 * height, 1.3 * room / max(len(sprite.label), 1))


def short(value: float, digits: int = 2) -> str:
    """Return a number with at most so many digits behind the point, as short as it can be.

    Examples
    --------
    >>> short(0.5), short(-0.25), short(3.0), short(-0.001)
    ('.5', '-.25', '3', '0')
    """
    text = f"{value:.{digits}f}".rstrip("0").rstrip(".") if digits else f"{value:.0f}"
    sign = "-" if text.startswith("-") else ""
    text = text.removeprefix("-")
    if text.startswith("0."):
        text = text[1:]
    return "0" if text == "0" else sign + text


def _outline(sprite: Sprite) -> str:
    """Return the tag of a sprite's outline, around its own origin, without its end."""
    if len(sprite.loops) == 1 and len(sprite.loops[0]) == 4:
        left, top, width, height = sprite.box
        radius = min(sprite.radius, width / 2, height / 2)
        return (
            f'<rect x="{short(left)}" y="{short(top)}" width="{short(width)}" '
            f'height="{short(height)}" rx="{short(radius)}"'
        )
    return f'<path d="{"".join(_path(loop, sprite.radius) for loop in sprite.loops)}"'


def _path(loop: Loop, radius: float) -> str:
    """Return a loop as path data, its corners rounded."""
    parts = []
    for before, corner, after in _corners(loop):
        ends = _towards(corner, before, radius), corner, _towards(corner, after, radius)
        into, middle, out = (f"{short(x)} {short(y)}" for x, y in ends)
        parts.append(f"L{into}Q{middle} {out}")
    return "M" + "".join(parts)[1:] + "Z"


def rounded(loop: Loop, radius: float) -> list[Point]:
    """Return a loop as a polygon, its corners rounded."""
    points = []
    for before, corner, after in _corners(loop):
        (x0, y0), (x1, y1) = _towards(corner, before, radius), _towards(corner, after, radius)
        for number in range(7):
            t = number / 6
            u, v, w = (1 - t) ** 2, 2 * t * (1 - t), t**2
            points.append((u * x0 + v * corner[0] + w * x1, u * y0 + v * corner[1] + w * y1))
    return points


def _corners(loop: Loop) -> Iterator[tuple[Point, Point, Point]]:
    """Yield each corner between the one before and the one after it."""
    return zip((loop[-1], *loop), loop, (*loop[1:], loop[0]), strict=False)


def _towards(corner: Point, end: Point, by: float) -> Point:
    length = abs(end[0] - corner[0]) + abs(end[1] - corner[1])
    share = min(by / length, 0.5)
    return corner[0] + (end[0] - corner[0]) * share, corner[1] + (end[1] - corner[1]) * share
