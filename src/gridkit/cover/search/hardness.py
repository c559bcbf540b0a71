"""Estimating the size of a search tree."""

from __future__ import annotations

import math
from random import Random

from gridkit.cover.matrix import Matrix
from gridkit.cover.search.plain import PlainSearch
from gridkit.cover.solution import Hardness
from gridkit.reading import read_int

__all__ = ["estimate"]


def estimate(matrix: Matrix, probes: int, seed: int) -> Hardness:
    """Estimate nodes and solutions by random descents (see `ExactCover.hardness`)."""
    probes = read_int(probes, "hardness: probes", 1)
    seed = read_int(seed, "hardness: seed", 0)
    chance, search = Random(seed), PlainSearch(matrix)
    descents = [search.descend_at_random((), chance) for _ in range(probes)]
    nodes = [descent[0] for descent in descents]
    mean = math.fsum(nodes) / probes
    error = math.inf
    if probes > 1:
        spread = math.fsum((each - mean) ** 2 for each in nodes) / (probes - 1)
        error = math.sqrt(spread / probes)
    return Hardness(mean, error, math.fsum(found for _, found in descents) / probes, probes)
