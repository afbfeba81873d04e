"""A viewer of a test's own: reads what a screen holds, pixel by pixel and without loss."""

import asyncio
import struct

import numpy as np

RAW = 0
POINTER_SHAPE = -239
"""Whoever takes it draws the pointer; otherwise, the screen draws it into the picture."""
_FORMAT = struct.pack(">BBBBHHHBBBxxx", 32, 24, 0, 1, 255, 255, 255, 16, 8, 0)


async def framebuffer(path, pointer=(0, 0)):
    """The colours of a screen, rows x columns x 3, read through its Unix socket; who watched before is cut off.

    pointer: where it is put first; elsewhere than where the viewer has put it, the screen draws it into the picture.
    """
    reader, writer = await asyncio.open_unix_connection(path)
    try:
        writer.write(await reader.readexactly(12))
        await reader.readexactly((await reader.readexactly(1))[0])
        writer.write(b"\1")
        await reader.readexactly(4)
        writer.write(b"\0")
        width, height, name_length = struct.unpack(">HH16xI", await reader.readexactly(24))
        await reader.readexactly(name_length)
        writer.write(struct.pack(">Bxxx16s", 0, _FORMAT))
        writer.write(struct.pack(">BxHii", 2, 2, RAW, POINTER_SHAPE))
        writer.write(struct.pack(">BBHH", 5, 0, *pointer))
        writer.write(struct.pack(">BBHHHH", 3, 0, 0, 0, width, height))
        return await _whole_picture(reader, width, height)
    finally:
        writer.close()


async def _whole_picture(reader, width, height):
    picture = np.zeros((height, width, 3), np.uint8)
    missing = np.ones((height, width), bool)
    while missing.any():
        kind, count = struct.unpack(">BxH", await reader.readexactly(4))
        assert kind == 0, f"message {kind}"
        for _ in range(count):
            x, y, columns, rows, encoding = struct.unpack(">HHHHi", await reader.readexactly(12))
            data = await reader.readexactly(4 * columns * rows)
            if encoding == POINTER_SHAPE:
                await reader.readexactly((columns + 7) // 8 * rows)
            else:
                blue_first = np.frombuffer(data, np.uint8).reshape(rows, columns, 4)
                picture[y : y + rows, x : x + columns] = blue_first[:, :, 2::-1]
                missing[y : y + rows, x : x + columns] = False
    return picture
