"""Kings that never touch: which placements can be reached, and short plans.

Kings stand on an h x w board, no two on adjacent cells (8 neighbours) at any moment; a move takes
one king one cell further.  Which labelled placements can be reached from one another is decided by
a theorem on 2 x 2 blocks; plans come from a block planner and a replanner.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, SupportsIndex

from gridkit import render
from gridkit.errors import InputError, InvalidPlanError, ParseError
from gridkit.reading import read_bool
from gridkit.render.drawable import Drawable
from gridkit.run import Limit, ProgressCallback, Run
from gridkit.run.limits import missing_packages
from gridkit.sliding.kings.reach import RULES, Effort, Placement, Reachability, Rule, judge
from gridkit.sliding.steps import Steps
from gridkit.value import Value

if TYPE_CHECKING:
    from gridkit.sliding.plan import Plan
else:
    from gridkit.hints import Plan  # loaded when somebody asks for the hints of types

__all__ = ["KingsPuzzle", "Reachability", "explain", "plan", "reachable"]

Board = Iterable[Iterable[SupportsIndex]]


class KingsPuzzle(Value, Drawable):
    """Two placements of the same kings on one board, and how a king may step.

    Parameters
    ----------
    start, target : array_like of int, shape (h, w)
        Positive ids, 0 for an empty cell; arrays or nested sequences.  No two kings on adjacent
        cells, the same ids in both.
    rule : {"king", "orthogonal"}
        A king steps to any of eight cells, or only along rows and columns.  Kings keep apart by
        the eight-neighbour rule in both cases.

    Raises
    ------
    InputError
        For a board that is ragged or empty, values that are no ids, ids that occur twice or in one
        board only, touching kings (both are named), or boards of different shapes.

    Examples
    --------
    >>> puzzle = KingsPuzzle([[1, 0, 2], [0, 0, 0]], [[0, 0, 0], [1, 0, 2]])
    >>> len(puzzle.plan())
    2
    >>> print(puzzle)
    1 . 2
    . . .
    <BLANKLINE>
    . . .
    1 . 2
    """

    _fields = ("start", "target", "rule")

    rule: Rule
    _start: Placement
    _target: Placement
    _kings: tuple[int, ...]

    def __init__(self, start: Board, target: Board, rule: Rule = "king") -> None:
        if rule not in RULES:
            raise InputError(f"rule must be 'king' or 'orthogonal', got {rule!r}")
        self._assign(
            Placement.from_rows(start, "start"), Placement.from_rows(target, "target"), rule
        )

    def _assign(self, start: Placement, target: Placement, rule: Rule) -> None:
        if (start.rows, start.cols) != (target.rows, target.cols):
            raise InputError(
                f"start is {start.rows} x {start.cols}, target is {target.rows} x {target.cols}"
            )
        for one, other, names in ((start, target, "start but not on target"),
                                  (target, start, "target but not on start")):  # fmt: skip
            missing = one.cells.keys() - other.cells.keys()
            if missing:
                raise InputError(f"king {min(missing)} stands on {names}")
        self._put(_start=start, _target=target, rule=rule, _kings=tuple(sorted(start.cells)))

    @classmethod
    def parse(cls, text: str, rule: Rule = "king") -> KingsPuzzle:
        """Read the start, a blank line and the target; ids divided by blanks, '.' or 0 is empty.

        Raises
        ------
        ParseError
            For a word that is no id, or text without two boards.
        InputError
            As for the constructor.
        """
        boards: list[list[list[int]]] = [[]]
        for number, line in enumerate(text.strip("\n").split("\n"), 1):
            if not line.strip():
                boards.append([])
                continue
            boards[-1].append([_identity(word, number, line) for word in line.split()])
        boards = [board for board in boards if board]
        if len(boards) != 2:
            raise ParseError(f"expected start and target, found {len(boards)} boards")
        return cls(boards[0], boards[1], rule)

    # What a plan needs

    @property
    def rows(self) -> int:
        """Rows of the board."""
        return self._start.rows

    @property
    def cols(self) -> int:
        """Columns of the board."""
        return self._start.cols

    @property
    def start(self) -> list[list[int]]:
        """The start as rows of ids."""
        return self._start.to_rows()

    @property
    def target(self) -> list[list[int]]:
        """The target as rows of ids."""
        return self._target.to_rows()

    def block_names(self) -> Sequence[str]:
        """Return the ids in ascending order; steps number the kings so."""
        return [str(king) for king in self._kings]

    def _check_steps(self, steps: Steps) -> None:
        """Replay the steps by the rules alone.

        Raises
        ------
        InvalidPlanError
            Naming the first step that breaks a rule, or that the target is missed.
        """
        cells = self._cells_after(steps)
        if cells != [self._target.cells[king] for king in self._kings]:
            raise InvalidPlanError("the plan does not end in the target")

    def _cells_after(self, steps: Steps) -> list[int]:
        """Replay the steps by the rules; return the cell of each king at the end."""
        rows, cols = self.rows, self.cols
        cells = [self._start.cells[king] for king in self._kings]
        king_at = {cell: number for number, cell in enumerate(cells)}
        for move, (number, origin, to) in enumerate(steps):
            if not 0 <= number < len(cells) or cells[number] != origin:
                raise InvalidPlanError(f"no king to move on cell {origin}", move)
            if not 0 <= to < rows * cols:
                raise InvalidPlanError(f"cell {to} is off the board", move)
            row, col = divmod(to, cols)
            down, across = abs(row - origin // cols), abs(col - origin % cols)
            length = max(down, across) if self.rule == "king" else down + across
            if length != 1:
                raise InvalidPlanError(
                    f"king {self._kings[number]} cannot step from {divmod(origin, cols)} to "
                    f"{(row, col)}", move,
                )  # fmt: skip
            del king_at[origin]
            for r in range(max(row - 1, 0), min(row + 2, rows)):
                for c in range(max(col - 1, 0), min(col + 2, cols)):
                    if r * cols + c in king_at:
                        other = self._kings[king_at[r * cols + c]]
                        raise InvalidPlanError(
                            f"king {self._kings[number]} on {(row, col)} touches king {other}", move
                        )
            king_at[to] = number
            cells[number] = to
        return cells

    def _replay(self, steps: Steps) -> Iterator[Placement]:
        """Yield the placement before the first step and after each step."""
        cells = dict(self._start.cells)
        yield Placement(self.rows, self.cols, dict(cells))
        for number, _, to in steps:
            cells[self._kings[number]] = to
            yield Placement(self.rows, self.cols, dict(cells))

    def _stage(self) -> render.Stage:
        """Return the start for a film; kings in ascending order."""
        rows, cols = self.rows, self.cols
        floor = [["soft" if (r + c) % 2 else "open" for c in range(cols)] for r in range(rows)]
        kings = [
            render.Sprite(
                render.outlines([(0, 0)], 0.11),
                str(king),
                king - 1,
                cell % cols,
                cell // cols,
                None,
                0.5,
            )
            for king, cell in sorted(self._start.cells.items())
        ]
        return render.Stage(rows, cols, floor, kings, (), "kings")

    def _reversed_puzzle(self, steps: Steps) -> KingsPuzzle:
        """Return the puzzle from the end of these steps back to the start."""
        cells = self._cells_after(steps)
        end = Placement(self.rows, self.cols, dict(zip(self._kings, cells, strict=True)))
        return self._of(end, self._start, self.rule)

    def _continued(self, other: KingsPuzzle) -> KingsPuzzle:
        """Return the puzzle from this start to the target of another with the same kings."""
        return self._of(self._start, other._target, self.rule)

    @classmethod
    def _of(cls, start: Placement, target: Placement, rule: Rule) -> KingsPuzzle:
        puzzle = cls.__new__(cls)
        puzzle._assign(start, target, rule)
        return puzzle

    # Answers

    def explain(self) -> Reachability:
        """Return whether the target can be reached, and which invariant decides it."""
        return judge(self._start, self._target, self.rule)

    def reachable(self) -> bool:
        """Return whether the target can be reached; see the function `reachable`."""
        return self.explain().reachable

    def plan(
        self,
        *,
        effort: Effort = "short",
        optimal: bool = False,
        limit: Limit | None = None,
        progress: ProgressCallback | None = None,
    ) -> Plan | None:
        """Return a plan, or None if the target cannot be reached; see the function `plan`."""
        with Run(limit=limit, progress=progress) as run:
            if effort not in ("fast", "short"):
                raise InputError(f"effort must be 'fast' or 'short', got {effort!r}")
            optimal = read_bool(optimal, "optimal")
            if not self.explain().reachable:
                return None
            from gridkit.sliding.plan import Plan  # late: most questions need no plan

            if missing_packages():
                from gridkit.sliding.kings.plain import small_plan  # late: likewise

                steps = small_plan(self._start, self._target, self.rule, optimal, run)
                if steps is not None:
                    return Plan(self, steps)
            # Here, since they load numpy.
            from gridkit.sliding.kings.board import Problem
            from gridkit.sliding.kings.planner import plan_steps

            problem = Problem.of(self._start, self._target, self.rule)
            return Plan(self, plan_steps(problem, effort, optimal, run, partial(Plan, self)))

    # The value

    def __str__(self) -> str:
        return f"{self._start}\n\n{self._target}"

    def _key(self) -> tuple[object, ...]:
        return self._start, self._target, self.rule

    def _scene(self) -> render.Scene:
        """Return the start and the target side by side."""
        scenes = [self._start._scene(), self._target._scene()]
        return render.joined(scenes, captions=["start", "target"], title="kings")

    def _flat_scene(self) -> render.Scene:
        return render.joined([self._start._flat_scene(), self._target._flat_scene()])


def _identity(word: str, number: int, line: str) -> int:
    if word == ".":
        return 0
    if not (word.isascii() and word.isdigit()) or len(word) > 1000:
        column = line.index(word) + 1
        raise ParseError(f"expected an id or '.', found {word[:40]!r}", number, column)
    return int(word)


def reachable(start: Board, target: Board, rule: Rule = "king") -> bool:
    """Return whether kings can go from one placement to another without ever touching.

    Parameters
    ----------
    start, target : array_like of int, shape (h, w)
        Positive ids, 0 for an empty cell.
    rule : {"king", "orthogonal"}
        How a king may step.

    Raises
    ------
    InputError
        For bad boards, see `KingsPuzzle`.

    Notes
    -----
    O(h w).  With e the number of aligned 2 x 2 blocks without a king: e = 0 needs equal blocks; a
    single line of blocks needs equal order; e >= 2 always works; e = 1 always works for king moves
    if both sides are even, else for half of the arrangements (an even permutation).

    Examples
    --------
    >>> full = [[1, 0, 2], [0, 0, 0], [3, 0, 4]]
    >>> reachable(full, [[2, 0, 1], [0, 0, 0], [3, 0, 4]])
    False
    >>> reachable([[1, 0, 2, 0], [0] * 4, [3, 0, 0, 0], [0] * 4],
    ...           [[2, 0, 1, 0], [0] * 4, [3, 0, 0, 0], [0] * 4])
    True
    """
    return KingsPuzzle(start, target, rule).reachable()


def explain(start: Board, target: Board, rule: Rule = "king") -> Reachability:
    """Return whether the target can be reached and which invariant decides it.

    Parameters and errors are those of `reachable`.

    Examples
    --------
    >>> print(explain([[1, 0, 2, 0, 0]], [[2, 0, 1, 0, 0]]))  # doctest: +NORMALIZE_WHITESPACE
    not reachable: kings in one line of blocks keep their order, but number 0 along the line is
    king 1 at the start and 2 at the end
    """
    return KingsPuzzle(start, target, rule).explain()


def plan(
    start: Board,
    target: Board,
    rule: Rule = "king",
    *,
    effort: Effort = "short",
    optimal: bool = False,
    limit: Limit | None = None,
    progress: ProgressCallback | None = None,
) -> Plan | None:
    """Plan the kings' way from one placement to another.

    Parameters
    ----------
    start, target : array_like of int, shape (h, w)
        Positive ids, 0 for an empty cell.
    rule : {"king", "orthogonal"}
        How a king may step.
    effort : {"fast", "short"}
        A plan at once, or a shorter one for up to a few seconds on a board of 100 x 100.
    optimal : bool
        Search for a plan with the fewest moves (small boards; give a limit).
    limit : Limit, optional
        Nodes are states (``optimal=True``) or slides and labels of replanning.  There is no
        ``resume=``: what is planned so far is in ``.partial``, and to shorten goes quickly.
    progress : callable, optional
        Called with a `Progress`.

    Returns
    -------
    Plan or None
        None if the target cannot be reached.  ``len(plan)`` counts king moves.

    Raises
    ------
    InputError
        For bad boards or options.
    LimitReached, Interrupted
        `partial.value` is the best `Plan` so far, or None.

    Notes
    -----
    There is no ``resume=``: what a call cut short holds (timelines, tables of states) is larger
    than its worth, and its best plan is in ``partial``.

    Complete: every reachable pair gets a plan.  With e empty blocks, slides of blocks are pebble
    motion (Kornhauser, Miller and Spirakis, 1984); lines are fixed from outside inwards as Parberry
    (1995) does for the (n^2 - 1)-puzzle, with displacements priced by where they carry the others.
    Ways are then replanned one king at a time over safe intervals (Phillips and Likhachev, 2011).

    Examples
    --------
    >>> found = plan([[1, 0, 0, 2], [0, 0, 0, 0]], [[0, 0, 0, 0], [0, 1, 0, 2]])
    >>> print(found)
    2 0,3-1,3
    1 0,0-1,1
    """
    puzzle = KingsPuzzle(start, target, rule)
    return puzzle.plan(effort=effort, optimal=optimal, limit=limit, progress=progress)
