"""How often an item or a piece is used."""

from __future__ import annotations

from gridkit.errors import InputError

__all__ = ["Bounds", "read_bounds"]

Bounds = int | tuple[int, int | None] | None


def read_bounds(value: Bounds, what: str) -> tuple[int, int | None]:
    """Read how often: an int, (least, greatest) with None for no bound, or None for any number."""
    pair = (0, None) if value is None else (value, value) if isinstance(value, int) else value
    wrong = InputError(
        f"{what}: expected an int >= 0, (least, greatest) with least <= greatest, or None, "
        f"got {value!r}"
    )
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        raise wrong
    least, greatest = pair
    if isinstance(least, bool) or not isinstance(least, int) or least < 0:
        raise wrong
    if greatest is not None and (
        isinstance(greatest, bool) or not isinstance(greatest, int) or greatest < least
    ):
        raise wrong
    return least, greatest
