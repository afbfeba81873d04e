"""Pictures in other formats than PNG: how many pages they have, and each page as PNG, upright.

Only TIFF files have several pages. Reduced copies and masks, which some programs store beside a page, are none.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

from spatial_workbench.engine.puzzles.sets.pages import (
    FAST_COMPRESSION,
    MOST_BYTES,
    MOST_PIXELS,
    PictureError,
    is_png,
    picture_size,
    png_of,
)

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

MOST_FRAMES = 1000
"""Of a TIFF file, with reduced copies and masks."""
_FORMATS = ("JPEG", "BMP", "GIF", "TIFF", "WEBP")
_SUBFILE_TYPE = 254
_NO_PAGE = 0b101
"""Bits of a TIFF subfile's type: a reduced copy, or a mask."""
_SIXTEEN_BITS = ("I;16", "I;16L", "I;16B", "I;16N")


def count_picture_pages(source: Path | IO[bytes], name: str) -> int:
    """How many pages a picture in a usual format other than PNG has, judged by its beginning and its directories.

    Raises:
        PictureError: It is no picture, or too large to be decoded.
    """
    with _opened(source, name) as picture:
        return len(_frames_of(picture, name))


def png_pages(source: bytes | Path, name: str, numbers: tuple[int, ...] = ()) -> Iterator[bytes]:
    """The pages of a picture in one of the usual formats, each as the bytes of a PNG file; a PNG stays as it is.

    Pictures of cameras and telephones that say so are turned upright.

    numbers: The pages that are wanted, from 1 on, in this order; all by default.

    Raises:
        PictureError: It cannot be read, is too large, or has no such page.
    """
    raw = source if isinstance(source, bytes) else _content_of_png(source, name)
    if raw is not None and is_png(raw):
        picture_size(raw, name)
        yield raw
        return
    with _opened(io.BytesIO(source) if isinstance(source, bytes) else source, name) as picture:
        frames = _frames_of(picture, name)
        for number in numbers or range(1, len(frames) + 1):
            if number > len(frames):
                raise PictureError(f"{name} has no page {number}")
            yield _upright_png(picture, frames[number - 1], name)


def _content_of_png(path: Path, name: str) -> bytes | None:
    """What a PNG file holds; None for a file in another format, which is not read.

    Raises:
        PictureError: It cannot be read, or is too large.
    """
    try:
        if path.stat().st_size > MOST_BYTES:
            raise PictureError(f"{name} has more than {MOST_BYTES // 10**6} MB")
        with path.open("rb") as file:
            if not is_png(file.read(16)):
                return None
            file.seek(0)
            return file.read()
    except OSError as error:
        raise PictureError(f"{name} cannot be read: {error.strerror}") from None


def _upright_png(picture: Picture, frame: int, name: str) -> bytes:
    from PIL import ImageOps

    with _readable(name):
        picture.seek(frame)
        _check_pixels(picture, name)
        return png_of(_as_page(ImageOps.exif_transpose(picture)), FAST_COMPRESSION)


def _as_page(picture: Picture) -> Picture:
    """The same in colour or, if it has no colours, in greys of 8 bits, which take a third of the time and room.

    Greys of 16 bits are reduced, because converting them to colour makes them all white.
    """
    if picture.mode in _SIXTEEN_BITS:
        picture = picture.convert("I").point(lambda grey: grey / 256)
        return picture.convert("L")
    return picture.convert("L" if picture.mode in ("1", "L") else "RGB")


def _frames_of(picture: Picture, name: str) -> list[int]:
    """The places of a picture's pages among its frames. Animations have one page."""
    if picture.format != "TIFF":
        return [0]
    pages: list[int] = []
    with _readable(name):
        for frame in range(MOST_FRAMES + 1):
            try:
                picture.seek(frame)
            except EOFError:
                # A file of reduced copies alone is shown by the first of them.
                return pages or [0]
            _check_pixels(picture, name)
            if not _subfile_type(picture) & _NO_PAGE:
                pages.append(frame)
    raise PictureError(f"{name} has more than {MOST_FRAMES} pages, which is too many")


def _subfile_type(picture: Picture) -> int:
    value = picture.tag_v2.get(_SUBFILE_TYPE, 0)  # type: ignore[attr-defined]
    return value if isinstance(value, int) else 0


@contextmanager
def _opened(source: Path | IO[bytes], name: str) -> Iterator[Picture]:
    """A picture, opened by its beginning.

    Pillow maps files that it opens by their paths, and reads TIFF files that lie on their side wrongly then.
    """
    from PIL import Image

    with ExitStack() as stack:
        with _readable(name):
            stream = stack.enter_context(source.open("rb")) if isinstance(source, Path) else source
            picture = stack.enter_context(Image.open(stream, formats=_FORMATS))
        _check_pixels(picture, name)
        yield picture


def _check_pixels(picture: Picture, name: str) -> None:
    if picture.width * picture.height > MOST_PIXELS:
        raise PictureError(f"{name} has {picture.width} × {picture.height} pixels, which is too large")


@contextmanager
def _readable(name: str) -> Iterator[None]:
    """Says of a picture that cannot be read that this is so, whatever was wrong in detail."""
    from PIL import Image

    try:
        yield
    except (OSError, SyntaxError, ValueError, TypeError, KeyError, struct.error, Image.DecompressionBombError) as error:
        if isinstance(error, PictureError):
            raise
        raise PictureError(f"{name} is not a picture that can be opened") from None
