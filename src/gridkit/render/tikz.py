"""TikZ pictures of scenes, for papers written in LaTeX."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from gridkit.reading import read_int
from gridkit.render.geometry import Point, chained, hatching
from gridkit.render.palette import ROLES, hex_of, ink_on
from gridkit.render.scene import Scene
from gridkit.render.svg import font_size

__all__ = ["scene_tikz"]

_POINTS = 72.27 / 25.4  # of TeX in a millimetre
_ESCAPED = str.maketrans(
    {
        "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
        "→": r"$\rightarrow$", "←": r"$\leftarrow$", "↑": r"$\uparrow$", "↓": r"$\downarrow$",
        "<": r"\textless{}", ">": r"\textgreater{}", "×": r"$\times$",
        **{mark: f"\\{mark}" for mark in "&%$#_{}"},
    }
)  # fmt: skip


def scene_tikz(scene: Scene, *, cell_size: int = 6) -> str:
    """Draw a scene as a ``tikzpicture`` environment, in its light colours.

    Parameters
    ----------
    scene : Scene
        The picture.
    cell_size : int
        Length of 1 in the scene, in millimetres, 1 to 1000.

    Returns
    -------
    str
        LaTeX that needs ``\\usepackage{tikz}`` and nothing else.

    Examples
    --------
    >>> from gridkit.render.scene import grid_scene
    >>> print(scene_tikz(grid_scene([[0]])))
    \\begin{tikzpicture}[x=6mm,y=-6mm,line cap=round,line join=round]
    \\definecolor{gkA}{HTML}{AEA2D6}
    \\definecolor{gkB}{HTML}{1D2026}
    \\fill[gkA] (0,0) -- (1,0) -- (1,1) -- (0,1) -- cycle;
    \\draw[gkB,line width=1.54pt] (0,0) -- (1,0) -- (1,1) -- (0,1) -- (0,0);
    \\end{tikzpicture}
    """
    size = read_int(cell_size, "cell_size", 1, 1000) * _POINTS
    names: dict[str, str] = {}
    body = list(_body(scene, size, names))
    colours = [
        f"\\definecolor{{{name}}}{{HTML}}{{{hue[1:].upper()}}}" for hue, name in names.items()
    ]
    head = (
        f"\\begin{{tikzpicture}}[x={cell_size}mm,y=-{cell_size}mm,line cap=round,line join=round]"
    )
    return "\n".join([head, *colours, *body, "\\end{tikzpicture}"])


def _body(scene: Scene, size: float, names: dict[str, str]) -> Iterator[str]:
    """Give the commands, the lowest first; collect the names of the colours used."""

    def name(colour: str) -> str:
        return names.setdefault(colour, "gk" + _letters(len(names)))

    def stroke(lines: Sequence[Sequence[Point]], role: str, width: float, more: str = "") -> str:
        paths = " ".join(map(_path, lines))
        return f"\\draw[{name(hex_of(role))},line width={width * size:.2f}pt{more}] {paths};"

    fills: dict[str, list[str]] = defaultdict(list)
    for cell in scene.cells:
        fills[hex_of(cell.fill, cell.shade)].append(_path(cell.corners) + " -- cycle")
    for line in scene.lines:
        yield stroke([line.points, *filter(None, [line.head()])], "text", line.width)
    for colour, paths in fills.items():
        yield f"\\fill[{name(colour)}] {' '.join(paths)};"
    blocked = [cell.corners for cell in scene.cells if cell.fill == "blocked"]
    outer, inner = scene.borders()
    if blocked:
        yield stroke([line for corners in blocked for line in hatching(corners)], "hatch", 0.035)
    if inner:
        yield stroke(chained(inner), "ink", 0.035, ",opacity=0.35")
    if outer:
        yield stroke(chained(outer), "ink", 0.09)
    for label in scene.labels:
        on_paper = isinstance(label.fill, str) and label.fill in ROLES
        ink = hex_of("text") if on_paper else ink_on(hex_of(label.fill))
        font = font_size(label) * size
        yield (
            f"\\node[inner sep=0pt,text={name(ink)},"
            f"font=\\sffamily\\fontsize{{{font:.1f}}}{{{font:.1f}}}\\selectfont] "
            f"at ({label.x:.4g},{label.y:.4g}) {{{label.text.translate(_ESCAPED)}}};"
        )


def _path(points: Sequence[Point]) -> str:
    return " -- ".join(f"({x:.4g},{y:.4g})" for x, y in points)


def _letters(number: int) -> str:
    """Return A, B, ..., Z, BA, BB, ...: names of colours may not have digits everywhere."""
    word = ""
    while number or not word:
        number, letter = divmod(number, 26)
        word = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[letter] + word
    return word
