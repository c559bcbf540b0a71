"""What turns packed states back into places of blocks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, Self, TypeVar

import numpy as np

from gridkit.grid.cell import Cell
from gridkit.sliding.blocks.packing import packing_of
from gridkit.sliding.blocks.rails import Rails
from gridkit.sliding.blocks.rules import Instance

__all__ = ["KeyReader", "Movable", "Puzzle"]


class Movable(Protocol):
    """A puzzle that can be given another start."""

    def moved(self, places: Sequence[tuple[int, int]]) -> Self:
        """Return the puzzle with its blocks' reference cells at `places`."""


Puzzle = TypeVar("Puzzle", bound=Movable)


@dataclass(frozen=True, slots=True)
class KeyReader:
    """Reads the places of blocks from packed states."""

    instance: Instance
    rails: Rails | None

    def places(self, words: object) -> list[Cell]:
        """Return the blocks' reference cells in a packed state."""
        key = 0
        for number, word in enumerate(np.atleast_1d(np.asarray(words, dtype=np.uint64)).tolist()):
            key |= word << (64 * number)
        if self.rails is not None:
            return self.rails.places(key)
        packing = packing_of(self.instance)
        taken: dict[int, list[int]] = {}
        for pid in sorted(packing.unpack(key)):
            taken.setdefault(packing.kind_of[pid], []).append(pid)
        places = [Cell(0, 0)] * len(packing.start)
        for kind, pids in taken.items():
            for block, pid in zip(packing.kinds[kind].blocks, pids, strict=True):
                places[block] = Cell(*divmod(packing.ref[pid], packing.cols))
        return places
