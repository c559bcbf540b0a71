"""An animated SVG without scripts: sprites glide by ``animateTransform`` with key times (SMIL).

It plays wherever an ``<img>`` does, also where pages may not run scripts.
"""

from __future__ import annotations

from typing import NamedTuple

from gridkit.render.motion.drawing import MARGIN, board, drawn, short, style, view_box
from gridkit.render.motion.film import SUNK, Film, Pose, joined, poses
from gridkit.render.svg import Theme
from gridkit.render.text import escaped

__all__ = ["MOST_MOVES", "animated_svg", "seconds_of"]

MOST_MOVES = 1000
"""A longer film is shown in so many glides, each of several moves."""

GLIDE = 0.7
"""The part of a move's time in which its sprites move; then they rest."""

_HOLD = 2.0  # seconds at the end, before it begins anew


def seconds_of(legs: int) -> float:
    """Return the time that a move of so many legs takes, in seconds."""
    return 0.4 + 0.15 * (min(legs, 8) - 1 if legs else 0)


class _Track(NamedTuple):
    """The values of one sprite, each with its time in seconds."""

    places: list[tuple[float, float, float]]  # time, x, y
    turns: list[tuple[float, int]]


def animated_svg(film: Film, cell_size: int, title: str, theme: Theme = "auto") -> str:
    """Return a film as one ``<svg>`` element that plays for ever.

    Parameters
    ----------
    film : Film
        Of more than `MOST_MOVES` moves runs are joined.
    cell_size : int
        Side of a cell in pixels.
    title : str
        Accessible name of the picture.
    theme : {"auto", "light", "dark"}
        Colours of the board.

    Notes
    -----
    Readers who ask for reduced motion see the last state.
    """
    film = joined(film, MOST_MOVES)
    stage = film.stage
    tracks, total = _tracks(film)
    digits = len(str(int(total))) + 2
    width = round((stage.width + 2 * MARGIN) * cell_size)
    height = round((stage.height + 2 * MARGIN + 0.2) * cell_size)
    moving, still = [], []
    for sprite, track, pose in zip(stage.sprites, tracks, _last(film), strict=True):
        begin = Pose(sprite.x, sprite.y, sprite.turn or 0)
        moves, turns = _moving(track, total, digits), _turning(track, total, digits)
        moving.append(drawn(sprite, begin, moves, turns))
        still.append(drawn(sprite, pose))
    full = short(stage.width)
    bar = (
        f'<rect class="gm-bar" y="{short(stage.height + 0.2)}" height=".08" rx=".04" '
        f'width="{full}"><animate attributeName="width" from="0" to="{full}" '
        f'dur="{short(total)}s" repeatCount="indefinite"/></rect>'
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="{view_box(stage, 0.2)}" role="img"><title>{escaped(title)}</title>'
        f"<style>{style(stage, theme)}.gm-still{{display:none}}"
        "@media(prefers-reduced-motion:reduce){.gm-still{display:inline}.gm-moving{display:none}}</style>"
        f'{board(stage)}<g class="gm-moving">{"".join(moving)}{bar}</g>'
        f'<g class="gm-still">{"".join(still)}</g></svg>'
    )


def _last(film: Film) -> list[Pose]:
    now: list[Pose] = []
    for now in poses(film):  # noqa: B007 - the list that is kept up to date
        pass
    return now


def _tracks(film: Film) -> tuple[list[_Track], float]:
    """Return what each sprite does when, and the length of the film in seconds."""
    tracks = [
        _Track([(0.0, sprite.x, sprite.y)], [(0.0, sprite.turn or 0)])
        for sprite in film.stage.sprites
    ]
    clock = 0.5
    for changes in film.moves:
        seconds = seconds_of(max((len(change.path) for change in changes), default=0))
        for change in changes:
            track = tracks[change.sprite]
            if change.path:
                leg = GLIDE * seconds / len(change.path)
                x, y = track.places[-1][1:]
                if track.places[-1][0] < clock:  # it rested until now
                    track.places.append((clock, x, y))
                track.places.extend(
                    (clock + leg * number, x, y) for number, (x, y) in enumerate(change.path, 1)
                )
            if change.turn != track.turns[-1][1]:
                track.turns.append((clock + GLIDE * seconds, change.turn))
        clock += seconds
    return tracks, clock + _HOLD


def _moving(track: _Track, total: float, digits: int) -> str:
    """Return the elements that move a sprite, and take it away where it sinks."""
    parts = []
    if len(track.places) > 1:
        parts.append(
            _animation(
                'Transform attributeName="transform" type="translate"',
                [f"{short(x)} {short(y)}" for _, x, y in track.places]
                + [f"{short(track.places[-1][1])} {short(track.places[-1][2])}"],
                [time / total for time, _, _ in track.places] + [1],
                total,
                digits,
            )
        )
    sunk = [time for time, turn in track.turns if turn == SUNK]
    if sunk:
        parts.append(
            _animation(
                ' attributeName="visibility" calcMode="discrete"',
                ["visible", "hidden"], [0, sunk[0] / total], total, digits,
            )
        )  # fmt: skip
    return "".join(parts)


def _turning(track: _Track, total: float, digits: int) -> str:
    turns = [(time, turn) for time, turn in track.turns if turn != SUNK]
    if len(turns) < 2:
        return ""
    return _animation(
        'Transform attributeName="transform" type="rotate" calcMode="discrete"',
        [str(turn) for _, turn in turns], [time / total for time, _ in turns], total, digits,
    )  # fmt: skip


def _animation(what: str, values: list[str], times: list[float], total: float, digits: int) -> str:
    key_times = ";".join(short(time, digits) for time in times)
    return (
        f'<animate{what} dur="{short(total)}s" repeatCount="indefinite" '
        f'values="{";".join(values)}" keyTimes="{key_times}"/>'
    )
