"""The numbers that kernels and engines agree upon; this module loads neither numpy nor numba."""

from __future__ import annotations

# -- what kernels that take a budget return ---------------------------------------------------

# The budget is spent.
BUDGET = 0
# No states are left.
EXHAUSTED = 1
# A goal state is reached.
FOUND = 2
# The arrays have to grow.
ROOM = 3
# All layers up to the one to pause after are complete.
PAUSED = 4

# -- how long they may take -------------------------------------------------------------------

# States with more children than this, on average, use the budget up sooner.
CHILDREN = 16

# -- what one move is: the place in `rules.METRICS` -------------------------------------------

# One block, one cell.
STEP = 0
# One block, any distance straight on.
SLIDE = 1
# One block, any path.
MOVE = 2

# -- when a search in breadth stops -----------------------------------------------------------

# Not before all states are reached, as for
# the facts of a whole space.
NEVER = 0
# At the first goal state.
FIRST = 1
# When the layer of the first goal state is complete.
LAYER = 2

# -- what the search cannot do ----------------------------------------------------------------

# Returned where no way leads on from a state that was reached: a fault of the program.
LOST = -1
