"""PNG files without any toolkit: pictures in prompts and reports."""

import struct
import zlib

import numpy as np
from numpy.typing import NDArray


def png(picture: NDArray[np.uint8]) -> bytes:
    """An array (h, w) in grey, (h, w, 3) in colour or (h, w, 4) with alpha too, as the bytes of a PNG file."""
    height, width = picture.shape[:2]
    color_type = 0 if picture.ndim == 2 else {3: 2, 4: 6}[picture.shape[2]]
    lines = np.concatenate([np.zeros((height, 1), np.uint8), picture.reshape(height, -1)], axis=1)
    header = struct.pack(">IIBBBBB", width, height, 8, color_type, 0, 0, 0)
    data = zlib.compress(lines.tobytes(), 6)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", data) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
