"""Named sets of pieces, each a dict from the piece's letter to the piece.

Letters are Golomb's for pentominoes and the customary ones for the smaller sets.  In the one-sided
sets the mirror image of a chiral piece carries a prime (``F'``), except for the tetrominoes, whose
mirror images have letters of their own.  Tetrahexes and hexiamonds bear the names that puzzlers
use.
"""

from __future__ import annotations

from functools import cache

from gridkit.grid.lattice import Lattice
from gridkit.polyomino.polycube import Polycube
from gridkit.polyomino.polyform import Polyform
from gridkit.polyomino.polyomino import Polyomino

__all__ = [
    "domino",
    "hat",
    "hexiamonds",
    "monomino",
    "one_sided_pentominoes",
    "one_sided_tetrominoes",
    "pentacubes",
    "pentominoes",
    "soma",
    "tetrahexes",
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
_TETRAHEXES = {
    "arch": " # #/# . #",
    "bar": "# # # #",
    "bee": "# #/ # #",
    "pistol": "# # #/ # .",
    "propeller": " . #/# #/ . #",
    "wave": "# # ./ . # #",
    "worm": "# # #/ . . #",
}
_HEXIAMONDS = {
    "bar": "AVAVAV",
    "butterfly": "VAV/AVA",
    "chevron": "...AV/AVAV.",
    "crook": "....A/VAVAV",
    "crown": "..A../VAVAV",
    "hexagon": "AVA/VAV",
    "hook": "..VA/AVAV",
    "lobster": ".AV./AVAV",
    "signpost": "..AV/VAVA",
    "snake": "..AVA/VAV..",
    "sphinx": "...A./AVAVA",
    "yacht": ".A.A/AVAV",
}
_HAT = "5 ./0 2/ 4 1/3 5/2 ."
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


def pentacubes() -> dict[str, Polycube]:
    """Return the 29 pentacubes, mirror images told apart.

    Flat ones bear the letters of their pentominoes; the others are numbered in the order of their
    canonical forms, 1 to 17.

    Examples
    --------
    >>> len(pentacubes()), len({piece.canonical(reflect=True) for piece in pentacubes().values()})
    (29, 23)
    """
    flat = {
        name: Polycube([(0, row, col) for row, col in piece]).canonical()
        for name, piece in pentominoes().items()
    }
    others = sorted(set(_cubes_joined(5)).difference(flat.values()))
    return flat | {str(number): piece for number, piece in enumerate(others, 1)}


@cache
def _cubes_joined(size: int) -> tuple[Polycube, ...]:
    """Return the canonical polycubes of so many cubes: each smaller one with a cube more."""
    if size == 1:
        return (Polycube([(0, 0, 0)]),)
    lattice = Lattice("cubic")
    larger = {
        Polycube([*piece, near]).canonical()
        for piece in _cubes_joined(size - 1)
        for near in {near for cube in piece for near in lattice.beside(cube)}.difference(piece)
    }
    return tuple(sorted(larger))


def tetrahexes() -> dict[str, Polyform]:
    """Return the seven free tetrahexes by their usual names (Gardner, 1967).

    Examples
    --------
    >>> list(tetrahexes())
    ['arch', 'bar', 'bee', 'pistol', 'propeller', 'wave', 'worm']
    """
    return _read_polyforms("hexagonal", _TETRAHEXES)


def hexiamonds() -> dict[str, Polyform]:
    """Return the twelve free hexiamonds by their usual names (O'Beirne, 1961).

    Examples
    --------
    >>> print(hexiamonds()["butterfly"])
    VAV
    AVA
    """
    return _read_polyforms("triangular", _HEXIAMONDS)


def hat() -> dict[str, Polyform]:
    """Return the hat, which tiles the plane but never periodically, and its mirror image.

    It is a polykite of eight kites (Smith, Myers, Kaplan, Goodman-Strauss, 2024).

    Examples
    --------
    >>> {name: len(piece.orientations()) for name, piece in hat().items()}
    {'hat': 6, "hat'": 6}
    """
    piece = _read_polyforms("kites", {"hat": _HAT})["hat"]
    return {"hat": piece, "hat'": piece.reflected()}


@cache
def _drawn_on(lattice: str, text: str) -> Polyform:
    return Polyform.parse(lattice, text.replace("/", "\n"))


def _read_polyforms(lattice: str, drawings: dict[str, str]) -> dict[str, Polyform]:
    return {name: _drawn_on(lattice, text) for name, text in drawings.items()}
