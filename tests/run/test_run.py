"""One call's options, clock, account and tokens."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from gridkit.errors import InputError, Interrupted, LimitReached, Partial, Token, UnsupportedError
from gridkit.run import Limit, Progress, Run, Work, call_name, use_tier
from gridkit.run.jit import JIT_DISABLED
from gridkit.run.limits import current_tier
from programs.run import SOLUTIONS, Queens


class Bare(Work):
    """Says nothing of itself but when it is done."""

    def advance(self, budget: int) -> bool:
        return True


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"limit": 5}, r"limit must be a gridkit\.Limit.* got 5"),
        ({"limit": {"nodes": 5}}, r"limit must be a gridkit\.Limit"),
        ({"progress": True}, "progress must be a callable .* got True"),
        ({"progress": "bar"}, "progress must be a callable .* got 'bar'"),
        ({"executor": 4}, r"executor must be a concurrent\.futures\.Executor or None, got 4"),
        ({"parts": 0}, "parts must be an int >= 1, got 0"),
        ({"parts": True}, "parts must be an int >= 1, got True"),
        ({"parts": 2.0}, "parts must be an int >= 1, got 2.0"),
        ({"checkpoint": 3}, "checkpoint must be a path or None, got 3"),
        ({"resume": 3}, "resume must be the token"),
    ],
)
def test_options_of_the_wrong_kind(options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Run(**options)  # type: ignore[arg-type]  # wrong on purpose


def test_options_that_are_right() -> None:
    with ThreadPoolExecutor(1) as pool:
        run = Run(parts=np.int8(3), executor=pool, checkpoint=Path("a"))  # type: ignore[arg-type]  # an integer as well
    assert (run.parts, type(run.parts)) == (3, int)
    assert run.in_parts
    assert not Run(limit=Limit(nodes=3), progress=print).in_parts
    assert Run().limit == Limit()


@pytest.mark.parametrize(
    ("number", "kept"), [(np.int64(5), 5), (np.uint8(5), 5), (np.float32(0.5), 0.5)]
)
def test_limits_of_numpy(number: object, kept: object) -> None:
    limit = Limit(seconds=number)  # type: ignore[arg-type]  # numbers as well
    assert limit == Limit(seconds=kept)  # type: ignore[arg-type]  # as above
    if isinstance(kept, int):
        assert repr(Limit(nodes=number, memory=number)) == "Limit(nodes=5, seconds=None, memory=5)"  # type: ignore[arg-type]  # as above


def test_a_token_and_a_checkpoint() -> None:
    with pytest.raises(UnsupportedError, match="pass one of the two"):
        Run(checkpoint="a", resume=Token("call", "engine", 1))


def test_what_a_call_does_not_offer() -> None:
    with pytest.raises(UnsupportedError, match="parts: this does not split into parts"):
        Run(parts=2).without_parts("this")
    with pytest.raises(UnsupportedError, match="resume: this cannot be continued"):
        Run(resume=Token("this", "engine", 1)).without_resume("this")
    Run().without_parts("this")
    Run().without_resume("this")


def test_defaults_of_work() -> None:
    work = Bare()
    assert (work.nodes, work.found, work.fraction(), work.memory()) == (0, 0, 0.0, 0)
    assert work.value() is None
    assert work.token() is None
    assert Run().drive(work)
    with pytest.raises(NotImplementedError):
        Work().advance(1)


# The account


def test_several_works_share_a_limit() -> None:
    run = Run(limit=Limit(nodes=3000))
    first, second = Queens(8), Queens(9)
    run.drive(first)
    assert run.spent == first.nodes < 3000
    with pytest.raises(LimitReached, match="node limit reached: 3000 nodes"):
        run.drive(second)
    assert first.nodes + second.nodes == 3000


def test_a_trial_that_is_given_up() -> None:
    run = Run(limit=Limit(nodes=2500))
    work = Queens(9)
    assert not run.drive(work, at_most=1000)
    assert (work.nodes, run.spent) == (1000, 1000)
    assert not run.drive(work, at_most=0)
    with pytest.raises(LimitReached):
        run.drive(work, at_most=2000)
    assert work.nodes == 2500
    short = Queens(6)
    assert Run().drive(short, at_most=1 << 20)
    assert short.found == SOLUTIONS[6]


def test_seconds_count_while_a_call_prepares(monkeypatch: pytest.MonkeyPatch) -> None:
    run = Run(limit=Limit(seconds=100.0), nothing=0, resume=Token("call", "engine", 1))
    run.check()
    run.begun -= 200
    with pytest.raises(LimitReached, match=r"time limit reached: 100\.0 seconds") as caught:
        run.check()
    assert caught.value.partial.value == 0
    assert caught.value.partial.seconds >= 200
    assert caught.value.token == Token("call", "engine", 1)
    work = Queens(8)
    with pytest.raises(LimitReached):
        run.drive(work)
    assert work.nodes == 0


def test_nodes_and_memory_of_the_preparation() -> None:
    run = Run(limit=Limit(nodes=10, memory=1000))
    run.check(nodes=6)
    run.check()
    with pytest.raises(LimitReached, match="memory limit reached: 1001 bytes"):
        run.check(memory=1001)
    with pytest.raises(LimitReached, match="node limit reached: 10 nodes"):
        run.check(nodes=4)
    assert run.spent == 10
    Run(limit=Limit(nodes=0)).check()  # a call that only looks what there is


# Tokens


def cut(run: Run, work: Queens) -> Token:
    with pytest.raises(LimitReached) as caught:
        run.drive(work)
    token = pickle.loads(pickle.dumps(caught.value.token))
    assert isinstance(token, Token)
    return token


def test_a_token_continues_its_call_any_number_of_times() -> None:
    call = call_name("Board.queens", 8)
    run = Run(limit=Limit(nodes=1000))
    assert run.resumed(call, "queens 1") is None
    token = cut(run, Queens(8))
    assert (token.call, token.engine) == (call, "queens 1")
    assert repr(token) == f"<Token of {call} by queens 1>"
    for _ in range(2):
        again = Run(resume=token)
        assert again.resumed_engine == "queens 1"
        state = again.resumed(call, ("queens 1", "queens 2"))
        assert state == token.data
        work = Queens(8, resume=state)  # type: ignore[arg-type]  # tokens are opaque
        again.drive(work)
        assert work.found == SOLUTIONS[8]


def test_the_data_of_a_token_are_a_copy() -> None:
    token = Token("call", "engine", (np.zeros(3),))
    data = Run(resume=token).resumed("call", "engine")
    assert isinstance(data, tuple)
    data[0][:] = 1
    assert isinstance(token.data, tuple)
    assert not token.data[0].any()


def test_a_resumed_call_names_the_engine_that_goes_on() -> None:
    token = Token("call", "plain 1", Queens(8).token())
    run = Run(resume=token, limit=Limit(nodes=10))
    run.resumed("call", ("compiled 1", "plain 1"))
    assert cut(run, Queens(8)).engine == "plain 1"


@pytest.mark.parametrize(
    ("token", "message"),
    [
        (Token("Board.kings 1", "queens 1", 1), "the token belongs to Board.kings, this is"),
        (Token("Board.queens 2", "queens 1", 1), "to Board.queens of another problem"),
        (Token("Board.queens 1", "queens 0", 1), "written by the engine 'queens 0', here answers"),
    ],
)
def test_tokens_of_other_calls(token: Token, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Run(resume=token).resumed("Board.queens 1", "queens 1")


def test_names_of_calls() -> None:
    assert call_name("A.b") == "A.b"
    assert call_name("A.b", 1, "2") == call_name("A.b", 1, "2") != call_name("A.b", "1", 2)


# Ctrl-C


def press_after(seconds: float) -> None:
    signal.setitimer(signal.ITIMER_REAL, seconds)


def wait() -> None:
    while True:
        pass


@pytest.fixture
def alarm() -> Iterator[None]:
    """Let the timer of the process press Ctrl-C."""
    before = signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


needs_timer = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs a timer")


@needs_timer
def test_interrupt_while_a_call_prepares(alarm: None) -> None:
    token = Token("call", "engine", 1)
    press_after(0.02)
    with pytest.raises(Interrupted) as caught, Run(nothing=0, resume=token):
        wait()
    assert caught.value.partial.value == 0
    assert caught.value.token == token
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@needs_timer
def test_interrupt_in_a_call_within_a_call(alarm: None) -> None:
    press_after(0.02)
    with pytest.raises(Interrupted) as caught, Run(nothing=1), Run(nothing=2):
        wait()
    assert caught.value.partial.value == 2
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


SLOW_MODULE = """
import time
end = time.monotonic() + 0.2
while time.monotonic() < end:
    pass
