"""Stacking games: the model, and what a play of it came to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from operator import index
from typing import SupportsIndex, cast

from gridkit.errors import InputError, UnsupportedError
from gridkit.grid.cell import Cell, Direction
from gridkit.run.control import Limit, ProgressCallback
from gridkit.stacking.position import Move, Position, StackingState
from gridkit.stacking.rules import StackingRules
from gridkit.stacking.text import ARROWS, MARKS, format_board, parse_board

__all__ = ["Outcome", "StackingGame", "StackingResult"]

_COLOURS = ("#ffffff", "#f2a6a0", "#8fb3e8")  # keep, reverse, block
_ARROW_SIGNS = "→←↑↓"


class Outcome(IntEnum):
    """How a play ended.

    Examples
    --------
    >>> Outcome(2)
    <Outcome.NEVER: 2>
    """

    STOPPED = 0
    ROUND_LIMIT = 1
    NEVER = 2


@dataclass(frozen=True)
class StackingResult:
    """What a play came to.

    Attributes
    ----------
    outcome : Outcome
        STOPPED: the rules stopped it.  ROUND_LIMIT: `max_rounds` were played, and no state among
        them occurred twice.  NEVER: within `max_rounds` a state occurred for the second time, so
        play goes round in a circle and never stops.
    round : int
        The round of the stop, counted from 1; `max_rounds` for ROUND_LIMIT; -1 for NEVER.
    turn : int
        Which turn of that round stopped play, counted from 1 (piece number + 1); 0 if none did.
    stacks : mapping of Cell to tuple of int
        The pieces at the end (for NEVER: at the cycle's start) from the bottom up, row by row.
    trace : tuple of Move or None
        What every turn changed, if it was asked for.
    cycle_start, cycle_length : int or None
        For NEVER: the state after round `cycle_start` (0 is the start of the game) is the first
        that comes back, for the first time `cycle_length` rounds later.
    directions : tuple of int
        The pieces' directions at the end.
    engine : str
        "plain" or "kernel".
    nodes : int
        Rounds that were played to find this out.
    seconds : float
        Wall-clock time.
    """

    outcome: Outcome
    round: int
    turn: int
    stacks: Mapping[Cell, tuple[int, ...]]
    trace: tuple[Move, ...] | None = None
    cycle_start: int | None = None
    cycle_length: int | None = None
    directions: tuple[int, ...] = ()
    engine: str = "plain"
    nodes: int = 0
    seconds: float = 0.0

    def __str__(self) -> str:
        if self.outcome is Outcome.STOPPED:
            return f"stopped in round {self.round}, turn {self.turn}"
        if self.outcome is Outcome.ROUND_LIMIT:
            return f"still going after round {self.round}"
        return (
            f"never stops: the state after round {self.cycle_start} comes back every "
            f"{self.cycle_length} rounds"
        )


class StackingGame:
    """A board of cell codes, pieces that stack, and the rules they play by.

    Parameters
    ----------
    cells : rows of int
        A code for each cell; the rules' effects say what it does (by default 0 keep, 1 reverse,
        2 block).
    pieces : sequence of (row, col, direction)
        Row and column from 0, direction 0 right, 1 left, 2 up, 3 down (or a `Direction`).  Pieces
        are numbered from 0 and move in this order.  Where several start on one cell, an earlier
        one lies below a later one, unless `order` says otherwise.
    rules : StackingRules, optional
        Those of New Game 2 when left out.
    order : sequence of int, optional
        All piece numbers, a lower one before those that lie above it.

    Raises
    ------
    InputError
        For rows of unequal length, unknown codes, pieces outside the board, unknown directions.

    Notes
    -----
    Immutable; equal when cells, pieces, rules and stacks are.  ``str`` and `parse` are inverse
    but for the rules, which `StackingRules.to_json` writes.

    Examples
    --------
    >>> game = StackingGame.parse('''
    ... .0>  .   .   .1<
    ... .    .   ~   .
    ... .2>  .   #   .
    ... .    .   .   .3^''')
    >>> str(game.play())
    'never stops: the state after round 178 comes back every 18 rounds'
    >>> game == StackingGame.parse(str(game))
    True
    """

    __slots__ = ("cells", "order", "pieces", "rules")

    cells: tuple[tuple[int, ...], ...]
    pieces: tuple[tuple[int, int, int], ...]
    rules: StackingRules
    order: tuple[int, ...]

    def __init__(
        self,
        cells: Iterable[Iterable[SupportsIndex]],
        pieces: Iterable[Iterable[SupportsIndex | Direction]],
        rules: StackingRules | None = None,
        *,
        order: Sequence[int] | None = None,
    ) -> None:
        rules = StackingRules() if rules is None else rules
        if not isinstance(rules, StackingRules):
            raise InputError(f"expected StackingRules, got {type(rules).__name__}")
        board = _checked_cells(cells, len(rules.effects))
        placed = _checked_pieces(pieces, len(board), len(board[0]))
        object.__setattr__(self, "cells", board)
        object.__setattr__(self, "pieces", placed)
        object.__setattr__(self, "rules", rules)
        object.__setattr__(self, "order", _checked_order(order, placed))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"StackingGame is immutable: cannot set {name!r}")

    @classmethod
    def parse(cls, text: str, rules: StackingRules | None = None) -> StackingGame:
        """Read a game as ``str`` writes it.

        A line is a row, a word a cell: its mark (``.`` code 0, ``~`` code 1, ``#`` code 2, then
        ``a`` to ``z``) and the pieces on it from the bottom up, each a number and one of
        ``> < ^ v``, as in ``.0>12^``.

        Raises
        ------
        ParseError
            With line and column, for text that is not such a board.
        """
        rules = StackingRules() if rules is None else rules
        cells, pieces, order = parse_board(text, len(rules.effects))
        return cls(cells, pieces, rules, order=order)

    @property
    def rows(self) -> int:
        """Rows of the board."""
        return len(self.cells)

    @property
    def cols(self) -> int:
        """Columns of the board."""
        return len(self.cells[0])

    def start(self) -> Position:
        """Return the position at the start, to be played turn by turn."""
        return Position(self)

    def play(
        self,
        max_rounds: int | None = 1000,
        trace: bool = False,
        *,
        limit: Limit | None = None,
        progress: ProgressCallback | None = None,
        resume: object = None,
    ) -> StackingResult:
        """Play until the rules stop the game, a state repeats, or `max_rounds` are over.

        Parameters
        ----------
        max_rounds : int or None
            The last round to play; None plays until the game is decided, which every game is: it
            has finitely many states.
        trace : bool
            Record what each turn changed (and play with the plain engine throughout).
        limit : Limit, optional
            ``nodes`` counts rounds.
        progress : callable, optional
            Called with a `Progress`; its fraction is 0 while nobody can know.
        resume : object, optional
            The token of a `LimitReached` or `Interrupted` that the same call raised.

        Returns
        -------
        StackingResult

        Raises
        ------
        UnsupportedError
            When the rules leave the schedule to the caller (see `start`).
        LimitReached, Interrupted
            With the number of rounds played so far as ``partial.value``.

        Notes
        -----
        Plain Python looks every state up in a table.  A play of more than some 300,000 turns goes
        to the compiled kernel.  Both find the cycle's start and length exactly.

        Complexity: O(pieces) a round, apart from the heights of the stacks and distances.

        Examples
        --------
        >>> game = StackingGame.parse(".0> . .1< .2<", StackingRules(stop_height=3))
        >>> game.play().outcome.name, game.play(1).outcome.name
        ('STOPPED', 'ROUND_LIMIT')
        >>> game.play().round
        2
        """
        from gridkit.stacking.play import play

        self._refuse_choice()
        rounds = checked_rounds(max_rounds)
        return play(self, rounds, bool(trace), limit, progress, resume)

    def states(self, max_rounds: int | None = None) -> Iterator[StackingState]:
        """Iterate over the states: the start, then after each round (the last one cut by a stop).

        Without `max_rounds` a game that never stops goes on for ever.

        Examples
        --------
        >>> game = StackingGame([[0, 0]], [(0, 0, 0)])
        >>> [dict(state.stacks) for state in game.states(1)]
        [{Cell(row=0, col=0): (0,)}, {Cell(row=0, col=1): (0,)}]
        """
        self._refuse_choice()
        last = checked_rounds(max_rounds)
        return self._states(last)

    def _states(self, last: int | None) -> Iterator[StackingState]:
        position = self.start()
        yield position.state()
        while not position.stopped and position.round != last:
            position.play_round_quickly()
            yield position.state()

    def picture(self, state: StackingState) -> str:
        """Draw one of the game's states as text."""
        return format_board(self.cells, state.stacks, state.directions)

    def to_svg(self, state: StackingState | None = None) -> str:
        """Draw the start, or one of the game's states, as an ``<svg>`` element."""
        from gridkit.render.svg import colour, grid_svg

        state = self.start().state() if state is None else state
        captions = [[""] * self.cols for _ in range(self.rows)]
        for (row, col), stack in state.stacks.items():
            captions[row][col] = " ".join(
                f"{piece}{_ARROW_SIGNS[state.directions[piece]]}" for piece in stack
            )
        labels = [[code or None for code in row] for row in self.cells]
        colours = [*_COLOURS, *(colour(code) for code in range(3, len(MARKS)))]
        return grid_svg(labels, captions, cell_size=44, colours=colours, title="stacking game")

    def to_html(self, max_rounds: int = 100, title: str = "stacking game") -> str:
        """Return a page that plays the game round by round."""
        from gridkit.render.html import animation

        states = list(self.states(max_rounds))
        captions = [f"after round {state.round}" for state in states]
        return animation([self.to_svg(state) for state in states], captions, title=title)

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def _repr_html_(self) -> str:
        return self.to_svg()

    def __str__(self) -> str:
        return self.picture(self.start().state())

    def __repr__(self) -> str:
        extra = "" if self.rules == StackingRules() else f", {self.rules!r}"
        if self.order != _checked_order(None, self.pieces):
            extra += f", order={list(self.order)!r}"
        cells = [list(row) for row in self.cells]
        return f"StackingGame({cells!r}, {list(self.pieces)!r}{extra})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, StackingGame):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuilt, (self.cells, self.pieces, self.rules, self.order)

    def _key(self) -> tuple[object, ...]:
        return self.cells, self.pieces, self.rules, self.order

    def _refuse_choice(self) -> None:
        if self.rules.schedule == "choice":
            raise UnsupportedError(
                "these rules leave the schedule to the caller: use start() and play_turn()"
            )


