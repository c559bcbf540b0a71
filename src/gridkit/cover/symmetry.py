"""Symmetry of problems: permutations of the options, orbits, and what each symmetry fixes.

The number of orbits of solutions is the mean, over the group, of how many solutions each symmetry
fixes (the lemma of Cauchy and Frobenius, often named after Burnside); the solutions fixed are
those of a smaller problem whose options are whole orbits of options.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, permutations, product
from operator import itemgetter
from typing import TypeVar

from gridkit.cover.instance import Instance
from gridkit.cover.matrix import Matrix
from gridkit.errors import InputError, UnsupportedError
from gridkit.run import Run

__all__ = [
    "Element",
    "Roots",
    "broken_roots",
    "elements",
    "fixed_instance",
    "fixed_problem",
    "item_permutations",
    "may_fix",
    "placement_permutation",
]

Permutation = tuple[int, ...]
# A symmetry of a tiling: where it sends each cell, and which piece becomes which.
Element = tuple[Permutation, Permutation]
# Subtrees, each a sequence of options taken, and what a solution in each counts.
Roots = tuple[tuple[tuple[int, ...], int], ...]
_LARGEST_GROUP = 10_000
Item = TypeVar("Item", bound=Hashable)
Moved = TypeVar("Moved", bound=Hashable)


def elements(instance: Instance, run: Run) -> tuple[Element, ...]:
    """Return the symmetries of a tiling problem, identity first.

    They are the rotations and reflections of the grid that map the set of cells to itself, the
    optional cells to optional cells and the set of pieces, with their copies, to itself.  Where
    the cells lie in the frame of a board or box does not matter.
    """
    optional, same = instance.optional, tuple(range(len(instance.copies)))
    mirror_images = _mirror_images(instance)
    group = []
    for mirrors, cells in _cell_symmetries(instance.coordinates, run):
        pieces = mirror_images if mirrors else same
        if pieces is not None and all(cells[cell] in optional for cell in optional):
            group.append((cells, pieces))
    return tuple(group)


def _mirror_images(instance: Instance) -> Permutation | None:
    """Return which piece is the mirror image of each, or None where one has none in the set.

    The image has to be used as often.  A piece that may be turned over is its own image.
    """
    shapes, copies = instance.shapes, instance.copies
    if instance.reflect:
        return tuple(range(len(copies)))
    number = {_canonical(shape, mirrored=False): place for place, shape in enumerate(shapes)}
    images = [number.get(_canonical(shape, mirrored=True), -1) for shape in shapes]
    if len(images) < len(copies) or any(
        image < 0 or copies[image] != copies[piece] for piece, image in enumerate(images)
    ):
        return None
    return tuple(images)


def _canonical(shape: Sequence[tuple[int, ...]], *, mirrored: bool) -> tuple[tuple[int, ...], ...]:
    """Return the least orientation of a shape, or of its mirror image, moved to the origin."""
    columns = list(zip(*shape, strict=True))
    origin = [(0,)] * len(columns)
    return min(
        tuple(
            sorted(
                zip(
                    *[
                        _moved(columns[axis], sign, target)
                        for axis, sign, target in zip(axes, signs, origin, strict=True)
                    ],
                    strict=True,
                )
            )
        )
        for axes, signs in _isometries(len(columns))
        if _mirrors(axes, signs) == mirrored
    )


def _isometries(dimension: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Give the isometries of the grid about the origin: the axes' order and signs."""
    for axes in permutations(range(dimension)):
        for signs in product((1, -1), repeat=dimension):
            yield axes, signs


def _mirrors(axes: Sequence[int], signs: Sequence[int]) -> bool:
    """Whether an isometry is a reflection: it exchanges and turns round an odd number of axes."""
    exchanges = sum(a > b for a, b in combinations(axes, 2))
    return (exchanges + signs.count(-1)) % 2 == 1


def _cell_symmetries(
    points: Sequence[tuple[int, ...]], run: Run
) -> Iterator[tuple[bool, Permutation]]:
    """Give the isometries of the grid that map points to points: (mirrors, image of each point).

    An isometry permutes the axes, turns some of them round and moves the result; the move is the
    one that maps bounding box to bounding box.
    """
    number = {point: place for place, point in enumerate(points)}
    columns = tuple(zip(*points, strict=True))
    sides = [max(column) - min(column) for column in columns]
    for axes, signs in _isometries(len(columns)):
        if [sides[axis] for axis in axes] != sides:
            continue
        run.check()
        images = [
            _moved(columns[axis], sign, target)
            for axis, sign, target in zip(axes, signs, columns, strict=True)
        ]
        try:
            permutation = tuple([number[point] for point in zip(*images, strict=True)])
        except KeyError:
            continue
        yield _mirrors(axes, signs), permutation


