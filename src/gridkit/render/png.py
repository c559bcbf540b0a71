"""PNG pictures, through resvg: an extra, since most readers never need one."""

from __future__ import annotations

from gridkit.errors import InputError, UnsupportedError

__all__ = ["svg_png"]


def svg_png(svg: str, *, scale: float = 2, background: str | None = "#ffffff") -> bytes:
    """Return an SVG picture as a PNG file.

    Parameters
    ----------
    svg : str
        An ``<svg>`` element in fixed colours.
    scale : float
        Pixels of the PNG for a pixel of the SVG, above 0 and at most 100.
    background : str, optional
        The colour of the page, as CSS writes it; transparent for None.

    Raises
    ------
    InputError
        For a scale out of range.
    UnsupportedError
        Where resvg is not installed, naming the extra.

    Examples
    --------
    >>> svg_png("<svg/>", scale=0)
    Traceback (most recent call last):
    gridkit.errors.InputError: scale must be a number above 0 and at most 100, got 0
    """
    if isinstance(scale, bool) or not isinstance(scale, int | float) or not 0 < scale <= 100:
        raise InputError(f"scale must be a number above 0 and at most 100, got {scale!r}")
    try:
        import resvg_py
    except ImportError:
        raise UnsupportedError(
            "to_png needs resvg-py, which is not installed: pip install 'gridkit[png]'"
        ) from None
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, zoom=scale, background=background))
