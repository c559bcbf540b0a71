"""What every ``explain()`` answers with: a verdict and its reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

__all__ = ["Verdict"]


class Verdict:
    """An answer that was proved, with the reason in words.

    Base of `gridkit.cover.Explanation` and of what ``explain()`` returns for n-puzzles and kings.
    ``str`` is the verdict as a sentence.  A verdict is always true in a condition, whatever it
    says: ask its attribute (``solvable``, ``reachable``) for the answer.

    Attributes
    ----------
    reason : str
        The argument in words, naming the cells or pieces that decide.

    Examples
    --------
    >>> import gridkit as gk
    >>> reason = gk.Tiling(gk.Board.rectangle(1, 3), gk.pieces.domino(), copies=None).explain()
    >>> isinstance(reason, Verdict), bool(reason)
    (True, True)
    """

    __slots__ = ()

    if TYPE_CHECKING:  # subclasses are dataclasses that have the field

        @property
        def reason(self) -> str:
            """The argument in words."""

    def __bool__(self) -> bool:
        return True

    def __str__(self) -> str:
        return self.reason
