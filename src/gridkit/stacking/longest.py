"""The search for games that take long to stop."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gridkit.errors import InputError, Interrupted, LimitReached
from gridkit.run.control import Limit, Progress, ProgressCallback
from gridkit.stacking.batch import play_many
from gridkit.stacking.game import StackingGame
from gridkit.stacking.rules import StackingRules

__all__ = ["LongGame", "longest_game"]

_COLOURS = (0.6, 0.2, 0.2)  # shares of white, red and blue on a random board
_BATCH = 2048
_KEPT = 32


@dataclass(frozen=True)
class LongGame:
    """What `longest_game` found.

    Attributes
    ----------
    game : StackingGame or None
        The longest game that stops (None when none did).
    round : int
        The round in which it stops (0 for none).
    tried : int
        Games that were decided.
    """

    game: StackingGame | None
    round: int
    tried: int


def longest_game(
    size: int,
    pieces: int,
    seed: int,
    seconds: float,
    *,
    rules: StackingRules | None = None,
    mutate: bool = True,
    progress: ProgressCallback | None = None,
) -> LongGame:
    """Search random boards for the game that stops latest.

    Parameters
    ----------
    size : int
        Rows and columns of the board.
    pieces : int
        Number of pieces, at most one on a cell.
    seed : int
        Of the random numbers.
    seconds : float
        CPU time to spend.
    rules : StackingRules, optional
        With three effects, the first of which is kept open for 60 % of the cells.
    mutate : bool
        Try half of the time small changes of the longest games found so far; without, every board
        is fresh: 60 % of code 0, 20 % of code 1, 20 % of code 2.
    progress : callable, optional
        Called with a `Progress`: ``nodes`` games decided, ``found`` the longest so far.

    Notes
    -----
    Every game is decided without a limit.  Deterministic for a seed but for where time ends it.

    Examples
    --------
    >>> found = longest_game(4, 4, seed=1, seconds=0.1)
    >>> found.game.play(None).round == found.round
    True
    """
    rules = StackingRules() if rules is None else rules
    for name, value in (("size", size), ("pieces", pieces)):
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise InputError(f"{name} must be an int >= 1, got {value!r}")
    if pieces > size * size:
        raise InputError(f"{pieces} pieces do not fit on {size} x {size} cells, one on each")
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise InputError(f"seed must be an int >= 0, got {seed!r}")
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not seconds >= 0:
        raise InputError(f"seconds must be a number >= 0, got {seconds!r}")
    if len(rules.effects) < len(_COLOURS):
        raise InputError(f"expected rules with at least {len(_COLOURS)} effects")
    search = _Search(size, pieces, rules, np.random.default_rng(seed))
    begun, end = time.perf_counter(), time.process_time() + seconds
    while True:
        search.try_batch(mutate, end)
        now = time.process_time()
        if progress is not None:
            fraction = min(1.0, 1 - (end - now) / seconds) if seconds else 1.0
            progress(Progress(search.tried, search.best(), fraction, time.perf_counter() - begun))
        if now >= end:
            return search.result()


class _Search:
    """The longest games so far, longest first, and how many were tried."""

    def __init__(
        self, size: int, pieces: int, rules: StackingRules, random: np.random.Generator
    ) -> None:
        self._size, self._pieces, self._rules, self._random = size, pieces, rules, random
        self._cells = np.zeros((0, size, size), dtype=np.int8)
        self._placed = np.zeros((0, pieces, 3), dtype=np.int32)
        self._rounds = np.zeros(0, dtype=np.int64)
        self.tried = 0

    def best(self) -> int:
        return int(self._rounds[0]) if len(self._rounds) else 0

    def try_batch(self, mutate: bool, end: float) -> None:
        """Play some games and keep the longest of all."""
        cells, placed = self._fresh(_BATCH)
        if mutate and len(self._rounds):
            half = _BATCH // 2
            cells[half:], placed[half:] = self._changed(_BATCH - half)
        left = Limit(seconds=max(0.05, end - time.process_time()))
        try:
            outcome, rounds = play_many(cells, placed, self._rules, None, limit=left)
        except LimitReached as reached:
            outcome, rounds = reached.partial.value  # type: ignore[attr-defined]  # a Partial
        except Interrupted as interrupted:
            raise Interrupted(self.result(), None) from interrupted
        self.tried += int(np.count_nonzero(outcome >= 0))
        stopped = np.flatnonzero(outcome == 0)
        cells = np.concatenate([self._cells, cells[stopped]])
        placed = np.concatenate([self._placed, placed[stopped]])
        rounds = np.concatenate([self._rounds, rounds[stopped]])
        # One game of each length: copies of one game would crowd out the others.
        _, first = np.unique(rounds, return_index=True)
        kept = first[::-1][:_KEPT]
        self._cells, self._placed, self._rounds = cells[kept], placed[kept], rounds[kept]

    def result(self) -> LongGame:
        if not len(self._rounds):
            return LongGame(None, 0, self.tried)
        game = StackingGame(self._cells[0], self._placed[0], self._rules)
        return LongGame(game, self.best(), self.tried)

    def _fresh(self, games: int) -> tuple[NDArray[np.int8], NDArray[np.int32]]:
        """Return random games: independent colours, distinct cells, any directions."""
        random, size = self._random, self._size
        colours = np.arange(len(_COLOURS), dtype=np.int8)
        cells = random.choice(colours, p=_COLOURS, size=(games, size, size))
        at = np.argpartition(random.random((games, size * size)), self._pieces - 1, axis=1)
        at = at[:, : self._pieces]
        ways = random.integers(0, 4, size=at.shape)
        return cells, np.stack([at // size, at % size, ways], axis=2).astype(np.int32)

    def _changed(self, games: int) -> tuple[NDArray[np.int8], NDArray[np.int32]]:
        """Return kept games with one to three cells recoloured and perhaps a piece moved."""
        random, size = self._random, self._size
        # Squared, so that longer games are changed more often.
        chosen = (random.random(games) ** 2 * len(self._rounds)).astype(np.int64)
        cells, placed = self._cells[chosen], self._placed[chosen]
        everyone = np.arange(games)
        for _ in range(3):
            row, col = random.integers(0, size, size=(2, games))
            cells[everyone, row, col] = random.choice(3, p=_COLOURS, size=games)
        moved = np.flatnonzero(random.random(games) < 0.5)
        piece = random.integers(0, self._pieces, size=len(moved))
        row, col, way = random.integers(0, [size, size, 4], size=(len(moved), 3)).T
        here = placed[moved]
        taken = ((here[:, :, 0] == row[:, None]) & (here[:, :, 1] == col[:, None])).any(axis=1)
        free = ~taken
        placed[moved[free], piece[free], 0] = row[free]
        placed[moved[free], piece[free], 1] = col[free]
        placed[moved, piece, 2] = way
        return cells, placed
