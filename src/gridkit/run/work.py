"""Work that advances in chunks: what an engine has to offer so that a `Run` can drive it."""

from __future__ import annotations

import hashlib

__all__ = ["Work", "call_name"]


class Work:
    """Base of the engines: work that advances in chunks and keeps its whole state in itself.

    A subclass overrides `advance` and whatever else it has to say.  `nodes` and `found` may be
    overridden by properties, or by class attributes (``nodes = 0``) that instances count up.
    """

    @property
    def nodes(self) -> int:
        """Nodes spent so far, those before the token it continues from included."""
        return 0

    @property
    def found(self) -> int:
        """Solutions found so far."""
        return 0

    def fraction(self) -> float:
        """Estimate the part of the work that is done, between 0 and 1, monotone."""
        return 0.0

    def memory(self) -> int:
        """Return the bytes of working memory held now."""
        return 0

    def advance(self, budget: int) -> bool:
        """Spend at most `budget` nodes; return whether the work is complete.

        Called again once complete, it spends nothing and says so again.
        """
        raise NotImplementedError

    def value(self) -> object:
        """Return the result so far, of the kind that the call returns."""
        return None

    def token(self) -> object:
        """Return the state to continue from, or None where that is not possible.

        It goes into the ``data`` of a `Token`: plain data, numpy arrays or frozen dataclasses that
        can be pickled, never the work itself.  The work does not change it afterwards; who
        continues from it gets a copy.
        """
        return None


def call_name(call: str, *facts: object) -> str:
    """Return a name for a call on a problem, which its token bears.

    Parameters
    ----------
    call : str
        The public call, such as ``"Tiling.count"``.
    *facts : object
        All that the answer depends on; values whose `repr` tells them apart.

    Examples
    --------
    >>> call_name("Tiling.count", (3, 4), "##")
    'Tiling.count 8a843870a7fb908c'
    """
    if not facts:
        return call
    return f"{call} {hashlib.sha256(repr(facts).encode()).hexdigest()[:16]}"
