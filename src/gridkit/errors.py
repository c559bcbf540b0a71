"""The exceptions that gridkit raises.

Everything a caller did wrong is a `GridkitError` (a `ValueError`); work that was cut short is a
`LimitReached` or an `Interrupted`, and both carry what was found so far.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
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
    "RowError",
    "Token",
    "UnsupportedError",
    "missing_package",
    "naming_packages",
]

T_co = TypeVar("T_co", covariant=True)


class GridkitError(ValueError):
    """Root of the errors caused by what the caller passed in.

    Examples
    --------
    >>> import gridkit as gk
    >>> try:
    ...     gk.Board.parse("..x")
    ... except gk.GridkitError as error:
    ...     print(error)
    line 1, column 3: invalid character 'x' (expected '.' or '#')
    """


class InputError(GridkitError):
    """A value of the wrong kind, shape or range.

    Examples
    --------
    >>> import gridkit as gk
    >>> try:
    ...     gk.Board.rectangle(0, 3)
    ... except gk.InputError as error:
    ...     print(error)
    Board: rows must be an int >= 1, got 0
    """


class RowError(InputError):
    """A row of a batch that is no puzzle; the others are answered.

    Parameters
    ----------
    message : str
        What was expected and what was found.
    row : int
        The first row that is no puzzle.
    partial : object
        What the call returns, with that row and its like marked.

    Examples
    --------
    >>> import gridkit as gk
    >>> try:
    ...     gk.sliding.solve_many(gk.sliding.TileBoards([[[1, 2], [0, 3]], [[1, 2], [4, 3]]]))
    ... except gk.RowError as error:
    ...     print(error.row, error.partial.lengths.tolist())
    1 [[1], [-3]]
    """

    def __init__(self, message: str, row: int, partial: object) -> None:
        super().__init__(message)
        self.row, self.partial = row, partial

    def __reduce__(self) -> tuple[type[RowError], tuple[str, int, object]]:
        return type(self), (str(self), self.row, self.partial)


class ParseError(GridkitError):
    """Malformed text.

    Parameters
    ----------
    message : str
        What was expected and what was found.
    line, column : int, optional
        1-based place in the text; put in front of the message when known.

    Examples
    --------
    >>> import gridkit as gk
    >>> try:
    ...     gk.Board.parse("..x")
    ... except gk.ParseError as error:
    ...     print(error.line, error.column)
    1 3
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
    """A piece that overlaps, sticks out or cannot be placed where it was put.

    Examples
    --------
    >>> import gridkit as gk
    >>> blocks = {"A": [(0, 0)], "B": [(0, 0)]}
    >>> try:
    ...     gk.SlidingPuzzle(gk.Board.rectangle(1, 2), blocks, {"A": (0, 1)})
    ... except gk.PlacementError as error:
    ...     print(error)
    blocks 'A' and 'B' overlap at (0, 0)
    """


class InvalidPlanError(GridkitError):
    """A plan whose replay breaks a rule or misses its goal.

    Parameters
    ----------
    message : str
        The rule that is broken.
    move : int, optional
        0-based index of the first offending move.

    Examples
    --------
    >>> import gridkit as gk
    >>> puzzle = gk.SlidingPuzzle.parse("A..", goal={"A": (0, 2)})
    >>> try:
    ...     gk.Plan(puzzle, [(0, 0, 1)]).verify()
    ... except gk.InvalidPlanError as error:
    ...     print(error)
    the goal is not met after 1 steps
    """

    def __init__(self, message: str, move: int | None = None) -> None:
        super().__init__(message if move is None else f"move {move}: {message}")
        self.message = message
        self.move = move

    def __reduce__(self) -> tuple[type[InvalidPlanError], tuple[str, int | None]]:
        return type(self), (self.message, self.move)


class UnsupportedError(GridkitError):
    """An option that this call cannot honour (it is never silently ignored).

    Examples
    --------
    >>> import gridkit as gk
    >>> tiling = gk.Tiling(gk.Board.rectangle(2, 3), gk.pieces.trominoes(), copies=None)
    >>> try:
    ...     tiling.count(method="kasteleyn")
    ... except gk.UnsupportedError as error:
    ...     print(error)
    method 'kasteleyn' counts coverings by dominoes only, found a piece of 3 cells
    """


def missing_package(error: ImportError) -> UnsupportedError | None:
    """Return what to raise for a package of compiled code that is not installed.

    Small problems are answered without numpy and numba; in a browser there is no numba.

    Returns
    -------
    UnsupportedError or None
        None where another import failed.

    Examples
    --------
    >>> print(missing_package(ModuleNotFoundError(name="numba.core")))
    this call needs compiled code, and numba is not installed: pip install numpy numba (there is \
no numba for browsers)
    """
    name = (error.name or "").partition(".")[0]
    if name not in ("numpy", "numba", "llvmlite"):
        return None
    return UnsupportedError(
        f"this call needs compiled code, and {name} is not installed: pip install numpy numba "
        "(there is no numba for browsers)"
    )


@contextmanager
def naming_packages() -> Iterator[None]:
    """Raise `missing_package` for an import that fails in a ``with`` block."""
    try:
        yield
    except ImportError as error:
        raise missing_package(error) or error from None


class CheckpointError(GridkitError):
    """A checkpoint file that is damaged, too new, or belongs to another problem.

    Examples
    --------
    >>> import gridkit as gk
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> from tempfile import NamedTemporaryFile
    >>> file = NamedTemporaryFile()
    >>> file.write(b"another file"), file.flush()
    (12, None)
    >>> tiling = gk.Tiling(gk.Board.rectangle(3, 20), gk.pieces.pentominoes(), reflect=True)
    >>> try:
    ...     tiling.count(checkpoint=file.name)
    ... except gk.CheckpointError:
    ...     print("refused")
    refused
    """


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

    Examples
    --------
    >>> partial = Partial(24, nodes=1000, fraction=0.25)
    >>> partial.value, partial.fraction
    (24, 0.25)
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

    Examples
    --------
    >>> import gridkit as gk
    >>> cover = gk.ExactCover([[i] for i in range(6) for _ in "ab"])
    >>> try:
    ...     given = list(cover.solutions(limit=gk.Limit(nodes=9)))
    ... except gk.LimitReached as reached:
    ...     given = reached.partial.value
    ...     rest = list(cover.solutions(resume=reached.token))
    >>> given + len(rest)
    64
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

    Examples
    --------
    >>> import gridkit as gk
    >>> tiling = gk.Tiling(gk.Board.rectangle(4, 4), gk.pieces.domino(), copies=None)
    >>> try:
    ...     tiling.count(method="plain", limit=gk.Limit(nodes=20))
    ... except gk.LimitReached as reached:
    ...     print(reached.partial.value, tiling.count(method="plain", resume=reached.token))
    5 36
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
    """Ctrl-C stopped the work; carries `partial` and `token` as `LimitReached` does.

    Examples
    --------
    >>> import gridkit as gk
    >>> issubclass(gk.Interrupted, KeyboardInterrupt), issubclass(gk.Interrupted, gk.GridkitError)
    (True, False)
    """

    def __init__(self, partial: Partial[object] | None = None, token: Token | None = None) -> None:
        super().__init__("interrupted")
        self.partial: Partial[object] = Partial(None) if partial is None else partial
        self.token = token

    def __reduce__(self) -> tuple[type[Interrupted], tuple[Partial[object], Token | None]]:
        return type(self), (self.partial, self.token)
