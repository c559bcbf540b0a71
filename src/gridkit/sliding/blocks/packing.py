"""How the states of a sliding-block puzzle are packed into words.

A **kind** is a set of interchangeable blocks that share their reachable placements; a
**placement** is a kind at a place.  The key of a state is the exclusive or of one word for each
placement that is taken, whatever the packing:

- a kind of one block is a bit field that holds the number of its placement;
- a kind of several blocks is a bit map over its placements;
- where that takes too many bits, a kind of two blocks is a bit field of x + y and x^3 + y^3 in a
  finite field (the syndromes of a code that corrects two errors; R. Bose and D. Ray-Chaudhuri,
  1960), or a cell holds the code of the placement whose first cell it is.

So a move costs two exclusive ors and equal blocks are merged without sorting.  The mirror image
of a key is kept up to date in the same way, with the words of the mirrored placements.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from gridkit.grid.board import Board
from gridkit.grid.cell import Cell, Symmetry

if TYPE_CHECKING:
    from gridkit.sliding.blocks.puzzle import SlidingPuzzle

__all__ = ["WORD", "Field", "Kind", "Packing", "edge_cells", "free_cells"]

WORD = 64
_INVOLUTIONS = (
    Symmetry.MIRROR_LEFT_RIGHT,
    Symmetry.MIRROR_UP_DOWN,
    Symmetry.ROT180,
    Symmetry.MIRROR_DIAGONAL,
    Symmetry.MIRROR_ANTIDIAGONAL,
)
_TURNS = frozenset(symmetry for symmetry in _INVOLUTIONS if symmetry.swaps_axes)
Offsets = tuple[tuple[int, int], ...]


@lru_cache(maxsize=4096)
def _reachable(
    rows: int, cols: int, shape: Offsets, origin: int, allowed: int, axis: str | None
) -> tuple[tuple[int, ...], tuple[int, ...], tuple[tuple[int, int, int, int], ...]]:
    """Flood the places of a block that is alone on the board.

    Returns the places, their cells as bits, and the numbers of the places one step right, left,
    up and down (-1: none).  Remembered, because puzzles on one board share most of them.
    """
    base = height = width = 0
    for row, col in shape:
        base |= 1 << (row * cols + col)
        height, width = max(height, row), max(width, col)
    last_col, last_row = cols - 1 - width, rows - 1 - height
    across, along = axis != "vertical", axis != "horizontal"
    blocked = ~allowed
    steps: dict[int, tuple[int, int, int, int]] = {}
    waiting, seen = [origin], {origin}
    while waiting:
        at = waiting.pop()
        row, col = divmod(at, cols)
        reached = (
            at + 1 if across and col < last_col else -1,
            at - 1 if across and col > 0 else -1,
            at - cols if along and row > 0 else -1,
            at + cols if along and row < last_row else -1,
        )
        for place in reached:
            if place >= 0 and place not in seen and not base << place & blocked:
                seen.add(place)
                waiting.append(place)
        steps[at] = reached
    places = tuple(sorted(seen))
    find = {place: number for number, place in enumerate(places)}.get
    near = []
    for place in places:
        right, left, up, down = steps[place]
        near.append((find(right, -1), find(left, -1), find(up, -1), find(down, -1)))
    return places, tuple(base << place for place in places), tuple(near)


@lru_cache(maxsize=64)
def free_cells(board: Board) -> int:
    """Return the open cells as bits."""
    free = 0
    for row, col in board.cells:
        free |= 1 << (row * board.cols + col)
    return free


@lru_cache(maxsize=256)
def edge_cells(rows: int, cols: int, name: str) -> int:
    """Return the cells along an edge of the frame as bits."""
    if name in ("top", "bottom"):
        line = (1 << cols) - 1
        return line if name == "top" else line << ((rows - 1) * cols)
    column = sum(1 << (row * cols) for row in range(rows))
    return column if name == "left" else column << (cols - 1)


@lru_cache(maxsize=256)
def _bit_images(symmetry: Symmetry, rows: int, cols: int) -> tuple[int, ...]:
    """Return the bit that each cell's bit becomes."""
    images = []
    for at in range(rows * cols):
        row, col = symmetry.image(Cell(*divmod(at, cols)), rows, cols)
        images.append(1 << (row * cols + col))
    return tuple(images)


