"""Messages between this program and its physics process: numbers and arrays, and nothing that could be run.

A message is its length (8 bytes, little-endian), a line of JSON, and the raw numbers of its arrays one after the other.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

MAX_BYTES = 1 << 30
_LENGTH = struct.Struct("<Q")

Arrays = Mapping[str, NDArray[np.float64]]


class BadMessage(ValueError):
    """What came is no message."""


def send(stream: IO[bytes], data: Mapping[str, Any], arrays: Arrays | None = None) -> None:
    """Writes one message: JSON data, and arrays of float64 by name."""
    made = {name: np.ascontiguousarray(array, "<f8") for name, array in (arrays or {}).items()}
    shapes = {name: array.shape for name, array in made.items()}
    head = json.dumps({"data": data, "shapes": shapes}).encode() + b"\n"
    body = head + b"".join(array.tobytes() for array in made.values())
    stream.write(_LENGTH.pack(len(body)) + body)
    stream.flush()


def receive(stream: IO[bytes]) -> tuple[dict[str, Any], dict[str, NDArray[np.float64]]] | None:
    """Reads one message; None at the end.

    Raises:
        BadMessage: what came is none.
    """
    length = stream.read(_LENGTH.size)
    if len(length) < _LENGTH.size:
        return None
    size = _LENGTH.unpack(length)[0]
    if size > MAX_BYTES:
        raise BadMessage(f"{size} bytes are too many")
    body = stream.read(size)
    if len(body) < size:
        return None
    head, _, rest = body.partition(b"\n")
    try:
        told = json.loads(head)
        return dict(told["data"]), dict(_arrays(told["shapes"], rest))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadMessage(str(error)) from None


def _arrays(shapes: Mapping[str, list[int]], rest: bytes) -> list[tuple[str, NDArray[np.float64]]]:
    found, place = [], 0
    for name, shape in shapes.items():
        count = int(np.prod(shape, dtype=np.int64))
        array = np.frombuffer(rest, "<f8", count, place).reshape(shape).astype(np.float64)
        found.append((name, array))
        place += array.nbytes
    return found
