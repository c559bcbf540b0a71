"""Runs one peer of the exact-cover benchmark: reads a problem in JSON, prints count and seconds.

Run by ``bench_cover.py`` with the Python that has the peer.  Needs nothing else installed.
"""

from __future__ import annotations

import json
import sys
import time


def exact_cover_c(problem):
    import numpy as np
    from exact_cover import get_solution_count

    def run():
        items = problem["primary"] + problem["secondary"]
        matrix = np.zeros((len(problem["options"]), items), dtype=bool)
        for row, option in enumerate(problem["options"]):
            matrix[row, option] = True
        # It knows no secondary items: each may be covered by itself instead.
        slack = np.zeros((problem["secondary"], items), dtype=bool)
        for row in range(problem["secondary"]):
            slack[row, problem["primary"] + row] = True
        return get_solution_count(np.vstack([matrix, slack]))

    return run


def exact_cover_py(problem):
    from exact_cover_py import exact_covers

    def run():
        import numpy as np

        items = problem["primary"] + problem["secondary"]
        matrix = np.zeros((len(problem["options"]), items), dtype=bool)
        for row, option in enumerate(problem["options"]):
            matrix[row, option] = True
        slack = np.zeros((problem["secondary"], items), dtype=bool)
        for row in range(problem["secondary"]):
            slack[row, problem["primary"] + row] = True
        return sum(1 for _ in exact_covers(np.vstack([matrix, slack])))

    return run


def xcover(problem):
    from xcover import covers

    secondary = list(range(problem["primary"], problem["primary"] + problem["secondary"]))
    primary = list(range(problem["primary"]))

    def run():
        return sum(1 for _ in covers(problem["options"], primary=primary, secondary=secondary))

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

    def run():
        slack = [[problem["primary"] + item] for item in range(problem["secondary"])]
        return dlx_solver(problem["options"] + slack).number_of_solutions(ncpus=1)

    return run


PEERS = {
    "exact-cover": exact_cover_c,
    "exact-cover-py": exact_cover_py,
    "xcover": xcover,
    "pyxcc": pyxcc,
    "passagemath dlx": sage,
}

if __name__ == "__main__":
    name, path = sys.argv[1:]
    # Compile and import first.
    PEERS[name]({"primary": 2, "secondary": 1, "options": [[0, 2], [1], [0], [1]]})()
    with open(path) as file:
        run = PEERS[name](json.load(file))
    best, begun, made = float("inf"), time.process_time(), 0
    while made == 0 or (made < 20 and time.process_time() - begun < 0.5):
        start = time.process_time()
        count = run()
        best, made = min(best, time.process_time() - start), made + 1
    print(count, best)
