"""Short, obviously right twins of the stacking engines.

`new_game` plays the two judged games with a list for each cell, and can be told to get one rule
wrong; `play` plays any rules.  Both look the whole board up in a table after every round.
"""

from __future__ import annotations

from typing import Any

KEEP, REVERSE, BLOCK = 0, 1, 2
STEPS = ((0, 1), (0, -1), (-1, 0), (1, 0))
Piece = tuple[int, int, int]

MUTANTS = (
    "limit_999",
    "limit_1001",
    "end_checked_after_round",
    "end_only_if_exactly_4",
    "red_reverses_whole_destination",
    "red_ignored",
    "blue_turn_without_move",
    "blue_blue_restores_direction",
    "offboard_stays_without_turn",
    "no_reverse_on_red_after_turn",
    "carries_alone",
    "carries_whole_stack",
    "dirs_up_right_down_left",
    "carried_pieces_keep_old_position",
    "blue_turns_all_carried",
    "red_reverses_only_pieces_above",
    "blue_turn_moves_even_into_blue_board",
    "offboard_wraps",
    "rounds_from_0",
    "placed_below_destination",
    "height_checked_on_moved_only",
)


def new_game(
    cells: list[list[int]],
    pieces: list[Piece],
    only_bottoms: bool = False,
    limit: int = 1000,
    wrong: str = "",
) -> int:
    """Answer New Game 2 (or New Game, with `only_bottoms`): the round, or -1."""
    n = len(cells)
    board: list[list[list[int]]] = [[[] for _ in range(n)] for _ in range(n)]
    row, col, way = ([piece[axis] for piece in pieces] for axis in range(3))
    steps, opposite = STEPS, (1, 0, 3, 2)
    if wrong == "dirs_up_right_down_left":
        steps, opposite = ((-1, 0), (0, 1), (1, 0), (0, -1)), (2, 3, 0, 1)
    for i in range(len(pieces)):
        board[row[i]][col[i]].append(i)

    def colour(r: int, c: int) -> int:
        return cells[r][c] if 0 <= r < n and 0 <= c < n else BLOCK

    def ahead(i: int) -> tuple[int, int]:
        r, c = row[i] + steps[way[i]][0], col[i] + steps[way[i]][1]
        return (r % n, c % n) if wrong == "offboard_wraps" else (r, c)

    def turn(i: int) -> tuple[int, int] | None:
        """Play one turn; return where the piece went."""
        stack = board[row[i]][col[i]]
        if i not in stack:  # only where carried pieces keep their old position
            return None
        at = stack.index(i)
        if only_bottoms and at > 0:
            return None
        r, c = ahead(i)
        turned = False
        if colour(r, c) == BLOCK:
            outside = not (0 <= r < n and 0 <= c < n)
            if wrong == "offboard_stays_without_turn" and outside:
                return None
            turned = True
            for q in stack[at:] if wrong == "blue_turns_all_carried" else [i]:
                way[q] = opposite[way[q]]
            if wrong == "blue_turn_without_move":
                return None
            r, c = ahead(i)
            on_board = 0 <= r < n and 0 <= c < n
            forced = wrong == "blue_turn_moves_even_into_blue_board" and on_board
            if colour(r, c) == BLOCK and not forced:
                if wrong == "blue_blue_restores_direction":
                    way[i] = opposite[way[i]]
                return None
        if wrong == "carries_alone":
            pile = [i]
        elif wrong == "carries_whole_stack":
            pile = stack[:]
        else:
            pile = stack[at:]
        for q in pile:
            stack.remove(q)
        reverses = colour(r, c) == REVERSE and wrong != "red_ignored"
        if wrong == "no_reverse_on_red_after_turn" and turned:
            reverses = False
        if reverses and wrong == "red_reverses_only_pieces_above":
            pile[1:] = pile[:0:-1]
        elif reverses and wrong != "red_reverses_whole_destination":
            pile.reverse()
        if wrong == "placed_below_destination":
            board[r][c][:0] = pile
        else:
            board[r][c] += pile
        if reverses and wrong == "red_reverses_whole_destination":
            board[r][c].reverse()
        for q in [i] if wrong == "carried_pieces_keep_old_position" else pile:
            row[q], col[q] = r, c
        moved.append(len(pile))
        return r, c

    limit += {"limit_999": -1, "limit_1001": 1}.get(wrong, 0)
    seen = set()
    for number in range(1, limit + 1):
        state = (*row, *col, *way, *(tuple(stack) for line in board for stack in line))
        if state in seen:
            return -1
        seen.add(state)
        for i in range(len(pieces)):
            moved: list[int] = []
            place = turn(i)
            if place is None or wrong == "end_checked_after_round":
                continue
            height = len(board[place[0]][place[1]])
            if wrong == "height_checked_on_moved_only":
                height = moved[0]
            if height == 4 or (height > 4 and wrong != "end_only_if_exactly_4"):
                return number - (wrong == "rounds_from_0")
        highest = max(len(stack) for line in board for stack in line)
        if wrong == "end_checked_after_round" and highest >= 4:
            return number
    return -1


