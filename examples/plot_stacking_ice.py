"""
Towers on ice
=============

A stacking game of our own, made of rule values alone: pieces slide until something blocks them,
wrap round the edges, and slip *under* the tower they meet; only the piece on top of a tower may
push off.
"""

import numpy as np

import gridkit as gk

# %%
# Code 0 is ice, code 1 a whirl that turns a pile to the right and upside down, code 2 a rock.

rules = gk.StackingRules(
    schedule="tops",
    distance="blocked",
    landing="bottom",
    border="wrap",
    blocked="turn",
    effects=("keep", "reverse+right", "block"),
    stop_height=3,
)
game = gk.StackingGame.parse(
    """
    .0>  .    .    #    .
    .    ~    .    .    .1v
    .    .    #    .    .
    .2>  .    .    ~    .
    #    .    .3^  .    .
    """,
    rules,
)
game  # noqa: B018 - the gallery shows it

# %%
# Every play is decided: it stops, or a state comes back.

print(game.play(max_rounds=None))

# %%
# How often do such games stop?  A batch of random boards under the same rules.

random = np.random.default_rng(7)
cells = random.choice([0, 1, 2], p=[0.7, 0.1, 0.2], size=(5000, 6, 6))
at = np.argsort(random.random((5000, 36)), axis=1)[:, :5]
pieces = np.stack([at // 6, at % 6, random.integers(0, 4, at.shape)], axis=2)
outcome, rounds = gk.stacking.play_many(cells, pieces, rules, None)
print(f"{np.count_nonzero(outcome == 0)} of {len(outcome)} games stop")

# %%
# The one that stops last, and how it stands then.

longest = int(np.argmax(rounds))
game = gk.StackingGame(cells[longest], pieces[longest], rules)
print(game.play())
*_, end = game.states()
print(game.picture(end))
game  # noqa: B018 - the gallery shows it

# sphinx_gallery_thumbnail_path = "_static/stacking.svg"
