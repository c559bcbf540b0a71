"""Options side by side in one array, as the compiled engines read them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

__all__ = ["flat_entries"]


def flat_entries(options: Sequence[Sequence[int]]) -> tuple[NDArray[np.int64], NDArray[np.uint32]]:
    """Return the length of each option, and the entries of all one after the other.

    Examples
    --------
    >>> sizes, entries = flat_entries([(0, 2), (1,)])
    >>> sizes.tolist(), entries.tolist()
    ([2, 1], [0, 2, 1])
    """
    sizes = np.fromiter(map(len, options), np.int64, len(options))
    return sizes, np.fromiter(chain.from_iterable(options), np.uint32, int(sizes.sum()))
