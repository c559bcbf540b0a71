"""The plain form of an exact-cover problem that the search engines read."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter

__all__ = ["Matrix"]


@dataclass(frozen=True)
class Matrix:
    """Numbered items and options; picklable, independent of the names a user gave.

    A solution is a set of options that holds item i at least ``low[i]`` and at most ``high[i]``
    times, where a secondary item may be held any number of times when all its holders give it
    the same colour (but 0, no colour, stands alone).  Options without a primary item are never
    chosen.

    Attributes
    ----------
    options : tuple of tuple of int
        The increasing item numbers of each option.
    primary : int
        Items below this number are primary, the others secondary.
    low, high : tuple of int
        Bounds of each primary item.
    colors : tuple of tuple of int, optional
        The colour each option gives each of its items, parallel to `options`; 0 is none.  None
        when no option gives any.
    amounts : tuple of tuple of int, optional
        How many times each option holds each of its items, parallel to `options`: more than once
        only where the item's `high` exceeds 1.  None when always once.
    """

    options: tuple[tuple[int, ...], ...]
    primary: int
    low: tuple[int, ...]
    high: tuple[int, ...]
    colors: tuple[tuple[int, ...], ...] | None = None
    amounts: tuple[tuple[int, ...], ...] | None = None

    @cached_property
    def items(self) -> int:
        """Number of items, primary and secondary."""
        highest = max(map(itemgetter(-1), filter(None, self.options)), default=-1)
        return max(self.primary, highest + 1)

    @cached_property
    def plain(self) -> bool:
        """Whether every option holds an item that is covered exactly once, and none is counted.

        Such a problem is solved as soon as every item with a lower bound is covered.
        """
        if max(self.high, default=0) > 1 or self.amounts is not None:
            return False
        if all(self.low):
            return True
        demanded = {item for item, least in enumerate(self.low) if least}
        return all(
            not demanded.isdisjoint(option) or option[0] >= self.primary for option in self.options
        )

    @cached_property
    def fingerprint(self) -> str:
        """A digest that tells problems apart (for tokens and checkpoint files)."""
        import hashlib
        import marshal

        facts = (self.options, self.primary, self.low, self.high, self.colors, self.amounts)
        # Format 2 writes equal values alike, whichever objects they share.
        return hashlib.sha256(marshal.dumps(facts, 2)).hexdigest()[:32]
