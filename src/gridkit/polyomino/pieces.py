"""Named sets of pieces, each a dict from the piece's letter to the piece.

Letters are Golomb's for pentominoes and the customary ones for the smaller sets.  In the one-sided
sets the mirror image of a chiral piece carries a prime (``F'``), except for the tetrominoes, whose
mirror images have letters of their own.
"""

from __future__ import annotations

from functools import cache

from gridkit.polyomino.polycube import Polycube
from gridkit.polyomino.polyomino import Polyomino

__all__ = [
    "domino",
    "monomino",
    "one_sided_pentominoes",
    "one_sided_tetrominoes",
    "pentominoes",
    "soma",
    "tetrominoes",
    "trominoes",
]

_TROMINOES = {"I": "###", "L": "#. ##"}
_TETROMINOES = {"I": "####", "L": "#. #. ##", "O": "## ##", "S": ".## ##.", "T": "### .#."}
_PENTOMINOES = {
    "F": ".## ##. .#.",
    "I": "#####",
    "L": "#. #. #. ##",
    "N": ".# .# ## #.",
    "P": "## ## #.",
    "T": "### .#. .#.",
    "U": "#.# ###",
    "V": "#.. #.. ###",
    "W": "#.. ##. .##",
    "X": ".#. ### .#.",
    "Y": ".# ## .# .#",
    "Z": "##. .#. .##",
}
_SOMA = {
    "V": "#./##",
    "L": "#../###",
    "T": ".#./###",
    "Z": "##./.##",
    "A": "#./## #./..",
    "B": "#./## ../.#",
    "P": "#./## ../#.",
}


@cache
def _drawn(text: str) -> Polyomino:
    return Polyomino.parse(text.replace(" ", "\n"))


def _read(drawings: dict[str, str]) -> dict[str, Polyomino]:
    return {name: _drawn(text) for name, text in drawings.items()}


def monomino() -> dict[str, Polyomino]:
    """Return the single cell, named O.

    Examples
    --------
    >>> monomino()
    {'O': Polyomino.parse('#')}
    """
    return _read({"O": "#"})


def domino() -> dict[str, Polyomino]:
    """Return the domino, named I.

    Examples
    --------
    >>> domino()
    {'I': Polyomino.parse('##')}
    """
    return _read({"I": "##"})


def trominoes() -> dict[str, Polyomino]:
    """Return the two trominoes, I and L.

    Examples
    --------
    >>> [len(piece.orientations()) for piece in trominoes().values()]
    [2, 4]
    """
    return _read(_TROMINOES)


def tetrominoes() -> dict[str, Polyomino]:
    """Return the five free tetrominoes, I L O S T.

    Examples
    --------
    >>> "".join(tetrominoes())
    'ILOST'
    """
    return _read(_TETROMINOES)


def one_sided_tetrominoes() -> dict[str, Polyomino]:
    """Return the seven one-sided tetrominoes, I J L O S T Z.

    Examples
    --------
    >>> "".join(one_sided_tetrominoes())
    'IJLOSTZ'
    """
    pieces = tetrominoes()
    pieces |= {"J": pieces["L"].reflected(), "Z": pieces["S"].reflected()}
    return dict(sorted(pieces.items()))


def pentominoes() -> dict[str, Polyomino]:
    """Return the twelve free pentominoes, F I L N P T U V W X Y Z.

    Examples
    --------
    >>> sum(len(piece.orientations(reflect=True)) for piece in pentominoes().values())
    63
    """
    return _read(_PENTOMINOES)


def one_sided_pentominoes() -> dict[str, Polyomino]:
    """Return the eighteen one-sided pentominoes; F' is the mirror image of F, and so on.

    Examples
    --------
    >>> len(one_sided_pentominoes())
    18
    """
    pieces = {}
    for name, piece in pentominoes().items():
        pieces[name] = piece
        if piece.canonical() != piece.reflected().canonical():
            pieces[f"{name}'"] = piece.reflected()
    return pieces


def soma() -> dict[str, Polycube]:
    """Return the seven pieces of Piet Hein's Soma cube: V L T Z, the chiral pair A B, and P.

    Examples
    --------
    >>> sum(map(len, soma().values()))
    27
    """
    return {
        name: Polycube.parse("\n\n".join(text.split()).replace("/", "\n"))
        for name, text in _SOMA.items()
    }
