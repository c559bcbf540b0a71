"""Reasons why a region cannot be tiled: areas, colourings, exhausted searches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from gridkit.cover.instance import Point

__all__ = ["ArgumentKind", "Refutation"]

ArgumentKind = Literal["area", "unplaceable piece", "uncoverable cell", "colouring", "exhausted"]


class Refutation(NamedTuple):
    """An argument that a problem has no covering (see `gridkit.cover.Explanation`)."""

    kind: ArgumentKind
    reason: str
    cell: Point | None = None
    weights: Mapping[Point, int] | None = None
    modulus: int | None = None
