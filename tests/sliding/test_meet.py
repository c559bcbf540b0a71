"""Search from both ends: shortest ways in any graph."""

from __future__ import annotations

import random
from itertools import pairwise

from gridkit.sliding.meet import MeetInTheMiddle


def test_shortest_ways_of_random_graphs() -> None:
    chance = random.Random(5)
    for _ in range(100):
        size = chance.randrange(1, 30)
        near: list[list[int]] = [[] for _ in range(size)]
        for _ in range(chance.randrange(2 * size)):
            one, two = chance.randrange(size), chance.randrange(size)
            near[one].append(two)
            near[two].append(one)
        distance = {0: 0}
        queue = [0]
        for state in queue:
            for reached in near[state]:
                if reached not in distance:
                    distance[reached] = distance[state] + 1
                    queue.append(reached)
        for goal in range(size):
            search = MeetInTheMiddle(0, goal, near.__getitem__)
            while not search.advance(3):
                assert search.way() is None
            assert search.length == distance.get(goal)
            way = search.way()
            if way is None:
                continue
            assert (way[0], way[-1], len(way) - 1) == (0, goal, search.length)
            assert all(two in near[one] for one, two in pairwise(way))
            assert search.memory() > 0
