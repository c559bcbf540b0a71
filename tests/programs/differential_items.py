"""Exact covers counted in every way and by the twin; run as a program, says what differed.

``python -m programs.differential_items [INSTANCES]`` in the folder of the tests; 10,000 instances
with colours and multiplicities take some minutes.
"""

from __future__ import annotations

import random
import sys

from gridkit.cover.items.contest import count_cover
from gridkit.cover.items.exchange import exchange
from gridkit.cover.items.kinds import classify
from gridkit.cover.items.order import orders
from gridkit.cover.items.plan import lay_out
from gridkit.cover.items.solution_set import build
from gridkit.cover.items.sweep import ItemSweep
from gridkit.cover.items.symmetries import interchangeable, swaps
from gridkit.cover.matrix import Matrix
from gridkit.run import Run, use_tier
from twins.items import covers_counted, random_matrix

__all__ = ["counts", "differences"]


def counts(matrix: Matrix) -> dict[str, int]:
    """Return the number of solutions by every engine and every order of the items."""
    run = Run()
    result = {"search": count_cover(matrix, run), "diagram": build(matrix, None, run).count()}
    if matrix.plain:
        result["memo"] = count_cover(matrix, run, method="memo")
    kinds = classify(matrix, run)
    if not kinds.possible:
        return result
    for place, order in enumerate(orders(kinds, run)):
        for tier in ("plain", "compiled"):
            with use_tier(tier):
                sweep = ItemSweep(lay_out(kinds, order, run), Run())
                run.drive(sweep)
                result[f"sweep {place} {tier}"] = sweep.count()
                if kinds.plain:
                    plan = lay_out(kinds, order, run, fixed=True)
                    found = interchangeable(kinds, run), swaps(kinds, (), run)
                    merged = ItemSweep(plan, Run(), exchange(*found, plan.positions))
                    run.drive(merged)
                    result[f"merged {place} {tier}"] = merged.count()
    return result


def differences(instances: int, seed: int = 1) -> list[tuple[Matrix, int, dict[str, int]]]:
    """Return the instances that some engine counts otherwise than the twin."""
    chance = random.Random(seed)
    wrong = []
    for _ in range(instances):
        matrix = random_matrix(chance)
        expected = covers_counted(matrix)
        found = counts(matrix)
        if set(found.values()) != {expected}:
            wrong.append((matrix, expected, found))
    return wrong


if __name__ == "__main__":
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    wrong = differences(number)
    for matrix, expected, found in wrong[:5]:
        print(expected, found, matrix)
    print(f"{number} instances, {len(wrong)} counted wrongly")
    sys.exit(bool(wrong))
