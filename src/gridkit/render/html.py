"""Small self-contained HTML pages of many pictures."""

from __future__ import annotations

from collections.abc import Sequence

from gridkit.render.text import escaped

__all__ = ["picture_page"]

_PICTURES = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<style>:root{{color-scheme:light dark}}body{{font:16px sans-serif;margin:1.5em}}
main{{display:flex;flex-wrap:wrap;gap:1.5em}}figure{{margin:0}}</style></head>
<body><h1>{title}</h1>
<main>
{body}
</main></body></html>
"""


def picture_page(pictures: Sequence[str], *, title: str = "gridkit") -> str:
    """Return a page that shows SVG pictures side by side, light or dark as the reader's browser is.

    Parameters
    ----------
    pictures : sequence of str
        ``<svg>`` elements, as ``to_svg`` returns them.
    title : str
        Heading and title of the page, not escaped.

    Returns
    -------
    str
        A whole page that loads nothing.

    Examples
    --------
    >>> "<svg" in picture_page(["<svg></svg>"])
    True
    """
    body = "\n".join(f"<figure>{picture}</figure>" for picture in pictures)
    return _PICTURES.format(title=escaped(title), body=body)
