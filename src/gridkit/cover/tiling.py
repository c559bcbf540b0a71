"""Tilings: a region covered by pieces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, cast

from gridkit.cover.drawing.problem import DrawnProblem
from gridkit.cover.frontier.plain import count_small
from gridkit.cover.instance import Instance, lay_out
from gridkit.cover.matrix import Matrix
from gridkit.cover.proof.areas import may_fit
from gridkit.cover.reading import Bounds
from gridkit.cover.solution import Explanation, Solution
from gridkit.cover.tiling_reading import (
    Copies,
    Piece,
    Region,
    checked_copies,
    checked_names,
    checked_optional,
    checked_pieces,
    merged_pieces,
)
from gridkit.errors import InputError
from gridkit.grid.board import Board
from gridkit.grid.box import Box
from gridkit.reading import read_bool, read_int
from gridkit.run import Limit, ProgressCallback, Run
from gridkit.value import Value

if TYPE_CHECKING:
    from concurrent.futures import Executor

    import numpy as np

    from gridkit.cover import decide
    from gridkit.cover.exact_cover import ExactCover
else:
    # Loaded when they are needed: a small board is counted in milliseconds without them.
    from gridkit.hints import ExactCover, Executor, decide, np

__all__ = ["Tiling"]


class Tiling(Value, DrawnProblem):
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
        if not isinstance(region, Board | Box):
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
        return self._laid_out(Run())

    def _laid_out(self, run: Run) -> Instance:
        """Return `instance`, laid out within the limits of a call."""
        if "instance" in self.__dict__:
            return self.instance
        cells = tuple(map(tuple, self.region.cells))
        turned = (piece.orientations(reflect=self.reflect) for piece in self.pieces)
        shapes = [[shape.cells for shape in shapes] for shapes in turned]
        index = cast("dict[tuple[int, ...], int]", self.region.index)
        self.__dict__["instance"] = instance = Instance(
            coordinates=cells,
            placements=lay_out(cells, shapes, lambda held: run.check(memory=held)),
            copies=self.copies,
            optional=frozenset(index[cell] for cell in self.optional),
            shapes=tuple(piece.cells for piece in self.pieces),
            reflect=self.reflect,
        )
        return instance

    def _may_fit(self, run: Run) -> bool:
        """Whether no cheap argument shows that there is no tiling."""
        if "_fits" not in self.__dict__:
            pieces = [piece.cells for piece in self.pieces]
            fits = may_fit(self.region.cells, pieces, self.copies, len(self.optional), run)
            self.__dict__["_fits"] = fits
        return bool(self.__dict__["_fits"])

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
        from gridkit.cover.exact_cover import ExactCover  # late: tilings need no search for it

        instance = self.instance
        places, copies = instance.coordinates, enumerate(instance.copies)
        counted = {piece: bounds for piece, bounds in copies if bounds != (0, None)}
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
        method: decide.CountMethod = "auto",
        up_to_symmetry: bool = False,
        limit: Limit | None = None,
        progress: ProgressCallback | None = None,
        executor: Executor | None = None,
        parts: int | None = None,
        checkpoint: str | PathLike[str] | None = None,
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
            determinants give none, since their state is a table of up to gigabytes: they start
            anew.

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
        with Run(
            limit=limit,
            progress=progress,
            executor=executor,
            parts=parts,
            checkpoint=checkpoint,
            resume=resume,
            nothing=0,
        ) as run:
            fits = self._may_fit(run)
            anew = not run.in_parts and run.resume is None
            if method == "auto" and anew and not up_to_symmetry:
                small = count_small(self._laid_out(run), run) if fits else 0
                if small is not None:
                    return small
            decide.check_method(method)
            return decide.count(self._laid_out(run), method, fits, up_to_symmetry, run)

    def advice(self) -> decide.Advice:
        """Say which engine ``count(method="auto")`` uses, or tries first, and why.

        Examples
        --------
        >>> import gridkit as gk
        >>> print(gk.Tiling(gk.Board.rectangle(4, 4), gk.pieces.domino(), copies=None).advice())
        frontier: any number of copies, and a frontier of 4 cells with about 16 states
        """
        return decide.advise(self.instance.unbounded(), Run())

    def first(
        self,
        *,
        method: decide.ListMethod = "auto",
        limit: Limit | None = None,
        progress: ProgressCallback | None = None,
        resume: object = None,
    ) -> Solution | None:
        """Return one tiling, or None: there is none.

        It is the first that `solutions` gives where a short search finds that.  Else, and on
        regions of thousands of cells at once, it is put together from small blocks that the pieces
        tile; where that fails and the search takes longer than a sweep over the cells (see
        `count`), a sweep gives a tiling, or shows that there is none.  The same call gives the same
        tiling.  A call that goes on from a token within a limit searches only.

        Examples
        --------
        >>> import gridkit as gk
        >>> print(gk.Tiling(gk.Board.rectangle(2, 3), gk.pieces.domino(), copies=None).first())
        AAB
        CCB
        """
        with Run(limit=limit, progress=progress, resume=resume) as run:
            decide.check_method(method)
            fits = self._may_fit(run)
            placements = decide.first(self._laid_out(run), method, fits, run)
            return None if placements is None else Solution(self, placements)

    def solutions(
        self,
        *,
        method: decide.ListMethod = "auto",
        limit: Limit | None = None,
        progress: ProgressCallback | None = None,
        resume: object = None,
    ) -> Iterator[Solution]:
        """Iterate over the tilings, in a stable order (that of ``ExactCover.solutions``).

        Items are ordered cells first, then pieces; options by first cell, piece, cells.  Methods
        are "auto", "search", "plain", "bitset" and "sparse"; the others of `count` only count.
        """
        with Run(limit=limit, progress=progress, resume=resume, nothing=0) as run:
            decide.check_method(method)
            fits = self._may_fit(run)
            listed = decide.solutions(self._laid_out(run), method, fits, run)
        return (Solution(self, placements) for placements in listed)

    def is_unique(
        self,
        *,
        method: decide.ListMethod = "auto",
        limit: Limit | None = None,
        progress: ProgressCallback | None = None,
        resume: object = None,
    ) -> bool:
        """Whether there is exactly one tiling.

        The search stops at the second; where it takes longer than a sweep over the cells would,
        a sweep counts.  A call that goes on from a token within a limit searches only.
        """
        with Run(limit=limit, progress=progress, resume=resume) as run:
            decide.check_method(method)
            return decide.is_unique(self._laid_out(run), method, self._may_fit(run), run)

    def sample(
        self,
        rng: int | np.random.Generator | None = None,
        n: int = 1,
        *,
        limit: Limit | None = None,
        progress: ProgressCallback | None = None,
    ) -> list[Solution]:
        """Draw tilings uniformly and independently.

        Parameters
        ----------
        rng : int or numpy.random.Generator, optional
            Source of randomness, or the seed of one; the same seed gives the same tilings.  Fresh
            randomness when left out.
        n : int
            How many to draw.
        limit : Limit, optional
            A node is a state moved over one cell, or a draw moved back over one.
        progress : callable, optional
            Called with a `Progress` about ten times a second.

        Returns
        -------
        list of Solution
            Each of all tilings with the same probability, exactly.  Takes about as long as two
            counts by ``method="frontier"``, and then time proportional to the cells for each draw;
            domino tilings of wide boards without holes are drawn by coupling from the past, in
            time that grows with the square of the cells.  Such a call cannot be continued: what a
            sweep holds is a table of up to gigabytes.

        Raises
        ------
        InputError
            When there is no tiling to draw, or an argument is of the wrong kind.

        Examples
        --------
        >>> import gridkit as gk
        >>> tiling = gk.Tiling(gk.Board.rectangle(1, 4), gk.pieces.domino(), copies=None)
        >>> print(tiling.sample(1)[0])
        AABB
        """
        with Run(limit=limit, progress=progress, nothing=[]) as run:
            from gridkit.cover.frontier.source import uniform  # late, as decide

            number = read_int(n, "sample: n", 0)
            drawn = decide.sample(self._laid_out(run), uniform(rng), number, run)
            if len(drawn) < number:
                raise InputError("cannot draw a tiling: there is none")
            return [Solution(self, placements) for placements in drawn]

    def explain(
        self, *, limit: Limit | None = None, progress: ProgressCallback | None = None
    ) -> Explanation | None:
        """Say why the region cannot be tiled, by the simplest argument that is found.

        Parameters
        ----------
        limit, progress
            For the search that decides when no other argument applies.  A limit that ends it gives
            no token, since the arguments are quick to repeat.

        Returns
        -------
        Explanation or None
            None when there is a tiling.  Otherwise, in this order: the area is no sum of the
            pieces' areas; a piece that fits nowhere; a cell that no placement covers; a colouring,
            that is numbers on the cells which every placement adds up the same while the region
            does not fit them; or the statement that all possibilities were exhausted.

        Examples
        --------
        >>> import gridkit as gk
        >>> board = gk.Board.rectangle(8, 8).without([(0, 0), (7, 7)])
        >>> gk.Tiling(board, gk.pieces.domino(), copies=None).explain().kind
        'colouring'
        """
        with Run(limit=limit, progress=progress) as run:
            names = [f"piece {name}" for name in self.names or range(len(self.pieces))]
            argument = decide.refute(self._laid_out(run), [*map(len, self.pieces)], names, run)
            return None if argument is None else Explanation(*argument, region=self.region)

    def count_by(
        self, *, limit: Limit | None = None, progress: ProgressCallback | None = None
    ) -> dict[tuple[int, ...], int]:
        """Count the tilings by how often each piece is used.

        Returns
        -------
        dict
            From copies used of each of `pieces` to the number of such tilings (above 0).  A sweep
            counts, which cannot be continued from a token.
        """
        with Run(limit=limit, progress=progress, nothing={}) as run:
            from gridkit.cover.frontier.count import count_by  # late, as decide

            return count_by(self._laid_out(run), run)

    def _arguments(self) -> list[str]:
        pieces: object = list(self.pieces)
        if self.names is not None:
            pieces = dict(zip(self.names, self.pieces, strict=True))
        values = [self.region, pieces, list(self.copies), self.reflect]
        if self.optional:
            values.append(sorted(map(tuple, self.optional)))
        return list(map(repr, values))
