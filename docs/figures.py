"""Figures of the explanations: trees, strips of small boards, bars; each an SVG of plain shapes.

Lines and letters take the colour of the page, so that they show on light and dark ones; the hues
are told apart without colour vision (Okabe and Ito, 2008).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

HUES = ("#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#f0e442", "#d55e00", "#0072b2", "#999999")


@dataclass
class Figure:
    """An SVG that a page shows."""

    width: float
    height: float
    shapes: Sequence[str]

    def _repr_html_(self) -> str:
        size = f'width="{self.width:g}" height="{self.height:g}"'
        box = f'viewBox="0 0 {self.width:g} {self.height:g}"'
        style = "max-width:100%;height:auto;font-family:sans-serif"
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} {box} style="{style}" role="img">'
            f"{''.join(self.shapes)}</svg>"
        )


@dataclass
class Node:
    """A node of a tree: what stands in it, on the line to it, and below it."""

    text: str
    edge: str = ""
    kind: str = "open"  # or "solution", "dead"
    children: Sequence[Node] = ()


def tree(root: Node, *, step: float = 54, drop: float = 62) -> Figure:
    """Draw a tree from the top down; leaves stand side by side."""
    shapes: list[str] = []
    leaves = depth_seen = 0
    fills = {"solution": HUES[2], "dead": "none", "open": HUES[0]}

    def draw(node: Node, depth: int) -> float:
        nonlocal leaves, depth_seen
        depth_seen = max(depth_seen, depth)
        below = [draw(child, depth + 1) for child in node.children]
        if below:
            x = (below[0] + below[-1]) / 2
        else:
            leaves += 1
            x = step * (leaves - 0.5)
        y = 24 + drop * depth
        for child, other in zip(node.children, below, strict=True):
            end = y + drop - 13
            dash = ' stroke-dasharray="3 3"' if child.kind == "dead" else ""
            shapes.append(
                f'<line x1="{x:g}" y1="{y + 13:g}" x2="{other:g}" y2="{end:g}" '
                f'stroke="currentColor"{dash}/>'
            )
            beside = (-4, "end") if other < x else (4, "start")
            place = (other * 0.66 + x * 0.34 + beside[0], y + 17 + 0.6 * (drop - 26))
            shapes.append(label(*place, child.edge, 11, anchor=beside[1]))
        shapes.append(
            f'<circle cx="{x:g}" cy="{y:g}" r="13" fill="{fills[node.kind]}" '
            f'stroke="currentColor"/>'
            + label(x, y + 4, node.text, 11, "currentColor" if node.kind == "dead" else "#000")
        )
        return x

    draw(root, 0)
    return Figure(max(step * leaves, 60), 24 + drop * depth_seen + 20, shapes)


def label(
    x: float,
    y: float,
    text: str,
    size: float,
    colour: str = "currentColor",
    anchor: str = "middle",
) -> str:
    """Return a text that begins, ends or has its middle at x."""
    place = f'x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="{anchor}"'
    return f'<text {place} fill="{colour}">{escape(text)}</text>'


@dataclass
class Frame:
    """A small board with a line above and one below it.

    Its rows are texts: ``.`` open, ``#`` settled, ``o`` an open cell of the frontier, any other
    letter a piece or a colour, ``*`` a covered cell of the frontier.
    """

    rows: Sequence[str]
    title: str = ""
    note: str = ""
    letters: bool = False


def strip(frames: Sequence[Frame], *, cell: float = 22, across: int = 6) -> Figure:
    """Draw small boards side by side, `across` a line."""
    widest = max(len(row) for frame in frames for row in frame.rows)
    tallest = max(len(frame.rows) for frame in frames)
    room = max(widest * cell, max(6.2 * max(len(f.title), len(f.note)) for f in frames)) + 18
    line = tallest * cell + 46
    letters = sorted({mark for f in frames for row in f.rows for mark in row} - set(".#o*"))
    shapes = []
    for number, frame in enumerate(frames):
        left = (number % across) * room + (room - len(frame.rows[0]) * cell) / 2
        top = number // across * line + 22
        middle = left + len(frame.rows[0]) * cell / 2
        shapes.append(label(middle, top - 7, frame.title, 12))
        for r, row in enumerate(frame.rows):
            for c, mark in enumerate(row):
                fill = {".": "none", "#": "#9994", "o": "none", "*": HUES[1]}.get(mark)
                if fill is None:
                    fill = HUES[letters.index(mark) % len(HUES)]
                x, y = left + c * cell, top + r * cell
                width = 2.2 if mark in "o*" else 0.6
                shapes.append(
                    f'<rect x="{x:g}" y="{y:g}" width="{cell:g}" height="{cell:g}" fill="{fill}" '
                    f'stroke="currentColor" stroke-width="{width}"/>'
                )
                if frame.letters and mark not in ".#o*":
                    shapes.append(label(x + cell / 2, y + cell * 0.7, mark, cell * 0.55, "#000"))
        shapes.append(label(middle, top + len(frame.rows) * cell + 16, frame.note, 12))
    lines = -(-len(frames) // across)
    return Figure(room * min(across, len(frames)), line * lines + 6, shapes)


def bars(series: Mapping[str, Sequence[float]], *, names: Sequence[str] = ()) -> Figure:
    """Draw rows of bars over one another: one row a series, one bar an entry."""
    most = max(max(values) for values in series.values())
    wide = max(8.0, min(24.0, 560 / max(map(len, series.values()))))
    shapes = []
    for number, (name, values) in enumerate(series.items()):
        bottom = 96 * (number + 1) - 14
        place = f'x="0" y="{bottom - 66:g}" font-size="12" fill="currentColor"'
        shapes.append(f"<text {place}>{escape(name)}</text>")
        for column, value in enumerate(values):
            height = 60 * value / most
            shapes.append(
                f'<rect x="{column * wide:g}" y="{bottom - height:.1f}" width="{wide - 1.5:g}" '
                f'height="{height:.1f}" fill="{HUES[number % len(HUES)]}"/>'
            )
            if number == len(series) - 1 and column < len(names):
                shapes.append(label((column + 0.5) * wide, bottom + 13, names[column], 10))
    width = wide * max(map(len, series.values()))
    return Figure(max(width, 240), 96 * len(series) + 8, shapes)


@dataclass
class Table:
    """A table that a page shows."""

    head: Sequence[str]
    rows: Sequence[Sequence[object]]

    def _repr_html_(self) -> str:
        def line(cells: Sequence[object], kind: str) -> str:
            inside = "".join(f"<{kind}>{escape(str(cell))}</{kind}>" for cell in cells)
            return f"<tr>{inside}</tr>"

        body = "".join(line(row, "td") for row in self.rows)
        return f"<table><thead>{line(self.head, 'th')}</thead><tbody>{body}</tbody></table>"
