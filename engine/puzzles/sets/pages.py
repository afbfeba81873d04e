"""Pictures of puzzles: pages and figures, opened with limits, and made small enough for models."""

from __future__ import annotations

import io
import math
import os
import re
import struct
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

CONTENT = re.compile(r"content(?:_(\d{1,6}))?\.png")
FIGURE = re.compile(r"figure_([1-9]\d{0,5})\.png")
LONE_FIGURE = "figure.png"
"""What some importers write instead of figure_1.png; saving numbers it."""
LEAST_SIDE_PX = 200
MOST_PIXELS = 80_000_000
"""Larger pictures are not decoded: one of 10⁵ × 10⁵ pixels would take 40 GB."""
MOST_BYTES = 200_000_000
_MOST_BYTES_OF_PIXEL = 9
"""Four channels of 16 bits, and what lines and pieces of a PNG add."""
_MOST_BYTES_BESIDE = 8_000_000
"""Room for profiles and texts."""
MODEL_SIDE_PX = 1024
"""The longer side of a page as a model sees it."""
_OPAQUE = ("1", "L", "P", "RGB")
FAST_COMPRESSION = 3
"""Of PNG: half the time of the usual 6, for files that are hardly larger."""
_END = b"\0\0\0\0IEND\xaeB`\x82"
"""The last bytes of a PNG file."""
_HEADER = struct.Struct(">8sI4sII")
_SIGNATURE = b"\x89PNG\r\n\x1a\n"


def is_png(head: bytes) -> bool:
    """Whether bytes begin as a PNG file does."""
    return head.startswith(_SIGNATURE)


def is_figure_name(name: str) -> bool:
    """Whether a file is called as a figure: figure_1.png and so on, or figure.png, which is read like figure_1.png."""
    return name == LONE_FIGURE or FIGURE.fullmatch(name) is not None


class PictureError(ValueError):
    """A picture that cannot be used; says why."""


def page_order(name: str) -> int:
    """The place of a content file among the pages: content.png first, the others by number."""
    match = CONTENT.fullmatch(name)
    return int(match[1] or 0) if match else 10**6


def picture_size(raw: bytes, name: str = "The picture") -> tuple[int, int]:
    """Width and height in pixels from the beginning of a PNG.

    Raises:
        PictureError: It is no PNG, or too large to be decoded.
    """
    if len(raw) < _HEADER.size:
        raise PictureError(f"{name} is not a PNG picture")
    signature, _, kind, width, height = _HEADER.unpack_from(raw)
    if signature != _SIGNATURE or kind != b"IHDR" or not width or not height:
        raise PictureError(f"{name} is not a PNG picture")
    if width * height > MOST_PIXELS:
        raise PictureError(
            f"{name} has {width} × {height} pixels; at most {MOST_PIXELS // 10**6} million can be opened"
        )
    return width, height


def check_head(head: bytes, size: int, name: str) -> None:
    """Judges a PNG file by its first bytes and its length.

    Raises:
        PictureError: It is no PNG, too large to be decoded, or longer than a picture of its size can be.
    """
    width, height = picture_size(head, name)
    if size > _MOST_BYTES_OF_PIXEL * width * height + _MOST_BYTES_BESIDE:
        raise PictureError(f"{name} has {size / 1e6:.0f} MB for {width} × {height} pixels, and is not a sound picture")


def size_of_file(path: Path) -> tuple[int, int]:
    """Width and height of a PNG file in pixels.

    Raises:
        PictureError: It is no PNG, or too large.
        OSError: The file cannot be read.
    """
    if path.stat().st_size > MOST_BYTES:
        raise PictureError(f"{path.name} has more than {MOST_BYTES // 10**6} MB")
    with path.open("rb") as file:
        return picture_size(file.read(_HEADER.size), path.name)


