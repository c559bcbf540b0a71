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

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import NamedTuple

from gridkit.sliding.blocks.mirror import find_mirror
from gridkit.sliding.blocks.rules import Instance, edge_sets

__all__ = [
    "WORD",
    "Condition",
    "Field",
    "Kind",
    "Packing",
    "edge_cells",
    "packing_of",
    "reachable_places",
]

WORD = 64
Offsets = tuple[tuple[int, int], ...]


@lru_cache(maxsize=4096)
def reachable_places(
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


@lru_cache(maxsize=256)
def edge_cells(rows: int, cols: int, name: str) -> int:
    """Return the cells along an edge of the frame as bits."""
    if name in ("top", "bottom"):
        line = (1 << cols) - 1
        return line if name == "top" else line << ((rows - 1) * cols)
    column = sum(1 << (row * cols) for row in range(rows))
    return column if name == "left" else column << (cols - 1)


def _pass() -> None:
    """Check nothing."""


class Condition(NamedTuple):
    """A part of the goal: at least `need` of these placements are taken."""

    need: int
    pids: tuple[int, ...]


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
    goal : list of Condition
        A state meets the goal when it meets every condition.
    start : list of int
        Placement of each block.
    """

    def __init__(self, instance: Instance, check: Callable[[], None] = _pass) -> None:
        self._check = check
        self.rows, self.cols, self.free = instance.rows, instance.cols, instance.free
        self.kinds: list[Kind] = []
        self.ref: list[int] = []
        self.mask: list[int] = []
        self.kind_of: list[int] = []
        self.near: list[tuple[int, int, int, int]] = []
        self.start: list[int] = []
        self._place_blocks(instance)
        self.goal = self._conditions(instance)
        self.word = [0] * len(self.ref)
        self.fields: list[Field] = []
        self.bitmap: list[tuple[int, int]] = []
        self.bits = self._allot()
        self.mirror = find_mirror(
            (self.rows, self.cols, self.free),
            self.mask,
            self.near,
            [(len(kind.blocks), list(kind.pids.values())) for kind in self.kinds],
            self.goal,
            check,
        )
        self._check = _pass

    # -- placements ---------------------------------------------------------------------------

    def _place_blocks(self, instance: Instance) -> None:
        groups: dict[int, list[Kind]] = {}
        for number, (block, shape, place, group) in enumerate(
            zip(instance.blocks, instance.shapes, instance.places, instance.groups, strict=True)
        ):
            origin = place[0] * self.cols + place[1]
            kind = next((own for own in groups.get(group, ()) if origin in own.pids), None)
            if kind is None:
                kind = self._new_kind(group, shape, origin, block.allowed, block.axis)
                groups.setdefault(group, []).append(kind)
            kind.blocks.append(number)
            self._check()
            self.start.append(kind.pids[origin])

    def _new_kind(
        self, group: int, shape: Offsets, origin: int, allowed: int, axis: str | None
    ) -> Kind:
        """Number the placements that a block reaches when it is alone."""
        places, masks, near = reachable_places(self.rows, self.cols, shape, origin, allowed, axis)
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

    def _conditions(self, instance: Instance) -> list[Condition]:
        """Return the conditions of `Instance.is_solved`, on placements."""
        conditions = []
        for group, (cells, edges) in instance.goals.items():
            kinds = [kind for kind in self.kinds if kind.group == group]
            places = [row * self.cols + col for row, col in cells]
            at_cells = [tuple([k.pids[at] for k in kinds if at in k.pids]) for at in places]
            conditions += [Condition(1, pids) for pids in at_cells]
            for chosen in edge_sets(edges):
                line = 0
                for edge in chosen:
                    line |= edge_cells(self.rows, self.cols, edge)
                pids = [
                    pid for kind in kinds for pid in kind.pids.values() if self.mask[pid] & line
                ]
                need = sum(edge in chosen for edge in edges)
                need += sum(not set(own).isdisjoint(pids) for own in at_cells)
                conditions.append(Condition(need, tuple(pids)))
        return conditions

    def goal_rows(self) -> list[tuple[int, list[tuple[int, int]]]]:
        """Return of each condition how many of its rows (mask, value) have to hold of a key.

        A row holds, ``key & mask == value``, for one placement that is taken.
        """
        rows_of: dict[int, list[tuple[int, int]]] = {
            pid: [] for _, pids in self.goal for pid in pids
        }
        for own in self.fields:
            if not rows_of.keys().isdisjoint(own.pids):
                full = (1 << own.bits) - 1
                for value, pid in enumerate(own.pids):
                    if pid in rows_of:  # of a pair one value for each place of the other one
                        rows_of[pid].append((full << own.shift, value << own.shift))
        for bit, pid in self.bitmap:
            if pid in rows_of:
                rows_of[pid].append((1 << bit, 1 << bit))
        return [(need, [row for pid in pids for row in rows_of[pid]]) for need, pids in self.goal]

    def meets_goal(self, pids: Sequence[int]) -> bool:
        """Return whether a state meets the goal."""
        return all(
            any(pid in pids for pid in own)
            if need == 1
            else sum(pid in pids for pid in own) >= need
            for need, own in self.goal
        )

    @cached_property
    def is_hopeless(self) -> bool:
        """Whether the blocks' shapes, lines and walls alone rule the goal out."""
        for need, pids in self.goal:
            inside = Counter(self.kind_of[pid] for pid in pids)
            if sum(min(many, len(self.kinds[own].blocks)) for own, many in inside.items()) < need:
                return True
        fixed = self._fixed_placements
        counts = Counter(self.kind_of[pid] for pid in fixed)
        if any(many > len(self.kinds[own].blocks) for own, many in counts.items()):
            return True
        covered = 0
        for pid in fixed:
            if covered & self.mask[pid]:
                return True
            covered |= self.mask[pid]
        return len(fixed) == len(self.start) and not self.meets_goal(fixed)

    @cached_property
    def _fixed_placements(self) -> list[int]:
        """The placements that are taken in every state that meets the goal."""
        return sorted({pid for need, pids in self.goal if need == len(pids) for pid in pids})

    @property
    def goal_state(self) -> list[int] | None:
        """The placements of the goal when it fixes every block, else None."""
        fixed = self._fixed_placements
        return fixed if len(fixed) == len(self.start) and not self.is_hopeless else None

    @property
    def fits_one_word(self) -> bool:
        """Whether a state fits one word, and the cells do too, with a spare bit for the wall."""
        return self.bits <= WORD and self.free.bit_count() < WORD

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
            self._check()
            at = self._add_field(at, tuple(kind.pids.values()), 0)
        for pids in self._anchors(coded).values():
            self._check()
            at = self._add_field(at, (-1, *pids), 1)
        for kind in maps:
            self._check()
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
            self._check()
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
        taken = [pid for pid in pids if pid >= 0]
        return taken + [pid for bit, pid in self.bitmap if key >> bit & 1]


def packing_of(instance: Instance, check: Callable[[], None] = _pass) -> Packing:
    """Return the packing of an instance, made once and kept with it.

    Parameters
    ----------
    instance : Instance
    check : callable
        Called now and then; may raise, as `Run.check` does.
    """
    packing: Packing | None = vars(instance).get("packing")
    if packing is None:
        packing = vars(instance)["packing"] = Packing(instance, check)
    return packing


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
