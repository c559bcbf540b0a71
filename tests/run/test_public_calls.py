"""What every public call promises alike: kinds of options, limits, hints of types."""

from __future__ import annotations

import inspect
import pickle
import re
import signal
import typing
from collections import ChainMap
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

import gridkit as gk
from gridkit.run import Token
from gridkit.run.jit import JIT_DISABLED
from programs.long_calls import CALLS, LongCall, ask

RUN_OPTIONS = ("limit", "progress", "executor", "parts", "checkpoint", "resume")


def public_objects(module: ModuleType, path: str = "") -> Iterator[tuple[str, object]]:
    """Walk what the packages show, and the public methods of classes, those inherited too."""
    for name in module.__all__:
        value = getattr(module, name)
        if inspect.ismodule(value):
            yield from public_objects(value, f"{path}{name}.")
        elif inspect.isclass(value):
            yield path + name, value
            own = [each for each in value.__mro__ if each.__module__.startswith("gridkit")]
            for member, function in ChainMap(*(dict(vars(each)) for each in own)).items():
                if not member.startswith("_") or member == "__init__":
                    plain = getattr(function, "__func__", getattr(function, "fget", function))
                    if inspect.isfunction(plain):
                        yield f"{path}{name}.{member}", plain
        elif inspect.isfunction(value):
            yield path + name, value


def named_once(objects: Iterator[tuple[str, object]]) -> dict[str, object]:
    """Name each object by the shortest of its names."""
    names: dict[int, str] = {}
    values = dict(objects)
    for name, value in values.items():
        if len(name) < len(names.get(id(value), name + " ")):
            names[id(value)] = name
    return {name: values[name] for name in names.values()}


OBJECTS = named_once(public_objects(gk))


def options_of(function: object) -> set[str]:
    if not inspect.isfunction(function):
        return set()
    return set(inspect.signature(function).parameters) & set(RUN_OPTIONS)


@pytest.mark.parametrize("name", OBJECTS)
def test_types_can_be_asked_for(name: str) -> None:
    typing.get_type_hints(OBJECTS[name])


def test_every_call_with_a_limit_is_known_here() -> None:
    names = {name for name, function in OBJECTS.items() if "limit" in options_of(function)}
    assert names <= {call.name for call in CALLS}


def test_calls_that_cannot_be_continued_say_so() -> None:
    """In their docstrings, or in those of the calls these name, and on the page on long runs."""
    pages = Path(__file__).parents[2] / "docs" / "how-to" / "long-runs.md"
    page = pages.read_text()
    for call in CALLS:
        options = options_of(OBJECTS[call.name])
        shown = call.name.rpartition(".")[2]
        assert f"{shown}`" in page or f"{shown}(" in page, call.name
        if "resume" not in options:
            text = OBJECTS[call.name].__doc__ or ""
            assert re.search("continued|resume|token|As in|see the function", text), call


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.name)
@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("limit", 5),
        ("limit", 0.5),
        ("progress", True),
        ("executor", 4),
        ("parts", 0),
        ("parts", "many"),
        ("checkpoint", 3),
        ("resume", 7),
    ],
)
def test_options_of_the_wrong_kind(call: LongCall, option: str, value: object) -> None:
    """Also where the answer is known at once."""
    if option not in options_of(OBJECTS[call.name]):
        pytest.skip("the call has no such option")
    with pytest.raises(gk.InputError, match=f"^{option} must be"):
        call.small()(**{option: value})


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.name)
def test_a_limit_that_is_not_met_changes_nothing(call: LongCall) -> None:
    limit = gk.Limit(nodes=10**9, seconds=1e6, memory=1 << 40)
    seen: list[gk.Progress] = []
    ask(call.small(), limit=limit, progress=seen.append)
    assert all(0 <= report.fraction <= 1 for report in seen)


NODES = 3000
QUICKLY_MADE = {
    "permutations", "plain", "none", "assignment", "chessboard", "chessboard, masks",
    "chessboard in 1000 parts", "dominoes", "8 x 8", "5 x 5, shortest", "large", "step", "move",
    "long", "sweep", "one by one", "shortest, 9 x 9", "short",
}  # fmt: skip
LONG = {
    f"{call.name}: {name}": make
    for call in CALLS
    for name, make in call.large.items()
    if name in QUICKLY_MADE
}


@pytest.mark.skipif(JIT_DISABLED, reason="long questions")
@pytest.mark.parametrize("make", LONG.values(), ids=LONG)
def test_nodes_are_near_the_limit(make: Callable[[], Callable[..., object]]) -> None:
    with pytest.raises(gk.LimitReached) as caught:
        ask(make(), limit=gk.Limit(nodes=NODES))
    assert caught.value.partial.nodes <= 2 * NODES
    if caught.value.token is not None:
        pickle.loads(pickle.dumps(caught.value.token))


@pytest.mark.skipif(JIT_DISABLED, reason="long questions")
@pytest.mark.parametrize("make", LONG.values(), ids=LONG)
def test_limits_and_interrupts_leave_the_same_kind_of_value(
    make: Callable[[], Callable[..., object]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gridkit.run.control._PROGRESS_SECONDS", 0.0)
    monkeypatch.setattr("gridkit.run.parallel._REPORT_SECONDS", 0.0)
    call = make()
    with pytest.raises(gk.LimitReached) as reached:
        ask(call, limit=gk.Limit(nodes=NODES))
    with pytest.raises(gk.Interrupted) as interrupted:
        ask(call, progress=lambda progress: signal.raise_signal(signal.SIGINT))
    kinds = {type(cut.value.partial.value) for cut in (reached, interrupted)} - {type(None)}
    assert len(kinds) <= 1
    tokens = {type(cut.value.token) for cut in (reached, interrupted)} - {type(None)}
    assert tokens <= {Token}
