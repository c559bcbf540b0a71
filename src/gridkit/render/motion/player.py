"""A page that plays a film: it glides, pauses, steps, scrubs; one file that needs nothing else."""

from __future__ import annotations

import json
import re
from pkgutil import get_data

from gridkit.render.motion.animated import GLIDE
from gridkit.render.motion.drawing import board, drawn, style, view_box
from gridkit.render.motion.film import Change, Film, Pose, joined
from gridkit.render.text import escaped

__all__ = ["MOST_MOVES", "player_page"]

MOST_MOVES = 5000
"""A longer film is shown in so many glides, each of several moves."""


def player_page(film: Film, title: str, facts: str = "") -> str:
    """Return a page that plays a film.

    Parameters
    ----------
    film : Film
        Of more than `MOST_MOVES` moves runs are joined.
    title : str
        Heading, and accessible name of the board.
    facts : str
        A line beside the heading.

    Notes
    -----
    The page is the template ``player.html`` with the board, its style and the film put in; it
    loads nothing.  Its object ``player`` can be driven by other scripts: ``play()``, ``pause()``,
    ``seek(position)``, ``step(by)``, ``advance(milliseconds)``.

    Examples
    --------
    >>> from gridkit.render.motion.film import Film, Stage
    >>> page = player_page(Film(Stage(1, 1, [["open"]], []), [], []), "nothing moves")
    >>> page.startswith("<!DOCTYPE html>"), "<h1>nothing moves</h1>" in page
    (True, True)
    """
    number = len(film.moves)
    film = joined(film, MOST_MOVES)
    if len(film.moves) < number:
        facts = f"{facts + ' · ' if facts else ''}shown in {len(film.moves)} glides"
    stage = film.stage
    sprites = [
        drawn(sprite, Pose(sprite.x, sprite.y, sprite.turn or 0)) for sprite in stage.sprites
    ]
    data = {
        "poses": [[sprite.x, sprite.y, sprite.turn or 0] for sprite in stage.sprites],
        "moves": [[_flat(change) for change in changes] for changes in film.moves],
        "captions": list(film.captions),
        "unit": film.unit,
        "glide": GLIDE,
    }
    parts = {
        "title": escaped(title),
        "facts": escaped(facts),
        "style": style(stage),
        "box": view_box(stage),
        "board": board(stage) + "".join(sprites),
        # "</script>" in a caption must not end the script.
        "film": json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"),
    }
    template = get_data(__package__, "player.html")
    assert template is not None  # it is part of the package
    return re.sub("@([a-z]+)@", lambda match: parts[match[1]], template.decode("utf-8"))


def _flat(change: Change) -> list[float]:
    return [change.sprite, change.turn, *(value for point in change.path for value in point)]
