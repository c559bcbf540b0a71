"""States in JSON's terms and back: no file of ours is ever unpickled."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["plain", "restored"]


def plain(value: object) -> object:
    """Return nested tuples, numbers, texts, bytes and arrays in JSON's terms."""
    if value is None or isinstance(value, bool | float | str):
        return value
    if isinstance(value, int):
        # Python refuses to read decimal integers of more than 4300 digits.
        return value if -(1 << 63) <= value < 1 << 63 else {"int": hex(value)}
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    if isinstance(value, bytes):
        return {"bytes": base64.b64encode(value).decode("ascii")}
    array: NDArray[np.generic] = value  # type: ignore[assignment]  # all that is left
    return {
        "array": base64.b64encode(array.tobytes()).decode("ascii"),
        "dtype": array.dtype.str,
        "shape": list(array.shape),
    }


def restored(value: object) -> object:
    """Return what `plain` was given."""
    if isinstance(value, list):
        return tuple(restored(item) for item in value)
    if isinstance(value, dict):
        if "int" in value:
            return int(value["int"], 16)
        if "bytes" in value:
            return base64.b64decode(value["bytes"])
        import numpy as np

        content = base64.b64decode(value["array"])
        return np.frombuffer(content, np.dtype(value["dtype"])).reshape(value["shape"]).copy()
    return value
