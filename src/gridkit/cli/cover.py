"""``gridkit cover FILE``."""

from __future__ import annotations

import argparse

from gridkit.cli._options import add_limits, limit_of, print_json, read_value
from gridkit.cover.exact_cover import Colored, ExactCover
from gridkit.run.progress import TerminalBar

__all__ = ["add_arguments", "run"]

MORE = (
    "The file is in the format of Knuth's DLX programs: a line of items (those after '|' are "
    "optional), then an option a line; x:A gives the item x the colour A, 2:4|x asks for x two to "
    "four times, |5 behind an option is its cost. A line beginning with '|' is a comment.\n\n"
    "A solution is printed as its options, a line each, with a blank line after it."
)
EXAMPLES = """
printf 'a b c\\na b\\nc\\na\\nb c\\n' | gridkit cover --count
printf 'a b c\\na b\\nc\\na\\nb c\\n' | gridkit cover --all --json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("file", metavar="FILE", nargs="?", help="the problem (standard input)")
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--first", action="store_true", help="print one solution (the default)")
    output.add_argument("--count", action="store_true", help="print how many solutions there are")
    output.add_argument("--all", action="store_true", help="print every solution")
    output.add_argument("--minimum", action="store_true", help="print one of least cost")
    output.add_argument("--unique", action="store_true", help="say whether there is exactly one")
    add_limits(parser)


def run(options: argparse.Namespace) -> int:
    """Count or print the solutions; 1 when one was asked for and there is none."""
    problem = read_value(options.file, ExactCover.parse)
    limit = limit_of(options)
    solution: tuple[int, ...] | None
    if options.all:
        for solution in problem.solutions(limit=limit):
            _show(options, problem, solution)
        return 0
    with TerminalBar() as bar:
        if options.count:
            number = problem.count(limit=limit, progress=bar)
            return _say(options, "count", number)
        if options.unique:
            unique = problem.is_unique(limit=limit, progress=bar)
            return _say(options, "unique", unique, "unique" if unique else "not unique")
        if options.minimum:
            cheapest = problem.minimum(limit=limit, progress=bar)
            solution = cheapest[0].options if cheapest else None
        else:
            solution = problem.first(limit=limit, progress=bar)
    if solution is None:
        return _say(options, "solution", None, "no solution") or 1
    _show(options, problem, solution, cheapest[0].cost if options.minimum else None)
    return 0


def _say(options: argparse.Namespace, name: str, value: object, words: str | None = None) -> int:
    if options.json:
        print_json(options, {name: value})
    else:
        print(value if words is None else words)
    return 0


def _show(
    options: argparse.Namespace,
    problem: ExactCover,
    solution: tuple[int, ...],
    cost: int | float | None = None,
) -> None:
    chosen = [[_word(item) for item in problem.options[number]] for number in solution]
    if options.json:
        price: dict[str, object] = {} if cost is None else {"cost": cost}
        print_json(options, {"solution": {"numbers": solution, "options": chosen}, **price})
        return
    for items in chosen:
        print(" ".join(items))
    if cost is not None:
        print(f"cost {cost}")
    print()


def _word(item: object) -> str:
    return f"{item.item}:{item.color}" if isinstance(item, Colored) else str(item)
