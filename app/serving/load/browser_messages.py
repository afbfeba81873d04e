"""What a browser says to a screen (RFC 6143), as noVNC says it on the page with the window.

The encodings are those of noVNC that Xvnc makes use of: Tight with JPEG, at the page's quality and compression. So a
simulated person costs the server what a person costs.
"""

from __future__ import annotations

import struct

from spatial_workbench.app.serving.load.screen_stream import (
    CONTINUOUS,
    COPIED,
    FENCES,
    LAST,
    POINTER,
    RAW,
    SIZE,
    SIZE_WITH_SCREENS,
    TIGHT,
    ChangedArea,
)

QUALITY, COMPRESSION = 8, 2
"""As in viewer.js."""
LEFT, MIDDLE = 1, 2
"""Buttons of the pointer, as bits."""
RETURN, CONTROL, F9 = 0xFF0D, 0xFFE3, 0xFFC6
_QUALITY = QUALITY - 32
_PICTURES = (COPIED, TIGHT, RAW, _QUALITY, COMPRESSION - 256)
_ASKED = (*_PICTURES, SIZE, LAST, SIZE_WITH_SCREENS, FENCES, CONTINUOUS, POINTER)


def pixel_format() -> bytes:
    """Four bytes a pixel, red first."""
    return struct.pack(">BxxxBBBBHHHBBBxxx", 0, 32, 24, 0, 1, 255, 255, 255, 0, 8, 16)


def encodings(loses: bool = True) -> bytes:
    """How pictures may come. loses: also as JPEG."""
    asked = [value for value in _ASKED if loses or value != _QUALITY]
    return struct.pack(f">BxH{len(asked)}i", 2, len(asked), *asked)


def area_request(area: ChangedArea) -> bytes:
    """Asks for an area as it is now."""
    return struct.pack(">BBHHHH", 3, 0, area.x, area.y, area.width, area.height)


def change_request(width: int, height: int) -> bytes:
    """Asks for what changes on the screen next."""
    return struct.pack(">BBHHHH", 3, 1, 0, 0, width, height)


def continuous_request(width: int, height: int) -> bytes:
    """Asks for all pictures from now on."""
    return struct.pack(">BBHHHH", 150, 1, 0, 0, width, height)


def size_request(width: int, height: int, screen: int) -> bytes:
    """Asks for a size of the screen, which is that of the browser's window."""
    return struct.pack(">BxHHBxIHHHHI", 251, width, height, 1, screen, 0, 0, width, height, 0)


def pointer_event(x: float, y: float, buttons: int = 0) -> bytes:
    """The pointer is at a pixel, with these buttons held."""
    return struct.pack(">BBHH", 5, buttons, round(x), round(y))


def stroke(*keys: int) -> bytes:
    """Keys are pressed one after another, and released."""
    downs = [(1, key) for key in keys]
    ups = [(0, key) for key in reversed(keys)]
    return b"".join(struct.pack(">BBxxI", 4, is_down, key) for is_down, key in downs + ups)
