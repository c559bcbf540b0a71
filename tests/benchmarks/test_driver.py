"""The driver of the benchmarks, with fake cases and a fake clock: no figure is of this machine."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import count
from pathlib import Path
from types import ModuleType

import pytest

from measuring import Case, Measured, Result, measure, process
from reporting import Document, Row, compared, dumped, machine, markdown, merged, read, seconds

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
FILES = sorted(path.stem for path in BENCHMARKS.glob("bench_*.py"))


def command() -> ModuleType:
    spec = importlib.util.spec_from_file_location("benchmarks_main", BENCHMARKS / "__main__.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def ticks(step: float = 0.001) -> Callable[[], float]:
    """Return a clock that goes on by a step whenever it is read."""
    numbers: Iterator[int] = count()
    return lambda: step * next(numbers)


def row(way: str = "ours", least: float | None = 0.5, **facts: object) -> Row:
    result = Result("a case", way, **facts).row()  # type: ignore[arg-type]  # fields of Result
    made: Row = Row(file="fake", **result)  # type: ignore[typeddict-item]  # of these names
    made["least"] = made["median"] = least
    made["runs"] = 3
    return made


def test_ways_run_in_turn_forwards_and_backwards() -> None:
    order: list[str] = []

    def way(name: str) -> Callable[[], object]:
        return lambda: order.append(name) or 7  # type: ignore[func-returns-value]  # None or 7

    case = Case("x", lambda: {"A": way("A"), "B": way("B")}, 7, seconds=0, rounds=3, clock=ticks())
    results = measure(case)
    assert "".join(order) == "AB" + "AB" + "BA" + "AB"
    assert [(result.way, result.status, len(result.times)) for result in results] == [
        ("A", "ok", 3),
        ("B", "ok", 3),
    ]
    assert all(time == pytest.approx(0.001) for result in results for time in result.times)


def test_short_cases_get_more_rounds_and_long_ones_one() -> None:
    short = Case("x", lambda: {"A": lambda: 1}, 1, seconds=10, clock=ticks(1))
    assert len(measure(short)[0].times) == 10
    long = Case("x", lambda: {"A": lambda: 1}, 1, clock=ticks(6))
    assert len(measure(long)[0].times) == 1


def test_a_wrong_answer_is_wrong_and_not_fast() -> None:
    ways: dict[str, Callable[[], object]] = {
        "ours": lambda: 9356,
        "memoised": lambda: 9351,
        "broken": lambda: 1 // 0,
    }
    ours, wrong, broken = measure(Case("x", lambda: ways, 9356, seconds=0, clock=ticks()))
    assert (ours.status, wrong.status, broken.status) == ("ok", "wrong", "fails")
    assert wrong.times == broken.times == []
    assert wrong.message == "9351 instead of 9356"
    assert broken.message.startswith("ZeroDivisionError")
    # Without an expected answer all ways must agree with the first.
    assert [result.status for result in measure(Case("x", lambda: ways, seconds=0))] == [
        "ok", "wrong", "fails",
    ]  # fmt: skip


def test_a_set_up_that_fails_is_told() -> None:
    def setup() -> dict[str, Callable[[], object]]:
        raise ImportError("no module named 'gridkit.tomorrow'")

    (result,) = measure(Case("x", setup))
    assert (result.status, result.times) == ("fails", [])
    assert "gridkit.tomorrow" in result.message


def test_what_measures_itself_is_believed() -> None:
    measured = Measured(3, seconds=0.25, amount=10, facts={"B/state": 8.0})
    case = Case("x", lambda: {"C": lambda: measured}, 3, seconds=0, amount=100, clock=ticks())
    (result,) = measure(case)
    assert result.times == [0.25] * 3
    assert (result.amount, result.facts) == (10, {"B/state": 8.0})


def test_memory_is_that_of_the_way() -> None:
    if not Path("/proc/self/clear_refs").exists():
        pytest.skip("the peak can be reset on Linux only")
    size = 1 << 26
    (result,) = measure(Case("x", lambda: {"A": lambda: len(b"\1" * size)}, size, rounds=1))
    assert result.peak is not None
    assert size * 0.8 < result.peak < size * 2


def test_processes_are_measured_whole() -> None:
    measured = process(["python", "-c", "print(input() * 2)"], text="ab\n")
    assert measured.answer == "abab\n"
    assert measured.seconds is not None
    assert measured.facts["peak of the process in MB"] > 1
    with pytest.raises(RuntimeError, match="exit status 3"):
        process(["python", "-c", "raise SystemExit(3)"])


def test_json_round_trip(tmp_path: Path) -> None:
    rows = [row(), row("C", 0.25, facts={"bytes": 3}), row("peer", None, status="wrong")]
    path = tmp_path / "run.json"
    path.write_text(dumped({"cpu": "µ"}, rows), encoding="utf-8")
    assert read(path) == Document(machine={"cpu": "µ"}, rows=rows)
    assert len(path.read_text(encoding="utf-8").splitlines()) == 3 + len(rows)  # a row a line
    path.write_text("[]", encoding="utf-8")
    with pytest.raises(ValueError, match=r"run\.json: expected the JSON of a run"):
        read(path)


def test_markdown_is_a_table_of_equal_rows() -> None:
    rows = [
        row(amount=10, unit="games"),
        row("C", 0.25, amount=10, unit="games"),
        row("peer | x", None, status="wrong", message="1 instead of 2"),
        row("part", 0.25, amount=1, unit="games"),
    ]
    text = markdown(Document(machine={"cpu": "a cpu", "date": "today"}, rows=rows))
    assert text.startswith("cpu a cpu; date today\n\n## fake\n\n| case |")
    lines = text.splitlines()[4:]
    assert {line.replace("\\|", "").count("|") for line in lines} == {8}
    assert lines[2] == "| a case | ours | 500 ms | 500 ms |  |  | 20 games/s |"
    assert lines[3] == "|  | C | 250 ms | 250 ms |  | 0.50 | 40 games/s |"
    assert lines[4] == "|  | peer \\| x | wrong |  |  |  | 1 instead of 2 |"
    assert lines[5].endswith("| 5.00 | 4 games/s |")  # for the same amount of work


def test_ratios_to_an_earlier_run() -> None:
    new, old = [row(), row("C", 0.2), row("new", 1.0)], [row(least=0.4), row("C", 0.2)]
    ratios = compared(new, old)
    assert ratios == [pytest.approx(1.25), 1.0, None]
    text = markdown(Document(machine={}, rows=new), ratios)
    assert "| new / old |" in text
    assert "| 1.250 |" in text


def test_processes_in_turn_are_put_together() -> None:
    runs = [[row(least=0.5)], [row(least=0.4)], [row(least=0.9)]]
    (together,) = merged(runs)
    assert (together["least"], together["median"], together["runs"]) == (0.4, 0.5, 9)
    (wrong,) = merged([[row()], [row(least=None, status="fails", message="gone")]])
    assert (wrong["status"], wrong["message"]) == ("fails", "gone")


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, ""), (12.34, "12.3 s"), (0.0123, "12.3 ms"), (4.2e-6, "4.2 µs"), (0.0, "0 µs")],
)
def test_times_have_units(value: float | None, text: str) -> None:
    assert seconds(value) == text


def test_the_machine_is_named() -> None:
    facts = machine()
    assert {"date", "gridkit", "numpy", "numba", "python", "cpu", "threads"} <= set(facts)
    assert facts["date"].endswith("UTC")


@pytest.mark.parametrize("name", FILES)
def test_every_file_has_cases_of_different_names(name: str) -> None:
    cases = import_module(name).CASES
    names = [case.name for case in cases]
    assert len(set(names)) == len(names) > 0
    assert not all(case.full for case in cases)


def test_the_command_compares_and_checks(tmp_path: Path, capsys: pytest.CaptureFixture[str],
                                         monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    main = command()
    old, new = tmp_path / "old.json", tmp_path / "new.json"
    old.write_text(dumped({}, [row(least=1.0)]), encoding="utf-8")

    def fake(file: str, options: object, source: Path, seconds: float) -> list[Row]:
        return [row(least=0.5 if source == BENCHMARKS.parent / "src" else 0.25)]

    monkeypatch.setattr(main, "in_process", fake)
    words = ["benchmarks", "cover", "--compare", str(old), "--json", str(new)]
    monkeypatch.setattr(sys, "argv", words)
    assert main.main() == 0
    assert "| 0.500 |" in capsys.readouterr().out
    assert json.loads(new.read_text(encoding="utf-8"))["rows"][0]["least"] == 0.5
    other = tmp_path / "other"
    (other / "src" / "gridkit").mkdir(parents=True)
    monkeypatch.setattr(sys, "argv", ["benchmarks", "cover", "--against", str(other)])
    assert main.main() == 0
    assert "| 2.000 |" in capsys.readouterr().out
    monkeypatch.setattr(main, "in_process", lambda *_: [row(least=None, status="wrong")])
    assert main.main() == 1
    monkeypatch.setattr(sys, "argv", ["benchmarks", "cover", "--against", str(tmp_path)])
    with pytest.raises(SystemExit, match="expected a checkout"):
        main.main()
    monkeypatch.setattr(sys, "argv", ["benchmarks", "covers"])
    with pytest.raises(SystemExit, match="unknown file 'covers'"):
        main.main()


def test_one_small_case_in_whole_processes(tmp_path: Path) -> None:
    path = tmp_path / "rows.json"
    words = ["polyomino", "--only", "free, n = 9, listed", "--json", str(path)]
    ran = subprocess.run(
        [sys.executable, str(BENCHMARKS), *words], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    (only,) = read(path)["rows"]
    assert (only["case"], only["status"], only["unit"]) == (
        "free, n = 9, listed", "ok", "polyominoes",
    )  # fmt: skip
    assert "polyominoes/s" in ran.stdout


def test_cases_that_no_time_is_left_for(monkeypatch: pytest.MonkeyPatch) -> None:
    main = command()
    chosen = [Case("x", lambda: {"A": lambda: 1}, 1, seconds=0)]
    (left_out,) = main.alone("fake", chosen, -1)
    assert (left_out["status"], left_out["least"]) == ("left out", None)
    (measured,) = main.alone("fake", chosen, 60)
    assert measured["status"] == "ok"