def check_ends(path: Path, least_side_px: int = 1) -> None:
    """Judges a PNG file by its beginning and its end, which is quick; one that does not end as usual is read through.

    Raises:
        PictureError: It is no PNG, incomplete, too large or too small.
        OSError: The file cannot be read.
    """
    _check_size(path, least_side_px)
    with path.open("rb") as file:
        file.seek(-min(len(_END), path.stat().st_size), os.SEEK_END)
        ends_as_usual = file.read() == _END
    if not ends_as_usual:
        check_picture(path, least_side_px)


def check_picture(path: Path, least_side_px: int = 1) -> None:
    """Reads a PNG file through.

    Raises:
        PictureError: It is no PNG, damaged, too large or too small.
        OSError: The file cannot be read.
    """
    from PIL import Image

    _check_size(path, least_side_px)
    try:
        with Image.open(path, formats=["PNG"]) as picture:
            picture.verify()
    except (OSError, SyntaxError, ValueError, struct.error) as error:
        raise PictureError(f"{path.name} is damaged: {error}") from None


def _check_size(path: Path, least_side_px: int) -> None:
    width, height = size_of_file(path)
    if min(width, height) < least_side_px:
        raise PictureError(
            f"{path.name} has {width} × {height} pixels; at least {least_side_px} × {least_side_px} are needed"
        )


def open_picture(raw: bytes, name: str = "The picture") -> Picture:
    """A PNG, decoded, in colour; what was transparent is white.

    Raises:
        PictureError: It cannot be read.
    """
    from PIL import Image

    picture_size(raw, name)
    try:
        with Image.open(io.BytesIO(raw), formats=["PNG"]) as picture:
            if picture.mode in _OPAQUE and "transparency" not in picture.info:
                picture.load()
                # A scan takes 70 MB, which need not be there twice.
                return picture if picture.mode == "RGB" else picture.convert("RGB")
            whole = picture.convert("RGBA")
    except (OSError, SyntaxError, ValueError, struct.error) as error:
        raise PictureError(f"{name} is damaged: {error}") from None
    return Image.alpha_composite(Image.new("RGBA", whole.size, "white"), whole).convert("RGB")


def for_models(raw: bytes, name: str = "The page", side_px: int = MODEL_SIDE_PX) -> bytes:
    """A page as a model sees it: PNG in colour, its longer side at most `side_px`.

    Raises:
        PictureError: It cannot be read.
    """
    return _reduced(open_picture(raw, name), side_px)


def for_export(raw: bytes, name: str = "The page", side_px: int = MODEL_SIDE_PX) -> bytes:
    """The same picture as `for_models` gives, written faster; its bytes differ.

    Raises:
        PictureError: It cannot be read.
    """
    from PIL import Image

    picture = open_picture(raw, name)
    picture.thumbnail((side_px, side_px), Image.Resampling.LANCZOS)
    return png_of(picture, FAST_COMPRESSION)


def part_for_models(raw: bytes, box: tuple[float, float, float, float], name: str = "The page") -> bytes:
    """A part of a page as a model sees it, with more detail than in the whole page.

    box: left, top, right and bottom end as shares of the page, 0 to 1; at least one pixel is shown.

    Raises:
        PictureError: It cannot be read.
    """
    picture = open_picture(raw, name)
    left, top = (min(int(share * size), size - 1) for share, size in zip(box[:2], picture.size, strict=True))
    right, bottom = (math.ceil(share * size) for share, size in zip(box[2:], picture.size, strict=True))
    return _reduced(picture.crop((left, top, max(right, left + 1), max(bottom, top + 1))))


def _reduced(picture: Picture, side_px: int = MODEL_SIDE_PX) -> bytes:
    """The bytes of a PNG file with a picture whose longer side is at most `side_px`."""
    from PIL import Image

    picture.thumbnail((side_px, side_px), Image.Resampling.LANCZOS)
    return png_of(picture)


def png_of(picture: Picture, compression: int = 6) -> bytes:
    """The bytes of a PNG file with a picture; `compression` is from 0 to 9."""
    target = io.BytesIO()
    picture.save(target, "PNG", compress_level=compression)
    return target.getvalue()