def _moved(column: Sequence[int], sign: int, target: Sequence[int]) -> list[int]:
    """Return the coordinates along one axis, turned round or not, moved to where others begin."""
    if sign > 0:
        move = min(target) - min(column)
        return [move + value for value in column]
    move = min(target) + max(column)
    return [move - value for value in column]


def placement_permutation(instance: Instance, element: Element) -> Permutation:
    """Return where a symmetry sends each placement."""
    placements = instance.placements
    number = {placement: place for place, placement in enumerate(placements)}
    return tuple(number[_image(placement, element)] for placement in placements)


def _image(placement: tuple[int, tuple[int, ...]], element: Element) -> tuple[int, tuple[int, ...]]:
    cells, pieces = element
    piece, covered = placement
    return pieces[piece], tuple(sorted([cells[cell] for cell in covered]))


def broken_roots(instance: Instance, group: Sequence[Element]) -> Roots | None:
    """Restrict one piece to a placement of each orbit: the subtrees, and how often each counts.

    The piece is used exactly once, is its own image, and has the fewest orbits; None where there
    is no such piece or the group is trivial.  As many solutions hold one placement of an orbit as
    hold any other, so the counts are exact for symmetric solutions too.
    """
    if len(group) < 2:
        return None
    placements = instance.placements
    frequency = Counter(map(itemgetter(0), placements))
    fixed = [
        piece
        for piece, bounds in enumerate(instance.copies)
        if bounds == (1, 1) and all(pieces[piece] == piece for _, pieces in group)
    ]
    best: list[tuple[tuple[int, ...], int]] | None = None
    for piece in sorted(fixed, key=frequency.__getitem__):
        if best is not None and frequency[piece] >= len(best) * len(group):
            break
        number_of = {placed: n for n, placed in enumerate(placements) if placed[0] == piece}
        seen: set[int] = set()
        roots: list[tuple[tuple[int, ...], int]] = []
        for number in number_of.values():
            if number not in seen:
                orbit = {number_of[_image(placements[number], element)] for element in group}
                seen |= orbit
                roots.append(((number,), len(orbit)))
        if best is None or len(roots) < len(best):
            best = roots
    return None if best is None else tuple(best)


def may_fix(instance: Instance, element: Element) -> bool:
    """Whether a symmetry could fix a tiling: each piece used once and its own image must lie so."""
    waiting = {
        piece
        for piece, bounds in enumerate(instance.copies)
        if bounds == (1, 1) and element[1][piece] == piece
    }
    for placement in instance.placements:
        if placement[0] in waiting and _image(placement, element) == placement:
            waiting.discard(placement[0])
    return not waiting


def fixed_instance(instance: Instance, element: Element) -> Instance:
    """Return the problem whose coverings are those that a symmetry leaves as they are.

    Its cells are orbits of cells.  Orbits of placements that cover the same cells differ in their
    piece number.
    """
    cells = element[0]
    leader = list(range(len(cells)))
    for start in range(len(cells)):
        cell = cells[start]
        while cell != start:
            leader[cell] = min(leader[cell], start)
            cell = cells[cell]
    kept = [cell for cell in range(len(cells)) if leader[cell] == cell]
    number = {cell: place for place, cell in enumerate(kept)}
    permutation = placement_permutation(instance, element)
    seen: set[int] = set()
    copies: dict[tuple[int, ...], int] = {}
    placements = []
    for start in range(len(permutation)):
        if start in seen:
            continue
        orbit, option = [], start
        while option not in seen:
            seen.add(option)
            orbit.append(option)
            option = permutation[option]
        covered = [cell for option in orbit for cell in instance.placements[option][1]]
        if len(set(covered)) == len(covered):
            places = tuple(sorted({number[leader[cell]] for cell in covered}))
            copies[places] = copies.get(places, -1) + 1
            placements.append((copies[places], places))
    placements.sort(key=lambda placed: (placed[1][0], placed))
    pieces = max((piece for piece, _ in placements), default=0) + 1
    return Instance(
        tuple(instance.coordinates[cell] for cell in kept),
        tuple(placements),
        ((0, None),) * pieces,
        frozenset(number[cell] for cell in instance.optional if cell in number),
    )


