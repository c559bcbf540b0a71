"""Every public call that takes ``limit=``: a small question, and ones that take very long.

As a program: asks each long question with `Limit(seconds=0.2)` and `Limit(nodes=10_000)` and prints
what it spent; arguments choose calls by a part of their names.
"""

from __future__ import annotations

import random
import signal
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

import gridkit as gk

__all__ = ["CALLS", "LongCall", "ask"]

Call = Callable[..., object]


@dataclass(frozen=True)
class LongCall:
    """A public call: its name, a call that is over at once, and functions that make long ones."""

    name: str
    small: Callable[[], Call]
    large: dict[str, Callable[[], Call]] = field(default_factory=dict)


def ask(call: Call, **options: object) -> object:
    """Call, and take all of an iterator."""
    answer = call(**options)
    if isinstance(answer, Iterator):
        for last in answer:
            answer = last
    return answer


def permutations(size: int, columns: int | None = None, **options: object) -> gk.ExactCover:
    """Every row takes a column; with fewer columns than rows there is no solution."""
    columns = columns or size
    pairs = [[("row", row), ("col", col)] for row in range(size) for col in range(columns)]
    primary = [("row", row) for row in range(size)]
    secondary = [("col", col) for col in range(columns)]
    return gk.ExactCover(pairs, primary=primary, secondary=secondary, **options)  # type: ignore[arg-type]  # costs=


def queens(size: int) -> gk.ExactCover:
    """Queens that do not attack one another: no symmetry of the items helps to count them."""
    cells = [(row, col) for row in range(size) for col in range(size)]
    rows = [("row", row) for row in range(size)] + [("col", col) for col in range(size)]
    options = [[("row", r), ("col", c), ("sum", r + c), ("difference", r - c)] for r, c in cells]
    diagonals = {item for option in options for item in option[2:]}
    return gk.ExactCover(options, primary=rows, secondary=sorted(diagonals))


def intersection(points: int) -> Call:
    """Matchings of a complete graph that are also matchings when its edges are exchanged."""
    edges = list(combinations(range(points), 2))
    exchanged = random.Random(points).sample(edges, len(edges))
    first, second = (gk.ExactCover(each).solution_set() for each in (edges, exchanged))
    return partial(first.intersection, second)


def small_cover(**options: object) -> gk.ExactCover:
    return gk.ExactCover([[0], [1], [0, 1]], **options)  # type: ignore[arg-type]  # as above


def prices(size: int) -> list[int]:
    chance = random.Random(size)
    return [chance.randrange(1000) for _ in range(size * size)]


def dominoes(rows: int, cols: int) -> gk.Tiling:
    return gk.Tiling(gk.Board.rectangle(rows, cols), [gk.Polyomino.parse("##")], copies=None)


def trominoes(rows: int, cols: int) -> gk.Tiling:
    return gk.Tiling(
        gk.Board.rectangle(rows, cols), list(gk.pieces.trominoes().values()), copies=None
    )


def pentominoes(rows: int, cols: int) -> gk.Tiling:
    return gk.Tiling(
        gk.Board.rectangle(rows, cols), list(gk.pieces.pentominoes().values()), copies=None
    )


def chessboard() -> gk.Tiling:
    pieces = [*gk.pieces.pentominoes().values(), gk.Polyomino.parse("##\n##")]
    return gk.Tiling(gk.Board.rectangle(8, 8), pieces, reflect=True)


def strip() -> gk.Tiling:
    pieces = [gk.Polyomino.parse("##"), gk.Polyomino.parse("###")]
    return gk.Tiling(gk.Board.rectangle(1, 200_000), pieces, copies=None)


def tees(size: int) -> gk.Tiling:
    tee = gk.Polyomino.parse("###\n.#.")
    return gk.Tiling(gk.Board.rectangle(size, size), [tee], copies=None)


def shuffled(rows: int, cols: int) -> gk.NPuzzle:
    """A solvable board in random order."""
    tiles = [*range(1, rows * cols), 0]
    order = tiles[:-1]
    random.Random(rows * cols).shuffle(order)
    puzzle = gk.NPuzzle(rows, cols, [*order, 0])
    if puzzle.is_solvable():
        return puzzle
    order[0], order[1] = order[1], order[0]
    return gk.NPuzzle(rows, cols, [*order, 0])


def small_blocks() -> gk.SlidingPuzzle:
    return gk.SlidingPuzzle.parse("A.", goal={"A": (0, 1)})


def solved_blocks() -> gk.SlidingPuzzle:
    return gk.SlidingPuzzle.parse("A.", goal={"A": (0, 0)})


def large_blocks() -> gk.SlidingPuzzle:
    """Eleven different blocks on a 4x4 board: more states than any memory holds."""
    text = "ABCD\nEFGH\nIJK.\n...."
    return gk.SlidingPuzzle.parse(text, goal="KJIH\nGFED\nCBA.\n....")


