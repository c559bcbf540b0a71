"""Text pictures: one character a cell, and text in the pictures of others."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["LETTERS", "escaped", "grid_text"]

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"


def grid_text(labels: Sequence[Sequence[int | None]], letters: Sequence[str] | None = None) -> str:
    """Draw a labelled grid with one character a cell.

    Parameters
    ----------
    labels : rows of int or None
        None prints ``.``, -1 prints ``#``, a label n its letter.
    letters : sequence of str, optional
        The character of each label; A, B, C, ... (recurring after 62) when left out.

    Examples
    --------
    >>> print(grid_text([[0, 0, -1], [1, 0, None]]))
    AA#
    BA.
    """
    marks = LETTERS if letters is None else letters

    def mark(label: int | None) -> str:
        if label is None:
            return "."
        return "#" if label == -1 else marks[label % len(marks)]

    return "\n".join("".join(mark(label) for label in row) for row in labels)


def escaped(text: str) -> str:
    """Return a text as it stands in HTML, SVG and their quoted attributes.

    Examples
    --------
    >>> escaped('"<&>"')
    '&quot;&lt;&amp;&gt;&quot;'
    """
    from html import escape  # its tables take milliseconds to load: only when there is text

    return escape(text)
