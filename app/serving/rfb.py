"""What a browser may say to the picture's server: an allow-list for the client's half of RFB (RFC 6143).

Frames of a WebSocket are not messages: a message may come in pieces, and a frame may hold several. So the stream is
parsed, and only whole messages are passed on: pointer, keys, requests for updates, formats of pixels, encodings from a
list, fences, continuous updates, and sizes of the screen within limits. Anything else ends the connection. What the
server says is not parsed.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable
from math import ceil

SMALLEST = (1280, 720)
LARGEST = (2560, 1440)
"""The sizes of the screen that a browser gets whatever it asks for, in pixels; the smallest is scaled as the window."""
VERSION = b"RFB 003.008\n"
NO_SECURITY = 1
MOST_ENCODINGS = 64
MOST_FENCE_BYTES = 64
ENCODINGS = frozenset(
    {
        0,  # raw
        1,  # copy rectangle
        2,  # RRE
        5,  # hextile
        7,  # tight
        -223,  # size of the screen
        -224,  # last rectangle
        -239,  # shape of the pointer
        -308,  # size of the screen, asked for by the client
        -312,  # fences
        -313,  # continuous updates
        -314,  # shape of the pointer, with transparency
        *range(-32, -22),  # quality of pictures
        *range(-256, -246),  # level of compression
    }
)
"""The encodings and pseudo-encodings that a browser may ask for; the clipboard and files are not among them."""
EXTENDED_CLIPBOARD = -1_063_131_698
"""The pseudo-encoding for a clipboard that holds any characters."""
_SIZES = {0: 20, 3: 10, 4: 8, 5: 6, 150: 10}
"""Bytes of the messages of a fixed length: pixel format, update request, key, pointer, continuous updates."""


class RfbRefused(ValueError):
    """A browser said what it may not say; the connection ends."""


class RfbGatekeeper:
    """Takes what a browser sends, in pieces of any size, and returns what may be passed on to the picture's server.

    most_cut_bytes: how long a message with the browser's clipboard may be; 0: there may be none. scale: how many pixels
    of the screen stand for a pixel of the page.
    """

    def __init__(self, most_cut_bytes: int = 0, scale: float = 1.0) -> None:
        self._scale = scale
        self._most_cut_bytes = most_cut_bytes
        self._encodings_known = ENCODINGS | {EXTENDED_CLIPBOARD} if most_cut_bytes else ENCODINGS
        self._pending = b""
        self._read = 0
        """So many bytes of what is pending have been taken: a frame may hold very many messages."""
        self._steps: Iterable[Callable[[], bytes | None]] = iter((self._version, self._security, self._sharing))
        self._step: Callable[[], bytes | None] = next(self._steps)

    def feed(self, data: bytes) -> bytes:
        """The whole messages so far that may be passed on; the rest of the data waits for what follows.

        Raises:
            RfbRefused: The data hold something that is not on the list.
        """
        self._pending = self._pending[self._read :] + data
        self._read = 0
        passed = []
        while (message := self._step()) is not None:
            passed.append(message)
            self._step = next(iter(self._steps), self._message)
        return b"".join(passed)

    @property
    def has_greeted(self) -> bool:
        """Whether the greeting is over."""
        return self._step == self._message

    # The greeting ------------------------------------------------------------------------------------------------

    def _version(self) -> bytes | None:
        version = self._taken(len(VERSION))
        if version is not None and version != VERSION:
            raise RfbRefused("another version of RFB")
        return version

    def _security(self) -> bytes | None:
        kind = self._taken(1)
        if kind is not None and kind[0] != NO_SECURITY:
            raise RfbRefused("another kind of security")
        return kind

    def _sharing(self) -> bytes | None:
        """Whether others may watch, too; nobody may, whatever the browser asks for."""
        return None if self._taken(1) is None else b"\0"

    # Messages ----------------------------------------------------------------------------------------------------

    def _message(self) -> bytes | None:
        if not self._has(1):
            return None
        kind = self._pending[self._read]
        if kind in _SIZES:
            return self._taken(_SIZES[kind])
        if kind == 6 and self._most_cut_bytes:
            return self._cut_text()
        if kind not in (2, 248, 251):
            raise RfbRefused(f"message {kind}")
        return {2: self._encodings, 248: self._fence, 251: self._size}[kind]()

    def _cut_text(self) -> bytes | None:
        """What was copied in the browser; a negative length says that it is of the extended kind."""
        if not self._has(8):
            return None
        (length,) = struct.unpack_from(">i", self._pending, self._read + 4)
        if abs(length) > self._most_cut_bytes:
            raise RfbRefused("a clipboard that is too long")
        return self._taken(8 + abs(length))

    def _encodings(self) -> bytes | None:
        if not self._has(4):
            return None
        (count,) = struct.unpack_from(">H", self._pending, self._read + 2)
        if count > MOST_ENCODINGS:
            raise RfbRefused("too many encodings")
        message = self._taken(4 + 4 * count)
        if message is None:
            return None
        asked = struct.unpack_from(f">{count}i", message, 4)
        known = [encoding for encoding in asked if encoding in self._encodings_known]
        return struct.pack(f">BxH{len(known)}i", 2, len(known), *known)

    def _fence(self) -> bytes | None:
        if not self._has(9):
            return None
        length = self._pending[self._read + 8]
        if length > MOST_FENCE_BYTES:
            raise RfbRefused("a fence that is too long")
        return self._taken(9 + length)

    def _size(self) -> bytes | None:
        """A size of the screen: one screen from the corner, as large as asked in pixels of the page, within limits."""
        if not self._has(8):
            return None
        if self._pending[self._read + 6] != 1:
            raise RfbRefused("another number of screens")
        message = self._taken(8 + 16)
        if message is None:
            return None
        asked = (int(length * self._scale) for length in struct.unpack_from(">HH", message, 2))
        least = smallest_screen(self._scale)
        width, height = (min(max(*pair), most) for *pair, most in zip(asked, least, LARGEST, strict=True))
        (screen,) = struct.unpack_from(">I", message, 8)
        return struct.pack(">BxHHBxIHHHHI", 251, width, height, 1, screen, 0, 0, width, height, 0)

    def _has(self, length: int) -> bool:
        return len(self._pending) - self._read >= length

    def _taken(self, length: int) -> bytes | None:
        """The next bytes of what is pending; None if there are not so many yet."""
        if not self._has(length):
            return None
        start = self._read
        self._read += length
        return self._pending[start : self._read]


def smallest_screen(scale: float) -> tuple[int, int]:
    """The size of the smallest screen, in pixels, if so many of them stand for one of the page."""
    return ceil(SMALLEST[0] * scale), ceil(SMALLEST[1] * scale)


def largest_page(scale: float) -> tuple[int, int]:
    """The size of the largest screen, in pixels of the page."""
    return int(LARGEST[0] / scale), int(LARGEST[1] / scale)
