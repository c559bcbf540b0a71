"""Packages whose public names load on first use (PEP 562).

A package imports its public names under TYPE_CHECKING, for type checkers, lists them in
``__all__``, and says here where each one lives.  ``import gridkit`` then loads neither numpy nor
numba, and the command answers small inputs in a tenth of a second.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module

from gridkit.errors import naming_packages

__all__ = ["lazy_names"]


def lazy_names(
    package: str, homes: Mapping[str, str], modules: Mapping[str, str] | None = None
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return the ``__getattr__`` and the ``__dir__`` of a package.

    Parameters
    ----------
    package : str
        Its ``__name__``.
    homes : mapping of str to str
        Public name to the module that defines it, relative to the package.
    modules : mapping of str to str, optional
        Public name of a module to that module.

    Examples
    --------
    >>> getattribute, directory = lazy_names("gridkit", {"Cell": "grid.cell"}, {"cover": "cover"})
    >>> getattribute("Cell"), getattribute("cover").__name__
    (<class 'gridkit.grid.cell.Cell'>, 'gridkit.cover')
    """

    def load(name: str) -> object:
        with naming_packages():
            if modules is not None and name in modules:
                value: object = import_module(f"{package}.{modules[name]}")
            elif name in homes:
                value = getattr(import_module(f"{package}.{homes[name]}"), name)
            else:
                raise AttributeError(f"module {package!r} has no attribute {name!r}")
        setattr(sys.modules[package], name, value)
        return value

    def public_names() -> list[str]:
        return sorted(sys.modules[package].__all__)

    return load, public_names
