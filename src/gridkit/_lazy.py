"""Packages whose public names load on first use (PEP 562).

A package imports its public names under TYPE_CHECKING, for type checkers, lists them in
``__all__``, and says here where each one lives.  ``import gridkit`` then loads neither numpy nor
numba, and the command answers small inputs in a tenth of a second.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module

__all__ = ["lazy_names"]


def lazy_names(
    package: str, homes: Mapping[str, str]
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return the ``__getattr__`` and the ``__dir__`` of a package.

    Parameters
    ----------
    package : str
        Its ``__name__``.
    homes : mapping of str to str
        Public name to the module that defines it, relative to the package.  A name that is the
        last part of its home is that module itself: ``"kings": "kings"``.

    Examples
    --------
    >>> getattribute, directory = lazy_names("gridkit", {"Cell": "grid.cell", "cover": "cover"})
    >>> getattribute("Cell"), getattribute("cover").__name__
    (<class 'gridkit.grid.cell.Cell'>, 'gridkit.cover')
    """

    def load(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        home = homes[name]
        value: object = import_module(f"{package}.{home}")
        if home.rpartition(".")[2] != name:
            value = getattr(value, name)
        setattr(sys.modules[package], name, value)
        return value

    def public_names() -> list[str]:
        return sorted(sys.modules[package].__all__)

    return load, public_names