def _rebuilt(
    cells: tuple[tuple[int, ...], ...],
    pieces: tuple[tuple[int, int, int], ...],
    rules: StackingRules,
    order: tuple[int, ...],
) -> StackingGame:
    return StackingGame(cells, pieces, rules, order=order)


def _integer(value: object, what: str) -> int:
    if isinstance(value, Direction):
        value = value.value
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise InputError(f"{what} must be an integer, got {value!r}")
    return index(cast("SupportsIndex", value))


def _rows(values: object, what: str) -> list[list[object]]:
    try:
        return [list(row) for row in values]  # type: ignore[attr-defined]  # that is the question
    except TypeError:
        raise InputError(f"expected {what}, got {values!r:.100}") from None


def _checked_cells(cells: object, known: int) -> tuple[tuple[int, ...], ...]:
    board = _rows(cells, "rows of cell codes")
    if not board or not board[0]:
        raise InputError("expected a board of at least one cell, got none")
    for r, row in enumerate(board):
        if len(row) != len(board[0]):
            raise InputError(f"row {r} has {len(row)} cells, row 0 has {len(board[0])}")
    checked = []
    for r, row in enumerate(board):
        codes = [_integer(code, f"cell ({r}, {c})") for c, code in enumerate(row)]
        for c, code in enumerate(codes):
            if not 0 <= code < known:
                raise InputError(
                    f"unknown code {code} at cell ({r}, {c}) (these rules know 0 to {known - 1})"
                )
        checked.append(tuple(codes))
    return tuple(checked)


