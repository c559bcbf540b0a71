"""Polyominoes of a given size, one by one or counted.

Two polyominoes are the same **fixed** polyomino when a translation maps one to the other, the same
**one-sided** one when turns are allowed too, the same **free** one when mirrors are as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Literal

from gridkit.errors import InputError
from gridkit.polyomino.polyomino import Polyomino, SymmetryClass
from gridkit.run.control import Limit, ProgressCallback, Resumable, drive

__all__ = [
    "count_fixed",
    "count_free",
    "count_one_sided",
    "count_symmetric",
    "fixed",
    "free",
    "one_sided",
]

Method = Literal["auto", "transfer", "enumerate", "plain"]

# Up to these sizes listing them in plain Python is quicker than importing numba.
_PLAIN_FIXED = 9
_PLAIN_CANONICAL = 7


def fixed(n: int) -> Iterator[Polyomino]:
    """Iterate over the fixed polyominoes of n cells, in the order of Redelmeier (1981).

    Parameters
    ----------
    n : int
        Number of cells, at least 1.

    Notes
    -----
    Lazy; takes O(n) memory and amortised O(n) time each.

    Examples
    --------
    >>> len(list(fixed(4)))
    19
    """
    _check_size(n)
    return map(Polyomino._trusted, _fixed_cells(n))


def one_sided(n: int) -> Iterator[Polyomino]:
    """Iterate over the one-sided polyominoes of n cells, each as its `canonical` form.

    Examples
    --------
    >>> len(list(one_sided(4)))
    7
    """
    return (piece for piece in fixed(n) if _is_canonical(piece, reflect=False))


def free(n: int) -> Iterator[Polyomino]:
    """Iterate over the free polyominoes of n cells, each as its ``canonical(reflect=True)`` form.

    Examples
    --------
    >>> for piece in free(3):
    ...     print(piece, end="\\n\\n")
    ##
    #.
    <BLANKLINE>
    ###
    <BLANKLINE>
    """
    return (piece for piece in fixed(n) if _is_canonical(piece, reflect=True))


def count_fixed(
    n: int,
    *,
    method: Method = "auto",
    limit: Limit | None = None,
    progress: ProgressCallback | None = None,
) -> int:
    """Count the fixed polyominoes of n cells (OEIS A001168).

    Parameters
    ----------
    n : int
        Number of cells, from 0 (one polyomino, the empty one) to 40.
    method : {"auto", "transfer", "enumerate", "plain"}
        **transfer**: the transfer matrix of Jensen (2001), about 1.7 ** n steps; **enumerate**:
        the kernel of Redelmeier's algorithm, 4.06 ** n steps, at most 24 cells; **plain**: the
        same in plain Python.  "auto" is plain up to 9 cells and the transfer matrix above.
    limit, progress
        The run contract.

    Raises
    ------
    InputError
        For n out of range.
    LimitReached, Interrupted
        When cut short.

    Examples
    --------
    >>> count_fixed(5)
    63
    """
    _check_size(n, least=0)
    if method not in ("auto", "transfer", "enumerate", "plain"):
        raise InputError(f"method must be auto, transfer, enumerate or plain, got {method!r}")
    if n == 0:
        return 1
    if method == "plain" or (method == "auto" and n <= _PLAIN_FIXED):
        return sum(1 for _ in _fixed_cells(n))
    from gridkit.polyomino import transfer

    if method == "enumerate":
        if n == 1:
            return 1
        _check_size(n, greatest=24)
        from gridkit.polyomino.subsets import FixedSearch

        search = FixedSearch(n)
        drive(search, limit=limit, progress=progress)
        return search.found
    _check_size(n, greatest=transfer.LARGEST)
    sweeps = transfer.sweeps(n)
    drive(_Chain(sweeps), limit=limit, progress=progress)
    return transfer.combined(sweeps)[n]


def count_one_sided(
    n: int, *, limit: Limit | None = None, progress: ProgressCallback | None = None
) -> int:
    """Count the one-sided polyominoes of n cells (OEIS A000988), by Burnside's lemma.

    Examples
    --------
    >>> count_one_sided(5)
    18
    """
    _check_size(n, least=0)
    if n <= _PLAIN_CANONICAL:
        return sum(1 for _ in one_sided(n)) if n else 1
    count, unchanged = _count_all(n, ("rot180", "rot90"), limit, progress)
    return (count + unchanged["rot180"] + 2 * unchanged["rot90"]) // 4


def count_free(
    n: int, *, limit: Limit | None = None, progress: ProgressCallback | None = None
) -> int:
    """Count the free polyominoes of n cells (OEIS A000105), by Burnside's lemma.

    Examples
    --------
    >>> count_free(5)
    12
    """
    _check_size(n, least=0)
    if n <= _PLAIN_CANONICAL:
        return sum(1 for _ in free(n)) if n else 1
    names: tuple[SymmetryClass, ...] = ("rot180", "rot90", "mirror_ortho", "mirror_diag")
    count, unchanged = _count_all(n, names, limit, progress)
    turns = unchanged["rot180"] + 2 * unchanged["rot90"]
    return (count + turns + 2 * (unchanged["mirror_ortho"] + unchanged["mirror_diag"])) // 8


def count_symmetric(
    n: int, *, limit: Limit | None = None, progress: ProgressCallback | None = None
) -> dict[SymmetryClass, int]:
    """Count the free polyominoes of n cells by symmetry class.

    Returns
    -------
    dict
        From the eight class names of `Polyomino.symmetry` to numbers that add up to
        ``count_free(n)`` (OEIS A006749, A006746, A006748, A006747, A056877, A056878, A144553 and
        A142886).

    Examples
    --------
    >>> count_symmetric(5)["mirror_diag"]
    2
    """
    _check_size(n)
    from gridkit.polyomino.symmetric import GROUPS

    total, unchanged = _count_all(n, tuple(GROUPS), limit, progress)
    full = unchanged["all"]
    ortho2, diag2 = unchanged["ortho2"] - full, unchanged["diag2"] - full
    rot90 = unchanged["rot90"] - full
    # Fixed polyominoes of each class; a class of index k has 8 / k of them to each free one.
    by_class: dict[SymmetryClass, int] = {
        "mirror_ortho": 2 * (unchanged["mirror_ortho"] - ortho2 - full),
        "mirror_diag": 2 * (unchanged["mirror_diag"] - diag2 - full),
        "rot180": unchanged["rot180"] - rot90 - ortho2 - diag2 - full,
        "ortho2": ortho2,
        "diag2": diag2,
        "rot90": rot90,
        "all": full,
    }
    none = total - sum(by_class.values())
    order = {name: len(group.elements) for name, group in GROUPS.items()}
    free_by_class: dict[SymmetryClass, int] = {"none": none // 8}
    for name, number in by_class.items():
        free_by_class[name] = number * order[name] // 8
    return free_by_class


def _check_size(n: int, least: int = 1, greatest: int | None = None) -> None:
    if isinstance(n, bool) or not isinstance(n, int):
        raise InputError(f"expected an int number of cells, got {n!r}")
    if n < least or (greatest is not None and n > greatest):
        bound = f"at least {least}" if greatest is None else f"from {least} to {greatest}"
        raise InputError(f"the number of cells must be {bound}, got {n}")


def _fixed_cells(n: int) -> Iterator[tuple[tuple[int, int], ...]]:
    """Redelmeier's algorithm in plain Python, with one growing queue of untried cells."""
    queue = [(0, 0)]
    seen = {(0, 0)}
    chosen: list[tuple[int, int]] = []
    first, ends = [0], [1]
    while first:
        if first[-1] == ends[-1]:
            first.pop()
            end = ends.pop()
            if chosen:
                chosen.pop()
                seen.difference_update(queue[ends[-1] : end])
                del queue[ends[-1] :]
            continue
        row, col = cell = queue[first[-1]]
        first[-1] += 1
        if len(chosen) == n - 1:
            yield (*chosen, cell)
            continue
        chosen.append(cell)
        for near in ((row, col + 1), (row, col - 1), (row - 1, col), (row + 1, col)):
            # Row-major, no cell comes before the first one.
            if near >= (0, 0) and near not in seen:
                seen.add(near)
                queue.append(near)
        first.append(first[-1])
        ends.append(len(queue))


