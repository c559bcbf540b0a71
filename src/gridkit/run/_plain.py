"""Parts as lines of a checkpoint, states in JSON's terms: no file of ours is ever unpickled."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from gridkit.run.parallel import Part

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["part_of", "plain", "restored", "row_of"]

Row = tuple[float, str, str, int, str, float, int]


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


def row_of(part: Part) -> Row:
    """Return a part as the columns of its line in a checkpoint: weight to done."""
    return (
        float(part.weight),
        json.dumps(plain(part.state)),
        json.dumps(plain(part.value)),
        int(part.nodes),
        str(part.found),
        float(part.fraction),
        int(part.done),
    )


def part_of(row: Sequence[object]) -> Part:
    """Return what `row_of` was given."""
    weight, state, value, nodes, found, fraction, done = row
    return Part(
        state=restored(json.loads(str(state))),
        weight=float(str(weight)),
        value=restored(json.loads(str(value))),
        nodes=int(str(nodes)),
        found=int(str(found)),
        fraction=float(str(fraction)),
        done=bool(done),
    )
