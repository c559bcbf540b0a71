"""Problems as text for other solvers, against the definition, and against a solver at hand."""

from __future__ import annotations

import random
from itertools import combinations
from pathlib import Path

import pytest

from gridkit.cover.exact_cover import Colored, ExactCover
from gridkit.cover.export.solvers import AtMostOne, cnf_text, lp_text
from gridkit.errors import InputError
from twins.items import covers_counted, random_matrix
from twins.solvers import cnf_models, lp_solutions

ENCODINGS: list[AtMostOne] = ["pairwise", "sequential"]


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_models_are_solutions(encoding: AtMostOne) -> None:
    chance = random.Random(12)
    for _ in range(120):
        matrix = random_matrix(chance, 8)
        assert cnf_models(cnf_text(matrix, encoding)) == covers_counted(matrix)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_many_options_of_an_item(encoding: AtMostOne) -> None:
    for low, high in ((1, 1), (0, 1), (2, 3), (0, 4), (7, 7), (3, 9), (6, 7)):
        cover = ExactCover([["a"]] * 7, multiplicity={"a": (low, high)})
        assert cnf_models(cover.to_cnf(encoding=encoding)) == cover.count()
    colours = [["p", Colored("x", n % 3)] for n in range(5)] + [["p", "x"]]
    cover = ExactCover(colours, secondary=["x"], multiplicity={"p": (0, None)})
    assert cnf_models(cover.to_cnf(encoding=encoding)) == cover.count() == 1 + 3 + 3 + 1 + 1
    matchings = ExactCover(combinations(range(6), 2))
    assert cnf_models(matchings.to_cnf(encoding=encoding)) == 15


def test_integer_programs_have_the_same_solutions() -> None:
    chance = random.Random(13)
    for _ in range(60):
        matrix = random_matrix(chance, 6)
        costs = [chance.randint(-4, 9) for _ in matrix.options]
        found = dict(lp_solutions(lp_text(matrix, costs)))
        assert len(found) == covers_counted(matrix)
        for chosen, cost in found.items():
            assert cost == sum(costs[option] for option in chosen)


def test_costs_of_any_size() -> None:
    cover = ExactCover([["a"], ["a"], ["a"]], costs=[0.5, -1, 10**20])
    assert "cost: 0.5 x0 - x1 + 100000000000000000000 x2\n" in cover.to_lp()
    assert ExactCover([], primary=["a"]).to_lp().count("none") == 3
    assert cnf_models(ExactCover([], primary=["a"]).to_cnf()) == 0


def test_an_encoding_that_is_not_known() -> None:
    with pytest.raises(InputError, match="encoding must be 'pairwise' or 'sequential', got 'x'"):
        ExactCover([["a"]]).to_cnf(encoding="x")  # type: ignore[arg-type]  # wrong on purpose


def test_another_solver_agrees() -> None:
    sat = pytest.importorskip("pysat.solvers")
    chance = random.Random(14)
    for _ in range(50):
        matrix = random_matrix(chance, 10)
        header, *lines = cnf_text(matrix, "sequential").splitlines()
        variables = int(header.split()[2])
        clauses = [[int(word) for word in line.split()[:-1]] for line in lines]
        clauses += [[v, -v] for v in range(1, variables + 1)]
        with sat.Solver(bootstrap_with=clauses) as solver:
            models = sum(1 for _ in solver.enum_models()) if clauses else 1
        assert models == covers_counted(matrix)


def test_another_optimizer_agrees(tmp_path: Path) -> None:
    highspy = pytest.importorskip("highspy")
    chance = random.Random(15)
    for _ in range(50):
        matrix = random_matrix(chance, 10)
        costs = tuple(chance.randint(-4, 9) for _ in matrix.options)
        rows = range(matrix.primary)
        bounds = dict(zip(rows, zip(matrix.low, matrix.high, strict=True), strict=True))
        if matrix.amounts is not None or matrix.colors is not None:
            continue
        secondary = range(matrix.primary, matrix.items)
        cover = ExactCover(matrix.options, rows, secondary, multiplicity=bounds, costs=costs)
        (tmp_path / "cover.lp").write_text(cover.to_lp())
        program = highspy.Highs()
        program.setOptionValue("output_flag", False)
        program.readModel(str(tmp_path / "cover.lp"))
        program.run()
        best = cover.minimum()
        optimal = program.getModelStatus() == highspy.HighsModelStatus.kOptimal
        assert optimal == bool(best)
        if best:
            value = program.getInfo().objective_function_value
            assert value == pytest.approx(float(best[0].cost))
