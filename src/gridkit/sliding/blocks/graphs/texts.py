"""Graphs of states in the texts of other tools: DOT of Graphviz, and GraphML."""

from __future__ import annotations

from collections.abc import Iterable
from xml.sax.saxutils import escape

__all__ = ["dot_text", "graphml_text"]

Node = tuple[str, int, int]
"""A state's picture, its moves from the start and to the goal."""

_KEYS = (("picture", "string"), ("depth", "int"), ("distance", "int"))


def dot_text(nodes: Iterable[Node], pairs: Iterable[tuple[int, int]]) -> str:
    """Return an undirected graph in the DOT language; goal states have a double border.

    Examples
    --------
    >>> print(dot_text([("A.", 0, 1), (".A", 1, 0)], [(0, 1)]).splitlines()[-2])
      0 -- 1;
    """
    lines = ["graph states {", "  node [shape=box, fontname=monospace];"]
    for number, (picture, depth, distance) in enumerate(nodes):
        # Graphviz reads \n in a quoted text as the end of a centred line.
        label = picture.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        goal = ", peripheries=2" if distance == 0 else ""
        lines.append(f'  {number} [label="{label}", depth={depth}, distance={distance}{goal}];')
    lines += [f"  {tail} -- {head};" for tail, head in pairs]
    return "\n".join([*lines, "}"])


def graphml_text(nodes: Iterable[Node], pairs: Iterable[tuple[int, int]]) -> str:
    """Return an undirected graph as GraphML with picture, depth and distance of each node.

    Examples
    --------
    >>> graphml_text([("A.", 0, 1), (".A", 1, 0)], [(0, 1)]).count("<data ")
    6
    """
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
        *(
            f'  <key id="{name}" for="node" attr.name="{name}" attr.type="{kind}"/>'
            for name, kind in _KEYS
        ),
        '  <graph id="states" edgedefault="undirected">',
    ]
    for number, node in enumerate(nodes):
        data = "".join(
            f'<data key="{name}">{escape(str(value))}</data>'
            for (name, _), value in zip(_KEYS, node, strict=True)
        )
        lines.append(f'    <node id="n{number}">{data}</node>')
    lines += [f'    <edge source="n{tail}" target="n{head}"/>' for tail, head in pairs]
    return "\n".join([*lines, "  </graph>", "</graphml>"])
