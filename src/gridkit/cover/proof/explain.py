"""Why a region cannot be tiled: areas, cells out of reach, colourings, or an exhausted search."""

from __future__ import annotations

from collections.abc import Sequence

from gridkit.cover.frontier.order import components
from gridkit.cover.instance import Instance
from gridkit.cover.proof import Refutation, colouring
from gridkit.cover.proof.areas import sums
from gridkit.run import Run

__all__ = ["colouring_refutation", "proves", "simple_refutation"]


def simple_refutation(
    instance: Instance, sizes: Sequence[int], names: Sequence[str], run: Run
) -> Refutation | None:
    """Return the simplest argument that needs no algebra, or None where none applies.

    Parameters
    ----------
    instance : Instance
        The problem.
    sizes, names : sequence of int, of str
        The area of each piece and what to call it.
    run : Run
        The call.
    """
    reason = _area_argument(instance, sizes, names)
    if reason is not None:
        return Refutation("area", reason)
    piece = _unplaceable(instance)
    if piece is not None:
        reason = f"{names[piece]} has to be used but fits nowhere in the region"
        return Refutation("unplaceable piece", reason)
    cell = _uncoverable(instance)
    if cell is not None:
        place = instance.coordinates[cell]
        reason = f"no placement of any piece covers the cell {place}"
        return Refutation("uncoverable cell", reason, place)
    reason = _part_argument(instance, sizes, names, run)
    return None if reason is None else Refutation("area", reason)


def colouring_refutation(instance: Instance, names: Sequence[str], run: Run) -> Refutation | None:
    """Return numbers on the cells that prove that there is no covering, or None: none were found.

    Every placement adds up to the same while the region does not fit.

    Notes
    -----
    Colourings generalise the chessboard argument (Golomb, 1954); all of them, over a field, are
    found by linear algebra.
    """
    certificate = colouring.certificate(instance, run)
    if certificate is None:
        return None
    weights = dict(zip(instance.coordinates, certificate.weights, strict=True))
    reason = _colouring_text(names, certificate)
    return Refutation("colouring", reason, None, weights, certificate.modulus)


def proves(
    refutation: Refutation, instance: Instance, sizes: Sequence[int], run: Run
) -> bool | None:
    """Whether an argument proves what it says, from the placements alone.

    None for a search that was exhausted, which can be checked only by another one.
    """
    if refutation.kind == "area":
        names = [""] * len(sizes)
        return (
            _area_argument(instance, sizes, names) is not None
            or _part_argument(instance, sizes, names, run) is not None
        )
    if refutation.kind == "unplaceable piece":
        return _unplaceable(instance) is not None
    if refutation.kind == "uncoverable cell":
        return all(
            instance.coordinates[cell] != refutation.cell
            for _, cells in instance.placements
            for cell in cells
        )
    if refutation.kind == "colouring" and refutation.weights is not None:
        weights = [refutation.weights.get(point, 0) for point in instance.coordinates]
        return colouring.holds(instance, weights, refutation.modulus)
    return None


def _area_argument(instance: Instance, sizes: Sequence[int], names: Sequence[str]) -> str | None:
    """Say why the areas of the pieces do not add up, or return None: they may."""
    cells = len(instance.coordinates)
    needed = cells - len(instance.optional)
    if sums(sizes, instance.copies, cells) >> needed:
        return None
    asked = f"{cells}" if needed == cells else f"{needed} to {cells}"
    areas = _areas(instance, sizes, names)
    return f"the region has {asked} cells to cover, which is no sum of areas of {areas}"


def _part_argument(
    instance: Instance, sizes: Sequence[int], names: Sequence[str], run: Run
) -> str | None:
    """Say which part that no placement leaves has an area that does not add up."""
    parts = components(instance, run)
    at_will = [(0, greatest) for _, greatest in instance.copies]
    possible = sums(sizes, at_will, max(map(len, parts), default=0))
    for part in parts:
        free = sum(cell in instance.optional for cell in part)
        if not possible >> len(part) - free & (1 << free + 1) - 1:
            return (
                f"the part of {len(part)} cells at {instance.coordinates[part[0]]}, which no "
                f"placement joins to the rest, has an area that is no sum of areas of "
                f"{_areas(instance, sizes, names)}"
            )
    return None


def _areas(instance: Instance, sizes: Sequence[int], names: Sequence[str]) -> str:
    """List the areas, pieces of one area and one number of copies together."""
    alike: dict[tuple[int, tuple[int, int | None]], list[int]] = {}
    for number, (size, bounds) in enumerate(zip(sizes, instance.copies, strict=True)):
        alike.setdefault((size, bounds), []).append(number)
    return ", ".join(
        f"{names[numbers[0]]} of {area} cells ({_bounds_text(*bounds)})"
        if len(numbers) == 1
        else f"{len(numbers)} pieces of {area} cells ({_bounds_text(*bounds)} of each)"
        for (area, bounds), numbers in alike.items()
    )


def _unplaceable(instance: Instance) -> int | None:
    placed = {piece for piece, _ in instance.placements}
    needed = (piece for piece, (least, _) in enumerate(instance.copies) if least > 0)
    return next((piece for piece in needed if piece not in placed), None)


def _bounds_text(least: int, greatest: int | None) -> str:
    if greatest is None:
        return "any number of copies" if least == 0 else f"at least {least} copies"
    if least == greatest:
        return "1 copy" if least == 1 else f"{least} copies"
    return f"{least} to {greatest} copies"


def _uncoverable(instance: Instance) -> int | None:
    covered = {cell for _, cells in instance.placements for cell in cells}
    covered |= instance.optional
    return next((cell for cell in range(len(instance.coordinates)) if cell not in covered), None)


def _colouring_text(names: Sequence[str], certificate: colouring.Certificate) -> str:
    modulo = "" if certificate.modulus is None else f" modulo {certificate.modulus}"
    rule = f" (they depend on {certificate.pattern})" if certificate.pattern else ""
    unequal = [
        f"{name} {total}" for name, total in zip(names, certificate.sums, strict=True) if total
    ]
    if not unequal:
        each = f"every placement of every piece adds up to 0{modulo}"
    else:
        rest = ", the others 0" if len(unequal) < len(certificate.sums) else ""
        each = (
            f"every placement adds up to the same{modulo}: {', '.join(unequal)}{rest}; "
            f"all pieces to {certificate.expected}"
        )
    return (
        f"put the numbers shown on the cells{rule}: {each}, "
        f"but the region adds up to {certificate.total}"
    )
