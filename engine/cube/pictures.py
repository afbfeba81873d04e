"""Pictures of the cube for models: the net, one face, three faces from a corner. No text, no antialiasing.

All are arrays (h, w, 3) of RGB values; `as_png` converts them to files. The labelled net is for people only. States are
54 colour letters in the environment's order.
"""

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.core.formats.png import png
from spatial_workbench.engine.cube.geometry import LABELS, NET_CELLS
from spatial_workbench.engine.cube.letters import RGB, ColourLetter, Colours
from spatial_workbench.engine.cube.views import FaceView, VertexView

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]

NET_PITCH_PX, NET_MARGIN_PX, NET_INSET_PX = 48, 24, 2
NET_BACKGROUND = (50, 50, 50)
VIEW_SIZE_PX = 252
VERTEX_BACKGROUND = (204, 204, 204)
BODY = (26, 26, 26)
OUTLINE_PX = 1.0


def as_png(picture: Picture) -> bytes:
    """The picture as the bytes of a PNG file."""
    return png(picture)


def net_picture(state: Colours, labelled: bool = False) -> Picture:
    """The net: 480 x 624 pixels; for people also `labelled`, with the name of each sticker."""
    columns, rows = (max(cell[axis] for cell in NET_CELLS) + 1 for axis in (0, 1))
    picture = _filled(
        rows * NET_PITCH_PX + 2 * NET_MARGIN_PX, columns * NET_PITCH_PX + 2 * NET_MARGIN_PX, NET_BACKGROUND
    )
    for number, (column, row) in enumerate(NET_CELLS):
        x, y = (NET_MARGIN_PX + NET_PITCH_PX * v for v in (column, row))
        cell = picture[y : y + NET_PITCH_PX, x : x + NET_PITCH_PX]
        cell[:] = 0
        cell[NET_INSET_PX:-NET_INSET_PX, NET_INSET_PX:-NET_INSET_PX] = _rgb(state[number])
        if labelled:
            _write(cell, LABELS[number])
    return picture


def net_centre(number: int) -> tuple[int, int]:
    """The pixel (x, y) in the middle of a sticker of the net."""
    column, row = NET_CELLS[number]
    half = NET_MARGIN_PX + NET_PITCH_PX // 2
    return half + NET_PITCH_PX * column, half + NET_PITCH_PX * row