def _is_canonical(piece: Polyomino, *, reflect: bool) -> bool:
    return piece == piece.canonical(reflect=reflect)


def _count_all(
    n: int,
    names: Sequence[SymmetryClass],
    limit: Limit | None,
    progress: ProgressCallback | None,
) -> tuple[int, dict[SymmetryClass, int]]:
    """Count the fixed polyominoes, and those that each of some groups leaves unchanged."""
    from gridkit.polyomino import transfer
    from gridkit.polyomino.symmetric import invariant_searches

    _check_size(n, greatest=transfer.LARGEST)
    sweeps = transfer.sweeps(n)
    searches = {name: invariant_searches(name, n) for name in names}
    drive(
        _Chain([*sweeps, *chain.from_iterable(searches.values())]), limit=limit, progress=progress
    )
    unchanged = {name: sum(part.found for part in parts) for name, parts in searches.items()}
    return transfer.combined(sweeps)[n], unchanged


class _Chain:
    """Several pieces of resumable work, one after the other."""

    def __init__(self, parts: Sequence[Resumable]) -> None:
        self.parts = parts
        self.at = 0

    @property
    def nodes(self) -> int:
        return sum(part.nodes for part in self.parts)

    @property
    def found(self) -> int:
        return sum(part.found for part in self.parts[: self.at])

    def fraction(self) -> float:
        return (self.at + self.parts[self.at].fraction()) / len(self.parts)

    def memory(self) -> int:
        return sum(part.memory() for part in self.parts)

    def value(self) -> None:
        return None

    def token(self) -> None:
        return None

    def advance(self, budget: int) -> bool:
        before = self.nodes
        while self.parts[self.at].advance(budget - (self.nodes - before)):
            if self.at + 1 == len(self.parts):
                return True
            self.at += 1
            if self.nodes - before >= budget:
                return False
        return False
