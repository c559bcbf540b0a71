"""Tilings: a region covered by pieces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, cast

from gridkit.cover.instance import Instance
from gridkit.cover.reading import Bounds
from gridkit.cover.tiling_reading import (
    Copies,
    checked_copies,
    checked_names,
    checked_optional,
    checked_pieces,
    is_box,
    merged_pieces,
    mirror_images,
)
from gridkit.errors import InputError
from gridkit.grid.board import Board
from gridkit.reading import read_bool
from gridkit.run.control import Limit, ProgressCallback
from gridkit.value import Value

if TYPE_CHECKING:
    from concurrent.futures import Executor
    from pathlib import Path

    from numpy.random import Generator

    from gridkit.cover.advice import Advice
    from gridkit.cover.exact_cover import ExactCover
    from gridkit.cover.matrix import Matrix
    from gridkit.cover.solution import Explanation, Solution
    from gridkit.cover.tiling_reading import Piece, Region

# Other models load when they are needed: small tilings are counted in a few milliseconds.

__all__ = ["Tiling"]


class Tiling(Value):
    """Cover every cell of a region with pieces, none overlapping, none sticking out.

    Immutable.  Pieces may be turned, and with `reflect` turned over.  Pieces that are the same
    when moved so are one piece with more copies: solutions never tell copies apart.

    Parameters
    ----------
    region : Board or Box
        What to cover.
    pieces : iterable of Polyomino (on a board) or Polycube (in a box), or mapping from names
        The pieces; the names of a mapping are the letters of the pictures.
    copies : None, int, (least, greatest), or list
        How often each piece is used: None any number of times, an int exactly so often, a tuple
        between its bounds (greatest None: no upper bound); a list holds one of these for each
        piece given.  A tuple of two unlike bounds for two pieces is refused, since it may be meant
        as a list.
    reflect : bool
        Whether pieces may be turned over.
    optional : iterable of cells
        Cells of the region that may stay empty.

    Attributes
    ----------
    region : Board or Box
    pieces : tuple of Polyomino or Polycube
        The distinct pieces, in the order given.
    copies : tuple of (least, greatest)
        How often each of `pieces` is used; greatest None means any number of times.
    reflect : bool
    optional : frozenset of cells
    names : tuple of str or None
        The name of each of `pieces`.

    Raises
    ------
    InputError
        For a region, piece, number of copies or cell that is none.

    Examples
    --------
    >>> import gridkit as gk
    >>> ell = gk.Polyomino.parse("#.\\n##")
    >>> gk.Tiling(gk.Board.rectangle(8, 9), [ell], copies=None).count()
    204184
    >>> gk.Tiling(gk.Board.rectangle(3, 20), gk.pieces.pentominoes(), reflect=True).count()
    8
    """

    _fields = ("region", "pieces", "copies", "reflect", "optional", "names")

    region: Region
    pieces: tuple[Piece, ...]
    copies: tuple[Copies, ...]
    reflect: bool
    optional: frozenset[tuple[int, ...]]
    names: tuple[str, ...] | None

    def __init__(
        self,
        region: Region,
        pieces: Iterable[Piece] | Mapping[str, Piece],
        copies: Bounds | Sequence[Bounds] = 1,
        reflect: bool = False,
        optional: Iterable[tuple[int, ...]] = (),
    ) -> None:
        if not isinstance(region, Board) and not is_box(region):
            raise InputError(f"Tiling: expected a Board or a Box to cover, got {region!r}")
        names = checked_names(pieces)
        given = checked_pieces(region, pieces.values() if isinstance(pieces, Mapping) else pieces)
        turned_over = read_bool(reflect, "Tiling: reflect")
        merged = merged_pieces(given, checked_copies(copies, len(given)), turned_over)
        self._put(
            region=region,
            pieces=tuple(given[first] for first, _ in merged),
            copies=tuple(bounds for _, bounds in merged),
            names=names and tuple(names[first] for first, _ in merged),
            reflect=turned_over,
            optional=checked_optional(region, optional),
        )

    @cached_property
    def instance(self) -> Instance:
        """The problem in plain numbers: cells, placements, copies."""
        region = self.region
        starting: list[list[tuple[int, tuple[int, ...]]]] = [[] for _ in region.cells]
        for number, piece in enumerate(self.pieces):
            for cells in piece.placement_indices(region, reflect=self.reflect):  # type: ignore[arg-type]  # boards take polyominoes, boxes polycubes
                starting[cells[0]].append((number, cells))
        index = cast("dict[tuple[int, ...], int]", region.index)
        return Instance(
            coordinates=tuple(map(tuple, region.cells)),
            placements=tuple(chain.from_iterable(starting)),
            copies=self.copies,
            optional=frozenset(index[cell] for cell in self.optional),
            mirror_images=mirror_images(self.pieces, self.copies, self.reflect),
        )

    @property
    def matrix(self) -> Matrix:
        """The tiling as an exact-cover matrix: an item a cell, an item a piece that is counted.

        Option k is placement k of `instance`; cells come first, in the region's order.
        """
        return self.instance.matrix

    def to_exact_cover(self) -> ExactCover:
        """Return the tiling as an exact-cover problem.

        Items are the cells and, for each piece that is not free to be used any number of times,
        ``("piece", number)``; option k is placement k of `instance`.
        """
        from gridkit.cover.exact_cover import ExactCover

        instance = self.instance
        counted = {
            piece: bounds for piece, bounds in enumerate(instance.copies) if bounds != (0, None)
        }
        places = instance.coordinates
        options = [
            [places[cell] for cell in cells] + ([("piece", piece)] if piece in counted else [])
            for piece, cells in instance.placements
        ]
        multiplicity: dict[object, Bounds] = {
            ("piece", piece): bounds for piece, bounds in counted.items() if bounds != (1, 1)
        }
        multiplicity |= {places[cell]: (0, 1) for cell in instance.optional}
        primary = [*places, *(("piece", piece) for piece in counted)]
        return ExactCover(options, primary, multiplicity=multiplicity)

    def count(
        self,
        *,
        method: str = "auto",
        up_to_symmetry: bool = False,
        limit: Limit | None = None,
        progress: ProgressCallback | None = None,
        executor: Executor | None = None,
        parts: int | None = None,
        checkpoint: str | Path | None = None,
        resume: object = None,
    ) -> int:
        """Count the tilings.

        Parameters
        ----------
        method : {"auto", "search", "plain", "bitset", "masks", "sparse", "frontier", "kasteleyn"}
            How: "search" backtracks with the engine that suits ("plain", "bitset", "masks" and
            "sparse" name one); "frontier" passes over the cells keeping how many ways lead to
            each boundary, which counts numbers far beyond enumeration; "kasteleyn" takes a
            determinant (dominoes on a board).  "auto" chooses by the measured rules of
            `gridkit.cover.decide`.
        up_to_symmetry : bool
            Count orbits under the symmetries of the set of cells that map the set of pieces to
            itself: rotations, and mirrors where the pieces may be turned over or come in mirrored
            pairs.  Where the cells lie in the region's frame does not matter.
        limit : Limit, optional
            How much may be spent.
        progress : callable, optional
            Called with a `Progress` about ten times a second.
        executor : concurrent.futures.Executor, optional
            Where to count the parts of a search; the calling thread when left out.
        parts : int, optional
            Into how many parts to split a search at least.
        checkpoint : path, optional
            A file that keeps the parts counted, from which a killed call goes on.
        resume : token, optional
            The token of a `LimitReached` or `Interrupted` of the same call.  Sweeps and
            determinants have none: they start anew.

        Returns
        -------
        int
            Exact, of any size.

        Raises
        ------
        LimitReached, Interrupted
            With the lower bound found so far in ``.partial.value``.
        UnsupportedError
            For a method that cannot count these pieces, or not so: see the message.

        Examples
        --------
        >>> import gridkit as gk
        >>> gk.Tiling(gk.Board.rectangle(6, 6), gk.pieces.domino(), copies=None).count()
        6728
        """
        from gridkit.cover.decide import count_tiling

        return count_tiling(
            self,
            method=method,
            up_to_symmetry=up_to_symmetry,
            limit=limit,
            progress=progress,
            executor=executor,
            parts=parts,
            checkpoint=checkpoint,
            resume=resume,
        )

    def advice(self) -> Advice:
        """Say which engine ``count(method="auto")`` uses, or tries first, and why.

        Examples
        --------
        >>> import gridkit as gk
        >>> print(gk.Tiling(gk.Board.rectangle(4, 4), gk.pieces.domino(), copies=None).advice())
        frontier: any number of copies, and a frontier of 4 cells with about 16 states
        """
        from gridkit.cover.advice import advise

        return advise(self.instance)

    def first(
        self,
        *,
        method: str = "auto",
        limit: Limit | None = None,
        progress: ProgressCallback | None = None,
        resume: object = None,
    ) -> Solution | None:
        """Return one tiling, the first that `solutions` gives, or None: there is none.

        A search that finds nothing for a while asks the engines that count without searching
        whether there is anything to find, unless it has a limit.

        Examples
        --------
        >>> import gridkit as gk
        >>> print(gk.Tiling(gk.Board.rectangle(2, 3), gk.pieces.domino(), copies=None).first())
        AAB
        CCB
        """
        if method == "auto" and limit is None and resume is None:
            from gridkit.cover.decide import first_tiling

            return first_tiling(self, progress)
        found = self.solutions(method=method, limit=limit, progress=progress, resume=resume)
        return next(found, None)

    def solutions(
        self,
        *,
        method: str = "auto",
        limit: Limit | None = None,
        progress: ProgressCallback | None = None,
        resume: object = None,
    ) -> Iterator[Solution]:
        """Iterate over the tilings, in a stable order (that of ``ExactCover.solutions``).

        Items are ordered cells first, then pieces; options by first cell, piece, cells.  Methods
        are "auto", "search", "plain", "bitset" and "sparse"; the others of `count` only count.
        """
        from gridkit.cover import decide as choose
        from gridkit.cover.solution import Solution

        for placements in choose.tiling_solutions(
            self, method=method, limit=limit, progress=progress, resume=resume
        ):
            yield Solution(self, placements)

    def is_unique(
        self,
        *,
        method: str = "auto",
        limit: Limit | None = None,
        progress: ProgressCallback | None = None,
    ) -> bool:
        """Whether there is exactly one tiling; stops at the second."""
        found = self.solutions(method=method, limit=limit, progress=progress)
        return next(found, None) is not None and next(found, None) is None

    def sample(
        self,
        rng: Generator,
        n: int = 1,
        *,
        limit: Limit | None = None,
        progress: ProgressCallback | None = None,
    ) -> list[Solution]:
        """Draw `n` tilings uniformly and independently.

        Raises
        ------
        GridkitError
            When the region cannot be tiled.
        """
        from gridkit.cover.frontier.sample import sample

        return sample(self, rng, n, limit=limit, progress=progress)

    def explain(
        self, *, limit: Limit | None = None, progress: ProgressCallback | None = None
    ) -> Explanation | None:
        """Say why the region cannot be tiled, or return None: it can."""
        from gridkit.cover.proof.explain import explain

        return explain(self, limit=limit, progress=progress)

    def count_by(
        self, *, limit: Limit | None = None, progress: ProgressCallback | None = None
    ) -> dict[tuple[int, ...], int]:
        """Count the tilings by how often each piece is used.

        Returns
        -------
        dict
            From copies used of each of `pieces` to the number of such tilings (above 0).
        """
        from gridkit.cover.frontier.count import count_by

        return count_by(self.instance, limit=limit, progress=progress)

    @cached_property
    def permutations(self) -> tuple[tuple[int, ...], ...]:
        """The symmetries of the problem, as permutations of the placements; identity first.

        They are the symmetries of the set of cells that map the optional cells and the set of
        pieces, with their copies, to themselves.
        """
        from gridkit.cover.symmetry import elements, placement_permutation

        instance = self.instance
        return tuple(placement_permutation(instance, element) for element in elements(instance))

    def _arguments(self) -> list[str]:
        pieces: object = list(self.pieces)
        if self.names is not None:
            pieces = dict(zip(self.names, self.pieces, strict=True))
        values = [self.region, pieces, list(self.copies), self.reflect]
        if self.optional:
            values.append(sorted(map(tuple, self.optional)))
        return list(map(repr, values))

    def _repr_svg_(self) -> str:
        return self.region._repr_svg_()

    def _repr_html_(self) -> str:
        return self._repr_svg_()