@dataclass(slots=True)
class Kind:
    """Interchangeable blocks, and the placements they can reach on an otherwise empty board."""

    group: int
    pids: dict[int, int]  # row-major reference cell -> placement number
    blocks: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Field:
    """Bits ``shift ... shift + bits - 1`` of a key select one of `pids` (-1: none)."""

    shift: int
    bits: int
    pids: tuple[int, ...]


class Packing:
    """Placements, keys, goal and symmetry of one puzzle, in plain ints.

    Attributes
    ----------
    ref, mask, kind_of, near : list
        For each placement: row-major reference cell, cells as bits, kind, and the placements one
        step right, left, up and down (-1: none).
    word : list of int
        What each placement contributes to a key.
    mirror : list of int or None
        The mirrored placement of each placement, when the puzzle is symmetric.
    fields, bitmap : list
        How keys are read: fields, and (bit, placement) pairs.
    goal : list of tuple of int
        Conditions, each met when one of its placements is taken.
    start : list of int
        Placement of each block.
    """

    def __init__(self, puzzle: SlidingPuzzle) -> None:
        self.rows, self.cols = puzzle.rows, puzzle.cols
        self.kinds: list[Kind] = []
        self.ref: list[int] = []
        self.mask: list[int] = []
        self.kind_of: list[int] = []
        self.near: list[tuple[int, int, int, int]] = []
        self.start: list[int] = []
        self._place_blocks(puzzle)
        self.goal = self._conditions(puzzle)
        self.word = [0] * len(self.ref)
        self.fields: list[Field] = []
        self.bitmap: list[tuple[int, int]] = []
        self.bits = self._allot()
        self.mirror = self._find_mirror()

    # -- placements ---------------------------------------------------------------------------

    def _place_blocks(self, puzzle: SlidingPuzzle) -> None:
        cols = self.cols
        self.free = free = free_cells(puzzle.board)
        groups: dict[int, list[Kind]] = {}
        for number, (name, shape, place) in enumerate(
            zip(puzzle.names, puzzle.shapes, puzzle.places, strict=True)
        ):
            group = puzzle.groups[number]
            origin = place[0] * cols + place[1]
            kind = next((own for own in groups.get(group, ()) if origin in own.pids), None)
            if kind is None:
                allowed = free
                if puzzle.gates:
                    for row, col in puzzle.closed_cells(name):
                        allowed &= ~(1 << (row * cols + col))
                kind = self._new_kind(group, shape, origin, allowed, puzzle.axes.get(name))
                groups.setdefault(group, []).append(kind)
            kind.blocks.append(number)
            self.start.append(kind.pids[origin])

    def _new_kind(
        self, group: int, shape: Offsets, origin: int, allowed: int, axis: str | None
    ) -> Kind:
        """Number the placements that a block reaches when it is alone."""
        places, masks, near = _reachable(self.rows, self.cols, shape, origin, allowed, axis)
        first = len(self.ref)
        self.ref += places
        self.mask += masks
        self.kind_of += [len(self.kinds)] * len(places)
        self.near += (
            [
                (
                    right + first if right >= 0 else -1,
                    left + first if left >= 0 else -1,
                    up + first if up >= 0 else -1,
                    down + first if down >= 0 else -1,
                )
                for right, left, up, down in near
            ]
            if first
            else near
        )
        kind = Kind(group, dict(zip(places, range(first, first + len(places)), strict=True)))
        self.kinds.append(kind)
        return kind

    # -- goal ---------------------------------------------------------------------------------

    def _conditions(self, puzzle: SlidingPuzzle) -> list[tuple[int, ...]]:
        conditions = []
        for name, wanted in puzzle.goal.items():
            group = puzzle.groups[puzzle.number[name]]
            kinds = [kind for kind in self.kinds if kind.group == group]
            if isinstance(wanted, tuple):
                place = wanted[0] * self.cols + wanted[1]
                conditions.append(tuple(k.pids[place] for k in kinds if place in k.pids))
            else:
                edge = edge_cells(self.rows, self.cols, wanted)
                conditions.append(
                    tuple(p for kind in kinds for p in kind.pids.values() if self.mask[p] & edge)
                )
        return conditions

    @property
    def fits_one_word(self) -> bool:
        """Whether a state fits one word, and the cells do too, with a spare bit for the wall."""
        return self.bits <= WORD and self.free.bit_count() < WORD

    @property
    def goal_state(self) -> list[int] | None:
        """The placements of the goal when it fixes every block, else None."""
        single = {condition[0] for condition in self.goal if len(condition) == 1}
        return sorted(single) if len(single) == len(self.start) else None

    # -- keys ---------------------------------------------------------------------------------

    def _allot(self) -> int:
        """Choose the packing with the fewest bits and fill `word`, `fields` and `bitmap`."""
        several = [kind for kind in self.kinds if len(kind.blocks) > 1]
        single = [kind for kind in self.kinds if len(kind.blocks) == 1]
        pairs: list[Kind] = []
        plans: list[tuple[list[Kind], list[Kind], list[Kind]]] = [(single, several, [])]
        if sum(map(_field_bits, single)) + sum(len(kind.pids) for kind in several) > WORD:
            pairs = [kind for kind in several if _pair_bits(kind) < len(kind.pids)]
            others = [kind for kind in several if _pair_bits(kind) >= len(kind.pids)]
            plans = [(single, others, []), (single, [], others), ([], [], single + others)]
        best = min(plans, key=lambda plan: self._bits(*plan))
        singles, maps, coded = best
        at = 0
        for kind in pairs:
            at = self._add_pair(at, list(kind.pids.values()))
        for kind in singles:
            at = self._add_field(at, tuple(kind.pids.values()), 0)
        for first, pids in self._anchors(coded).items():
            del first
            at = self._add_field(at, (-1, *pids), 1)
        for kind in maps:
            for pid in kind.pids.values():
                self.word[pid] = 1 << at
                self.bitmap.append((at, pid))
                at += 1
        return at

    def _bits(self, singles: list[Kind], maps: list[Kind], coded: list[Kind]) -> int:
        return (
            sum(map(_field_bits, singles))
            + sum(len(kind.pids) for kind in maps)
            + sum(len(pids).bit_length() for pids in self._anchors(coded).values())
        )

    def _anchors(self, kinds: list[Kind]) -> dict[int, list[int]]:
        """Return the placements by their first cell, which no other block can cover."""
        anchors: dict[int, list[int]] = {}
        for kind in kinds:
            for pid in kind.pids.values():
                anchors.setdefault(self.mask[pid] & -self.mask[pid], []).append(pid)
        return anchors

    def _add_field(self, at: int, pids: tuple[int, ...], skip: int) -> int:
        bits = (len(pids) - 1).bit_length()
        if at % WORD + bits > WORD:
            at += WORD - at % WORD  # a field lies in one word
        word = self.word
        for value in range(skip, len(pids)):
            word[pids[value]] = value << at
        self.fields.append(Field(at, bits, pids))
        return at + bits

    def _add_pair(self, at: int, pids: list[int]) -> int:
        """Add two fields over the same bits: one tells the first placement, one the second."""
        size = len(pids).bit_length()
        bits = 2 * size
        if at % WORD + bits > WORD:
            at += WORD - at % WORD
        code = [x | _cube(x, size) << size for x in range(1, len(pids) + 1)]
        firsts, seconds = [-1] * (1 << bits), [-1] * (1 << bits)
        for second, high in enumerate(code):
            self.word[pids[second]] = high << at
            for first, low in enumerate(code[:second]):
                firsts[low ^ high], seconds[low ^ high] = pids[first], pids[second]
        self.fields += [Field(at, bits, tuple(firsts)), Field(at, bits, tuple(seconds))]
        return at + bits

    def key(self, pids: Iterable[int]) -> int:
        """Pack a state."""
        key = 0
        for pid in pids:
            key ^= self.word[pid]
        return key

    def unpack(self, key: int) -> list[int]:
        """Return the placements of a state, in no particular order."""
        pids = [own.pids[key >> own.shift & ((1 << own.bits) - 1)] for own in self.fields]
        found = [pid for pid in pids if pid >= 0]
        found += [pid for bit, pid in self.bitmap if key >> bit & 1]
        return found

    # -- symmetry -----------------------------------------------------------------------------

    def _find_mirror(self) -> list[int] | None:
        goal = {self.mask[pid] for condition in self.goal for pid in condition}
        for symmetry in _INVOLUTIONS:
            if symmetry in _TURNS and self.rows != self.cols:
                continue
            bits = _bit_images(symmetry, self.rows, self.cols)
            if any(_image(mask, bits) not in goal for mask in goal):
                continue
            if _image(self.free, bits) != self.free:
                continue
            mirror = self._mirrored_placements(bits)
            if mirror is not None and self._keeps_rules(mirror, symmetry):
                return mirror
        return None

    def _mirrored_placements(self, bits: tuple[int, ...]) -> list[int] | None:
        """Pair the kinds so that the image of each one's placements are the other's."""
        by_mask: dict[tuple[int, int], int] = {}
        for pid, mask in enumerate(self.mask):
            by_mask[self.kind_of[pid], mask] = pid
        mirror = [-1] * len(self.mask)
        partner: dict[int, int] = {}
        for number, kind in enumerate(self.kinds):
            if number in partner:
                continue
            images = {pid: _image(self.mask[pid], bits) for pid in kind.pids.values()}
            for other in range(number, len(self.kinds)):
                candidate = self.kinds[other]
                if (
                    other not in partner
                    and len(candidate.blocks) == len(kind.blocks)
                    and len(candidate.pids) == len(kind.pids)
                    and all((other, mask) in by_mask for mask in images.values())
                ):
                    partner[number], partner[other] = other, number
                    for pid, mask in images.items():
                        twin = by_mask[other, mask]
                        mirror[pid], mirror[twin] = twin, pid
                    break
            else:
                return None
        return mirror

    def _keeps_rules(self, mirror: list[int], symmetry: Symmetry) -> bool:
        """Check that steps map to steps and the goal to itself."""
        order = [(0, 1), (0, -1), (-1, 0), (1, 0)]
        turned = [order.index(symmetry.vector(*delta)) for delta in order]
        for pid, steps in enumerate(self.near):
            images = self.near[mirror[pid]]
            for direction, reached in enumerate(steps):
                image = images[turned[direction]]
                if image != (mirror[reached] if reached >= 0 else -1):
                    return False
        conditions = {frozenset(condition) for condition in self.goal}
        return {frozenset(mirror[pid] for pid in own) for own in conditions} == conditions


def _image(mask: int, bits: tuple[int, ...]) -> int:
    """Return the mirror image of cells."""
    result = 0
    while mask:
        low = mask & -mask
        mask ^= low
        result |= bits[low.bit_length() - 1]
    return result


# Irreducible polynomials over GF(2), by their degree.
_POLYNOMIALS = {2: 0b111, 3: 0b1011, 4: 0b10011, 5: 0b100101, 6: 0b1000011, 7: 0b10000011}


def _pair_bits(kind: Kind) -> int:
    """Return the bits of a pair of blocks, or very many where there is no such field."""
    size = len(kind.pids).bit_length()
    return 2 * size if len(kind.blocks) == 2 and size in _POLYNOMIALS else 1 << 30


def _cube(x: int, size: int) -> int:
    """Return the cube of an element of the field of 2^size elements."""
    return _product(_product(x, x, size), x, size)


def _product(x: int, y: int, size: int) -> int:
    product = 0
    while y:
        if y & 1:
            product ^= x
        y >>= 1
        x <<= 1
        if x >> size:
            x ^= _POLYNOMIALS[size]
    return product


def _field_bits(kind: Kind) -> int:
    return (len(kind.pids) - 1).bit_length()
