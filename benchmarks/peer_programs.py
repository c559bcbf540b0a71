"""Runs one peer on one problem: reads JSON, prints the answer and the least processor seconds.

Run by ``peers.py`` with the Python that has the peer; needs nothing else installed.
"""

from __future__ import annotations

import json
import resource
import sys
import time


def cover_matrix(problem):
    """Return a matrix of booleans; for packages without secondary items, each may stand alone."""
    import numpy as np

    items = problem["primary"] + problem["secondary"]
    matrix = np.zeros((len(problem["options"]), items), dtype=bool)
    for row, option in enumerate(problem["options"]):
        matrix[row, option] = True
    alone = np.zeros((problem["secondary"], items), dtype=bool)
    alone[range(problem["secondary"]), range(problem["primary"], items)] = True
    return np.vstack([matrix, alone])


def exact_cover(problem):
    from exact_cover import get_solution_count

    return lambda: int(get_solution_count(cover_matrix(problem)))


def exact_cover_py(problem):
    from exact_cover_py import exact_covers

    return lambda: sum(1 for _ in exact_covers(cover_matrix(problem)))


def xcover(problem):
    from xcover import covers

    primary = list(range(problem["primary"]))
    secondary = list(range(problem["primary"], problem["primary"] + problem["secondary"]))
    options = problem["options"]
    return lambda: sum(1 for _ in covers(options, primary=primary, secondary=secondary))


def xcover_memoised(problem):
    from xcover import covers_zdd

    primary = list(range(problem["primary"]))
    secondary = list(range(problem["primary"], problem["primary"] + problem["secondary"]))

    def run():
        counts, last = {0: 0, 1: 1}, 0
        for last, _, low, high in covers_zdd(
            problem["options"], primary=primary, secondary=secondary, use_memo_cache=True
        ):
            counts[last] = counts[low] + counts[high]
        return counts[last]

    return run


def pyxcc(problem):
    from pyxcc import Option, Problem, solve

    def run():
        primary = [str(item) for item in range(problem["primary"])]
        secondary = [str(problem["primary"] + item) for item in range(problem["secondary"])]
        options = []
        for number, option in enumerate(problem["options"]):
            shown = [str(item) for item in option if item < problem["primary"]]
            # A colour of its own agrees with no other option.
            hidden = [(str(item), str(number)) for item in option if item >= problem["primary"]]
            options.append(Option(str(number), shown, hidden))
        return solve(Problem(primary, secondary, options), True).count()

    return run


def sage(problem):
    from sage.combinat.matrices.dancing_links import dlx_solver

    alone = [[problem["primary"] + item] for item in range(problem["secondary"])]
    return lambda: int(dlx_solver(problem["options"] + alone).number_of_solutions(ncpus=1))


def cp_sat(problem):
    from ortools.sat.python import cp_model

    class Counter(cp_model.CpSolverSolutionCallback):
        found = 0

        def on_solution_callback(self):
            self.found += 1

    def run():
        model = cp_model.CpModel()
        chosen = [model.NewBoolVar("") for _ in problem["options"]]
        having = [[] for _ in range(problem["primary"] + problem["secondary"])]
        for variable, option in zip(chosen, problem["options"], strict=True):
            for item in option:
                having[item].append(variable)
        for item, variables in enumerate(having):
            (model.AddExactlyOne if item < problem["primary"] else model.AddAtMostOne)(variables)
        solver, counter = cp_model.CpSolver(), Counter()
        solver.parameters.num_workers = 1
        if "costs" in problem:
            model.Minimize(sum(c * v for c, v in zip(problem["costs"], chosen, strict=True)))
            solver.Solve(model)
            return round(solver.ObjectiveValue())
        solver.parameters.enumerate_all_solutions = True
        solver.Solve(model, counter)
        return counter.found

    return run


