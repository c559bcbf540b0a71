"""
A puzzle as an environment to learn in
======================================

Reinforcement learning asks for an environment with ``reset`` and ``step``.  Here is one over any
sliding-block puzzle: an observation is the board as numbers, an action moves a block by one cell,
and ``info`` has the exact distance to the goal, which few environments can tell.
"""

import numpy as np

import gridkit as gk


class SlidingEnvironment:
    """Actions are ``4 * block + direction``: up, right, down, left."""

    moves = np.array([(-1, 0), (0, 1), (1, 0), (0, -1)])

    def __init__(self, puzzle, most_steps=500):
        graph = puzzle.explore(metric="step", diameter=False).graph()
        self.puzzle, self.most_steps = puzzle, most_steps
        self.names = list(puzzle.blocks)
        self.distance = {
            graph.text_at(state): int(graph.distances[state]) for state in range(graph.states)
        }
        self.starts = [text for text, distance in self.distance.items() if distance > 0]
        self.actions = 4 * len(self.names)

    def reset(self, seed=None):
        chance = np.random.default_rng(seed)
        text = self.starts[chance.integers(len(self.starts))]
        self.board = np.array([list(row) for row in text.split("\n")])
        self.steps = 0
        return self.observation(), {"distance": self.distance[text]}

    def step(self, action):
        block, direction = divmod(action, 4)
        mine = self.board == self.names[block]
        cells = np.argwhere(mine)
        target = cells + self.moves[direction]
        inside = ((target >= 0) & (target < self.board.shape)).all()
        moved = inside and all(
            self.board[tuple(cell)] in (".", self.names[block]) for cell in target
        )
        if moved:
            self.board[mine] = "."
            self.board[tuple(target.T)] = self.names[block]
        self.steps += 1
        distance = self.distance[self.text()]
        solved, reward = distance == 0, 1.0 if distance == 0 else -0.01
        return (
            self.observation(),
            reward,
            solved,
            self.steps >= self.most_steps,
            {"distance": distance, "moved": bool(moved)},
        )

    def observation(self):
        return np.array([[ord(mark) for mark in row] for row in self.board], dtype=np.int32)

    def text(self):
        return "\n".join("".join(row) for row in self.board)


# %%
# A walk that always takes an action that comes nearer ends after as many steps as the distance
# says:

puzzle = gk.SlidingPuzzle.parse("AAB\n..B\nC..", goal={"A": (2, 1)}, interchangeable="none")
environment = SlidingEnvironment(puzzle)
_, info = environment.reset(seed=1)
total, solved = info["distance"], False
while not solved:
    for action in range(environment.actions):
        before, steps = environment.board.copy(), environment.steps
        _, reward, solved, _, after = environment.step(action)
        if after["distance"] < info["distance"]:
            info = after
            break
        environment.board, environment.steps = before, steps
print("distance at the start:", total, "steps taken:", environment.steps)
assert environment.steps == total

# sphinx_gallery_thumbnail_path = "_static/klotski.svg"
