"""Kernels of the constructive plans: line after line, with the blank led by priced displacement.

Tiles are numbered by their goal cells; `place[tile]` is where a tile stands, `board` the inverse.
A plan is the list of cells that the blank enters.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridkit.run.jit import kernel

__all__ = ["construct", "shorten", "trace"]

BLANK, MADE, LINE, ROUNDS, STAMP = range(5)  # words of `control`
START, STEP, LENGTH, INWARD = range(4)  # columns of `lines`
RUNNING, DONE, FULL = 0, 1, 2

_HEAVY = 60.0


@kernel("void(int64, int64[::1], int64[::1], int64[::1], int64[::1])")
def move_blank(
    cell: int,
    control: NDArray[np.int64],
    board: NDArray[np.int64],
    place: NDArray[np.int64],
    made: NDArray[np.int64],
) -> None:
    """Slide the tile on `cell` into the blank beside it and note the cell."""
    blank = control[BLANK]
    tile = board[cell]
    board[blank], board[cell] = tile, board[blank]
    place[tile], place[board[cell]] = blank, cell
    made[control[MADE]] = cell
    control[BLANK] = cell
    control[MADE] += 1


@kernel("void(float64, int64, int64, float64[::1], int64[::1])")
def push_heap(
    cost: float, cell: int, size: int, costs: NDArray[np.float64], cells: NDArray[np.int64]
) -> None:
    """Insert into a binary heap of `size` entries."""
    at = size
    while at > 0:
        up = (at - 1) >> 1
        if costs[up] <= cost:
            break
        costs[at], cells[at] = costs[up], cells[up]
        at = up
    costs[at], cells[at] = cost, cell


@kernel("void(int64, float64[::1], int64[::1])")
def pop_heap(size: int, costs: NDArray[np.float64], cells: NDArray[np.int64]) -> None:
    """Remove the first of `size` entries."""
    last = size - 1
    cost, cell = costs[last], cells[last]
    at = 0
    while True:
        child = 2 * at + 1
        if child >= last:
            break
        if child + 1 < last and costs[child + 1] < costs[child]:
            child += 1
        if costs[child] >= cost:
            break
        costs[at], cells[at] = costs[child], cells[child]
        at = child
    costs[at], cells[at] = cost, cell


@kernel("int64(int64, int64, int64[:, ::1])")
def apart(one: int, other: int, spot: NDArray[np.int64]) -> int:
    """Return the taxicab distance of two cells; `spot` lists row and column of each."""
    distance: int = abs(spot[one, 0] - spot[other, 0]) + abs(spot[one, 1] - spot[other, 1])
    return distance


@kernel(
    "boolean(int64, int64, int64[:, ::1], int64[::1], int64[::1], int64[::1], int64[::1],"
    "int64[:, ::1], boolean[::1], boolean[::1], float64[:, ::1], float64[::1], int64[::1],"
    "int64[::1], float64[::1], int64[::1])"
)
def lead_blank(
    held: int,
    heavy: int,
    spot: NDArray[np.int64],
    control: NDArray[np.int64],
    board: NDArray[np.int64],
    place: NDArray[np.int64],
    made: NDArray[np.int64],
    neighbours: NDArray[np.int64],
    locked: NDArray[np.bool_],
    wanted: NDArray[np.bool_],
    price: NDArray[np.float64],
    cost: NDArray[np.float64],
    came: NDArray[np.int64],
    seen: NDArray[np.int64],
    heap_costs: NDArray[np.float64],
    heap_cells: NDArray[np.int64],
) -> bool:
    """Take the blank to the cheapest wanted cell, around locked cells and the cell `held`.

    A tile that is displaced costs little when it comes nearer its goal and much when it does not,
    the more so the sooner its goal is filled (`price[tile]`: nearer, farther); tile `heavy` is
    hardly ever displaced.
    """
    control[STAMP] += 2
    stamp = control[STAMP]  # seen: stamp = has a cost, stamp + 1 = final
    source = control[BLANK]
    cost[source] = 0.0
    came[source] = -1
    seen[source] = stamp
    push_heap(0.0, source, 0, heap_costs, heap_cells)
    size = 1
    target = -1
    while size:
        cell = heap_cells[0]
        pop_heap(size, heap_costs, heap_cells)
        size -= 1
        if seen[cell] == stamp + 1:
            continue
        seen[cell] = stamp + 1
        if wanted[cell]:
            target = cell
            break
        for side in range(4):
            ahead = neighbours[cell, side]
            if ahead < 0:
                break
            if locked[ahead] or ahead == held or seen[ahead] == stamp + 1:
                continue
            tile = board[ahead]
            if tile == heavy:
                total = cost[cell] + _HEAVY
            elif apart(cell, tile, spot) < apart(ahead, tile, spot):
                total = cost[cell] + price[tile, 0]
            else:
                total = cost[cell] + price[tile, 1]
            if seen[ahead] != stamp or total < cost[ahead]:
                cost[ahead] = total
                came[ahead] = cell
                seen[ahead] = stamp
                push_heap(total, ahead, size, heap_costs, heap_cells)
                size += 1
    if target < 0:
        return False
    # The way is short and stands backwards; turn it round in the heap's room.
    length = 0
    while target != source:
        heap_cells[length] = target
        length += 1
        target = came[target]
    for index in range(length - 1, -1, -1):
        move_blank(heap_cells[index], control, board, place, made)
    return True


@kernel(
    "int64(int64[::1], int64, int64[::1], int64[::1], int64[::1], int64[::1], int64[:, ::1],"
    "int64[::1], int64[::1])"
)
def finish_pair(
    window: NDArray[np.int64],
    count: int,
    control: NDArray[np.int64],
    board: NDArray[np.int64],
    place: NDArray[np.int64],
    made: NDArray[np.int64],
    neighbours: NDArray[np.int64],
    came: NDArray[np.int64],
    queue: NDArray[np.int64],
) -> int:
    """Bring the tiles of the last two cells of a line home by breadth-first search in a window.

    `window[:count]` lists free cells, the two goals first.  The tiles and the blank have to be
    inside.  Returns -1 when there is no way.
    """
    inside = np.full(board.shape[0], -1, np.int64)
    for index in range(count):
        inside[window[index]] = index
    one, other = window[0], window[1]
    square = count * count
    came[: square * count] = -1
    start = (inside[place[one]] * count + inside[place[other]]) * count + inside[control[BLANK]]
    came[start] = start
    queue[0] = start
    head, tail = 0, 1
    end = -1
    while head < tail:
        state = queue[head]
        head += 1
        a, b, blank = state // square, state // count % count, state % count
        if a == 0 and b == 1:
            end = state
            break
        for side in range(4):
            ahead = neighbours[window[blank], side]
            if ahead < 0:
                break
            to = inside[ahead]
            if to < 0:
                continue
            following = ((blank if a == to else a) * count + (blank if b == to else b)) * count + to
            if came[following] < 0:
                came[following] = state
                queue[tail] = following
                tail += 1
    if end < 0:
        return -1
    length = 0
    while end != start:
        queue[length] = window[end % count]
        length += 1
        end = came[end]
    for index in range(length - 1, -1, -1):
        move_blank(queue[index], control, board, place, made)
    return length


@kernel(
    "int64(int64, int64[:, ::1], int64[:, ::1], int64[:, ::1], int64[::1], int64[::1], int64[::1],"
    "int64[::1], int64[:, ::1], boolean[::1], boolean[::1], float64[:, ::1], float64[::1],"
    "int64[::1], int64[::1], float64[::1], int64[::1], int64[::1], int64[::1])"
)
def construct(
    budget: int,
    spot: NDArray[np.int64],
    lines: NDArray[np.int64],
    bounds: NDArray[np.int64],
    control: NDArray[np.int64],
    board: NDArray[np.int64],
    place: NDArray[np.int64],
    made: NDArray[np.int64],
    neighbours: NDArray[np.int64],
    locked: NDArray[np.bool_],
    wanted: NDArray[np.bool_],
    price: NDArray[np.float64],
    cost: NDArray[np.float64],
    came: NDArray[np.int64],
    seen: NDArray[np.int64],
    heap_costs: NDArray[np.float64],
    heap_cells: NDArray[np.int64],
    pair_came: NDArray[np.int64],
    pair_queue: NDArray[np.int64],
) -> int:
    """Fill the lines, one after the other, for about `budget` moves.

    `lines` gives each line's first cell, the step along it, its length and the step inwards;
    `bounds` the rectangle (top, bottom, left, right; half open) that is still free before it.
    The room left in `made` has to exceed `budget` by 16 times the number of cells.
    """
    size = board.shape[0]
    last = control[MADE] + budget
    window = np.empty(64, np.int64)
    while control[LINE] < lines.shape[0]:
        line = control[LINE]
        start, step, length = lines[line, START], lines[line, STEP], lines[line, LENGTH]
        inward = lines[line, INWARD]
        for index in range(length - 2):
            target = start + index * step
            while place[target] != target:
                if control[MADE] >= last:
                    return RUNNING
                here = place[target]
                for side in range(4):
                    ahead = neighbours[here, side]
                    if ahead >= 0 and not locked[ahead]:
                        wanted[ahead] = apart(ahead, target, spot) < apart(here, target, spot)
                lead_blank(
                    here, -1, spot, control, board, place, made, neighbours, locked, wanted,
                    price, cost, came, seen, heap_costs, heap_cells,
                )  # fmt: skip
                for side in range(4):
                    if neighbours[here, side] >= 0:
                        wanted[neighbours[here, side]] = False
                move_blank(here, control, board, place, made)
            locked[target] = True
        # The last two together: the window is at the line's end, three deep, wider each round.
        one = start + (length - 2) * step
        other = one + step
        while place[one] != one or place[other] != other:
            if control[MADE] >= last:
                return RUNNING
            top, bottom = bounds[line, 0], bounds[line, 1]
            left, right = bounds[line, 2], bounds[line, 3]
            reach = 2 + control[ROUNDS] // 4
            window[0], window[1] = one, other
            count = 2
            deep = 0
            while deep <= reach:
                for along in range(reach + 1):
                    cell = other + deep * inward - along * step
                    inside = 0 <= cell < size
                    if inside:
                        row, col = spot[cell, 0], spot[cell, 1]
                        inside = top <= row < bottom and left <= col < right
                        inside = inside and apart(cell, other, spot) == deep + along
                    if inside and not locked[cell] and cell != one and cell != other:
                        if count < 64:
                            window[count] = cell
                            count += 1
                deep += 1
            for index in range(count):
                wanted[window[index]] = True
            moved = False
            for turn in range(2):
                tile, heavy = (one, other) if turn == 0 else (other, one)
                if not moved and not wanted[place[tile]]:
                    moved = True
                    here = place[tile]
                    for index in range(count):
                        wanted[window[index]] = False
                    goal = other + inward
                    for side in range(4):
                        ahead = neighbours[here, side]
                        if ahead >= 0 and not locked[ahead]:
                            wanted[ahead] = apart(ahead, goal, spot) < apart(here, goal, spot)
                    if lead_blank(
                        here, heavy, spot, control, board, place, made, neighbours, locked,
                        wanted, price, cost, came, seen, heap_costs, heap_cells,
                    ):  # fmt: skip
                        move_blank(here, control, board, place, made)
                    else:
                        control[ROUNDS] += 1
                    for side in range(4):
                        if neighbours[here, side] >= 0:
                            wanted[neighbours[here, side]] = False
            if moved:
                for index in range(count):
                    wanted[window[index]] = False
                control[ROUNDS] += 1 if apart(place[one], place[other], spot) < 5 else 0
                continue
            lead_blank(
                -1, one, spot, control, board, place, made, neighbours, locked, wanted, price,
                cost, came, seen, heap_costs, heap_cells,
            )  # fmt: skip
            both = wanted[place[one]] and wanted[place[other]]
            for index in range(count):
                wanted[window[index]] = False
            if not both or finish_pair(
                window, count, control, board, place, made, neighbours, pair_came, pair_queue
            ) < 0:  # fmt: skip
                control[ROUNDS] += 1
        locked[one] = locked[other] = True
        control[ROUNDS] = 0
        control[LINE] += 1
    return DONE


@kernel(
    "int64(int64, int64[:, ::1], int64, int64, int64, int64[::1], int64[::1], int64[::1],"
    "int64[:, ::1], int64[::1], int64[::1], int64[:, ::1])"
)
def shorten(
    budget: int,
    spot: NDArray[np.int64],
    span: int,
    stride: int,
    patience: int,
    control: NDArray[np.int64],
    path: NDArray[np.int64],
    board: NDArray[np.int64],
    neighbours: NDArray[np.int64],
    target: NDArray[np.int64],
    seen: NDArray[np.int64],
    stack: NDArray[np.int64],
) -> int:
    """Replace stretches of `span` moves by shortest ones, for about `budget` nodes.

    Words of `control`: the blank, read position, write position, end of `path`, nodes, stamp, the
    first blank.  A stretch is given up after `patience` nodes; the next begins `stride` moves
    later.  `board` is the position at the read position.
    """
    blank, read, write, end = control[0], control[1], control[2], control[3]
    nodes = control[4]
    last = nodes + budget
    while nodes < last:
        reach = min(span, end - read)
        if reach < 4:
            while read < end:
                path[write] = path[read]
                read += 1
                write += 1
            control[1], control[2], control[3], control[4] = read, write, write, nodes
            return DONE
        control[5] += 1
        stamp = control[5]
        # Where the stretch takes the tiles that it touches.
        here = blank
        for index in range(read, read + reach):
            cell = path[index]
            tile = board[cell]
            board[here], board[cell] = tile, board[here]
            target[tile] = here
            seen[tile] = stamp
            here = cell
        home = here
        for index in range(read + reach - 1, read - 1, -1):
            before = path[index - 1] if index > read else blank
            board[here], board[before] = board[before], board[here]
            here = before
        walk = 0
        for index in range(read, read + reach):
            # Tiles touched stand on cells of the stretch before it begins.
            tile = board[path[index]]
            if seen[tile] == stamp and target[tile] >= 0:
                walk += apart(path[index], target[tile], spot)
                target[tile] = -1 - target[tile]  # counted
        for index in range(read, read + reach):
            tile = board[path[index]]
            if seen[tile] == stamp and target[tile] < 0:
                target[tile] = -1 - target[tile]
        bound = walk + ((reach - walk) & 1)
        spent = 0
        found = -1
        while bound < reach and found < 0 and spent < patience:
            depth, here, rest = 0, blank, walk
            stack[0, 0] = 0
            stack[0, 1] = -1
            while depth >= 0:
                if rest == 0 and here == home:
                    found = depth
                    break
                side = stack[depth, 0]
                cell = neighbours[here, side] if side < 4 else -1
                if cell < 0 or spent >= patience:
                    depth -= 1
                    if depth >= 0:
                        before = stack[depth + 1, 1]
                        tile = board[before]
                        board[here], board[before] = tile, board[here]
                        aim = target[tile] if seen[tile] == stamp else here
                        rest += apart(here, aim, spot) - apart(before, aim, spot)
                        here = before
                    continue
                stack[depth, 0] = side + 1
                if cell == stack[depth, 1]:
                    continue
                spent += 1
                tile = board[cell]
                aim = target[tile] if seen[tile] == stamp else cell
                change = apart(here, aim, spot) - apart(cell, aim, spot)
                if depth + 1 + rest + change > bound:
                    continue
                board[here], board[cell] = tile, board[here]
                rest += change
                depth += 1
                stack[depth, 0] = 0
                stack[depth, 1] = here
                stack[depth, 2] = cell
                here = cell
            bound += 2
        nodes += spent + reach
        if found >= 0:
            # Undo the search's own moves, then put the shorter stretch in front of the rest.
            for depth in range(found, 0, -1):
                before = stack[depth, 1]
                board[here], board[before] = board[before], board[here]
                here = before
            read += reach - found
            for depth in range(1, found + 1):
                path[read + depth - 1] = stack[depth, 2]
            back = min(span, write)  # what stands before may now be shortened in turn
        else:
            back = -min(stride, reach)
        if back > 0:
            back = min(back, stride)
            for _ in range(back):
                write -= 1
                read -= 1
                path[read] = path[write]
                before = path[write - 1] if write > 0 else control[6]
                board[blank], board[before] = board[before], board[blank]
                blank = before
        else:
            for _ in range(-back):
                cell = path[read]
                path[write] = cell
                board[blank], board[cell] = board[cell], board[blank]
                blank = cell
                read += 1
                write += 1
    control[0], control[1], control[2], control[3] = blank, read, write, end
    control[4] = nodes
    return RUNNING


@kernel("void(int64, int64[::1], int64[::1], int64[:, ::1])")
def trace(
    blank: int, path: NDArray[np.int64], board: NDArray[np.int64], moves: NDArray[np.int64]
) -> None:
    """Write (tile, cell it leaves, cell it enters) for each cell that the blank enters."""
    for index in range(path.shape[0]):
        cell = path[index]
        moves[index, 0], moves[index, 1], moves[index, 2] = board[cell], cell, blank
        board[blank], board[cell] = board[cell], board[blank]
        blank = cell
