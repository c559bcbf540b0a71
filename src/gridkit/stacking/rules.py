"""The rules of a stacking game as values: what is lifted, how far it goes, what becomes of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Literal, get_args

from gridkit.errors import InputError, ParseError, UnsupportedError
from gridkit.reading import read_int

__all__ = ["Effect", "Hook", "StackingRules"]

Hook = Callable[[tuple[int, ...], tuple[int, ...]], tuple[Sequence[int], Sequence[int]]]
Effect = str | Hook
Schedule = Literal["turns", "bottoms", "tops", "choice"]
Lift = Literal["above", "stack", "top", "alone"]
Landing = Literal["top", "bottom"]
Border = Literal["block", "wrap", "sink"]
Blocked = Literal["bounce", "restore", "turn", "skip"]

BLOCK, REVERSE, SINK, GOAL, WRAP, HOOK = 1, 2, 16, 32, 64, 128
TURN_SHIFT = 2  # two bits: quarter turns clockwise
_FLAGS = {
    "keep": 0,
    "reverse": REVERSE,
    "block": BLOCK,
    "right": 1 << TURN_SHIFT,
    "around": 2 << TURN_SHIFT,
    "left": 3 << TURN_SHIFT,
    "sink": SINK,
    "goal": GOAL,
}
_TURNS = ("right", "around", "left")
_FARTHEST = 10**9
_MOST_EFFECTS = 29  # as many as a game's text has marks for
_CHOICES: dict[str, tuple[str, ...]] = {
    "schedule": get_args(Schedule),
    "lift": get_args(Lift),
    "landing": get_args(Landing),
    "border": get_args(Border),
    "blocked": get_args(Blocked),
}


@dataclass(frozen=True, slots=True)
class StackingRules:
    """What happens in a turn, and when play stops; the default rules are those of New Game 2.

    In a turn a piece walks in its direction and takes a slice of its stack along.

    Parameters
    ----------
    schedule : {"turns", "bottoms", "tops", "choice"}
        Who plays in a round: every piece in the order of the numbers; only those that lie at the
        bottom of their stack when their turn comes; only those on top; or whom the caller chooses
        (`StackingGame.start`).
    lift : {"above", "stack", "top", "alone"}
        The slice that moves: the piece and all above it; its whole stack; the top `lift_count`
        pieces of its stack, whether it is among them or not; the piece alone, pulled out.
    lift_count : int
        How many pieces ``lift="top"`` takes (all, if there are fewer).
    distance : int, "height" or "blocked"
        Cells to go: a number; as many as the stack is high before the move; or until a block.  A
        journey that is blocked after its first cell ends there.  On the way only blocks and sinks
        count: a sink swallows whatever comes over it.  With a border that wraps, a slice that
        goes until blocked stops at the latest on its own cell, once round the board.
    landing : {"top", "bottom"}
        Whether the slice comes to lie on the stack it meets, or under it.
    effects : sequence of str or callable
        What each cell code does to the arriving slice: ``"keep"`` its order, ``"reverse"`` it,
        ``"block"`` it, turn each of its pieces ``"left"``, ``"right"`` or ``"around"``,
        ``"sink"`` it (the pieces leave play), or ``"goal"`` (play stops when it arrives); names
        joined by ``+`` act together ("reverse+left").  A callable is an effect of your own:
        ``hook(ids, directions) -> (ids, directions)`` gets the slice from the bottom up and
        returns it as it shall lie; pieces it leaves out have sunk.  It must depend on nothing but
        its arguments, and is played by the plain engine only.
    border : {"block", "wrap", "sink"}
        What lies beyond the board: a block, the opposite side, or a sink.
    blocked : {"bounce", "restore", "turn", "skip"}
        What a blocked piece does.  ``"bounce"``: it turns around and tries once more, and stays
        turned even if that is blocked too.  ``"restore"``: the same, but if both ways are blocked
        it looks the old way again.  ``"turn"``: it turns around and waits for its next turn.
        ``"skip"``: nothing.
    stop_height : int or None
        Play stops, in the middle of a round, when a slice has landed and the stack is at least
        this high.
    stop_left : int or None
        Play stops when a slice has sunk and at most this many pieces are left.

    Raises
    ------
    InputError
        For a value that is not one of these.

    Examples
    --------
    >>> StackingRules(schedule="bottoms", lift="stack")
    StackingRules(schedule='bottoms', lift='stack')
    >>> StackingRules.from_json(StackingRules(stop_height=3).to_json()).stop_height
    3
    """

    schedule: Schedule = "turns"
    lift: Lift = "above"
    lift_count: int = 1
    distance: int | Literal["height", "blocked"] = 1
    landing: Landing = "top"
    effects: tuple[Effect, ...] = ("keep", "reverse", "block")
    border: Border = "block"
    blocked: Blocked = "bounce"
    stop_height: int | None = 4
    stop_left: int | None = None

    def __post_init__(self) -> None:
        for name, choices in _CHOICES.items():
            value = getattr(self, name)
            if not isinstance(value, str) or value not in choices:
                expected = ", ".join(repr(choice) for choice in choices)
                raise InputError(f"rules: {name} must be one of {expected}, got {value!r}")
        self._read_count("lift_count", 1)
        if not isinstance(self.distance, str):
            self._read_count("distance", 1, " or 'height' or 'blocked'")
            if self.distance > _FARTHEST:
                raise InputError(f"rules: distance must be at most {_FARTHEST}")
        elif self.distance not in ("height", "blocked"):
            raise InputError(
                f"rules: distance must be an int >= 1 or 'height' or 'blocked', "
                f"got {self.distance!r}"
            )
        if self.stop_height is not None:
            self._read_count("stop_height", 1, " or None")
        if self.stop_left is not None:
            self._read_count("stop_left", 0, " or None")
        if isinstance(self.effects, str) or not isinstance(self.effects, Sequence):
            raise InputError(f"rules: effects must be a sequence, got {self.effects!r}")
        if not 1 <= len(self.effects) <= _MOST_EFFECTS:
            raise InputError(
                f"rules: expected 1 to {_MOST_EFFECTS} effects, got {len(self.effects)}"
            )
        object.__setattr__(self, "effects", tuple(self.effects))
        for effect in self.effects:
            _flags(effect)

    def _read_count(self, name: str, least: int, otherwise: str = "") -> None:
        """Make an attribute a Python int, or refuse it."""
        try:
            count = read_int(getattr(self, name), f"rules: {name}", least)
        except InputError as error:
            expected = f"an int >= {least}"
            raise InputError(str(error).replace(expected, expected + otherwise, 1)) from None
        object.__setattr__(self, name, count)

    def flags(self) -> list[int]:
        """Return the flags of every cell code and, last, those of the border."""
        border = {"block": BLOCK, "wrap": WRAP, "sink": SINK}[self.border]
        return [_flags(effect) for effect in self.effects] + [border]

    @property
    def has_hooks(self) -> bool:
        """Whether an effect is a callable."""
        return any(callable(effect) for effect in self.effects)

    def to_json(self) -> str:
        """Return the rules as a JSON object of the parameters.

        Raises
        ------
        UnsupportedError
            When an effect is a callable.
        """
        if self.has_hooks:
            raise UnsupportedError("rules with a callable effect have no JSON form")
        import json  # here, so that a game without JSON starts faster

        return json.dumps({field.name: getattr(self, field.name) for field in fields(self)})

    @classmethod
    def from_json(cls, text: str) -> StackingRules:
        """Read what `to_json` wrote; parameters that are left out have their defaults.

        Raises
        ------
        ParseError
            For text that is not a JSON object of known parameters.
        InputError
            For a parameter of a wrong value.
        """
        import json

        try:
            values = json.loads(text)
        except json.JSONDecodeError as error:
            raise ParseError(f"rules: {error.msg}", error.lineno, error.colno) from None
        except (TypeError, ValueError, RecursionError) as error:
            raise ParseError(f"rules: expected JSON text: {error}") from None
        if not isinstance(values, dict):
            raise ParseError(f"rules: expected a JSON object, found {type(values).__name__}")
        known = [field.name for field in fields(cls)]
        for name in values:
            if name not in known:
                raise ParseError(f"rules: unknown name {name!r} (known: {', '.join(known)})")
        return cls(**values)

    def __repr__(self) -> str:
        changed = (
            f"{field.name}={getattr(self, field.name)!r}"
            for field in fields(self)
            if getattr(self, field.name) != field.default
        )
        return f"StackingRules({', '.join(changed)})"


def _flags(effect: object) -> int:
    """Return the flags of one effect."""
    if callable(effect):
        return HOOK
    names = effect.split("+") if isinstance(effect, str) else []
    unknown = [name for name in names if name not in _FLAGS]
    if unknown or not names:
        raise InputError(
            f"rules: unknown effect {effect!r} (expected {', '.join(_FLAGS)}, some of them joined"
            " by '+', or a callable)"
        )
    if len(set(names)) < len(names) or sum(name in _TURNS for name in names) > 1:
        raise InputError(f"rules: effect {effect!r} says the same twice")
    if "block" in names and len(names) > 1:
        raise InputError(f"rules: effect {effect!r}: what is blocked does not arrive")
    return sum(_FLAGS[name] for name in names)
