"""Kernel of coupling from the past: two domino tilings, turned by the same random bits."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gridkit.run.jit import kernel

__all__ = ["AGREE", "BITS", "SWEEPS", "WORDS", "Tilings", "turn_blocks"]

Array = np.ndarray
Integer = int | np.signedinteger

# The words of the control array: sweeps still to make, whether both tilings are known to be equal,
# and where the bits come from: 0 for none, 1 for ones, `BITS` for the random generator.
SWEEPS, AGREE, SOURCE = 0, 1, 2
WORDS = 3
BITS = 2

_CHECK_EVERY = 16  # sweeps between two comparisons

_U0 = np.uint64(0)
_U1 = np.uint64(1)
_U17 = np.uint64(17)
_U19 = np.uint64(19)
_U23 = np.uint64(23)
_U41 = np.uint64(41)
_U45 = np.uint64(45)
_U63 = np.uint64(63)
_EVEN = np.uint64(0x5555555555555555)
_ODD = np.uint64(0xAAAAAAAAAAAAAAAA)


class Tilings(NamedTuple):
    """Two domino tilings of one board as bits: bit c % 64 of word c // 64 stands for column c."""

    across: Annotated[NDArray[np.uint64], "uint64[:, :, ::1]"]
    """(rows, words, 2) Cells that are the left half of a domino."""
    down: Annotated[NDArray[np.uint64], "uint64[:, :, ::1]"]
    """(rows, words, 2) Cells that are the upper half of a domino."""
    random: Annotated[NDArray[np.uint64], "uint64[::1]"]
    """(4,) State of the random generator."""


@kernel("uint64(uint64[::1])")
def _next_word(state: Array) -> np.uint64:
    """Return 64 random bits by the generator xoshiro256++ (Blackman and Vigna, 2019).

    Parameters
    ----------
    state : uint64[4]
        Not all zero; written to.

    Returns
    -------
    uint64
        The bits.
    """
    total = state[0] + state[3]
    word: np.uint64 = (total << _U23 | total >> _U41) + state[0]
    shifted = state[1] << _U17
    state[2] ^= state[0]
    state[3] ^= state[1]
    state[1] ^= state[2]
    state[0] ^= state[3]
    state[2] ^= shifted
    state[3] = state[3] << _U45 | state[3] >> _U19
    return word


@kernel("int64(Tilings, int64[::1], int64)")
def turn_blocks(tilings: Tilings, control: Array, budget: Integer) -> Integer:
    """Make sweeps that turn the pairs of dominoes in 2 x 2 blocks up or down at random.

    Parameters
    ----------
    tilings : Tilings
        Both tilings; the first alone is turned once they agree.
    control : int64[3]
        See `SWEEPS` and the others.
    budget : int
        Words to turn at most in this call; at least one sweep is made.

    Returns
    -------
    int
        Words turned.

    Notes
    -----
    A sweep settles the blocks of one colour of the chessboard, all at once, then those of the
    other.  Two dominoes that fill a block lie up (across in a block of the first colour, down in
    one of the second) where the random bit is 1, and the other way where it is 0: the heat bath on
    height functions, which keeps their order (Propp and Wilson, 1996).
    """
    across, down, random = tilings.across, tilings.down, tilings.random
    rows, words, _ = across.shape
    spent = 0
    while control[SWEEPS] > 0 and (spent == 0 or spent < budget):
        used = 1 if control[AGREE] else 2
        for colour in range(2):
            for row in range(rows - 1):
                sites = _EVEN if (row + colour) % 2 == 0 else _ODD
                for word in range(words):
                    if control[SOURCE] == BITS:
                        up = _next_word(random)
                    else:
                        up = _U0 - np.uint64(control[SOURCE])
                    if colour:
                        up = ~up
                    for which in range(used):
                        beside = down[row, word, which] >> _U1
                        if word + 1 < words:
                            beside |= down[row, word + 1, which] << _U63
                        flat = across[row, word, which] & across[row + 1, word, which]
                        tall = down[row, word, which] & beside
                        turned = (flat & ~up | tall & up) & sites
                        across[row, word, which] ^= turned
                        across[row + 1, word, which] ^= turned
                        down[row, word, which] ^= turned ^ turned << _U1
                        if word + 1 < words:
                            down[row, word + 1, which] ^= turned >> _U63
        spent += 2 * rows * words
        control[SWEEPS] -= 1
        if used == 2 and control[SWEEPS] % _CHECK_EVERY == 0:
            control[AGREE] = 1
            for row in range(rows):
                for word in range(words):
                    if (
                        across[row, word, 0] != across[row, word, 1]
                        or down[row, word, 0] != down[row, word, 1]
                    ):
                        control[AGREE] = 0
                        break
                if not control[AGREE]:
                    break
    return spent
