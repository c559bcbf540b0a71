"""SVG pictures of scenes.

Every shape carries its light colour as a plain attribute, which every viewer understands; a style
sheet of CSS variables, which viewers without them skip as a whole, adds the dark colours.  A page
may set ``--gk-ink``, ``--gk-0`` and so on to have its own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Literal

from gridkit.errors import InputError
from gridkit.reading import read_int
from gridkit.render.geometry import chained, hatching
from gridkit.render.palette import ROLES, Fill, hex_of, ink_on
from gridkit.render.scene import Label, Point, Scene
from gridkit.render.text import escaped

__all__ = ["THEMES", "Theme", "font_size", "scene_svg"]

Theme = Literal["auto", "light", "dark"]
THEMES: tuple[Theme, ...] = ("auto", "light", "dark")

_OUTER, _INNER = 0.09, 0.035  # widths of borders, in cells
_LETTER = 0.6  # width of a letter, in font sizes


def scene_svg(scene: Scene, *, cell_size: int = 24, theme: Theme = "auto") -> str:
    """Draw a scene as a complete ``<svg>`` element.

    Parameters
    ----------
    scene : Scene
        The picture.
    cell_size : int
        Length of 1 in the scene, in pixels, 1 to 1000.
    theme : {"auto", "light", "dark"}
        "auto" follows the reader's setting where the viewer knows it (browsers do); the others
        are fixed, as for print.

    Raises
    ------
    InputError
        For a `cell_size` that is no integer or out of range, or another theme.

    Examples
    --------
    >>> from gridkit.render.scene import grid_scene
    >>> scene_svg(grid_scene([[0, 0], [None, -1]])).startswith("<svg")
    True
    """
    size = read_int(cell_size, "cell_size", 1, 1000)
    if theme not in THEMES:
        raise InputError(f"theme must be one of {', '.join(THEMES)}, got {theme!r}")
    pen = _Pen(size, theme)
    left, top, right, bottom = scene.box
    margin = max(1.0, round(_OUTER * size, 1))
    width, height = (_number(side * size + 2 * margin) for side in (right - left, bottom - top))
    corner = f"{_number(left * size - margin)} {_number(top * size - margin)}"
    drawn = "".join(pen.parts(scene))
    title = f"<title>{escaped(scene.title)}</title>" if scene.title else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="gk" width="{width}" height="{height}" '
        f'viewBox="{corner} {width} {height}" role="img">{title}{pen.style()}{drawn}</svg>'
    )


class _Pen:
    """Draws the parts of a scene, and collects the colours that the style sheet is about."""

    def __init__(self, size: int, theme: Theme) -> None:
        self.size = size
        self.theme = theme
        self.used: dict[str, tuple[str, str, str]] = {}

    def parts(self, scene: Scene) -> Iterable[str]:
        """Give the elements, the lowest first."""
        paths: dict[tuple[Fill, int], list[str]] = defaultdict(list)
        for cell in scene.cells:
            paths[cell.fill, cell.shade].append(self._path(cell.corners) + "z")
        for width in sorted({line.width for line in scene.lines}):
            drawn = [line for line in scene.lines if line.width == width]
            points = [part for line in drawn for part in (line.points, line.head()) if part]
            yield self._stroke(points, "text", width)
        for (fill, shade), outlines in paths.items():
            yield f'<path {self._paint("fill", fill, shade)} d="{"".join(outlines)}"/>'
        hatched = [
            line
            for cell in scene.cells
            if cell.fill == "blocked"
            for line in hatching(cell.corners)
        ]
        outer, inner = scene.borders()
        yield self._stroke(hatched, "hatch", _INNER)
        yield self._stroke(chained(inner), "ink", _INNER, 0.35)
        yield self._stroke(chained(outer), "ink", _OUTER)
        yield from self._labels(scene.labels)

    def style(self) -> str:
        """Return the style sheet of the colours used so far."""
        if self.theme != "auto" or not self.used:
            return ""
        light, dark, rules = [], [], []
        for name, (kinds, by_day, by_night) in self.used.items():
            value = f"var(--gk-{name},{by_day})"
            if by_day != by_night:
                light.append(f"--{name}:{value}")
                dark.append(f"--{name}:var(--gk-{name},{by_night})")
                value = f"var(--{name})"
            rules += [f".gk .{kind[0]}{name}{{{kind}:{value}}}" for kind in kinds.split()]
        night = f"@media(prefers-color-scheme:dark){{.gk{{{';'.join(dark)}}}}}"
        sheet = f".gk{{{';'.join(light)}}}{night}{''.join(rules)}"
        return f"<style>@supports(color:var(--a)){{{sheet}}}</style>"

    def _paint(self, kind: str, fill: Fill, shade: int = 0) -> str:
        """Return the attributes that fill or stroke in a colour."""
        colour, dark = hex_of(fill, shade), hex_of(fill, shade, dark=True)
        if self.theme != "auto":
            return f'{kind}="{dark if self.theme == "dark" else colour}"'
        if isinstance(fill, str) and fill not in ROLES:
            return f'{kind}="{colour}"'
        name = f"{fill}" + (f"-{shade}" if shade else "")
        kinds = self.used.get(name, ("",))[0]
        if kind not in kinds.split():
            kinds = f"{kinds} {kind}".strip()
        self.used[name] = kinds, colour, dark
        return f'class="{kind[0]}{name}" {kind}="{colour}"'

    def _path(self, points: Sequence[Point]) -> str:
        """Return the commands that go from point to point, by the shortest words."""
        x, y = (round(part * self.size, 2) for part in points[0])
        words = [f"M{_number(x)} {_number(y)}"]
        for point in points[1:]:
            across, down = (round(part * self.size, 2) for part in point)
            if down == y:
                words.append(f"h{_number(across - x)}")
            elif across == x:
                words.append(f"v{_number(down - y)}")
            else:
                step = f"l{_number(across - x)} {_number(down - y)}"
                words.append(step.replace(" -", "-"))
            x, y = across, down
        return "".join(words)

    def _stroke(
        self, lines: Sequence[Sequence[Point]], fill: Fill, width: float, opacity: float = 1
    ) -> str:
        if not lines:
            return ""
        faint = f' stroke-opacity="{opacity}"' if opacity < 1 else ""
        return (
            f'<path fill="none" {self._paint("stroke", fill)} '
            f'stroke-width="{_number(max(0.5, width * self.size))}"{faint} stroke-linecap="round" '
            f'stroke-linejoin="round" d="{"".join(map(self._path, lines))}"/>'
        )

    def _labels(self, labels: Sequence[Label]) -> Iterable[str]:
        """Give the texts, in groups of one colour and size."""
        groups: dict[tuple[str, float], list[str]] = defaultdict(list)
        for label in labels:
            font = font_size(label) * self.size
            x, y = label.x * self.size, label.y * self.size + 0.35 * font
            groups[self._ink(label.fill), round(font, 1)].append(
                f'<text x="{_number(x)}" y="{_number(y)}">{escaped(label.text)}</text>'
            )
        for (paint, font), texts in groups.items():
            yield (
                f'<g {paint} font-family="system-ui,Segoe UI,Helvetica,Arial,sans-serif" '
                f'font-size="{_number(font)}" text-anchor="middle">{"".join(texts)}</g>'
            )

    def _ink(self, fill: Fill) -> str:
        if isinstance(fill, str) and fill in ROLES:
            return self._paint("fill", "text")
        return f'fill="{ink_on(hex_of(fill))}"'


def font_size(label: Label) -> float:
    """Return the size of a label's letters in cells: as high as asked for, or what fits its room.

    Examples
    --------
    >>> font_size(Label("5", 0, 0)), font_size(Label("12345", 0, 0)) < 0.31
    (0.5, True)
    """
    return min(label.height, label.room / (_LETTER * max(1, len(label.text))))


def _number(value: float) -> str:
    """Return a number in few characters."""
    if type(value) is int:
        return str(value)
    text = f"{value:.2f}".rstrip("0").rstrip(".") if value % 1 else f"{value:.0f}"
    return "0" if text == "-0" else text
