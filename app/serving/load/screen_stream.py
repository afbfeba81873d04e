"""Reads what a screen sends to a browser: RFB 3.8 (RFC 6143), in the encodings that simulated people ask for.

Pictures are not decoded. Where they change is read from the heads of their rectangles, and of their data no more than
what tells where the next rectangle begins.
"""

from __future__ import annotations

import struct
from collections.abc import Generator
from dataclasses import dataclass

from spatial_workbench.app.serving.rfb import NO_SECURITY, VERSION

RAW, COPIED, TIGHT = 0, 1, 7
SIZE, LAST, POINTER, SIZE_WITH_SCREENS = -223, -224, -239, -308
"""Pseudo-encodings: a size of the screen, the end of an update, the shape of the pointer, a size with its screens."""
FENCES, CONTINUOUS = -312, -313
MOST_RECTANGLES = 0xFFFF
"""So many rectangles stand for an update of unknown length, which `LAST` ends."""
_PIXEL_BYTES = 4
_TIGHT_PIXEL_BYTES = 3
_LEAST_COMPRESSED_BYTES = 12
_FILL, _JPEG, _LAST_BASIC = 8, 9, 7
_COPY, _PALETTE, _GRADIENT = 0, 1, 2
_FENCE_ASKS = 1 << 31
_FENCE_KNOWN = 0b11
"""Noted by noVNC: what came before a fence, and what comes after it, is kept apart."""

Steps = Generator[int, bytes, None]
"""Asks for numbers of bytes, and gets them."""


class ScreenStreamBroken(ValueError):
    """A screen sent what cannot be read; says what."""


@dataclass(frozen=True)
class ChangedArea:
    """A rectangle of the screen, in pixels from its upper left corner."""

    x: int
    y: int
    width: int
    height: int

    def is_near(self, x: float, y: float, within: float) -> bool:
        """Whether a point is inside, or not further away than `within` pixels to each side."""
        return (
            self.x - within <= x <= self.x + self.width + within
            and self.y - within <= y <= self.y + self.height + within
        )

    @property
    def pixels(self) -> int:
        """How many pixels it has."""
        return self.width * self.height

    def joined(self, other: ChangedArea) -> ChangedArea:
        """The smallest rectangle that holds both."""
        left, top = min(self.x, other.x), min(self.y, other.y)
        right = max(self.x + self.width, other.x + other.width)
        bottom = max(self.y + self.height, other.y + other.height)
        return ChangedArea(left, top, right - left, bottom - top)


@dataclass(frozen=True)
class ScreenAnswer:
    """What the browser has to answer at once."""

    content: bytes


@dataclass(frozen=True)
class ScreenSize:
    """How large the screen is. `screen` is its number; None as long as it has not said one."""

    width: int
    height: int
    screen: int | None = None


@dataclass(frozen=True)
class ContinuousOffer:
    """The screen can send pictures without being asked for each."""


@dataclass(frozen=True)
class PictureUpdate:
    """A picture has come.

    Attributes:
        areas: What it changes; nothing if only the shape of the pointer, or the size of the screen, has changed.
        lossy: Those of the areas that came as JPEG.
    """

    areas: tuple[ChangedArea, ...]
    lossy: tuple[ChangedArea, ...] = ()


ScreenMessage = ScreenAnswer | ScreenSize | ContinuousOffer | PictureUpdate