def highs(problem):
    import highspy

    def run():
        model = highspy.Highs()
        model.setOptionValue("output_flag", False)
        chosen = [model.addBinary() for _ in problem["options"]]
        having = [[] for _ in range(problem["primary"] + problem["secondary"])]
        for variable, option in zip(chosen, problem["options"], strict=True):
            for item in option:
                having[item].append(variable)
        for item, variables in enumerate(having):
            total = model.qsum(variables)
            model.addConstr(total == 1 if item < problem["primary"] else total <= 1)
        model.minimize(model.qsum([c * v for c, v in zip(problem["costs"], chosen, strict=True)]))
        return round(model.getObjectiveValue())

    return run


def python_constraint(problem):
    """Queens, the package's own example: a variable for each column."""
    from constraint import AllDifferentConstraint, Problem

    def run():
        n = problem["queens"]
        puzzle = Problem()
        puzzle.addVariables(range(n), range(n))
        puzzle.addConstraint(AllDifferentConstraint())
        for one in range(n):
            for other in range(one + 1, n):
                apart = other - one
                puzzle.addConstraint(lambda a, b, k=apart: abs(a - b) != k, (one, other))
        return len(puzzle.getSolutions())

    return run


def polyomino(problem):
    """One tiling of a rectangle by the twelve pentominoes, the package's own names for them."""
    from polyomino.board import Rectangle
    from polyomino.tileset import Tileset

    from polyomino import constant

    def run():
        pieces = Tileset(constant.ALL_PENTOMINOS, [], [], reflections=True)
        return len(Rectangle(*problem["rectangle"]).tile_with_set(pieces).solve().tiling)

    return run


def networkx(problem):
    """One domino tiling: a matching of the white with the black cells; returns its size."""
    import networkx as nx

    def run():
        graph = nx.grid_2d_graph(*problem["rectangle"])
        white = [cell for cell in graph if sum(cell) % 2 == 0]
        return len(nx.bipartite.hopcroft_karp_matching(graph, white)) // 2

    return run


def slidingpuzzle(problem):
    """A shortest plan with this package's IDA* and its best estimate; blank last."""
    from slidingpuzzle import from_rows, search
    from slidingpuzzle.heuristics import linear_conflict_distance

    rows = problem["rows"]
    return lambda: len(
        search(from_rows(*rows), "ida*", heuristic=linear_conflict_distance).solution
    )


def fifteen_puzzle_solvers(problem):
    from fifteen_puzzle_solvers.domain import Puzzle
    from fifteen_puzzle_solvers.services.algorithms import AStar

    def run():
        search = AStar(Puzzle(problem["rows"]))
        search.solve_puzzle()
        return len(search.solution) - 1

    return run


PROGRAMS = {function.__name__: function for function in (
    exact_cover, exact_cover_py, xcover, xcover_memoised, pyxcc, sage, cp_sat, highs,
    python_constraint, polyomino, networkx, slidingpuzzle, fifteen_puzzle_solvers,
)}  # fmt: skip
SMALL = {"primary": 2, "secondary": 1, "options": [[0, 2], [1], [0], [1]]}

if __name__ == "__main__":
    name, path, limit = sys.argv[1:]
    with open(path) as file:
        problem = json.load(file)
    if "options" in problem and "costs" not in problem:
        PROGRAMS[name](SMALL)()  # compile and import first
    run = PROGRAMS[name](problem)
    spent = time.process_time()
    resource.setrlimit(resource.RLIMIT_CPU, (int(spent) + int(limit), int(spent) + int(limit) + 5))
    best, begun, made = float("inf"), time.process_time(), 0
    while made == 0 or (made < 20 and time.process_time() - begun < 0.5):
        start, fine = time.process_time(), time.thread_time()
        answer = run()
        spent = time.process_time() - start
        # With a limit set, Linux counts a process's time in ticks of some milliseconds.
        best, made = min(best, spent if spent > 0.1 else time.thread_time() - fine), made + 1
    print("answer", answer, best)
