"""Readers of solvers' texts that try every assignment: short, for tiny problems."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

__all__ = ["cnf_models", "lp_solutions"]


def cnf_models(text: str) -> int:
    """Number of models of a formula in DIMACS format, by fixing one variable after the other."""
    header, *lines = text.splitlines()
    _, form, variables, clauses = header.split()
    rows = [[int(word) for word in line.split()] for line in lines]
    assert form == "cnf"
    assert len(rows) == int(clauses)
    assert all(row[-1] == 0 for row in rows)
    return _models([frozenset(row[:-1]) for row in rows], int(variables))


def _models(clauses: list[frozenset[int]], variables: int) -> int:
    if frozenset() in clauses:
        return 0
    if not clauses:
        return 1 << variables
    shortest = min(clauses, key=lambda clause: len(clause))
    literal = next(iter(shortest))
    total = 0
    for value in (literal, -literal):
        rest = [clause - {-value} for clause in clauses if value not in clause]
        total += _models(rest, variables - 1)
    return total


def lp_solutions(text: str) -> Iterator[tuple[frozenset[int], float]]:
    """Give the sets of options that solve an integer program in LP format, with their costs.

    A set is given once for each setting of the other variables.
    """
    flat = re.sub(r"\n   ", " ", text)
    objective, rest = flat.split("Subject To\n")
    rows, declared = rest.split("Binaries\n")
    names = declared.replace("End", "").split()
    goal = _terms(objective.split(":")[1])
    conditions = []
    for row in rows.splitlines():
        left, relation, right = re.split(r" (=|<=|>=) ", row.split(":")[1])
        conditions.append((_terms(left), relation, float(right)))
    for values in product((0, 1), repeat=len(names)):
        setting = dict(zip(names, values, strict=True))
        if all(_holds(_value(terms, setting), how, bound) for terms, how, bound in conditions):
            chosen = frozenset(int(name[1:]) for name in names if name[0] == "x" and setting[name])
            yield chosen, _value(goal, setting)


def _terms(text: str) -> list[tuple[float, str]]:
    found = re.findall(r"([+-]?) ?(\d[\d.e+]*)? ?([a-z]\w*)", text)
    return [(float(sign + (size or "1")), name) for sign, size, name in found]


def _value(terms: list[tuple[float, str]], setting: dict[str, int]) -> float:
    return sum(factor * setting[name] for factor, name in terms)


def _holds(value: float, relation: str, bound: float) -> bool:
    return {"=": value == bound, "<=": value <= bound, ">=": value >= bound}[relation]