def play(
    cells: list[list[int]], pieces: list[Piece], rules: Any, last: int | None = None
) -> tuple[str, int, dict[tuple[int, int], list[int]]]:
    """Play any rules without callables; return the outcome, its round and the stacks."""
    rows, cols = len(cells), len(cells[0])
    stacks: dict[tuple[int, int], list[int]] = {}
    where: list[tuple[int, int] | None] = [(r, c) for r, c, _ in pieces]
    way = [w for _, _, w in pieces]
    for i, (r, c, _) in enumerate(pieces):
        stacks.setdefault((r, c), []).append(i)
    clockwise = [0, 3, 1, 2]

    def effect(cell: tuple[int, int]) -> list[str]:
        if 0 <= cell[0] < rows and 0 <= cell[1] < cols:
            return str(rules.effects[cells[cell[0]][cell[1]]]).split("+")
        return [rules.border]

    def source_of(i: int) -> tuple[int, int]:
        place = where[i]
        assert place is not None
        return place

    def travel(i: int) -> tuple[int, int] | None:
        start = here = source_of(i)
        length = rules.distance
        if length == "height":
            length = len(stacks[start])
        steps = 0
        while length == "blocked" or steps < length:
            r, c = here[0] + STEPS[way[i]][0], here[1] + STEPS[way[i]][1]
            if rules.border == "wrap":
                r, c = r % rows, c % cols
            if "block" in effect((r, c)):
                break
            here, steps = (r, c), steps + 1
            if "sink" in effect(here) or (length == "blocked" and here == start):
                break
        return here if steps else None

    def turn(i: int) -> bool:
        """Play one turn; return whether it stops the game."""
        if where[i] is None:
            return False
        source = source_of(i)
        stack = stacks[source]
        if rules.schedule == "bottoms" and stack[0] != i:
            return False
        if rules.schedule == "tops" and stack[-1] != i:
            return False
        target = travel(i)
        if target is None:
            if rules.blocked == "skip":
                return False
            way[i] ^= 1
            if rules.blocked == "turn":
                return False
            target = travel(i)
            if target is None:
                way[i] ^= rules.blocked == "restore"
                return False
        pile = {
            "above": stack[stack.index(i) :],
            "stack": stack[:],
            "top": stack[-rules.lift_count :],
            "alone": [i],
        }[rules.lift]
        for q in pile:
            stack.remove(q)
        acts = effect(target)
        if "sink" in acts:
            for q in pile:
                where[q], way[q] = None, 0
            left = sum(place is not None for place in where)
            return "goal" in acts or (rules.stop_left is not None and left <= rules.stop_left)
        for name, quarters in (("right", 1), ("around", 2), ("left", 3)):
            if name in acts:
                for q in pile:
                    way[q] = clockwise[(clockwise.index(way[q]) + quarters) % 4]
        if "reverse" in acts:
            pile.reverse()
        old = stacks.get(target, [])
        stacks[target] = pile + old if rules.landing == "bottom" else old + pile
        for q in pile:
            where[q] = target
        height = rules.stop_height
        return "goal" in acts or (height is not None and len(stacks[target]) >= height)

    def left_over() -> dict[tuple[int, int], list[int]]:
        return {cell: stack for cell, stack in sorted(stacks.items()) if stack}

    seen = set()
    number = 0
    while True:
        state = str((left_over(), where, way))
        if state in seen:
            return "never", -1, left_over()
        seen.add(state)
        if number == last:
            return "limit", number, left_over()
        number += 1
        for i in range(len(pieces)):
            if turn(i):
                return "stopped", number, left_over()
