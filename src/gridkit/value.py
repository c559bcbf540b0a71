"""What every immutable value of the library shares.

A `Value` compares, hashes, prints, pickles and copies by its fields and refuses to be changed; a
`Verdict` is what ``explain()`` answers with.  This module imports nothing of the library; what has
a picture is a `gridkit.render.drawable.Drawable` too.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, TypeVar

__all__ = ["Value", "Verdict", "hashable", "put"]

put = object.__setattr__
"""Set an attribute of a value under construction: ``put(self, name, value)``."""

Made = TypeVar("Made", bound="Value")


class Value:
    """Base of immutable values.

    A subclass lists in `_fields` the attributes that make up the value, named like the parameters
    of its constructor, and sets them in ``__init__`` by `_put` (one by one by `put` where
    construction must be fast).  A dict is kept as a read-only view.  Attributes that are computed
    later are `functools.cached_property`: they are neither compared nor pickled.

    Examples
    --------
    >>> class Domino(Value):
    ...     _fields = ("low", "high")
    ...     def __init__(self, low: int, high: int) -> None:
    ...         self._put(low=low, high=high)
    >>> Domino(1, 2), Domino(1, 2) == Domino(low=1, high=2), len({Domino(1, 2), Domino(1, 2)})
    (Domino(low=1, high=2), True, 1)
    >>> Domino(1, 2).low = 3
    Traceback (most recent call last):
    AttributeError: Domino is immutable: cannot set 'low'
    """

    _fields: ClassVar[tuple[str, ...]] = ()

    def _put(self, **attributes: object) -> None:
        """Set attributes during construction; a dict becomes a read-only view."""
        for name, value in attributes.items():
            put(self, name, MappingProxyType(value) if type(value) is dict else value)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable: cannot set {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable: cannot delete {name!r}")

    def _key(self) -> tuple[object, ...]:
        """Return what equality and hash look at."""
        return tuple([hashable(getattr(self, name)) for name in self._fields])

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self is other or self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(self._arguments())})"

    def _arguments(self) -> list[str]:
        """Return the arguments that `repr` shows."""
        values = [(name, getattr(self, name)) for name in self._fields]
        return [
            f"{name}={dict(value) if isinstance(value, MappingProxyType) else value!r}"
            for name, value in values
        ]

    def __copy__(self: Made) -> Made:
        return self

    def __deepcopy__(self: Made, memo: dict[int, object]) -> Made:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        kind = type(self)
        attributes = {
            name: dict(value) if isinstance(value, MappingProxyType) else value
            for name, value in vars(self).items()
            if not isinstance(getattr(kind, name, None), cached_property)
        }
        return _restored, (kind, attributes)


def _restored(kind: type[Made], attributes: dict[str, object]) -> Made:
    """Return the value that was pickled, without checking its attributes again."""
    value = object.__new__(kind)
    value._put(**attributes)
    return value


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


def hashable(value: Any) -> object:
    """Return a hashable form of a field, equal for equal fields.

    Mappings become sets of their items, lists tuples, arrays their shape, dtype and bytes.

    Examples
    --------
    >>> hashable({"a": [1, 2]}) == hashable({"a": (1, 2)})
    True
    """
    if isinstance(value, Mapping):
        return frozenset((key, hashable(each)) for key, each in value.items())
    if isinstance(value, list):
        return tuple(map(hashable, value))
    if hasattr(value, "tobytes"):  # an array, without importing numpy
        return value.shape, str(value.dtype), value.tobytes()
    return value