complete = True
"""


@needs_timer
@pytest.mark.parametrize("presses", [1, 3])
def test_an_import_is_not_broken_off(
    alarm: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, presses: int
) -> None:
    name = f"slow_module_{presses}"
    (tmp_path / f"{name}.py").write_text(SLOW_MODULE)
    monkeypatch.syspath_prepend(tmp_path)

    def press(*signals: object) -> None:
        for _ in range(presses):
            signal.raise_signal(signal.SIGINT)

    def call() -> None:
        with Run() as run:
            module = __import__(name)
            complete.append(module.complete)
            run.check()
            complete.append(False)

    complete: list[bool] = []
    signal.signal(signal.SIGALRM, press)
    press_after(0.02)
    with pytest.raises(Interrupted):
        call()
    assert complete == [True]


def test_interrupt_while_driving_within_the_block() -> None:
    class Pressing(Queens):
        def advance(self, budget: int) -> bool:
            signal.raise_signal(signal.SIGINT)
            return super().advance(budget)

    with pytest.raises(Interrupted) as caught, Run(nothing=0) as run:
        run.drive(Pressing(9))
    assert caught.value.partial.nodes > 0
    assert isinstance(caught.value.partial, Partial)


# The tier, and the note of kernels that compile


def test_tiers() -> None:
    assert Run().tier == current_tier() == "auto"
    with use_tier("plain"):
        assert Run().tier == "plain"
        with use_tier("compiled"):
            assert Run().tier == "compiled"
        assert Run().tier == "plain"
    assert Run().tier == "auto"
    with pytest.raises(InputError, match="tier must be one of"), use_tier("fast"):  # type: ignore[arg-type]  # wrong on purpose
        pass


def test_a_watched_call_is_told_of_the_compilation() -> None:
    from gridkit.run.compilation import NOTE, Compilation, compilation

    class Compiling(Queens):
        def advance(self, budget: int) -> bool:
            if not self.nodes:
                with compilation.counted():
                    compilation.begin(kept=True)
                    compilation.begin(kept=True)
                    time.sleep(0.05)
            return super().advance(budget)

    seen: list[Progress] = []
    with Run(progress=seen.append) as run:
        run.drive(Compiling(8))
    notes = [report.note for report in seen]
    assert notes == [NOTE, *[""] * (len(seen) - 1)]
    assert 0.05 <= seen[-1].compiling <= seen[-1].seconds
    assert seen[-1].fraction == 1.0
    account = Compilation()
    with account.counted():
        pass
    assert account.seconds() == 0.0


FIRST_CALL = """
import signal, sys, threading, time
import gridkit as gk

