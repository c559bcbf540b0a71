"""Draw one picture of every kind into ``docs/_static/contact-sheet.png``.

Run ``python docs/contact_sheet.py`` where the extra ``gridkit[png]`` is installed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import gridkit as gk
from gridkit.render.drawable import Drawable
from gridkit.render.png import svg_png
from gridkit.render.text import escaped

WIDE, HIGH, CAPTION, GAP, COLUMNS = 270, 210, 34, 22, 7
KLOTSKI = "BAAC\nBAAC\nDEEF\nDGHF\nI..J"
SUDOKU = "..53.....8......2..7..1.5..4....53...1..7...6..32...8..6.5....9..4....3......97.."


def solved(value: Drawable | None) -> Drawable:
    """Return a solution that is known to exist."""
    assert value is not None
    return value


def sudoku() -> Drawable:
    """Return a sudoku solved as an exact cover."""
    options = [
        [(r, c), ("row", r, n), ("col", c, n), ("box", 3 * (r // 3) + c // 3, n)]
        for r, c, mark in ((at // 9, at % 9, mark) for at, mark in enumerate(SUDOKU))
        for n in ("123456789" if mark == "." else mark)
    ]
    cover = gk.ExactCover(options)
    return gk.cover.CoverPicture(cover, cover.first() or ())


def kinds() -> Iterator[tuple[str, Callable[[], Drawable]]]:
    """Give a caption and what makes a picture, one of every kind."""
    pentominoes = gk.Tiling(gk.Board.rectangle(6, 10), gk.pieces.pentominoes(), reflect=True)
    ring = gk.Board.rectangle(8, 8).without([(3, 3), (3, 4), (4, 3), (4, 4)])
    chessboard = gk.Board.rectangle(8, 8).without([(0, 0), (7, 7)])
    dominoes = gk.pieces.domino()
    soma = gk.Tiling(gk.Box(3, 3, 3), gk.pieces.soma())
    klotski = gk.SlidingPuzzle.parse(KLOTSKI, goal={"A": (3, 1)})
    rush = gk.SlidingPuzzle.parse_rush_hour("BCDDE.BCF.E.BCFAAGHHI..G..IJJKLLMM.K")
    small = gk.SlidingPuzzle.parse("AB.\n...", goal={"A": (1, 2)})
    fifteen = gk.NPuzzle(4, 4, [5, 1, 2, 4, 9, 6, 3, 8, 13, 10, 7, 11, 14, 0, 15, 12])
    eight = gk.NPuzzle(3, 3, [1, 2, 3, 4, 5, 6, 7, 8, 0])
    walled = gk.NPuzzle(3, 4, [4, 1, 2, 3, -1, 5, 6, 7, 0, 8, 9, 10], walls=[(1, 0)],
                        goal=[0, 1, 2, 3, -1, 4, 5, 6, 7, 8, 9, 10])  # fmt: skip
    kings = gk.KingsPuzzle(
        [[1, 0, 2, 0, 0], [0] * 5, [3, 0, 0, 0, 0], [0, 0, 4, 0, 0], [0] * 5],
        [[2, 0, 1, 0, 0], [0] * 5, [4, 0, 0, 0, 0], [0, 0, 3, 0, 0], [0] * 5],
    )
    game = gk.StackingGame.parse(
        ".0>3^4^ .   .   .1<\n.    .   ~   .\n.2>  .   #   .\n.    ~   .   ."
    )
    yield "Board", lambda: ring
    yield "Polyomino", lambda: gk.Polyomino.parse("#.#\n###")
    yield "Polycube", lambda: gk.pieces.soma()["A"]
    yield "Box", lambda: gk.Box(3, 3, 3).without([(2, 2, 2), (2, 2, 1)])
    yield "Tiling: the problem", lambda: pentominoes
    yield "Solution", lambda: solved(pentominoes.first())
    yield (
        "Solution around holes",
        lambda: solved(gk.Tiling(ring, gk.pieces.pentominoes(), reflect=True).first()),
    )
    yield "Solution in a box", lambda: solved(soma.first())
    yield "Tiling of a box", lambda: soma
    yield "Explanation: why not", lambda: solved(gk.Tiling(chessboard, dominoes, None).explain())
    yield (
        "Gallery, copies folded",
        lambda: gk.cover.Gallery(
            gk.Tiling(gk.Board.rectangle(4, 4), dominoes, copies=None).solutions()
        ),
    )
    yield (
        "Gallery 3 x 20",
        lambda: gk.cover.Gallery(
            gk.Tiling(gk.Board.rectangle(3, 20), gk.pieces.pentominoes(), reflect=True).solutions()
        ),
    )
    yield "CoverPicture: a sudoku", sudoku
    yield "SlidingPuzzle: Klotski", lambda: klotski
    yield "SlidingPuzzle: Rush Hour", lambda: rush
    yield "Plan: 81 moves", lambda: solved(klotski.solve(metric="move"))
    yield "StateSpace, small", lambda: small.explore()
    yield "StateSpace of Klotski", lambda: klotski.explore()
    yield "DistanceTable of 3 x 3", lambda: eight.distance_table()
    yield "NPuzzle", lambda: fifteen
    yield "NPuzzle with a wall", lambda: walled
    yield "Plan of tiles", lambda: solved(fifteen.solve(optimal=True))
    yield "KingsPuzzle", lambda: kings
    yield "Plan of kings", lambda: solved(kings.plan())
    yield "StackingGame", lambda: game
    yield "StackingResult", lambda: game.play()


def sheet(pictures: list[tuple[str, str]], columns: int = COLUMNS) -> str:
    """Return SVG pictures in a grid of equal places, each over its caption."""
    placed = []
    for number, (caption, svg) in enumerate(pictures):
        down, across = divmod(number, columns)
        x, y = GAP + across * (WIDE + GAP), GAP + down * (HIGH + CAPTION + GAP)
        head = re.match(r'<svg [^>]*?width="([\d.]+)" height="([\d.]+)"', svg)
        assert head is not None
        width, height = float(head[1]), float(head[2])
        scale = min(WIDE / width, HIGH / height, 1.6)
        x_middle, y_middle = x + (WIDE - width * scale) / 2, y + (HIGH - height * scale) / 2
        placed.append(
            f'<g transform="translate({x_middle:.1f} {y_middle:.1f}) scale({scale:.3f})">{svg}</g>'
            f'<text x="{x + WIDE / 2}" y="{y + HIGH + 24}" font-size="17" text-anchor="middle" '
            f'font-family="sans-serif" fill="#1d2026">{escaped(caption)}</text>'
        )
    rows = -(-len(pictures) // columns)
    width, height = GAP + columns * (WIDE + GAP), GAP + rows * (HIGH + CAPTION + GAP)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">'
        f"{''.join(placed)}</svg>"
    )


def main() -> None:
    """Write the sheet."""
    folder = Path(__file__).parent / "_static"
    folder.mkdir(exist_ok=True)
    pictures = [(caption, make().to_svg(theme="light")) for caption, make in kinds()]
    (folder / "contact-sheet.png").write_bytes(svg_png(sheet(pictures), scale=1))


if __name__ == "__main__":
    main()