def fixed_problem(matrix: Matrix, permutation: Sequence[int]) -> Matrix:
    """Return the problem whose solutions are those that a symmetry leaves as they are.

    An option of it is an orbit of options under the symmetry, where they get along.
    """
    merged: list[tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]] = []
    seen = bytearray(len(permutation))
    for start in range(len(permutation)):
        if seen[start]:
            continue
        orbit, option = [], start
        while not seen[option]:
            seen[option] = 1
            orbit.append(option)
            option = permutation[option]
        union = _union(matrix, orbit)
        if union is not None:
            merged.append(union)
    amounts = tuple(times for _, _, times in merged)
    once = all(amount == 1 for times in amounts for amount in times)
    return Matrix(
        tuple(items for items, _, _ in merged),
        matrix.primary,
        matrix.low,
        matrix.high,
        None if matrix.colors is None else tuple(colors for _, colors, _ in merged),
        None if once else amounts,
    )


def _union(
    matrix: Matrix, orbit: Sequence[int]
) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]] | None:
    """Merge options into one: its items, their colours and amounts; None where they clash."""
    times: dict[int, int] = {}
    painted: dict[int, int] = {}
    for option in orbit:
        for place, item in enumerate(matrix.options[option]):
            color = 0 if matrix.colors is None else matrix.colors[option][place]
            if item >= matrix.primary and item in times:
                if not color or painted[item] != color:
                    return None
                continue
            painted[item] = color
            amount = 1 if matrix.amounts is None else matrix.amounts[option][place]
            times[item] = times.get(item, 0) + amount
            if item < matrix.primary and times[item] > matrix.high[item]:
                return None
    items = tuple(sorted(times))
    return items, tuple(painted[item] for item in items), tuple(times[item] for item in items)


def item_permutations(
    symmetries: Iterable[Mapping[Moved, Moved]],
    number: Mapping[Hashable, int],
    matrix: Matrix,
) -> tuple[Permutation, ...]:
    """Return the group that permutations of the items generate, as permutations of the options."""
    generators = [
        _option_permutation(_item_permutation(symmetry, number, place), matrix, place)
        for place, symmetry in enumerate(symmetries)
    ]
    identity = tuple(range(len(matrix.options)))
    group, waiting = {identity: None}, [identity]
    while waiting:
        element = waiting.pop()
        for generator in generators:
            product = tuple(generator[image] for image in element)
            if product not in group:
                group[product] = None
                waiting.append(product)
                if len(group) > _LARGEST_GROUP:
                    raise UnsupportedError(
                        f"symmetries: the group has more than {_LARGEST_GROUP} elements"
                    )
    return tuple(group)


def _item_permutation(
    symmetry: Mapping[Moved, Moved], number: Mapping[Hashable, int], place: int
) -> list[int]:
    if not isinstance(symmetry, Mapping):
        raise InputError(f"symmetries: expected mappings of items, got {symmetry!r}")
    images = list(range(len(number)))
    for item, image in symmetry.items():
        for each in (item, image):
            if each not in number:
                raise InputError(f"symmetry {place}: {each!r} is no item")
        images[number[item]] = number[image]
    if len(set(images)) < len(images):
        raise InputError(f"symmetry {place} is no permutation: two items have the same image")
    return images


def _option_permutation(images: Sequence[int], matrix: Matrix, place: int) -> Permutation:
    """Return where the options go; equal options keep their order."""
    wrong = InputError(f"symmetry {place} does not map the problem to itself")
    for item, image in enumerate(images[: matrix.primary]):
        if image >= matrix.primary or (
            (matrix.low[item], matrix.high[item]) != (matrix.low[image], matrix.high[image])
        ):
            raise wrong
    waiting: dict[tuple[tuple[int, int], ...], list[int]] = {}
    for option in reversed(range(len(matrix.options))):
        waiting.setdefault(_key(matrix, option), []).append(option)
    permutation = []
    for option in range(len(matrix.options)):
        key = tuple(sorted((images[item], color) for item, color in _key(matrix, option)))
        if not waiting.get(key):
            raise wrong
        permutation.append(waiting[key].pop())
    return tuple(permutation)


def _key(matrix: Matrix, option: int) -> tuple[tuple[int, int], ...]:
    items = matrix.options[option]
    colors = (0,) * len(items) if matrix.colors is None else matrix.colors[option]
    return tuple(zip(items, colors, strict=True))
