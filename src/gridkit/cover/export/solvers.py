"""Exact covers as text for other solvers: DIMACS for SAT, LP for integer programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Literal, get_args

from gridkit.cover.matrix import Matrix
from gridkit.errors import InputError

__all__ = ["AtMostOne", "cnf_text", "lp_text"]

AtMostOne = Literal["pairwise", "sequential"]

_LINE = 10  # terms of a sum on a line: some readers take 255 characters


class _Clauses:
    """Clauses over the options and over variables that follow from them."""

    def __init__(self, options: int) -> None:
        self.variables = options
        self.clauses: list[Sequence[int]] = []

    def fresh(self) -> int:
        self.variables += 1
        return self.variables

    def at_most_one(self, literals: Sequence[int], encoding: str) -> None:
        if encoding == "pairwise" or len(literals) <= 3:
            self.clauses += [(-a, -b) for a, b in combinations(literals, 2)]
        else:
            self._within(literals, 0, 1)

    def within(self, literals: Sequence[int], least: int, greatest: int, encoding: str) -> None:
        """Say that at least so many and at most so many literals are true."""
        greatest = min(greatest, len(literals))
        if least > greatest:
            never = self.fresh()
            self.clauses += [(never,), (-never,)]
        elif greatest == 0:
            self.clauses += [(-literal,) for literal in literals]
        elif greatest == 1:
            if least:
                self.clauses.append(literals)
            self.at_most_one(literals, encoding)
        elif least <= 1 and greatest == len(literals):
            if least:
                self.clauses.append(literals)
        else:
            self._within(literals, least, greatest)

    def _within(self, literals: Sequence[int], least: int, greatest: int) -> None:
        """Count along a chain: register j of a place says that j or more are true up to there.

        Every register is defined by an equivalence, so that models are counted once.
        """
        most = min(greatest, len(literals) - 1)
        registers: list[int] = []  # of the place before
        for place, literal in enumerate(literals):
            if place == len(literals) - 1:
                break
            following = []
            for number in range(1, min(place + 1, most) + 1):
                now = self.fresh()
                before = registers[number - 1] if number <= len(registers) else None
                carry = registers[number - 2] if number > 1 else None
                # now <-> before or (literal and carry)
                if before is not None:
                    self.clauses.append((-before, now))
                step = (-literal, now) if carry is None else (-literal, -carry, now)
                self.clauses.append(step)
                rest = (-now,) if before is None else (-now, before)
                self.clauses.append((*rest, literal))
                if carry is not None:
                    self.clauses.append((*rest, carry))
                following.append(now)
            if place >= greatest:
                self.clauses.append((-literal, -registers[greatest - 1]))
            registers = following
        last = literals[-1]
        if greatest < len(literals):
            self.clauses.append((-last, -registers[greatest - 1]))
        if least:
            # least are true: least before the last one, or one less and the last.
            if least <= len(registers):
                self.clauses.append((registers[least - 1], last))
            else:
                self.clauses.append((last,))
            if least > 1:
                self.clauses.append((registers[least - 2],))


def _holders(matrix: Matrix) -> list[list[tuple[int, int, int]]]:
    """Return the usable options of each item, with their amounts and colours."""
    holders: list[list[tuple[int, int, int]]] = [[] for _ in range(matrix.items)]
    for number, option in enumerate(matrix.options):
        if option[0] < matrix.primary:
            amounts = (1,) * len(option) if matrix.amounts is None else matrix.amounts[number]
            colors = (0,) * len(option) if matrix.colors is None else matrix.colors[number]
            for item, amount, color in zip(option, amounts, colors, strict=True):
                holders[item].append((number, amount, color))
    return holders


def _unused(matrix: Matrix) -> Iterator[int]:
    """Give the options without a primary item, which are never chosen."""
    return (n for n, option in enumerate(matrix.options) if option[0] >= matrix.primary)


def cnf_text(matrix: Matrix, encoding: str) -> str:
    """Return a problem in DIMACS format (see `ExactCover.to_cnf`)."""
    if encoding not in get_args(AtMostOne):
        known = " or ".join(map(repr, get_args(AtMostOne)))
        raise InputError(f"to_cnf: encoding must be {known}, got {encoding!r}")
    writer = _Clauses(len(matrix.options))
    writer.clauses += [(-(number + 1),) for number in _unused(matrix)]
    for item, holders in enumerate(_holders(matrix)):
        if item < matrix.primary:
            if any(amount > 1 for _, amount, _ in holders):
                # An option that covers an item n times is written n times.
                literals = [number + 1 for number, amount, _ in holders for _ in range(amount)]
            else:
                literals = [number + 1 for number, _, _ in holders]
            writer.within(literals, matrix.low[item], matrix.high[item], encoding)
            continue
        groups: dict[int, list[int]] = {}
        for number, _, color in holders:
            groups.setdefault(color, []).append(number + 1)
        literals = list(groups.pop(0, []))
        for options in groups.values():
            if not literals and len(groups) == 1:
                break  # one colour only
            if len(options) == 1:
                literals += options
                continue
            shown = writer.fresh()  # whether the item has the colour
            writer.clauses += [(-option, shown) for option in options]
            writer.clauses.append((-shown, *options))
            literals.append(shown)
        writer.at_most_one(literals, encoding)
    lines = [f"p cnf {writer.variables} {len(writer.clauses)}"]
    lines += [" ".join(map(str, (*clause, 0))) for clause in writer.clauses]
    return "\n".join(lines) + "\n"


def lp_text(matrix: Matrix, costs: Sequence[int | float] | None) -> str:
    """Return a problem in LP format (see `ExactCover.to_lp`)."""
    names = [f"x{number}" for number in range(len(matrix.options))] or ["none"]
    colours: list[str] = []
    rows = [f" n{number}: {names[number]} = 0" for number in _unused(matrix)]
    for item, holders in enumerate(_holders(matrix)):
        terms = [(amount, names[number]) for number, amount, _ in holders]
        if item < matrix.primary:
            least, greatest = matrix.low[item], matrix.high[item]
            total = _sum(terms or [(0, names[0])])
            if least == greatest:
                rows.append(f" i{item}: {total} = {least}")
                continue
            if least:
                rows.append(f" i{item}_least: {total} >= {least}")
            if greatest < sum(amount for amount, _ in terms):
                rows.append(f" i{item}_most: {total} <= {greatest}")
            continue
        groups: dict[int, list[int]] = {}
        for number, _, color in holders:
            groups.setdefault(color, []).append(number)
        alone = [(1, names[number]) for number in groups.pop(0, [])]
        if alone or len(groups) > 1:
            for color, numbers in groups.items():
                colours.append(f"c{item}_{color}")
                alone.append((1, colours[-1]))
                rows += [f" i{item}_x{n}: {names[n]} - {colours[-1]} <= 0" for n in numbers]
        if len(alone) > 1:
            rows.append(f" i{item}: {_sum(alone)} <= 1")
    objective = _sum(list(zip(costs or (0,), names, strict=False)))
    text = ["Minimize", f" cost: {objective}", "Subject To", *rows, "Binaries"]
    declared = names + colours
    text += [" " + " ".join(declared[at : at + _LINE]) for at in range(0, len(declared), _LINE)]
    return "\n".join([*text, "End"]) + "\n"


def _sum(terms: Sequence[tuple[int | float, str]]) -> str:
    """Return a sum as text, on several lines where it is long."""
    parts = []
    for place, (factor, name) in enumerate(terms):
        sign = "-" if factor < 0 else "+"
        size = "" if abs(factor) == 1 else f"{abs(factor)!r} "
        if place == 0:
            parts.append(f"{'- ' if factor < 0 else ''}{size}{name}")
        else:
            parts.append(f"{sign} {size}{name}")
    return "\n   ".join(" ".join(parts[at : at + _LINE]) for at in range(0, len(parts), _LINE))
