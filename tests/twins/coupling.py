"""Turning pairs of dominoes, one block after the other, on sets of cells."""

from __future__ import annotations

from collections.abc import Callable

Cell = tuple[int, int]
Domino = tuple[Cell, Cell]

_WORD = (1 << 64) - 1


def xoshiro(state: list[int]) -> Callable[[], int]:
    """The generator xoshiro256++ of Blackman and Vigna."""

    def rotated(word: int, by: int) -> int:
        return (word << by | word >> (64 - by)) & _WORD

    def following() -> int:
        word = (rotated((state[0] + state[3]) & _WORD, 23) + state[0]) & _WORD
        shifted = state[1] << 17 & _WORD
        state[2] ^= state[0]
        state[3] ^= state[1]
        state[1] ^= state[2]
        state[0] ^= state[3]
        state[2] ^= shifted
        state[3] = rotated(state[3], 45)
        return word

    return following


def sweep(tiling: set[Domino], rows: int, cols: int, word: Callable[[], int]) -> None:
    """Settle every block whose corner is of the first colour, then the others."""
    for colour in (0, 1):
        for r in range(rows - 1):
            bits = 0
            for place in range((cols + 63) // 64):
                bits |= word() << 64 * place
            for c in range(cols - 1):
                if (r + c) % 2 != colour:
                    continue
                flat = {((r, c), (r, c + 1)), ((r + 1, c), (r + 1, c + 1))}
                tall = {((r, c), (r + 1, c)), ((r, c + 1), (r + 1, c + 1))}
                if flat <= tiling or tall <= tiling:
                    tiling -= flat | tall
                    tiling |= flat if (bits >> c & 1) != colour else tall


def turned(tiling: set[Domino]) -> list[set[Domino]]:
    """All tilings that turning one block makes."""
    result = []
    for (r, c), (s, d) in tiling:
        down = s != r
        one = ((r, c + 1), (r + 1, c + 1)) if down else ((r + 1, c), (r + 1, c + 1))
        if one in tiling:
            pair = {((r, c), (s, d)), one}
            flat = {((r, c), (r, c + 1)), ((r + 1, c), (r + 1, c + 1))}
            tall = {((r, c), (r + 1, c)), ((r, c + 1), (r + 1, c + 1))}
            result.append((tiling - pair) | (flat if down else tall))
    return result
