"""Polyominoes of a given size, one by one or counted.

Two polyominoes are the same **fixed** polyomino when a translation maps one to the other, the same
**one-sided** one when turns are allowed too, the same **free** one when mirrors are as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Literal, cast

from gridkit.errors import InputError
from gridkit.polyomino.listing import PLAIN_CANONICAL, PLAIN_FIXED, Kind, fixed_cells, pieces
from gridkit.polyomino.polyomino import Polyomino, SymmetryClass
from gridkit.reading import MOST_CELLS, read_int
from gridkit.run import Limit, ProgressCallback, Run, Work, call_name

if TYPE_CHECKING:
    from gridkit.polyomino.subsets import SubsetSearch
    from gridkit.polyomino.transfer import Sweep

__all__ = [
    "count_fixed",
    "count_free",
    "count_one_sided",
    "count_symmetric",
    "fixed",
    "free",
    "listed",
    "one_sided",
]

Method = Literal["auto", "transfer", "enumerate", "plain"]

EMPTY = ((),)  # of 0 cells there is one polyomino: none


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
    return listed("fixed", n)


def one_sided(n: int) -> Iterator[Polyomino]:
    """Iterate over the one-sided polyominoes of n cells, each as its `canonical` form.

    Examples
    --------
    >>> len(list(one_sided(4)))
    7
    """
    return listed("one-sided", n)


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
    return listed("free", n)


def listed(kind: Kind, n: int, check: Callable[[], object] = lambda: None) -> Iterator[Polyomino]:
    """Iterate over the polyominoes of one kind; `check` is called every few milliseconds.

    Of 24 cells there are millions of fixed polyominoes between two free ones: a caller with limits
    looks at them in `check`.
    """
    return pieces(kind, _read_size(n, 1, MOST_CELLS), check)


def count_fixed(
    n: int,
    *,
    method: Method = "auto",
    limit: Limit | None = None,
    progress: ProgressCallback | None = None,
    resume: object = None,
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
    limit, progress, resume
        The run contract.  A count cut short has 0 to show for itself, except by "enumerate" and
        "plain", which have a lower bound; "plain" begins anew.

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
    with Run(limit=limit, progress=progress, resume=resume, nothing=0) as run:
        n = _read_size(n, 0)
        if method not in ("auto", "transfer", "enumerate", "plain"):
            raise InputError(f"method must be auto, transfer, enumerate or plain, got {method!r}")
        call = call_name("count_fixed", n, method)
        if n == 0 or method == "plain" or (method == "auto" and n <= PLAIN_FIXED):
            return _count_plain(call, fixed_cells(n) if n else iter(EMPTY), run)
        if method == "enumerate":
            from gridkit.polyomino.subsets import FixedSearch

            n = _read_size(n, 1, 24)
            if n == 1:
                return 1
            search = FixedSearch(n)
            _drive(call, [search], run)
            return search.found
        from gridkit.polyomino import transfer

        sweeps = transfer.sweeps(_read_size(n, 1, transfer.LARGEST))
        _drive(call, sweeps, run)
        return transfer.combined(sweeps)[n]


def count_one_sided(
    n: int,
    *,
    limit: Limit | None = None,
    progress: ProgressCallback | None = None,
    resume: object = None,
) -> int:
    """Count the one-sided polyominoes of n cells (OEIS A000988), by Burnside's lemma.

    Parameters and errors are those of `count_fixed`.

    Examples
    --------
    >>> count_one_sided(5)
    18
    """
    with Run(limit=limit, progress=progress, resume=resume, nothing=0) as run:
        n = _read_size(n, 0)
        call = call_name("count_one_sided", n)
        if n <= PLAIN_CANONICAL:
            return _count_plain(call, one_sided(n) if n else iter(EMPTY), run)
        count, unchanged = _count_all(call, n, ("rot180", "rot90"), run)
        return (count + unchanged["rot180"] + 2 * unchanged["rot90"]) // 4


def count_free(
    n: int,
    *,
    limit: Limit | None = None,
    progress: ProgressCallback | None = None,
    resume: object = None,
) -> int:
    """Count the free polyominoes of n cells (OEIS A000105), by Burnside's lemma.

    Parameters and errors are those of `count_fixed`.

    Examples
    --------
    >>> count_free(5)
    12
    """
    with Run(limit=limit, progress=progress, resume=resume, nothing=0) as run:
        n = _read_size(n, 0)
        call = call_name("count_free", n)
        if n <= PLAIN_CANONICAL:
            return _count_plain(call, free(n) if n else iter(EMPTY), run)
        names: tuple[SymmetryClass, ...] = ("rot180", "rot90", "mirror_ortho", "mirror_diag")
        count, unchanged = _count_all(call, n, names, run)
        turns = unchanged["rot180"] + 2 * unchanged["rot90"]
        return (count + turns + 2 * (unchanged["mirror_ortho"] + unchanged["mirror_diag"])) // 8


def count_symmetric(
    n: int,
    *,
    limit: Limit | None = None,
    progress: ProgressCallback | None = None,
    resume: object = None,
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
    with Run(limit=limit, progress=progress, resume=resume, nothing={}) as run:
        n = _read_size(n, 1)
        from gridkit.polyomino.symmetric import GROUPS

        total, unchanged = _count_all(call_name("count_symmetric", n), n, tuple(GROUPS), run)
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


def _read_size(n: object, least: int, greatest: int | None = None) -> int:
    return read_int(n, "the number of cells", least, greatest)


def _count_plain(call: str, listed: Iterator[object], run: Run) -> int:
    """Count what an iterator gives."""
    run.resumed(call, "plain 1")
    number = 0
    for number, _ in enumerate(listed, 1):
        if number % 1024 == 0:
            run.nothing = number
            run.check(nodes=1024)
    return number


def _count_all(
    call: str, n: int, names: Sequence[SymmetryClass], run: Run
) -> tuple[int, dict[SymmetryClass, int]]:
    """Count the fixed polyominoes, and those that each of some groups leaves unchanged."""
    from gridkit.polyomino import transfer
    from gridkit.polyomino.halves import half_sweeps
    from gridkit.polyomino.symmetric import invariant_searches

    n = _read_size(n, 1, transfer.LARGEST)
    sweeps = transfer.sweeps(n)
    parts: dict[SymmetryClass, Sequence[SubsetSearch | Sweep]] = {
        name: half_sweeps(name, n) or invariant_searches(name, n, run) for name in names
    }
    _drive(call, [*sweeps, *chain.from_iterable(parts.values())], run)
    numbers = transfer.combined(sweeps)
    unchanged = {name: sum(part.found for part in parts[name]) for name in names}
    if n % 2 == 0 and "mirror_ortho" in unchanged:
        unchanged["mirror_ortho"] += numbers[n // 2]  # with the mirror between cells
    return numbers[n], unchanged


def _drive(call: str, parts: Sequence[SubsetSearch | Sweep], run: Run) -> None:
    state = run.resumed(call, "polyominoes 2")
    run.drive(_Chain(parts, cast("tuple[int, Sequence[object]] | None", state), run.nothing))


class _Chain(Work):
    """Several pieces of work, one after the other.

    Parameters
    ----------
    parts : sequence of works
        Each with a `restore` for what its `token` returned.
    state : (number of the part, tokens of the parts up to that one), optional
        The token of a chain of the same parts.
    nothing : object
        The value before the end, where there is more than one part.
    """

    def __init__(
        self,
        parts: Sequence[SubsetSearch | Sweep],
        state: tuple[int, Sequence[object]] | None,
        nothing: object,
    ) -> None:
        self.parts = parts
        self.nothing = nothing
        self.at, tokens = state or (0, ())
        for part, token in zip(parts, tokens, strict=False):
            part.restore(token)

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

    def value(self) -> object:
        return self.parts[0].value() if len(self.parts) == 1 else self.nothing

    def token(self) -> object:
        return self.at, [part.token() for part in self.parts[: self.at + 1]]

    def advance(self, budget: int) -> bool:
        before = self.nodes
        while self.parts[self.at].advance(budget - (self.nodes - before)):
            if self.at + 1 == len(self.parts):
                return True
            self.at += 1
            if self.nodes - before >= budget:
                return False
        return False
