"""The Blocks Problem (UVa 101): a robot arm moves blocks and piles from place to place."""

from __future__ import annotations

from gridkit.problems.reader import LineReader
from gridkit.stacking import Position, StackingGame, StackingRules

__all__ = ["solve"]

_MOST_BLOCKS = 24
_RULES = StackingRules(schedule="choice", effects=("keep",), stop_height=None)


def solve(text: str) -> str:
    """Return the piles after all commands, a line for each place.

    Examples
    --------
    >>> print(solve("3\\nmove 0 onto 2\\npile 2 over 1\\nquit\\n"), end="")
    0:
    1: 1 2 0
    2:
    """
    reader = LineReader(text)
    (blocks,) = reader.integers("the number of blocks", ("n", 1, _MOST_BLOCKS))
    game = StackingGame([[0] * blocks], [(0, place, 0) for place in range(blocks)], _RULES)
    position = game.start()
    words = reader.words("a command or quit")
    while [word for word, _ in words] != ["quit"]:
        _obey(position, words, reader, blocks)
        words = reader.words("a command or quit")
    reader.end()
    lines = []
    for place in range(blocks):
        lines.append(" ".join([f"{place}:", *map(str, position.stack(0, place))]))
    return "\n".join(lines) + "\n"


def _obey(
    position: Position, words: list[tuple[str, int]], reader: LineReader, blocks: int
) -> None:
    """Carry out ``move|pile A onto|over B``; meaningless commands are passed over."""
    names = [word for word, _ in words]
    if len(words) != 4 or names[0] not in ("move", "pile") or names[2] not in ("onto", "over"):
        raise reader.fail(f"expected 'move|pile A onto|over B', found {' '.join(names)[:40]!r}", 1)
    block, target = (reader.integer(*words[at], "block", 0, blocks - 1) for at in (1, 3))
    place = position.cell(target)
    assert place is not None
    if position.cell(block) == place:
        return
    if names[2] == "onto":
        _send_home_above(position, target)
    if names[0] == "move":
        _send_home_above(position, block)
    position.carry(block, *place)


def _send_home_above(position: Position, block: int) -> None:
    """Return every block above one to the place of its number."""
    cell = position.cell(block)
    assert cell is not None
    stack = position.stack(*cell)
    for above in reversed(stack[stack.index(block) + 1 :]):
        position.carry(above, 0, above)