class ScreenStream:
    """Takes what a screen sends, in pieces of any size, and returns the messages that are complete."""

    def __init__(self) -> None:
        self._pending = bytearray()
        self._found: list[ScreenMessage] = []
        self._areas: list[ChangedArea] = []
        self._lossy: list[ChangedArea] = []
        self._steps = self._conversation()
        self._wanted = next(self._steps)

    def feed(self, data: bytes) -> list[ScreenMessage]:
        """The messages that end with these bytes.

        Raises:
            ScreenStreamBroken: They hold something that was not asked for.
        """
        self._pending += data
        while len(self._pending) >= self._wanted:
            taken = bytes(self._pending[: self._wanted])
            del self._pending[: self._wanted]
            self._wanted = self._steps.send(taken)
        found = self._found
        self._found = []
        return found

    def _conversation(self) -> Steps:
        yield from self._greeting()
        readers = {0: self._update, 1: self._colours, 3: self._clipboard, 248: self._fence}
        while True:
            kind = (yield 1)[0]
            if kind == 150:
                self._found.append(ContinuousOffer())
            elif kind in readers:
                yield from readers[kind]()
            elif kind != 2:  # a bell
                raise ScreenStreamBroken(f"message {kind}")

    def _greeting(self) -> Steps:
        if (yield len(VERSION)) != VERSION:
            raise ScreenStreamBroken("another version of RFB")
        self._found.append(ScreenAnswer(VERSION))
        kinds = yield (yield 1)[0]
        if NO_SECURITY not in kinds:
            raise ScreenStreamBroken("the screen asks for a password, or is busy")
        self._found.append(ScreenAnswer(bytes([NO_SECURITY])))
        if any((yield 4)):
            raise ScreenStreamBroken("the screen refuses")
        self._found.append(ScreenAnswer(b"\0"))
        width, height = struct.unpack(">HH", (yield 4))
        yield 16
        yield struct.unpack(">I", (yield 4))[0]
        self._found.append(ScreenSize(width, height))

    def _colours(self) -> Steps:
        yield 6 * struct.unpack(">xHH", (yield 5))[1]

    def _clipboard(self) -> Steps:
        yield struct.unpack(">3xI", (yield 7))[0]

    def _fence(self) -> Steps:
        flags, length = struct.unpack(">3xIB", (yield 8))
        content = yield length
        if flags & _FENCE_ASKS:
            self._found.append(ScreenAnswer(struct.pack(">B3xIB", 248, flags & _FENCE_KNOWN, length) + content))

    # Pictures ----------------------------------------------------------------------------------------------------

    def _update(self) -> Steps:
        (count,) = struct.unpack(">xH", (yield 3))
        self._areas = []
        self._lossy = []
        number = 0
        while number < count or count == MOST_RECTANGLES:
            number += 1
            x, y, width, height, encoding = struct.unpack(">HHHHi", (yield 12))
            if encoding == LAST:
                break
            yield from self._rectangle(ChangedArea(x, y, width, height), encoding)
        self._found.append(PictureUpdate(tuple(self._areas), tuple(self._lossy)))

    def _rectangle(self, area: ChangedArea, encoding: int) -> Steps:
        if encoding in (RAW, COPIED, TIGHT):
            self._areas.append(area)
        if encoding == RAW:
            yield area.width * area.height * _PIXEL_BYTES
        elif encoding == COPIED:
            yield 4
        elif encoding == TIGHT:
            yield from self._tight(area)
        elif encoding == SIZE:
            self._found.append(ScreenSize(area.width, area.height))
        elif encoding == POINTER:
            yield area.width * area.height * _PIXEL_BYTES + (area.width + 7) // 8 * area.height
        elif encoding == SIZE_WITH_SCREENS:
            yield from self._screens(area)
        else:
            raise ScreenStreamBroken(f"encoding {encoding}")

    def _screens(self, area: ChangedArea) -> Steps:
        (count,) = struct.unpack(">B3x", (yield 4))
        screens = yield 16 * count
        number = struct.unpack_from(">I", screens)[0] if count else None
        self._found.append(ScreenSize(area.width, area.height, number))

    def _tight(self, area: ChangedArea) -> Steps:
        kind = (yield 1)[0] >> 4
        if kind == _FILL:
            yield _TIGHT_PIXEL_BYTES
        elif kind == _JPEG:
            self._lossy.append(area)
            yield from self._compressed()
        elif kind <= _LAST_BASIC:
            yield from self._basic(area, (yield 1)[0] if kind & 4 else _COPY)
        else:
            raise ScreenStreamBroken(f"tight encoding {kind}")

    def _basic(self, area: ChangedArea, form: int) -> Steps:
        length = area.width * area.height * _TIGHT_PIXEL_BYTES
        if form == _PALETTE:
            colours = (yield 1)[0] + 1
            yield colours * _TIGHT_PIXEL_BYTES
            row = (area.width + 7) // 8 if colours <= 2 else area.width
            length = row * area.height
        elif form not in (_COPY, _GRADIENT):
            raise ScreenStreamBroken(f"tight filter {form}")
        if length < _LEAST_COMPRESSED_BYTES:
            yield length
        else:
            yield from self._compressed()

    def _compressed(self) -> Steps:
        """Skips data that begin with their length: seven bits a byte, the lowest first, eight in the third."""
        length = 0
        for shift in (0, 7, 14):
            part = (yield 1)[0]
            length |= (part if shift == 14 else part & 0x7F) << shift
            if not part & 0x80:
                break
        yield length
