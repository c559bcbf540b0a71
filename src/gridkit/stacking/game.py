"""Stacking games: the model, and what a play of it came to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import SupportsIndex

from gridkit import render
from gridkit.errors import InputError, UnsupportedError
from gridkit.grid.cell import Direction
from gridkit.reading import read_bool, read_int
from gridkit.render.drawable import Drawable
from gridkit.run import Limit, ProgressCallback, Run
from gridkit.stacking.film import play_film
from gridkit.stacking.picture import flat_game_scene, game_scene
from gridkit.stacking.play import play
from gridkit.stacking.position import Position
from gridkit.stacking.result import StackingResult
from gridkit.stacking.rules import StackingRules
from gridkit.stacking.state import StackingState
from gridkit.stacking.text import ARROWS, format_board, parse_board
from gridkit.value import Value, put

__all__ = ["StackingGame", "checked_rounds"]


class StackingGame(Value, Drawable):
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

    _fields = ("cells", "pieces", "rules", "order")

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
        order: Iterable[SupportsIndex] | None = None,
    ) -> None:
        rules = StackingRules() if rules is None else rules
        if not isinstance(rules, StackingRules):
            raise InputError(f"expected StackingRules, got {type(rules).__name__}")
        board = _checked_cells(cells, len(rules.effects))
        placed = _checked_pieces(pieces, len(board), len(board[0]))
        self._put(cells=board, pieces=placed, rules=rules, order=_checked_order(order, placed))

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
        with Run(limit=limit, progress=progress, resume=resume, nothing=0) as run:
            self._refuse_choice()
            rounds = checked_rounds(max_rounds)
            result = play(self, rounds, read_bool(trace, "trace"), run)
            put(result, "_game", self)
            return result

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
            position._play_round_quickly()
            yield position.state()

    def picture(self, state: StackingState) -> str:
        """Draw one of the game's states as text."""
        return format_board(self.cells, state.stacks, state.directions)

    def _scene(self) -> render.Scene:
        """Return the start, its piles seen from the side."""
        state = self.start().state()
        return game_scene(self.cells, state.stacks, state.directions)

    def _flat_scene(self) -> render.Scene:
        state = self.start().state()
        return flat_game_scene(self.cells, state.stacks, state.directions)

    def to_svg(
        self,
        state: StackingState | None = None,
        *,
        cell_size: int = 24,
        theme: render.Theme = "auto",
    ) -> str:
        """Draw the start, or one of the game's states, as an ``<svg>`` element.

        A cell has the colour of its code; its pieces are piled up, each with its number and an
        arrow.  A cell is twice as wide as `cell_size` says, in pixels; themes are those of
        `Board.to_svg`.
        """
        if state is None:
            state = self.start().state()
        elif not isinstance(state, StackingState):
            raise InputError(f"state must be a StackingState, got {type(state).__name__}")
        scene = game_scene(self.cells, state.stacks, state.directions)
        return render.scene_svg(scene, cell_size=cell_size, theme=theme)

    def to_html(self, max_rounds: int = 100, title: str = "stacking game") -> str:
        """Return a page that plays the game turn by turn, 5000 at most (see `Plan.to_html`)."""
        self._refuse_choice()
        film, _ = play_film(self, checked_rounds(max_rounds))
        return render.player_page(film, title)

    def __str__(self) -> str:
        return self.picture(self.start().state())

    def __repr__(self) -> str:
        extra = "" if self.rules == StackingRules() else f", {self.rules!r}"
        if self.order != _checked_order(None, self.pieces):
            extra += f", order={list(self.order)!r}"
        cells = [list(row) for row in self.cells]
        return f"StackingGame({cells!r}, {list(self.pieces)!r}{extra})"

    def _refuse_choice(self) -> None:
        if self.rules.schedule == "choice":
            raise UnsupportedError(
                "these rules leave the schedule to the caller: use start() and play_turn()"
            )


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
        codes = [read_int(code, f"cell ({r}, {c})") for c, code in enumerate(row)]
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
        way = piece[2].value if isinstance(piece[2], Direction) else piece[2]
        values = zip((piece[0], piece[1], way), ("row", "col", "direction"), strict=True)
        row, col, direction = (read_int(value, f"piece {number}: {name}") for value, name in values)
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
    order: Iterable[SupportsIndex] | None, pieces: tuple[tuple[int, int, int], ...]
) -> tuple[int, ...]:
    """Return the pieces stack by stack, each from the bottom up, stacks in reading order."""
    numbers = range(len(pieces))
    given = list(numbers)
    if order is not None:
        if not isinstance(order, Iterable):
            raise InputError(f"order must be a sequence of piece numbers, got {order!r}")
        given = [read_int(piece, "order: a piece number") for piece in order]
    if sorted(given) != list(numbers):
        raise InputError(
            f"order must have each of the {len(pieces)} piece numbers once, got {order!r:.100}"
        )
    return tuple(sorted(given, key=lambda piece: pieces[piece][:2]))


def checked_rounds(max_rounds: object) -> int | None:
    """Return `max_rounds` as an int or None, or refuse it."""
    return None if max_rounds is None else read_int(max_rounds, "max_rounds", 0)
