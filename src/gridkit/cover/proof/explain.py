"""Why a region cannot be tiled: areas, cells out of reach, colourings, or an exhausted search."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from gridkit.cover.frontier.order import components
from gridkit.cover.instance import Instance
from gridkit.cover.proof import colouring
from gridkit.errors import LimitReached
from gridkit.run.control import Limit, ProgressCallback

if TYPE_CHECKING:
    from gridkit.cover.solution import Explanation
    from gridkit.cover.tiling import Tiling

__all__ = ["check_explanation", "explain"]

_GLANCE = 20_000  # search nodes spent before certificates are looked for
_SWEEPABLE = 1 << 28  # bytes up to which a sweep decides rather than a search


def explain(
    tiling: Tiling, *, limit: Limit | None = None, progress: ProgressCallback | None = None
) -> Explanation | None:
    """Say why a region cannot be tiled, by the simplest argument that is found.

    Parameters
    ----------
    tiling : Tiling
        The problem.
    limit, progress
        For the search that decides when no other argument applies.

    Returns
    -------
    Explanation or None
        None when there is a tiling.  Otherwise, in this order: the area is no sum of the pieces'
        areas; a piece that fits nowhere; a cell that no placement covers; a colouring, that is
        numbers on the cells which every placement adds up the same while the region does not fit
        them; or the statement that all possibilities were exhausted.

    Raises
    ------
    LimitReached
        When the limit ends the search before it is decided.

    Notes
    -----
    Colourings generalise the chessboard argument (Golomb, 1954); all of them, over a field, are
    found by linear algebra.

    Examples
    --------
    >>> import gridkit as gk
    >>> board = gk.Board.rectangle(8, 8).without([(0, 0), (7, 7)])
    >>> reason = explain(gk.Tiling(board, gk.pieces.domino(), copies=None))
    >>> reason.kind
    'colouring'
    >>> check_explanation(reason, gk.Tiling(board, gk.pieces.domino(), copies=None))
    True
    """
    from gridkit.cover.solution import Explanation

    instance = tiling.instance
    text = _area_argument(tiling)
    if text is not None:
        return Explanation("area", text, region=tiling.region)
    piece = _unplaceable(instance)
    if piece is not None:
        text = f"{_name(tiling, piece)} has to be used but fits nowhere in the region"
        return Explanation("unplaceable piece", text, region=tiling.region)
    cell = _uncoverable(instance)
    if cell is not None:
        place = instance.coordinates[cell]
        text = f"no placement of any piece covers the cell {place}"
        return Explanation("uncoverable cell", text, cell=place, region=tiling.region)
    text = _part_argument(tiling)
    if text is not None:
        return Explanation("area", text, region=tiling.region)
    if _found_at_a_glance(tiling, limit):
        return None
    certificate = colouring.certificate(instance)
    if certificate is not None:
        return Explanation(
            "colouring",
            _colouring_text(tiling, certificate),
            weights=dict(zip(instance.coordinates, certificate.weights, strict=True)),
            modulus=certificate.modulus,
            region=tiling.region,
        )
    if _tileable(tiling, limit, progress):
        return None
    return Explanation(
        "exhausted",
        "every way to lay the pieces was tried, and none covers the region",
        region=tiling.region,
    )


def check_explanation(explanation: Explanation, tiling: Tiling) -> bool:
    """Whether an explanation proves what it says, from the placements alone.

    A search that was exhausted cannot be checked but by another, which counts.

    Examples
    --------
    >>> import gridkit as gk
    >>> tiling = gk.Tiling(gk.Board.rectangle(2, 2), [gk.Polyomino.parse("###")], copies=None)
    >>> check_explanation(tiling.explain(), tiling)
    True
    """
    instance = tiling.instance
    if explanation.kind == "area":
        return _area_argument(tiling) is not None or _part_argument(tiling) is not None
    if explanation.kind == "unplaceable piece":
        return _unplaceable(instance) is not None
    if explanation.kind == "uncoverable cell":
        return all(
            instance.coordinates[cell] != explanation.cell
            for _, cells in instance.placements
            for cell in cells
        )
    if explanation.kind == "colouring" and explanation.weights is not None:
        weights = [explanation.weights.get(point, 0) for point in instance.coordinates]
        return colouring.holds(instance, weights, explanation.modulus)
    return tiling.count() == 0


def _area_argument(tiling: Tiling) -> str | None:
    """Say why the areas of the pieces do not add up, or return None: they may."""
    instance = tiling.instance
    cells = len(instance.coordinates)
    needed = cells - len(instance.optional)
    if _fits(map(len, tiling.pieces), instance.copies, needed, cells):
        return None
    wanted = f"{cells}" if needed == cells else f"{needed} to {cells}"
    return f"the region has {wanted} cells to cover, which is no sum of areas of {_areas(tiling)}"


def _part_argument(tiling: Tiling) -> str | None:
    """Say which part that no placement leaves has an area that does not add up."""
    instance = tiling.instance
    at_will = [(0, greatest) for _, greatest in instance.copies]
    for part in components(instance):
        free = sum(cell in instance.optional for cell in part)
        if not _fits(map(len, tiling.pieces), at_will, len(part) - free, len(part)):
            return (
                f"the part of {len(part)} cells at {instance.coordinates[part[0]]}, which no "
                f"placement joins to the rest, has an area that is no sum of areas of "
                f"{_areas(tiling)}"
            )
    return None


def _areas(tiling: Tiling) -> str:
    """Tell the areas, pieces of one area and one number of copies together."""
    alike: dict[tuple[int, tuple[int, int | None]], list[int]] = {}
    for number, piece in enumerate(tiling.pieces):
        alike.setdefault((len(piece), tiling.instance.copies[number]), []).append(number)
    return ", ".join(
        f"{_name(tiling, numbers[0])} of {area} cells ({_bounds_text(*bounds)})"
        if len(numbers) == 1
        else f"{len(numbers)} pieces of {area} cells ({_bounds_text(*bounds)} of each)"
        for (area, bounds), numbers in alike.items()
    )


def _unplaceable(instance: Instance) -> int | None:
    placed = {piece for piece, _ in instance.placements}
    needed = (piece for piece, (least, _) in enumerate(instance.copies) if least > 0)
    return next((piece for piece in needed if piece not in placed), None)


def _name(tiling: Tiling, piece: int) -> str:
    return f"piece {tiling.names[piece] if tiling.names is not None else piece}"


def _bounds_text(least: int, greatest: int | None) -> str:
    if greatest is None:
        return "any number of copies" if least == 0 else f"at least {least} copies"
    if least == greatest:
        return "1 copy" if least == 1 else f"{least} copies"
    return f"{least} to {greatest} copies"


def _fits(
    areas: Iterable[int], copies: Iterable[tuple[int, int | None]], least: int, most: int
) -> bool:
    """Whether some multiple of the areas, within the bounds, adds up to least to most."""
    sums = 1  # bit s: the sum s can be had
    for area, (low, high) in zip(areas, copies, strict=True):
        if low * area > most:
            return False
        sums <<= low * area
        # High minus low further copies, in doubling steps; more than fit are not needed.
        more = most // area if high is None else min(high - low, most // area)
        step = 1
        while more > 0:
            taken = min(step, more)
            sums |= sums << (taken * area)
            more -= taken
            step *= 2
        sums &= (1 << (most + 1)) - 1
    return sums >> max(least, 0) != 0


def _uncoverable(instance: Instance) -> int | None:
    covered = {cell for _, cells in instance.placements for cell in cells}
    covered |= instance.optional
    return next((cell for cell in range(len(instance.coordinates)) if cell not in covered), None)


def _found_at_a_glance(tiling: Tiling, limit: Limit | None) -> bool:
    nodes = _GLANCE if limit is None or limit.nodes is None else min(_GLANCE, limit.nodes)
    try:
        return tiling.first(limit=Limit(nodes=nodes)) is not None
    except LimitReached:
        return False


def _tileable(tiling: Tiling, limit: Limit | None, progress: ProgressCallback | None) -> bool:
    """Decide by a sweep where it is small, else by a search."""
    from gridkit.cover.frontier.count import count, estimate

    if estimate(tiling.instance).memory <= _SWEEPABLE:
        return count(tiling.instance, limit=limit, progress=progress) > 0
    return tiling.first(limit=limit, progress=progress) is not None


def _colouring_text(tiling: Tiling, certificate: colouring.Certificate) -> str:
    modulo = "" if certificate.modulus is None else f" modulo {certificate.modulus}"
    rule = f" (they depend on {certificate.pattern})" if certificate.pattern else ""
    told = [
        f"{_name(tiling, piece)} {total}" for piece, total in enumerate(certificate.sums) if total
    ]
    if not told:
        each = f"every placement of every piece adds up to 0{modulo}"
    else:
        rest = ", the others 0" if len(told) < len(certificate.sums) else ""
        each = (
            f"every placement adds up to the same{modulo}: {', '.join(told)}{rest}; "
            f"all pieces to {certificate.expected}"
        )
    return (
        f"put the numbers shown on the cells{rule}: {each}, "
        f"but the region adds up to {certificate.total}"
    )
