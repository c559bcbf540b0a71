"""A planner for the PDDL that sliding blocks are written in: breadth first over sets of atoms."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

Tree = Any  # a word, or a list of trees
State = frozenset[tuple[str, ...]]


def shortest_plan(domain: str, problem: str) -> int | None:
    """Return the number of actions of a shortest plan, None when there is none."""
    rules, task = _sections(domain), _sections(problem)
    kinds = _typed(task[":objects"])
    [action] = [tree for tree in _read(domain) if isinstance(tree, list) and tree[0] == ":action"]
    parts = dict(zip(action[2::2], action[3::2], strict=True))
    variables = _typed(parts[":parameters"])
    state: State = frozenset(tuple(atom) for atom in task[":init"])
    fluent = {"at", "free"}
    fixed = {atom for atom in state if atom[0] not in fluent}
    assert ":adl" in rules[":requirements"]
    [goal] = task[":goal"]
    front, seen, length = [state], {state}, 0
    while front:
        if any(_holds(goal, now, {}, kinds) for now in front):
            return length
        following = []
        for now in front:
            # Blocks, places and steps from where a block is: those that can bind the parameters.
            for _, block, place in sorted(atom for atom in now if atom[0] == "at"):
                for _, _, _, to in sorted(
                    atom for atom in fixed if atom[:3] == ("step", block, place)
                ):
                    names = dict(zip(variables, (block, place, to), strict=True))
                    if _holds(parts[":precondition"], now, names, kinds):
                        new = _after(parts[":effect"], now, names, kinds)
                        if new not in seen:
                            seen.add(new)
                            following.append(new)
        front, length = following, length + 1
    return None


def _read(text: str) -> list[Tree]:
    stack: list[list[Tree]] = [[]]
    for word in re.findall(r"[()]|[^\s()]+", text):
        if word == "(":
            stack.append([])
        elif word == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(word)
    [[tree]] = stack
    assert isinstance(tree, list)
    return tree


def _sections(text: str) -> dict[str, list[Tree]]:
    return {tree[0]: tree[1:] for tree in _read(text) if isinstance(tree, list)}


def _typed(words: list[Tree]) -> dict[str, str]:
    """Return the kind of each name in a list ``a b - kind c - other``."""
    kinds: dict[str, str] = {}
    waiting: list[str] = []
    rest: Iterator[Tree] = iter(words)
    for word in rest:
        if word == "-":
            kinds.update(dict.fromkeys(waiting, str(next(rest))))
            waiting = []
        else:
            waiting.append(str(word))
    assert not waiting
    return kinds


def _holds(tree: Tree, state: State, names: Mapping[str, str], kinds: Mapping[str, str]) -> bool:
    operator, *parts = tree
    if operator in ("and", "or"):
        return (all if operator == "and" else any)(
            _holds(part, state, names, kinds) for part in parts
        )
    if operator == "not":
        return not _holds(parts[0], state, names, kinds)
    if operator == "imply":
        return not _holds(parts[0], state, names, kinds) or _holds(parts[1], state, names, kinds)
    if operator == "forall":
        return all(_holds(parts[1], state, own, kinds) for own in _bound(parts[0], names, kinds))
    return tuple(names.get(str(word), str(word)) for word in tree) in state


def _bound(
    words: Tree, names: Mapping[str, str], kinds: Mapping[str, str]
) -> Iterator[dict[str, str]]:
    assert isinstance(words, list)
    variables = _typed(words)
    ranges = [[name for name, own in kinds.items() if own == kind] for kind in variables.values()]
    for values in product(*ranges):
        yield {**names, **dict(zip(variables, values, strict=True))}


def _after(tree: Tree, state: State, names: Mapping[str, str], kinds: Mapping[str, str]) -> State:
    added: set[tuple[str, ...]] = set()
    removed: set[tuple[str, ...]] = set()

    def apply(effect: Tree, own: Mapping[str, str]) -> None:
        operator, *parts = effect
        if operator == "and":
            for part in parts:
                apply(part, own)
        elif operator == "forall":
            for names_there in _bound(parts[0], own, kinds):
                apply(parts[1], names_there)
        elif operator == "when":
            if _holds(parts[0], state, own, kinds):
                apply(parts[1], own)
        else:
            words, target = (parts[0], removed) if operator == "not" else (effect, added)
            target.add(tuple(own.get(str(word), str(word)) for word in words))

    apply(tree, names)
    return state - removed | added
