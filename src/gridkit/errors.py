"""The exceptions that gridkit raises.

Everything a caller did wrong is a `GridkitError` (a `ValueError`); work that was cut short is a
`LimitReached` or an `Interrupted`, and both carry what was found so far.
"""

from __future__ import annotations

__all__ = [
    "CheckpointError",
    "GridkitError",
    "InputError",
    "Interrupted",
    "InvalidPlanError",
    "LimitReached",
    "ParseError",
    "PlacementError",
    "UnsupportedError",
]


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


class LimitReached(RuntimeError):  # noqa: N818 - it is a result cut short, not a fault
    """A limit stopped the work.

    Parameters
    ----------
    reason : str
        Which limit, in words.
    partial : object
        What was found so far (see each call's documentation).
    token : object
        Pass it as ``resume=`` to the same call to continue; None where it cannot be continued.
    """

    def __init__(self, reason: str, partial: object = None, token: object = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.partial = partial
        self.token = token

    def __reduce__(self) -> tuple[type[LimitReached], tuple[str, object, object]]:
        return type(self), (self.reason, self.partial, self.token)


class Interrupted(KeyboardInterrupt):
    """Ctrl-C stopped the work; carries `partial` and `token` as `LimitReached` does."""

    def __init__(self, partial: object = None, token: object = None) -> None:
        super().__init__("interrupted")
        self.partial = partial
        self.token = token

    def __reduce__(self) -> tuple[type[Interrupted], tuple[object, object]]:
        return type(self), (self.partial, self.token)
