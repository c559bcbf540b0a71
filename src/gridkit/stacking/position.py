"""A stacking game under way: the plain engine, one piece's turn after another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, get_args

from gridkit.errors import InputError, PlacementError
from gridkit.grid.cell import Cell
from gridkit.reading import read_int
from gridkit.stacking.rules import (
    BLOCK,
    GOAL,
    HOOK,
    REVERSE,
    SINK,
    TURN_SHIFT,
    WRAP,
    Lift,
    StackingRules,
)
from gridkit.stacking.state import Move, StackingState

__all__ = ["Position", "Setup"]

_CLOCKWISE = (0, 3, 1, 2)  # right, down, left, up
_QUARTER = {direction: turn for turn, direction in enumerate(_CLOCKWISE)}


class Setup(Protocol):
    """What play needs of a game."""

    @property
    def rows(self) -> int:
        """Rows of the board."""

    @property
    def cols(self) -> int:
        """Columns of the board."""

    @property
    def cells(self) -> tuple[tuple[int, ...], ...]:
        """The code of each cell."""

    @property
    def pieces(self) -> tuple[tuple[int, int, int], ...]:
        """Row, column and direction of each piece."""

    @property
    def order(self) -> tuple[int, ...]:
        """All piece numbers, a lower one before those that lie above it."""

    @property
    def rules(self) -> StackingRules:
        """The rules."""


class Snapshot(NamedTuple):
    """All that changes in play: of each piece its place, direction and the piece it lies on."""

    where: tuple[int, ...]
    way: tuple[int, ...]
    below: tuple[int, ...]
    round: int
    stopped: bool


class Position:
    """A game under way, for whoever wants to play turn by turn and take turns back.

    Parameters
    ----------
    game : StackingGame
        The game; the position begins at its start.

    Attributes
    ----------
    round : int
        Rounds begun by `play_round`.
    stopped : bool
        Whether the rules have stopped the game.

    Examples
    --------
    >>> from gridkit.stacking import StackingGame, StackingRules
    >>> game = StackingGame([[0, 0, 0]], [(0, 0, 0), (0, 1, 0)], StackingRules(schedule="choice"))
    >>> position = game.start()
    >>> print(position.play_turn(0))
    round 0: 0 takes 0 from 0,0 to 0,1
    >>> position.stack(0, 1)
    (1, 0)
    >>> position.undo()
    >>> position.stack(0, 1)
    (1,)
    """

    def __init__(self, game: Setup) -> None:
        rules = game.rules
        self.game = game
        self.round = 0
        self.stopped = False
        self._rules = rules
        self._rows, self._cols = game.rows, game.cols
        self._width = width = game.cols + 2
        self._deltas = (1, -1, -width, width)
        *by_code, border = rules.flags()
        frame = [border] * width
        self._flags = frame[:]
        self._codes = [-1] * width
        for row in game.cells:
            self._flags += [border, *(by_code[code] for code in row), border]
            self._codes += [-1, *row, -1]
        self._flags += frame
        self._way = [direction for _, _, direction in game.pieces]
        self._where = [(row + 1) * width + col + 1 for row, col, _ in game.pieces]
        self._below = [-1] * len(self._way)
        self._stacks: dict[int, list[int]] = {}
        for piece in game.order:
            stack = self._stacks.setdefault(self._where[piece], [])
            self._below[piece] = stack[-1] if stack else -1
            stack.append(piece)
        self._pieces_in_play = len(self._way)
        self._history: list[Snapshot] = []
        self._bottoms = rules.schedule == "bottoms"
        self._tops = rules.schedule == "tops"
        self._one_step = rules.distance == 1 and rules.border != "wrap"
        self._stop_height = rules.stop_height or len(self._way) + 1

    # -- looking -------------------------------------------------------------------------------

    def stack(self, row: int, col: int) -> tuple[int, ...]:
        """Return the pieces on a cell, from the bottom up."""
        return tuple(self._stacks.get(self._place(row, col), ()))

    def cell(self, piece: int) -> Cell | None:
        """Return where a piece stands, None once it has sunk."""
        return self._cell(self._where[self._piece(piece)])

    def state(self) -> StackingState:
        """Return a copy of how the game stands."""
        stacks = {}
        for place in sorted(self._stacks):
            cell = self._cell(place)
            if cell is not None and self._stacks[place]:
                stacks[cell] = tuple(self._stacks[place])
        return StackingState(self.round, stacks, tuple(self._way))

    def _key(self) -> tuple[int, ...]:
        """Return what decides the rest of the game, as a hashable value."""
        return (*self._where, *self._way, *self._below)

    # -- playing -------------------------------------------------------------------------------

    def play_turn(self, piece: int) -> Move | None:
        """Play a piece's turn; return what changed, None if nothing did.

        Complexity: linear in the height of the stacks that are touched and the distance gone.
        """
        piece = self._piece(piece)
        self._save()
        return self._advance(piece)

    def play_round(self) -> list[Move]:
        """Play the turns of all pieces by the schedule, up to a stop; return what changed."""
        moves: list[Move] = []
        if self.stopped:
            return moves
        self._save()
        self.round += 1
        for piece in range(len(self._way)):
            move = self._advance(piece)
            if move is not None:
                moves.append(move)
            if self.stopped:
                break
        return moves

    def carry(self, piece: int, row: int, col: int, lift: Lift | None = None) -> Move:
        """Carry a piece's slice to a cell by hand, whatever its direction.

        Parameters
        ----------
        piece : int
            Whose slice.
        row, col : int
            Where to; the cell's effect acts as ever.
        lift : {"above", "stack", "top", "alone"}, optional
            The slice, when it is not the rules'.

        Raises
        ------
        PlacementError
            When the piece has sunk or the cell blocks.
        """
        if lift is not None and lift not in get_args(Lift):
            raise InputError(f"lift must be one of {get_args(Lift)} or None, got {lift!r}")
        piece, dst = self._piece(piece), self._place(row, col)
        src = self._where[piece]
        if not src:
            raise PlacementError(f"piece {piece} has sunk")
        if self._flags[dst] & BLOCK:
            raise PlacementError(f"cell ({row}, {col}) is blocked")
        self._save()
        pile = self._cut(piece, lift or self._rules.lift)
        end = self._land(pile, dst)
        start = self._cell(src)
        assert start is not None
        return Move(self.round, piece, tuple(pile), start, self._cell(end), self._way[piece])

    def undo(self) -> None:
        """Take back the last `play_turn`, `play_round` or `carry`.

        Raises
        ------
        InputError
            When nothing is left to take back.
        """
        if not self._history:
            raise InputError("nothing to undo: the game is at its start")
        self._restore(self._history.pop())

    # -- the rules -----------------------------------------------------------------------------

    def _play_round_quickly(self) -> int:
        """Play a round without a record; return the turn that stopped the game, or 0."""
        self.round += 1
        for piece in range(len(self._way)):
            self._turn(piece)
            if self.stopped:
                return piece + 1
        return 0

    def _advance(self, piece: int) -> Move | None:
        """Play a piece's turn without remembering the position before it."""
        src, way = self._where[piece], self._way[piece]
        moved = self._turn(piece)
        if moved is None and way == self._way[piece]:
            return None
        start = self._cell(src)
        assert start is not None
        pile, end = moved or ((), src)
        return Move(self.round, piece, tuple(pile), start, self._cell(end), self._way[piece])

    def _turn(self, piece: int) -> tuple[list[int], int] | None:
        """Play a turn; return the slice as lifted and where it went (0: sunk), if it moved."""
        src = self._where[piece]
        if not src:
            return None
        if self._bottoms and self._below[piece] >= 0:
            return None
        if self._tops and self._stacks[src][-1] != piece:
            return None
        way = self._way[piece]
        dst = self._travel(src, way)
        if not dst:
            blocked = self._rules.blocked
            if blocked == "skip":
                return None
            self._way[piece] = way ^ 1
            if blocked == "turn":
                return None
            dst = self._travel(src, way ^ 1)
            if not dst:
                if blocked == "restore":
                    self._way[piece] = way
                return None
        pile = self._cut(piece, self._rules.lift)
        return pile, self._land(pile, dst)

    def _travel(self, src: int, way: int) -> int:
        """Return the place a slice comes to, or 0 when its first step is blocked."""
        delta, flags = self._deltas[way], self._flags
        if self._one_step:
            return 0 if flags[src + delta] & BLOCK else src + delta
        distance = self._rules.distance
        length = len(self._stacks[src]) if distance == "height" else distance
        lap = self._cols if way < 2 else self._rows
        place, gone = src, 0
        while gone != length:
            ahead = place + delta
            if flags[ahead] & WRAP:
                ahead -= delta * lap
            if flags[ahead] & BLOCK:
                break
            place, gone = ahead, gone + 1
            if flags[place] & SINK:
                break
            if place == src:  # once round the board
                length = gone if isinstance(length, str) else gone + (length - gone) % gone
        return place if gone else 0

    def _cut(self, piece: int, lift: Lift) -> list[int]:
        """Take a slice off its stack."""
        src = self._where[piece]
        stack = self._stacks[src]
        first, last = 0, len(stack)
        if lift == "above":
            first = stack.index(piece)
        elif lift == "alone":
            first = stack.index(piece)
            last = first + 1
        elif lift == "top":
            first = max(0, last - self._rules.lift_count)
        pile = stack[first:last]
        del stack[first:last]
        if first < len(stack):
            self._below[stack[first]] = stack[first - 1] if first else -1
        if not stack:
            del self._stacks[src]
        return pile

    def _land(self, pile: list[int], dst: int) -> int:
        """Put a slice on a cell and let the cell act; return the cell, or 0 when it is a sink."""
        flags = self._flags[dst]
        if flags & HOOK:
            self._call_hook(pile, dst)
            return dst
        if flags & SINK:
            self._sink(pile, flags)
            return 0
        quarter_turns = flags >> TURN_SHIFT & 3
        if quarter_turns:
            for piece in pile:
                turn = _QUARTER[self._way[piece]] + quarter_turns
                self._way[piece] = _CLOCKWISE[turn & 3]
        self._settle(pile[::-1] if flags & REVERSE else pile, dst)
        if flags & GOAL:
            self.stopped = True
        return dst

    def _settle(self, pile: Sequence[int], dst: int) -> None:
        """Lay a slice on or under the stack of a cell."""
        stack = self._stacks.setdefault(dst, [])
        base = -1
        if self._rules.landing == "top":
            if stack:
                base = stack[-1]
            stack += pile
        else:
            if stack and pile:
                self._below[stack[0]] = pile[-1]
            stack[:0] = pile
        for piece in pile:
            self._where[piece] = dst
            self._below[piece] = base
            base = piece
        if len(stack) >= self._stop_height:
            self.stopped = True

    def _sink(self, pile: Sequence[int], flags: int) -> None:
        for piece in pile:
            self._where[piece], self._below[piece], self._way[piece] = 0, -1, 0
        self._pieces_in_play -= len(pile)
        left = self._rules.stop_left
        if flags & GOAL or (left is not None and self._pieces_in_play <= left):
            self.stopped = True

    def _call_hook(self, pile: list[int], dst: int) -> None:
        hook = self._rules.effects[self._codes[dst]]
        assert callable(hook)
        answer = hook(tuple(pile), tuple(self._way[piece] for piece in pile))
        try:
            ids, directions = answer
            ids, directions = list(ids), list(directions)
        except (TypeError, ValueError):
            raise InputError(
                f"effect {hook!r} must return (ids, directions), got {answer!r}"
            ) from None
        if (
            len(set(ids)) != len(ids)
            or len(ids) != len(directions)
            or not set(ids) <= set(pile)
            or not set(directions) <= {0, 1, 2, 3}
        ):
            raise InputError(
                f"effect {hook!r} must return some of the ids {pile} once each, and a direction "
                f"(0 to 3) for each, got {answer!r}"
            )
        for piece, direction in zip(ids, directions, strict=True):
            self._way[piece] = direction
        sunk = [piece for piece in pile if piece not in ids]
        if ids:
            self._settle(ids, dst)
        if sunk:
            self._sink(sunk, 0)

    # -- helpers -------------------------------------------------------------------------------

    def _cell(self, place: int) -> Cell | None:
        if not place:
            return None
        row, col = divmod(place, self._width)
        return Cell(row - 1, col - 1)

    def _place(self, row: int, col: int) -> int:
        row, col = read_int(row, "row"), read_int(col, "col")
        if not (0 <= row < self._rows and 0 <= col < self._cols):
            raise InputError(
                f"cell ({row}, {col}) is outside the {self._rows} x {self._cols} board"
            )
        return (row + 1) * self._width + col + 1

    def _piece(self, piece: int) -> int:
        return read_int(piece, "piece", 0, len(self._way) - 1)

    def _save(self) -> None:
        self._history.append(self._snapshot())

    def _snapshot(self) -> Snapshot:
        """Return all that changes in play."""
        pieces = tuple(self._where), tuple(self._way), tuple(self._below)
        return Snapshot(*pieces, self.round, self.stopped)

    def _restore(self, snapshot: Snapshot) -> None:
        """Take up a position again."""
        self._where, self._way = list(snapshot.where), list(snapshot.way)
        self._below = list(snapshot.below)
        self.round, self.stopped = snapshot.round, snapshot.stopped
        self._pieces_in_play = sum(map(bool, self._where))
        above = {piece: number for number, piece in enumerate(self._below) if piece >= 0}
        self._stacks = {}
        for piece, place in enumerate(self._where):
            if place and self._below[piece] < 0:
                stack = self._stacks[place] = [piece]
                while stack[-1] in above:
                    stack.append(above[stack[-1]])
