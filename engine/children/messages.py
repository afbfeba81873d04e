"""The messages between this program and its child processes.

A message consists of its length (8 bytes, little-endian), a line of JSON, the raw numbers of its arrays one after the
other, and bytes whose meaning is up to the receiver. Reading a message runs no code.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

MAX_BYTES = 1 << 30
_LENGTH = struct.Struct("<Q")


class BadMessage(ValueError):
    """The data received is not a message."""


@dataclass(frozen=True, eq=False)
class Message:
    """JSON data, arrays of float64 by name, and bytes."""

    data: Mapping[str, Any]
    arrays: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)
    content: bytes = b""


def send(stream: IO[bytes], message: Message) -> None:
    """Writes one message.

    Raises:
        OSError: The other side no longer reads.
    """
    arrays = {name: np.ascontiguousarray(array, "<f8") for name, array in message.arrays.items()}
    shapes = {name: array.shape for name, array in arrays.items()}
    head = json.dumps({"data": dict(message.data), "shapes": shapes}).encode() + b"\n"
    parts = [head, *(array.tobytes() for array in arrays.values()), message.content]
    stream.write(_LENGTH.pack(sum(map(len, parts))))
    for part in parts:
        stream.write(part)
    stream.flush()


def receive(stream: IO[bytes]) -> Message | None:
    """Reads one message; None at the end of the stream.

    Raises:
        BadMessage: The data is not a message.
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
        header = json.loads(head)
        return _message(dict(header["data"]), header["shapes"], rest)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadMessage(str(error)) from None


def _message(data: dict[str, Any], shapes: Mapping[str, list[int]], rest: bytes) -> Message:
    arrays = {}
    offset = 0
    for name, shape in shapes.items():
        count = int(np.prod(shape, dtype=np.int64))
        array = np.frombuffer(rest, "<f8", count, offset).reshape(shape).astype(np.float64)
        arrays[name] = array
        offset += array.nbytes
    return Message(data, arrays, rest[offset:])