def face_picture(state: Colours, view: FaceView, size_px: int = VIEW_SIZE_PX) -> Picture:
    """One face: size_px x size_px pixels, with black lines between and around the stickers.

    Raises:
        ValueError: The size is not a positive multiple of 3.
    """
    if size_px <= 0 or size_px % 3:
        raise ValueError(f"The size of a face's picture is a multiple of 3, not {size_px}")
    cell = size_px // 3
    stickers = np.array([_rgb(state[number]) for number in view.stickers], np.uint8).reshape(3, 3, 3)
    picture = stickers.repeat(cell, axis=0).repeat(cell, axis=1)
    line = max(1, cell // 20)
    for place in (cell, 2 * cell):
        inner = slice(place - line // 2, place + line // 2 + 1)
        picture[inner] = 0
        picture[:, inner] = 0
    frame = max(2, line)
    for side in (slice(0, frame), slice(size_px - frame, size_px)):
        picture[side] = 0
        picture[:, side] = 0
    return picture


def vertex_picture(state: Colours, view: VertexView, size_px: int = VIEW_SIZE_PX) -> Picture:
    """Three faces in perspective: size_px x size_px pixels."""
    picture = _filled(size_px, size_px, VERTEX_BACKGROUND)
    polygons = {number: size_px * polygon for number, polygon in view.polygons.items()}
    corners = np.concatenate(list(polygons.values()))
    _fill(picture, _hull(corners), BODY, BODY)
    for number, polygon in polygons.items():
        _fill(picture, polygon, _rgb(state[number]), (0, 0, 0))
    return picture


def _filled(height: int, width: int, colour: tuple[int, int, int]) -> Picture:
    return np.full((height, width, 3), colour, np.uint8)


def _rgb(letter: str) -> tuple[int, int, int]:
    return RGB[ColourLetter(letter)]


def _hull(points: Floats) -> Floats:
    """The corners of the convex hull of points (n, 2), in order."""
    ordered = sorted(map(tuple, points.tolist()))
    return np.array([*_half_hull(ordered), *_half_hull(ordered[::-1])])


def _half_hull(ordered: list[tuple[float, ...]]) -> list[tuple[float, ...]]:
    chain: list[tuple[float, ...]] = []
    for x, y in ordered:
        while len(chain) > 1 and _turn(chain[-2], chain[-1], (x, y)) <= 0:
            chain.pop()
        chain.append((x, y))
    return chain[:-1]


def _turn(a: tuple[float, ...], b: tuple[float, ...], c: tuple[float, ...]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _fill(picture: Picture, polygon: Floats, inside: tuple[int, int, int], outline: tuple[int, int, int]) -> None:
    """Fills a convex polygon (n, 2), in pixels; its outline is drawn inside it."""
    low = np.floor(polygon.min(axis=0)).astype(int).clip(0)
    high = np.ceil(polygon.max(axis=0)).astype(int)
    ys, xs = np.mgrid[low[1] : high[1], low[0] : high[0]] + 0.5
    depth = _depth(polygon, xs, ys)
    part = picture[low[1] : high[1], low[0] : high[0]]
    depth = depth[: part.shape[0], : part.shape[1]]
    part[depth >= 0] = outline
    part[depth >= OUTLINE_PX] = inside


def _depth(polygon: Floats, xs: Floats, ys: Floats) -> Floats:
    """How far each pixel is inside a convex polygon; negative outside."""
    following = np.roll(polygon, -1, axis=0)
    across = following - polygon
    turn = np.sign(np.sum(polygon[:, 0] * following[:, 1] - polygon[:, 1] * following[:, 0]))
    depths = [
        turn * (dx * (ys - y) - dy * (xs - x)) / np.hypot(dx, dy)
        for (x, y), (dx, dy) in zip(polygon, across, strict=True)
    ]
    smallest: Floats = np.min(depths, axis=0)
    return smallest


# Labels, for people ------------------------------------------------------------------------------------------------

# Each sign has three columns and five rows; the highest bit is the top left.
_SIGNS = {
    "U": 0b101101101101111, "L": 0b100100100100111, "F": 0b111100110100100, "R": 0b110101110101101,
    "D": 0b110101101101110, "B": 0b110101110101110, "1": 0b010110010010111, "2": 0b111001111100111,
    "3": 0b111001111001111, "4": 0b101101111001001, "5": 0b111100111001111, "6": 0b111100111101111,
    "7": 0b111001001010010, "8": 0b111101111101111, "9": 0b111101111001111,
}  # fmt: skip
_SIGN_SCALE = 3


def _write(cell: Picture, label: str) -> None:
    """Writes a label of two signs into the middle of a cell."""
    gap = np.zeros((5, 1), bool)
    word = np.concatenate([_sign(label[0]), gap, _sign(label[1])], axis=1)
    word = word.repeat(_SIGN_SCALE, axis=0).repeat(_SIGN_SCALE, axis=1)
    top, left = ((whole - part) // 2 for whole, part in zip(cell.shape, word.shape, strict=False))
    target = cell[top : top + word.shape[0], left : left + word.shape[1]]
    is_dark = float(target[0, 0] @ np.array([0.299, 0.587, 0.114])) < 110
    target[word] = (255, 255, 255) if is_dark else (0, 0, 0)


def _sign(sign: str) -> NDArray[np.bool_]:
    bits = [bit == "1" for bit in f"{_SIGNS[sign]:015b}"]
    return np.array(bits).reshape(5, 3)
