"""Names of slow packages for annotations, without loading the packages.

A model that takes or returns arrays, or takes an executor, loads numpy or concurrent.futures when
that method is called, not when gridkit is imported, yet `typing.get_type_hints` has to understand
its annotations.  Such a module writes::

    if TYPE_CHECKING:
        import numpy as np
        from numpy.typing import ArrayLike, NDArray
    else:
        from gridkit.hints import ArrayLike, NDArray, np

Whoever asks for the hints loads the packages.
"""

from __future__ import annotations

from importlib import import_module

__all__ = [
    "ArrayLike",
    "DistanceTable",
    "ExactCover",
    "Executor",
    "NDArray",
    "Plan",
    "StateSpace",
    "decide",
    "networkx",
    "np",
    "scipy",
]


class _Later:
    """A name of a module that is imported when somebody asks what the name stands for."""

    def __init__(self, module: str, name: str = "") -> None:
        self._module, self._name = module, name

    def _value(self) -> object:
        module = import_module(self._module)
        return getattr(module, self._name) if self._name else module

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._value(), name)

    def __getitem__(self, item: object) -> object:
        return self._value()[item]  # type: ignore[index]  # a generic alias

    def __or__(self, other: object) -> object:
        return self._value() | other  # type: ignore[operator]  # a type

    def __repr__(self) -> str:
        return f"{self._module}.{self._name}".rstrip(".")


np = _Later("numpy")
NDArray = _Later("numpy.typing", "NDArray")
ArrayLike = _Later("numpy.typing", "ArrayLike")
Executor = _Later("concurrent.futures", "Executor")
decide = _Later("gridkit.cover.decide")
ExactCover = _Later("gridkit.cover.exact_cover", "ExactCover")
Plan = _Later("gridkit.sliding.plan", "Plan")
DistanceTable = _Later("gridkit.sliding.npuzzle.distances", "DistanceTable")
StateSpace = _Later("gridkit.sliding.blocks.space", "StateSpace")
networkx = _Later("networkx")
scipy = _Later("scipy")