def many_queens() -> gk.ExactCover:
    """Twenty queens that do not attack one another."""
    size = 20
    options = [
        [("row", row), ("col", col), ("up", row + col), ("down", row - col)]
        for row in range(size)
        for col in range(size)
    ]
    diagonals = [("up", n) for n in range(2 * size - 1)]
    diagonals += [("down", n) for n in range(1 - size, size)]
    lines = [(name, n) for n in range(size) for name in ("row", "col")]
    return gk.ExactCover(options, lines, diagonals)


def medium_blocks() -> gk.SlidingPuzzle:
    """Eight different tiles: 181,440 states."""
    return gk.SlidingPuzzle.parse("ABC\nDEF\nGH.", goal=".AB\nCDE\nFGH")


def large_kings(size: int) -> gk.KingsPuzzle:
    """Kings on two thirds of the cells that do not touch, in random order."""
    chance = random.Random(size)
    cells = [(row, col) for row in range(0, size, 2) for col in range(0, size, 2)]
    boards = np.zeros((2, size, size), dtype=int)
    for board in boards:
        for number, (row, col) in enumerate(chance.sample(cells, len(cells) * 2 // 3), 1):
            board[row, col] = number
    return gk.KingsPuzzle(boards[0].tolist(), boards[1].tolist())


def small_kings() -> gk.KingsPuzzle:
    return gk.KingsPuzzle([[1, 0]], [[0, 1]])


def long_game() -> gk.StackingGame:
    """Pieces on rings of different lengths: no state comes back for very long."""
    chance = random.Random(4)
    size = 60
    cells = [[chance.choice([0, 0, 0, 0, 1]) for _ in range(size)] for _ in range(size)]
    pieces = [(row, chance.randrange(size), chance.randrange(4)) for row in range(size)]
    return gk.StackingGame(cells, pieces, rules=gk.StackingRules(stop_height=None))


def many_games(games: int, size: int = 12) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    chance = np.random.default_rng(games)
    cells = chance.integers(0, 2, (games, size, size))
    places = np.stack(
        [chance.permuted(np.tile(np.arange(size), (games, 1)), axis=1) for _ in range(2)]
        + [chance.integers(0, 4, (games, size))],
        axis=2,
    )
    return cells, places


CALLS = [
    LongCall(
        "ExactCover.count",
        lambda: small_cover().count,
        {
            "permutations": lambda: queens(24).count,
            "in 1000 parts": lambda: partial(permutations(15).count, parts=1000),
            "in 30000 parts": lambda: partial(permutations(15).count, parts=30_000),
            "plain": lambda: partial(permutations(15).count, method="plain"),
            "by a sweep": lambda: partial(queens(24).count, method="sweep"),
            "remembering": lambda: partial(queens(24).count, method="memo"),
        },
    ),
    LongCall(
        "cover.SolutionSet.intersection",
        lambda: intersection(4),
        {"matchings": lambda: intersection(12)},
    ),
    LongCall(
        "ExactCover.first",
        lambda: small_cover().first,
        {"none": lambda: permutations(13, 12).first},
    ),
    LongCall(
        "ExactCover.solutions",
        lambda: small_cover().solutions,
        {"none": lambda: permutations(13, 12).solutions},
    ),
    LongCall(
        "ExactCover.solutions_array",
        lambda: small_cover().solutions_array,
        {"none": lambda: permutations(13, 12).solutions_array},
    ),
    LongCall(
        "ExactCover.is_unique",
        lambda: small_cover().is_unique,
        {"none": lambda: permutations(13, 12).is_unique},
    ),
    LongCall(
        "ExactCover.minimum",
        lambda: small_cover(costs=[1, 2, 3]).minimum,
        {"assignment": lambda: permutations(40, costs=prices(40)).minimum},
    ),
    LongCall(
        "Tiling.count",
        lambda: dominoes(2, 2).count,
        {
            "chessboard": lambda: chessboard().count,
            "chessboard in 1000 parts": lambda: partial(chessboard().count, parts=1000),
            "chessboard in 30000 parts": lambda: partial(chessboard().count, parts=30_000),
            "chessboard, masks": lambda: partial(chessboard().count, method="masks"),
            "up to symmetry": lambda: partial(chessboard().count, up_to_symmetry=True),
            "trominoes, frontier": lambda: partial(trominoes(16, 30).count, method="frontier"),
            "kasteleyn": lambda: partial(dominoes(150, 150).count, method="kasteleyn"),
            "a strip": lambda: strip().count,
            "pentominoes on 500 x 500": lambda: pentominoes(500, 500).count,
        },
    ),
    LongCall(
        "Tiling.first",
        lambda: dominoes(2, 2).first,
        {"tees": lambda: tees(26).first, "many pentominoes": lambda: pentominoes(500, 500).first},
    ),
    LongCall(
        "Tiling.solutions",
        lambda: dominoes(2, 2).solutions,
        {"dominoes": lambda: dominoes(20, 20).solutions, "tees": lambda: tees(26).solutions},
    ),
    LongCall(
        "Tiling.is_unique", lambda: dominoes(1, 2).is_unique, {"tees": lambda: tees(26).is_unique}
    ),
    LongCall(
        "Tiling.sample",
        lambda: partial(dominoes(2, 2).sample, 1),
        {
            "many": lambda: partial(trominoes(14, 15).sample, 1, 2000),
            "large": lambda: partial(trominoes(20, 20).sample, 1),
        },
    ),
    LongCall(
        "Tiling.explain",
        lambda: dominoes(1, 3).explain,
        {"tees": lambda: tees(26).explain, "chessboard": lambda: pentominoes(60, 61).explain},
    ),
    LongCall(
        "Tiling.count_by",
        lambda: dominoes(2, 2).count_by,
        {"trominoes": lambda: trominoes(14, 30).count_by},
    ),
    LongCall(
        "cover.count_rectangles",
        lambda: partial(gk.cover.count_rectangles, [gk.Polyomino.parse("##")], 2, 2),
        {
            "trominoes": lambda: partial(
                gk.cover.count_rectangles, list(gk.pieces.trominoes().values()), 14, 14
            )
        },
    ),
    LongCall(
        "NPuzzle.solve",
        lambda: shuffled(2, 2).solve,
        {
            "300 x 300": lambda: shuffled(300, 300).solve,
            "8 x 8": lambda: shuffled(8, 8).solve,
            "30 x 30": lambda: shuffled(30, 30).solve,
            "5 x 5, shortest": lambda: partial(shuffled(5, 5).solve, optimal=True),
        },
    ),
    LongCall(
        "NPuzzle.distance", lambda: shuffled(2, 2).distance,
        {"5 x 5": lambda: shuffled(5, 5).distance},
    ),
    LongCall(
        "NPuzzle.count_shortest",
        lambda: shuffled(2, 2).count_shortest,
        {"5 x 5": lambda: shuffled(5, 5).count_shortest},
    ),
    LongCall(
        "NPuzzle.improvements",
        lambda: shuffled(2, 2).improvements,
        {"6 x 6": lambda: shuffled(6, 6).improvements},
    ),
    LongCall(
        "NPuzzle.distance_table",
        lambda: shuffled(2, 2).distance_table,
        {"3 x 4": lambda: shuffled(3, 4).distance_table},
    ),
    LongCall(
        "SlidingPuzzle.solve",
        lambda: small_blocks().solve,
        {
            "step": lambda: large_blocks().solve,
            "move": lambda: partial(large_blocks().solve, metric="move"),
            "not shortest": lambda: partial(large_blocks().solve, optimal=False),
        },
    ),
    LongCall(
        "SlidingPuzzle.explore",
        lambda: small_blocks().explore,
        {"large": lambda: large_blocks().explore},
    ),
    LongCall(
        "SlidingPuzzle.hardest",
        lambda: small_blocks().hardest,
        {"large": lambda: large_blocks().hardest},
    ),
    LongCall(
        "sliding.generate",
        lambda: partial(gk.sliding.generate, 1, 3, [[(0, 0)]], (0, 2), 2, rng=1),
        {
            "never": lambda: partial(
                gk.sliding.generate, 4, 4, [[(0, 0)]] * 8, (3, 3), 10_000, rng=1, attempts=10**6
            )
        },
    ),
    LongCall(
        "sliding.generate_rush_hour",
        lambda: partial(gk.sliding.generate_rush_hour, (1, 60), cars=1, trucks=0, rng=1),
        {"never": lambda: partial(gk.sliding.generate_rush_hour, 10_000, rng=1, attempts=10**6)},
    ),
    LongCall(
        "sliding.random_start",
        lambda: partial(gk.sliding.random_start, small_blocks(), (0, 1), rng=1),
        {"large": lambda: partial(gk.sliding.random_start, large_blocks(), 10_000, rng=1)},
    ),
    LongCall(
        "KingsPuzzle.plan",
        lambda: small_kings().plan,
        {
            "fast": lambda: large_kings(300).plan,
            "short": lambda: partial(large_kings(100).plan, effort="short"),
            "shortest, 100 x 100": lambda: partial(large_kings(100).plan, optimal=True),
            "shortest, 9 x 9": lambda: partial(large_kings(9).plan, optimal=True),
        },
    ),
    LongCall(
        "sliding.kings.plan",
        lambda: partial(gk.sliding.kings.plan, [[1, 0]], [[0, 1]]),
    ),
    LongCall(
        "SlidingPuzzle.to_networkx",
        lambda: small_blocks().to_networkx,
        {"large": lambda: large_blocks().to_networkx},
    ),
    LongCall(
        "ExactCover.advice",
        lambda: gk.ExactCover([[0]]).advice,
        {},
    ),
    LongCall(
        "ExactCover.solution_set",
        lambda: gk.ExactCover([[0]]).solution_set,
        {"large": lambda: many_queens().solution_set},
    ),
    *(
        LongCall(
            f"ExactCover.{call}",
            lambda call=call: partial(getattr(gk.ExactCover([[0]]), call), [[0]]),  # type: ignore[misc]  # bound now
            {"large": lambda call=call: partial(getattr(many_queens(), call), [[-1]] * 99)},  # type: ignore[misc]  # as above
        )
        for call in ("count_many", "unique_many", "first_many")
    ),
    LongCall(
        "sliding.solve_many",
        lambda: partial(gk.sliding.solve_many, gk.sliding.TileBoards([[[1, 0]]])),
        {"large": lambda: partial(gk.sliding.solve_many, gk.sliding.random_tiles(9, 4, 4, rng=1))},
    ),
    LongCall(
        "sliding.enumerate_rush_hour",
        lambda: partial(gk.sliding.enumerate_rush_hour, 2, 2),
        {"large": lambda: gk.sliding.enumerate_rush_hour},
    ),
    LongCall(
        "sliding.generate_many",
        lambda: partial(gk.sliding.generate_many, 1, (1, 60), cars=1, trucks=0, rng=1),
        {"large": lambda: partial(gk.sliding.generate_many, 500, (20, 60), rng=1)},
    ),
    LongCall(
        "sliding.StateSpace.graph",
        lambda: small_blocks().explore().graph,
        {"large": lambda: medium_blocks().explore(diameter=False).graph},
    ),
    LongCall(
        "sliding.StateGraph.cut_states",
        lambda: small_blocks().explore().graph().cut_states,
        {"large": lambda: medium_blocks().explore(diameter=False).graph().cut_states},
    ),
    LongCall(
        "StackingGame.play",
        lambda: gk.StackingGame([[0]], [(0, 0, 0)]).play,
        {"long": lambda: partial(long_game().play, max_rounds=None)},
    ),
    LongCall(
        "stacking.play_many",
        lambda: partial(gk.stacking.play_many, *many_games(1)),
        {
            "many": lambda: partial(
                gk.stacking.play_many, *many_games(200_000), max_rounds=10**6
            )
        },
    ),
    LongCall(
        "polyomino.count_fixed",
        lambda: partial(gk.polyomino.count_fixed, 3),
        {
            "sweep": lambda: partial(gk.polyomino.count_fixed, 40),
            "one by one": lambda: partial(gk.polyomino.count_fixed, 18, method="enumerate"),
        },
    ),
    LongCall(
        "polyomino.count_free",
        lambda: partial(gk.polyomino.count_free, 3),
        {"sweep": lambda: partial(gk.polyomino.count_free, 40)},
    ),
    LongCall(
        "polyomino.count_one_sided",
        lambda: partial(gk.polyomino.count_one_sided, 3),
        {"sweep": lambda: partial(gk.polyomino.count_one_sided, 40)},
    ),
    LongCall(
        "polyomino.count_symmetric",
        lambda: partial(gk.polyomino.count_symmetric, 3),
        {"sweep": lambda: partial(gk.polyomino.count_symmetric, 34)},
    ),
]  # fmt: skip


def give_up(*_: object) -> None:
    raise TimeoutError


def spent(call: Call, **options: object) -> str:
    """Say in a few words how a call with a limit went."""
    begun = time.perf_counter()
    signal.alarm(20)
    try:
        ask(call, **options)
    except gk.LimitReached as reached:
        end = f"{time.perf_counter() - begun:6.2f} s {reached.partial.nodes:>12,} nodes"
        return end + ("" if reached.token is not None else "  no token")
    except TimeoutError:
        return "  > 20 s: does not stop"
    except Exception as error:  # a table of all of them is wanted
        return f"  {type(error).__name__}: {str(error)[:70]}"
    finally:
        signal.alarm(0)
    return f"{time.perf_counter() - begun:6.2f} s, complete"


def main() -> None:
    signal.signal(signal.SIGALRM, give_up)
    for call in CALLS:
        for name, make in call.large.items():
            title = f"{call.name}: {name}"
            if not all(word in title for word in sys.argv[1:]):
                continue
            prepared = make()
            print(f"{title:<44}", end=" ", flush=True)
            spent(prepared, limit=gk.Limit(nodes=2000))  # loads the kernels
            print(spent(make(), limit=gk.Limit(seconds=0.2)), end=" | ", flush=True)
            print(spent(make(), limit=gk.Limit(nodes=10_000)), flush=True)


if __name__ == "__main__":
    main()
