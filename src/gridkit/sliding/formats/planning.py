"""Sliding blocks as a planning problem in PDDL, for planners to compare with."""

from __future__ import annotations

from gridkit.errors import InputError
from gridkit.sliding.blocks.packing import edge_cells, reachable_places
from gridkit.sliding.blocks.puzzle import SlidingPuzzle

__all__ = ["pddl_texts"]

_DOMAIN = """\
(define (domain sliding-blocks)
  (:requirements :adl :typing)
  (:types block place cell)
  (:predicates
    (at ?b - block ?p - place)
    (step ?b - block ?p ?q - place)
    (covers ?b - block ?p - place ?c - cell)
    (free ?c - cell))
  (:action move
    :parameters (?b - block ?p ?q - place)
    :precondition (and
      (at ?b ?p)
      (step ?b ?p ?q)
      (forall (?c - cell)
        (imply (covers ?b ?q ?c) (or (free ?c) (covers ?b ?p ?c)))))
    :effect (and
      (not (at ?b ?p))
      (at ?b ?q)
      (forall (?c - cell)
        (when (and (covers ?b ?p ?c) (not (covers ?b ?q ?c))) (free ?c)))
      (forall (?c - cell)
        (when (and (covers ?b ?q ?c) (not (covers ?b ?p ?c))) (not (free ?c)))))))
"""


def pddl_texts(puzzle: SlidingPuzzle) -> tuple[str, str]:
    """Return the domain and the problem in PDDL (ADL: conditional effects); an action is a step.

    Places are the reference cells of blocks, ``p-row-col``; a goal edge is any place that touches
    it.  Each block has its own identity: ``b-a`` is block a, ``b-upper-a`` block A, since PDDL does
    not tell the two apart, and other names are the numbers of their characters.

    Examples
    --------
    >>> domain, problem = pddl_texts(SlidingPuzzle.parse("A..", goal={"A": (0, 2)}))
    >>> print(problem.splitlines()[-1])
      (:goal (at b-upper-a p-0-2)))
    """
    if not isinstance(puzzle, SlidingPuzzle):
        raise InputError(f"expected a SlidingPuzzle, got {type(puzzle).__name__}")
    instance, cols = puzzle._instance, puzzle.cols
    facts, goals, goal_places = [], [], []
    names = [_name(block.name) for block in instance.blocks]
    covered, places_of = 0, []
    for name, block, shape, start in zip(
        names, instance.blocks, instance.shapes, instance.places, strict=True
    ):
        origin = start[0] * cols + start[1]
        places, masks, near = reachable_places(
            instance.rows, cols, shape, origin, block.allowed, block.axis
        )
        facts.append(f"(at {name} {_at('p', origin, cols)})")
        for place, mask, steps in zip(places, masks, near, strict=True):
            own = _at("p", place, cols)
            facts += [f"(covers {name} {own} {_at('c', cell, cols)})" for cell in _bits(mask)]
            ends = [_at("p", places[to], cols) for to in steps if to >= 0]
            facts += [f"(step {name} {own} {end})" for end in ends]
        covered |= masks[places.index(origin)]
        places_of.append(dict(zip(places, masks, strict=True)))
    free = instance.free & ~covered
    facts += [f"(free {_at('c', cell, cols)})" for cell in _bits(free)]
    for number, target in instance.goal:
        name = names[number]
        if isinstance(target, str):
            edge = edge_cells(instance.rows, cols, target)
            aims = [place for place, mask in places_of[number].items() if mask & edge]
        else:
            aims = [target[0] * cols + target[1]]
        goal_places.append(aims)
        ways = [f"(at {name} {_at('p', end, cols)})" for end in aims]
        goals.append(ways[0] if len(ways) == 1 else f"(or {' '.join(ways)})")
    every = sorted(set().union(*places_of, *goal_places))  # a goal may be out of reach
    lines = [
        "(define (problem sliding)",
        "  (:domain sliding-blocks)",
        "  (:objects",
        f"    {' '.join(names)} - block",
        f"    {' '.join(_at('p', place, cols) for place in every)} - place",
        f"    {' '.join(_at('c', cell, cols) for cell in _bits(instance.free))} - cell)",
        "  (:init",
        *(f"    {fact}" for fact in facts[:-1]),
        f"    {facts[-1]})",
        f"  (:goal {goals[0] if len(goals) == 1 else '(and ' + ' '.join(goals) + ')'}))",
    ]
    return _DOMAIN, "\n".join(lines)


def _name(block: str) -> str:
    if not (block.isascii() and block.isalnum()):
        return f"b-character-{ord(block)}"
    return f"b-upper-{block.lower()}" if block.isupper() else f"b-{block}"


def _at(kind: str, place: int, cols: int) -> str:
    row, col = divmod(place, cols)
    return f"{kind}-{row}-{col}"


def _bits(word: int) -> list[int]:
    return [bit for bit in range(word.bit_length()) if word >> bit & 1]
