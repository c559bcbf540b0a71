"""Random integers of any size, drawn one by one or read from blocks of words by kernels."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from gridkit.reading import read_int

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["LEAST", "Below", "Words", "uniform"]

Below = Callable[[int], int]
"""Gives an integer from 0 up to a bound of any size."""


class Words(Protocol):
    """A `Below` whose random words a kernel may read itself.

    A number below a bound is read from the uppermost bits of as many bytes as are needed, which are
    the first of as many words of 32 bits, one at least; it is drawn anew where it is not below.
    """

    def __call__(self, bound: int, /) -> int:
        """Return an integer from 0 up to the bound."""
        ...

    def many(self, bound: int, n: int) -> list[int]:
        """Return as many numbers, as if each had been asked for."""
        ...

    def block(self, least: int) -> NDArray[np.uint32]:
        """Return the next words, at least so many, without using them."""
        ...

    def use(self, words: int) -> None:
        """Take words from the front of the last block."""
        ...

    def close(self) -> None:
        """Give words that were not used back to the generator."""
        ...


class _Least:
    """Always 0: the first of all choices."""

    def __call__(self, bound: int, /) -> int:
        return 0

    def many(self, bound: int, n: int) -> list[int]:
        return [0] * n

    def block(self, least: int) -> NDArray[np.uint32]:
        import numpy as np

        return np.zeros(least, np.uint32)

    def use(self, words: int) -> None:
        pass

    def close(self) -> None:
        pass


LEAST: Words = _Least()


class _Uniform:
    """Uniform numbers from a generator, whatever the sizes of the blocks between."""

    def __init__(self, generator: np.random.Generator) -> None:
        self._generator = generator
        self._start = generator.bit_generator.state
        self._used = 0
        self._waiting: NDArray[np.uint32] | None = None

    def __call__(self, bound: int, /) -> int:
        bits = (bound - 1).bit_length()
        size = (bits + 7) // 8
        while True:
            value = int.from_bytes(self._bytes(size), "little") >> (8 * size - bits)
            if value < bound:
                return value

    def many(self, bound: int, n: int) -> list[int]:
        bits = (bound - 1).bit_length()
        size = (bits + 7) // 8
        words = max(1, (size + 3) // 4)
        numbers: list[int] = []
        while len(numbers) < n:
            trials = min(n - len(numbers), 1 << 12)
            read = self.block(words * trials)[: words * trials].reshape(trials, words)
            self.use(words * trials)
            values = [0] * trials
            for column in reversed(read.T.tolist()):
                values = [value << 32 | word for value, word in zip(values, column, strict=True)]
            least, most = 8 * size - bits, (1 << 8 * size) - 1
            numbers += [x for value in values if (x := (value & most) >> least) < bound]
        return numbers

    def _bytes(self, size: int) -> bytes:
        words = max(1, (size + 3) // 4)  # Generator.bytes draws a word for no bytes, too
        if self._waiting is None:
            self._used += words
            return self._generator.bytes(size)
        read = self.block(words)[:words].astype("<u4").tobytes()[:size]
        self.use(words)
        return read

    def _drawn(self, words: int) -> NDArray[np.uint32]:
        """Draw words, the same ones as ``Generator.bytes`` is made of."""
        import numpy as np

        return self._generator.integers(0, 1 << 32, size=words, dtype=np.uint32)

    def block(self, least: int) -> NDArray[np.uint32]:
        import numpy as np

        waiting = self._waiting
        if waiting is None or len(waiting) < least:
            fresh = self._drawn(max(least, 1 << 10))
            waiting = fresh if waiting is None else np.concatenate([waiting, fresh])
            self._waiting = waiting
        return waiting

    def use(self, words: int) -> None:
        assert self._waiting is not None
        self._used += words
        self._waiting = self._waiting[words:]

    def close(self) -> None:
        if self._waiting is not None:
            self._waiting = None
            self._generator.bit_generator.state = self._start
            while self._used:
                words = min(self._used, 1 << 16)
                self._drawn(words)
                self._used -= words
        self._start, self._used = self._generator.bit_generator.state, 0


def uniform(rng: int | np.random.Generator | None) -> Words:
    """Return a function that draws an integer from 0 up to a bound of any size, uniformly.

    Raises
    ------
    InputError
        For what is neither a numpy Generator nor the seed of one, nor None (fresh randomness).

    Examples
    --------
    >>> below = uniform(1)
    >>> [below(1000) for _ in range(4)], below(10**30) < 10**30
    ([915, 759, 673, 602], True)
    """
    import numpy as np

    if isinstance(rng, np.random.Generator):
        return _Uniform(rng)
    what = "rng: expected a numpy.random.Generator, a seed or None; a seed"
    return _Uniform(np.random.default_rng(None if rng is None else read_int(rng, what, 0)))