def _checked_pieces(pieces: object, rows: int, cols: int) -> tuple[tuple[int, int, int], ...]:
    checked = []
    for number, piece in enumerate(_rows(pieces, "pieces (row, col, direction)")):
        if len(piece) != 3:
            raise InputError(f"piece {number}: expected (row, col, direction), got {piece!r}")
        names = ("row", "col", "direction")
        row, col, direction = (
            _integer(value, f"piece {number}: {name}")
            for value, name in zip(piece, names, strict=True)
        )
        if not (0 <= row < rows and 0 <= col < cols):
            raise InputError(
                f"piece {number}: cell ({row}, {col}) is outside the {rows} x {cols} board"
            )
        if not 0 <= direction < len(ARROWS):
            raise InputError(
                f"piece {number}: direction must be 0 (right), 1 (left), 2 (up) or 3 (down), "
                f"got {direction}"
            )
        checked.append((row, col, direction))
    return tuple(checked)


def _checked_order(
    order: Sequence[int] | None, pieces: tuple[tuple[int, int, int], ...]
) -> tuple[int, ...]:
    """Return the pieces stack by stack, each from the bottom up, stacks in reading order."""
    given = list(range(len(pieces))) if order is None else list(order)
    if any(isinstance(i, bool) or not isinstance(i, int) for i in given) or sorted(given) != list(
        range(len(pieces))
    ):
        raise InputError(
            f"order must have each of the {len(pieces)} piece numbers once, got {order!r:.100}"
        )
    return tuple(sorted(given, key=lambda piece: pieces[piece][:2]))


def checked_rounds(max_rounds: object) -> int | None:
    """Return `max_rounds` as an int or None, or refuse it."""
    if max_rounds is None:
        return None
    rounds = _integer(max_rounds, "max_rounds")
    if rounds < 0:
        raise InputError(f"max_rounds must be at least 0 or None, got {rounds}")
    return rounds
