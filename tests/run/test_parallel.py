"""Work in parts, through executors."""

from __future__ import annotations

import multiprocessing
import pickle
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridkit.errors import InputError, Interrupted, LimitReached, Token
from gridkit.run import Limit, Partial, Progress, Run
from gridkit.run.parallel import Order, Part, run_parts, spend
from programs.run import (
    SOLUTIONS,
    Endless,
    Queens,
    count_queens,
    parts_of_queens,
    state_of,
    total,
    visit_queens,
)


class Backwards(Executor):
    """Does what it is given in the reverse order, when somebody waits, in one other thread."""

    def __init__(self) -> None:
        self.jobs: list[tuple[Future[object], Callable[[], object]]] = []
        self.submitted = 0
        threading.Thread(target=self._work, daemon=True).start()

    def submit(self, function, /, *arguments):  # type: ignore[no-untyped-def,override]  # less general than the base class
        future: Future[object] = Future()
        self.submitted += 1
        pickled = pickle.dumps((function, arguments))

        def job() -> object:
            function, arguments = pickle.loads(pickled)
            return function(*arguments)

        self.jobs.append((future, job))
        return future

    def _work(self) -> None:
        while True:
            if not self.jobs:
                time.sleep(0.001)
                continue
            future, job = self.jobs.pop()
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(job())
                except Exception as error:
                    future.set_exception(error)


def check(executor: Executor | None, size: int = 9) -> None:
    assert count_queens(size, executor=executor) == SOLUTIONS[size]


def test_calling_thread() -> None:
    check(None)


def test_threads() -> None:
    with ThreadPoolExecutor(2) as pool:
        check(pool)
        check(pool, 8)


def test_an_executor_that_tells_nothing_and_mixes_the_order() -> None:
    check(Backwards())


def test_spawned_processes() -> None:
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        check(pool)


def test_loky() -> None:
    loky = pytest.importorskip("loky", reason="loky is in the group 'cluster'")
    pool = loky.get_reusable_executor(2)
    try:
        check(pool)
    finally:
        pool.shutdown(wait=True)


@pytest.mark.filterwarnings("ignore")  # what a cluster warns of is not ours
def test_dask() -> None:
    distributed = pytest.importorskip("distributed", reason="dask is in the group 'cluster'")
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=2, dashboard_address=None, processes=True
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        check(client.get_executor())


def test_results_are_combined_in_order() -> None:
    parts = parts_of_queens(7)
    values = [count_of(part) for part in parts]
    assert len(set(values)) > 1
    run = run_parts(visit_queens, 7, parts, Run(executor=Backwards()), combine=list)
    assert run == values


def count_of(part: Part) -> int:
    assert isinstance(part.state, tuple)
    work = Queens(7, part.state)
    while not work.advance(1000):
        pass
    return work.found


def test_no_parts() -> None:
    assert run_parts(visit_queens, 7, [], Run(), combine=total) == 0


@pytest.mark.parametrize("executor", [3, "threads", object()])
def test_what_is_no_executor(executor: object) -> None:
    with pytest.raises(InputError, match=r"executor must be a concurrent\.futures\.Executor"):
        count_queens(6, executor=executor)


@pytest.fixture(params=["inline", "threads", "backwards"])
def executor(request: pytest.FixtureRequest) -> Iterator[Executor | None]:
    if request.param == "inline":
        yield None
    elif request.param == "threads":
        with ThreadPoolExecutor(2) as pool:
            yield pool
    else:
        yield Backwards()


def nodes_in_all(size: int) -> int:
    seen: list[Progress] = []
    count_queens(size, progress=seen.append)
    return seen[-1].nodes