def press():
    while sys.argv[1] not in sys.modules:
        time.sleep(0.001)
    time.sleep(float(sys.argv[2]))
    for _ in range(int(sys.argv[3])):
        signal.raise_signal(signal.SIGINT)

chessboard = gk.Tiling(gk.Board.rectangle(8, 8), [gk.Polyomino.parse("##")], copies=None)
threading.Thread(target=press, daemon=True).start()
try:
    chessboard.count(method="bitset")
    time.sleep(60)
except KeyboardInterrupt as error:
    print(type(error).__name__)
small = gk.Tiling(gk.Board.rectangle(4, 6), [gk.Polyomino.parse("##")], copies=None)
print(small.count(method="bitset"))
"""


@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
@pytest.mark.parametrize(
    ("module", "seconds", "presses"),
    [
        ("numpy", 0.0, 1),
        ("numba", 0.05, 3),
        ("llvmlite.binding", 0.0, 1),
        ("gridkit.cover.search.kernels.bitset", 0.3, 3),
    ],
)
def test_interrupt_while_numba_is_imported_or_compiles(
    tmp_path: Path, module: str, seconds: float, presses: int
) -> None:
    """Ctrl-C is answered, and the process goes on to give the right answers."""
    cache = {"NUMBA_CACHE_DIR": str(tmp_path)} if module.startswith("gridkit") else {}
    done = subprocess.run(
        [sys.executable, "-c", FIRST_CALL, module, str(seconds), str(presses)],
        env={**os.environ, **cache},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.stdout == "Interrupted\n281\n", done.stderr
