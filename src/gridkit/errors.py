"""The exceptions that gridkit raises.

Everything a caller did wrong is a `GridkitError` (a `ValueError`); work that was cut short is a
`LimitReached` or an `Interrupted`, and both carry what was found so far.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

__all__ = [
    "CheckpointError",
    "GridkitError",
    "InputError",
    "Interrupted",
    "InvalidPlanError",
    "LimitReached",
    "ParseError",
    "Partial",
    "PlacementError",
    "Token",
    "UnsupportedError",
]

T_co = TypeVar("T_co", covariant=True)


class GridkitError(ValueError):
    """Root of the errors caused by what the caller passed in."""


class InputError(GridkitError):
    """A value of the wrong kind, shape or range."""


class ParseError(GridkitError):
    """Malformed text.

    Parameters
    ----------
    message : str
        What was expected and what was found.
    line, column : int, optional
        1-based place in the text; put in front of the message when known.
    """

    def __init__(self, message: str, line: int | None = None, column: int | None = None) -> None:
        place = "" if line is None else f"line {line}"
        if line is not None and column is not None:
            place += f", column {column}"
        super().__init__(f"{place}: {message}" if place else message)
        self.message = message
        self.line = line
        self.column = column

    def __reduce__(self) -> tuple[type[ParseError], tuple[str, int | None, int | None]]:
        return type(self), (self.message, self.line, self.column)


class PlacementError(GridkitError):
    """A piece that overlaps, sticks out or cannot be placed where it was put."""


class InvalidPlanError(GridkitError):
    """A plan whose replay breaks a rule or misses its goal.

    Parameters
    ----------
    message : str
        The rule that is broken.
    move : int, optional
        0-based index of the first offending move.
    """

    def __init__(self, message: str, move: int | None = None) -> None:
        super().__init__(message if move is None else f"move {move}: {message}")
        self.message = message
        self.move = move

    def __reduce__(self) -> tuple[type[InvalidPlanError], tuple[str, int | None]]:
        return type(self), (self.message, self.move)


class UnsupportedError(GridkitError):
    """An option that this call cannot honour (it is never silently ignored)."""


class CheckpointError(GridkitError):
    """A checkpoint file that is damaged, too new, or belongs to another problem."""


@dataclass(frozen=True, slots=True)
class Partial(Generic[T_co]):
    """What a call cut short leaves behind.

    Attributes
    ----------
    value : object
        The call's result so far, of the kind that the whole call returns: for a count a lower
        bound, for a search None or the best answer so far.
    nodes, found, fraction, seconds
        As in `gridkit.Progress`.
    """

    value: T_co
    nodes: int = 0
    found: int = 0
    fraction: float = 0.0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Token:
    """Where a call stood when it was cut short: pass it as ``resume=`` to the same call.

    Tokens can be pickled and used any number of times; what they hold is nobody else's business.

    Attributes
    ----------
    call : str
        The call and its problem.
    engine : str
        The engine that knows how to go on from `data`, with the version of its states.
    data : object
        The engine's state: a snapshot that nobody changes any more.
    """

    call: str
    engine: str
    data: object

    def __repr__(self) -> str:
        return f"<Token of {self.call} by {self.engine}>"


class LimitReached(RuntimeError):  # noqa: N818 - it is a result cut short, not a fault
    """A limit stopped the work.

    Parameters
    ----------
    reason : str
        Which limit, in words.
    partial : Partial, optional
        What the call has so far; its value is None when left out.
    token : Token
        Pass it as ``resume=`` to the same call to continue; None where it cannot be continued.
    """

    def __init__(
        self, reason: str, partial: Partial[object] | None = None, token: Token | None = None
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.partial: Partial[object] = Partial(None) if partial is None else partial
        self.token = token

    def __reduce__(self) -> tuple[type[LimitReached], tuple[str, Partial[object], Token | None]]:
        return type(self), (self.reason, self.partial, self.token)


class Interrupted(KeyboardInterrupt):
    """Ctrl-C stopped the work; carries `partial` and `token` as `LimitReached` does."""

    def __init__(self, partial: Partial[object] | None = None, token: Token | None = None) -> None:
        super().__init__("interrupted")
        self.partial: Partial[object] = Partial(None) if partial is None else partial
        self.token = token

    def __reduce__(self) -> tuple[type[Interrupted], tuple[Partial[object], Token | None]]:
        return type(self), (self.partial, self.token)
