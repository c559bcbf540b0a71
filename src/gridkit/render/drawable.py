"""What has a picture: one scene, from which every kind of picture is made."""

from __future__ import annotations

from gridkit import render
from gridkit.reading import read_bool

__all__ = ["Drawable"]


class Drawable:
    """Base of the values that have a picture; notebooks show it.

    A subclass says in `_scene` what is to be seen.  ``str`` stays what each value makes of it: the
    text that the value can be read from.
    """

    __slots__ = ()

    def _scene(self) -> render.Scene:
        """Return what the pictures show."""
        raise NotImplementedError

    def to_svg(self, *, cell_size: int = 24, theme: render.Theme = "auto") -> str:
        """Return the picture as an ``<svg>`` element.

        Parameters
        ----------
        cell_size : int
            Side of a cell in pixels, 1 to 1000.
        theme : {"auto", "light", "dark"}
            "auto" follows the reader's setting in a browser; the others are fixed.
        """
        return render.scene_svg(self._scene(), cell_size=cell_size, theme=theme)

    def to_png(
        self,
        *,
        cell_size: int = 24,
        theme: render.Theme = "light",
        scale: float = 2,
        background: str | None = "#ffffff",
    ) -> bytes:
        """Return the picture as a PNG file; needs the extra ``gridkit[png]``.

        Parameters
        ----------
        cell_size : int
            Side of a cell in pixels before scaling, 1 to 1000.
        theme : {"light", "dark"}
            The colours.
        scale : float
            By how much to enlarge the picture, for print and dense screens.
        background : str, optional
            The colour of the page; transparent for None.

        Raises
        ------
        UnsupportedError
            Where the extra is not installed.
        """
        fixed: render.Theme = "light" if theme == "auto" else theme
        svg = self.to_svg(cell_size=cell_size, theme=fixed)
        return render.svg_png(svg, scale=scale, background=background)

    def to_tikz(self, *, cell_size: int = 6) -> str:
        """Return the picture as a ``tikzpicture`` for LaTeX; `cell_size` in millimetres."""
        return render.scene_tikz(self._scene(), cell_size=cell_size)

    def to_terminal(self, *, colours: bool = False) -> str:
        """Return the picture in line-drawing characters, with `colours` in ANSI ones.

        Raises
        ------
        UnsupportedError
            For a picture that is not made of squares.
        """
        return render.scene_text(self._flat_scene(), colours=read_bool(colours, "colours"))

    def _flat_scene(self) -> render.Scene:
        """Return what is drawn by characters: the scene, where it is made of squares."""
        return self._scene()

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def _repr_html_(self) -> str:
        return self.to_svg()
