"""What can be played: pictures that move, for every value that knows its film."""

from __future__ import annotations

from gridkit import render
from gridkit.errors import InputError
from gridkit.reading import read_bool, read_int
from gridkit.render.drawable import Drawable

__all__ = ["Playable"]


class Playable(Drawable):
    """Base of the values that have a moving picture beside the one that stands still.

    A subclass says in `_film` what moves.
    """

    __slots__ = ()

    def _film(self) -> tuple[render.Film, str]:
        """Return what moves, and a line about it in words."""
        raise NotImplementedError

    def to_svg(
        self, *, cell_size: int = 24, theme: render.Theme = "auto", animate: bool = False
    ) -> str:
        """Return the picture as an ``<svg>`` element.

        Parameters
        ----------
        cell_size : int
            Side of a cell in pixels, 1 to 1000.
        theme : {"auto", "light", "dark"}
            "auto" follows the reader's setting in a browser; the others are fixed.
        animate : bool
            Whether the picture moves, without a script, from the start to the end and again.
            Moves of more than 1000 are joined to that many glides.  Readers who ask for reduced
            motion see the end.
        """
        if not read_bool(animate, "animate"):
            return super().to_svg(cell_size=cell_size, theme=theme)
        film, facts = self._film()
        size = read_int(cell_size, "cell_size", 1, 1000)
        return render.animated_svg(
            film, size, f"{film.stage.title}: {facts}", _checked_theme(theme)
        )

    def to_html(self, title: str = "") -> str:
        """Return a page that plays it: one file that loads nothing else.

        It plays, pauses, steps and scrubs by buttons and keys at any speed, lists the moves, fills
        the window, follows the reader's light or dark theme and wish for reduced motion.  More
        than 5000 moves are joined to that many glides.

        Parameters
        ----------
        title : str
            Heading of the page; what is played when left out.
        """
        if not isinstance(title, str):
            raise InputError(f"title must be a text, got {type(title).__name__}")
        film, facts = self._film()
        return render.player_page(film, title or film.stage.title, facts)

    def to_gif(
        self, *, cell_size: int = 40, theme: render.Theme = "light", frames: int = 4
    ) -> bytes:
        """Return an animated GIF; needs the extra ``gridkit[gif]``.

        Parameters
        ----------
        cell_size : int
            Side of a cell in pixels, 4 to 200.
        theme : {"light", "dark"}
            The colours of the board.
        frames : int
            Pictures of each move, 1 to 20: 1 jumps from state to state.  Moves of more than 200
            are joined to that many glides.

        Raises
        ------
        UnsupportedError
            Where the extra is not installed.
        """
        size = read_int(cell_size, "cell_size", 4, 200)
        pictures = read_int(frames, "frames", 1, 20)
        return render.film_gif(self._film()[0], size, _checked_theme(theme) == "dark", pictures)


def _checked_theme(theme: render.Theme) -> render.Theme:
    if theme not in ("auto", "light", "dark"):
        raise InputError(f"theme must be one of auto, light, dark, got {theme!r}")
    return theme