def test_progress(executor: Executor | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridkit.run.parallel._REPORT_SECONDS", 0.0)
    seen: list[Progress] = []
    assert count_queens(9, executor=executor, progress=seen.append) == SOLUTIONS[9]
    for earlier, later in pairwise(seen):
        assert earlier.nodes <= later.nodes
        assert earlier.found <= later.found
        assert earlier.fraction <= later.fraction
    assert (seen[-1].fraction, seen[-1].found) == (1.0, SOLUTIONS[9])


@pytest.mark.parametrize("nodes", [0, 1, 1000, 4000])
def test_node_limit_is_never_overspent(executor: Executor | None, nodes: int) -> None:
    with pytest.raises(LimitReached, match=f"node limit reached: {nodes} nodes") as caught:
        count_queens(9, executor=executor, limit=Limit(nodes=nodes))
    partial, token = caught.value.partial, caught.value.token
    assert isinstance(partial, Partial)
    assert partial.nodes == nodes
    assert isinstance(token, Token)
    token = pickle.loads(pickle.dumps(token))
    assert count_queens(9, ledger=token.data) == SOLUTIONS[9]


def test_a_limit_that_is_not_met(executor: Executor | None) -> None:
    nodes = nodes_in_all(8)
    assert count_queens(8, executor=executor, limit=Limit(nodes + 1, 60.0, 1 << 20)) == 92


@given(st.lists(st.integers(1, 3000), max_size=12))
def test_continued_calls_give_the_unbroken_answer(budgets: list[int]) -> None:
    parts = parts_of_queens(8)
    for nodes in budgets:
        try:
            assert count_queens(8, ledger=parts, limit=Limit(nodes=nodes)) == 92
        except LimitReached as reached:
            parts = list(state_of(reached))  # type: ignore[arg-type]  # parts, not rows
    assert count_queens(8, ledger=parts) == 92


def visit_endless(order: Order, problem: None, part: Part) -> Part:
    return spend(order, Endless(), replace(part, nodes=0))


def test_time_limit(executor: Executor | None) -> None:
    with pytest.raises(LimitReached, match="time limit reached"):
        run_parts(
            visit_endless,
            None,
            [Part(None)] * 8,
            Run(executor=executor, limit=Limit(seconds=0.05)),
            combine=total,
        )


def test_memory_limit(executor: Executor | None) -> None:
    with pytest.raises(LimitReached, match="memory limit reached") as caught:
        count_queens(8, executor=executor, limit=Limit(memory=100))
    assert isinstance(caught.value.token, Token)
    assert count_queens(8, ledger=caught.value.token.data) == 92


def test_interrupt(executor: Executor | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridkit.run.parallel._REPORT_SECONDS", 0.0)

    def press(progress: Progress) -> None:
        if progress.nodes > 2000 and progress.fraction < 1:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(Interrupted) as caught:
        count_queens(10, executor=executor, progress=press)
    partial, token = caught.value.partial, caught.value.token
    assert isinstance(partial, Partial)
    assert isinstance(token, Token)
    assert isinstance(token.data, tuple)
    assert 2000 < partial.nodes < nodes_in_all(10)
    assert partial.value == sum(part.found for part in token.data)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert count_queens(10, executor=executor, ledger=token.data) == SOLUTIONS[10]


def visit_and_fail(order: Order, problem: int, part: Part) -> Part:
    raise ZeroDivisionError(f"part {part.state}")


def test_an_error_in_a_worker_reaches_the_caller(executor: Executor | None) -> None:
    with pytest.raises(ZeroDivisionError, match="part"):
        run_parts(visit_and_fail, 7, parts_of_queens(7), Run(executor=executor), combine=total)
    check(executor, 8)


def test_long_parts_are_visited_in_turn(
    executor: Executor | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("_VISIT_SECONDS", "_INLINE_SECONDS"):
        monkeypatch.setattr(f"gridkit.run.parallel.{name}", 0.002)
    check(executor, 10)


def test_workers_in_this_process_stop_when_the_run_is_called_off() -> None:
    with ThreadPoolExecutor(2) as pool:
        with pytest.raises(LimitReached):
            run_parts(
                visit_endless,
                None,
                [Part(None)] * 2,
                Run(executor=pool, limit=Limit(seconds=0.05)),
                combine=total,
            )
        # A worker still at an endless visit would keep this from beginning for a second.
        assert pool.submit(int).result(timeout=0.9) == 0
