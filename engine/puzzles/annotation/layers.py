"""Sketch layers: vector drawings over a page, stored as JSON and rendered into figures (docs/puzzles.md, "Sketches").

Coordinates and widths are pixels of the page: x to the right, y down.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from spatial_workbench.engine.core.formats.jsontext import format_path
from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.core.progress import Progress, silent
from spatial_workbench.engine.puzzles.sets.pages import MOST_PIXELS, open_picture, png_of

if TYPE_CHECKING:
    from PIL.Image import Image as Picture
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

COLORS = {
    marked("black"): "#1a1a1a",
    marked("red"): "#c62828",
    marked("blue"): "#1565c0",
    marked("green"): "#2e7d32",
    marked("orange"): "#c75b00",
    marked("purple"): "#7b1fa2",
}
"""The six colours of the tools; each has a contrast of at least 4 to white."""
WIDTHS_PX = (1.0, 24.0)
MOST_SHAPES = 20_000
MOST_POINTS = 100_000
MOST_LAYER_BYTES = 20_000_000
FIGURE_SIDE_PX = 2400
"""The longer side of a step's figure at most: enough to read a scan of 4,000 × 6,000 pixels on any screen."""
_OVERSAMPLING = 3
_SLANT = 0.2
_ARROW_HEAD = 4.0
"""Length of an arrow's head in widths of its line."""

Coordinate = Annotated[float, Field(ge=-100_000, le=100_000, allow_inf_nan=False)]
Point: TypeAlias = tuple[Coordinate, Coordinate]
Color: TypeAlias = Annotated[str, Field(pattern=r"^#[0-9a-fA-F]{6}$")]


class _Shape(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    color: Color = COLORS["red"]
    width: float = Field(default=4.0, ge=0.1, le=200.0)
    opacity: float = Field(default=1.0, ge=0.05, le=1.0)


class Stroke(_Shape):
    """A line through points, with round ends: from the pen, or a polyline. `pressures` go with the points."""

    kind: Literal["stroke"] = "stroke"
    points: tuple[Point, ...] = Field(min_length=1, max_length=MOST_POINTS)
    pressures: tuple[Annotated[float, Field(ge=0, le=1)], ...] = ()
    closed: bool = False


class Arrow(_Shape):
    """A straight line with a head at its end."""

    kind: Literal["arrow"] = "arrow"
    start: Point
    end: Point


class Rectangle(_Shape):
    """A rectangle between two corners; filled ones have no outline."""

    kind: Literal["rectangle"] = "rectangle"
    start: Point
    end: Point
    filled: bool = False


class Ellipse(_Shape):
    """An ellipse within a rectangle; filled ones have no outline."""

    kind: Literal["ellipse"] = "ellipse"
    start: Point
    end: Point
    filled: bool = False


class Area(_Shape):
    """A filled polygon: a cell of a grid, or any other area."""

    kind: Literal["area"] = "area"
    points: tuple[Point, ...] = Field(min_length=3, max_length=MOST_POINTS)


class Text(_Shape):
    """A line of text. `anchor` says which of its points lies at `position`: middle ("mm"), left and top ("lt") ..."""

    kind: Literal["text"] = "text"
    position: Point
    text: str = Field(min_length=1, max_length=1000)
    size: float = Field(default=30.0, ge=4, le=1000)
    anchor: Literal["mm", "lt", "mt", "lm", "rm", "ms", "ls"] = "lt"
    italic: bool = False


Shape: TypeAlias = Annotated[
    Stroke | Arrow | Rectangle | Ellipse | Area | Text,
    Field(discriminator="kind"),
]
SHAPE: TypeAdapter[Shape] = TypeAdapter(Shape)


class GridOverlay(BaseModel):
    """A grid over the page, laid by three points: a corner, the next cell's corner to the right, and the one below."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    corner: Point
    right: Point
    below: Point

    def cell_at(self, x: float, y: float) -> tuple[int, int] | None:
        """The column and row of the cell at a point; None if the three points lie on a line."""
        position = self.position(x, y)
        return None if position is None else (math.floor(position[0]), math.floor(position[1]))

    def position(self, x: float, y: float) -> tuple[float, float] | None:
        """A point in columns and rows; None if the three points lie on a line."""
        (ax, ay), (bx, by) = self._sides()
        area = ax * by - ay * bx
        if abs(area) < 1e-9:
            return None
        dx, dy = x - self.corner[0], y - self.corner[1]
        return (dx * by - dy * bx) / area, (ax * dy - ay * dx) / area

    def point(self, column: float, row: float) -> Point:
        """Where a corner of the grid's cells is on the page."""
        (ax, ay), (bx, by) = self._sides()
        return self.corner[0] + column * ax + row * bx, self.corner[1] + column * ay + row * by

    def outline(self, column: int, row: int) -> tuple[Point, ...]:
        """The four corners of a cell."""
        steps = ((column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1))
        return tuple(self.point(*step) for step in steps)

    def _sides(self) -> tuple[Point, Point]:
        x, y = self.corner
        return (self.right[0] - x, self.right[1] - y), (self.below[0] - x, self.below[1] - y)


class PuzzleLayer(BaseModel):
    """A drawing over a page."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    page: str = Field(description="The page's file, such as content.png")
    size: tuple[int, int] = Field(description="Width and height of the page in pixels")
    shapes: tuple[Shape, ...] = Field(default=(), max_length=MOST_SHAPES)
    grid: GridOverlay | None = None


class LayerError(ValueError):
    """A layer that cannot be read; names the place."""


def read_layer(raw: bytes) -> PuzzleLayer:
    """A layer from the content of its file.

    Raises:
        LayerError: It cannot be read.
    """
    if len(raw) > MOST_LAYER_BYTES:
        raise LayerError(f"The layer has {len(raw) / 1e6:.0f} MB; the limit is {MOST_LAYER_BYTES // 10**6} MB")
    try:
        return PuzzleLayer.model_validate_json(raw)
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        raise LayerError(f"The layer cannot be read: {format_path(fault['loc'])} {fault['msg']}") from None


def write_layer(layer: PuzzleLayer) -> bytes:
    """The content of a layer's file."""
    return layer.model_dump_json(indent=1).encode()


def figure_of(page: bytes, layer: PuzzleLayer) -> bytes:
    """A page with a layer over it, as PNG at the page's resolution.

    Raises:
        PictureError: The page cannot be read.
    """
    picture = open_picture(page, layer.page)
    draw_shapes(picture, layer.shapes)
    return png_of(picture)


def step_figure(page: bytes, layer: PuzzleLayer, progress: Progress = silent) -> bytes:
    """A page with a layer over it as the figure of a step: PNG, its longer side at most FIGURE_SIDE_PX.

    The layer and the page give the picture in full whenever it is wanted.

    Raises:
        PictureError: The page cannot be read.
        Cancelled: Raised by `progress`.
    """
    from PIL import Image

    parts = len(layer.shapes) + 2
    progress(0, parts, "reading the page")
    picture = open_picture(page, layer.page)
    for k, shape in enumerate(layer.shapes, 1):
        progress(k, parts, "drawing the sketch")
        draw_shapes(picture, (shape,))
    progress(parts - 1, parts, "writing the figure")
    picture.thumbnail((FIGURE_SIDE_PX, FIGURE_SIDE_PX), Image.Resampling.LANCZOS, reducing_gap=2.0)
    return png_of(picture)


def blank_page(size: tuple[int, int]) -> Picture:
    """A white page."""
    from PIL import Image

    assert size[0] * size[1] <= MOST_PIXELS
    return Image.new("RGB", size, "white")


def draw_shapes(picture: Picture, shapes: Sequence[Shape]) -> None:
    """Draws shapes onto a picture in their order, each with smooth edges."""
    for shape in shapes:
        if (drawn := mask_of(shape, picture.size)) is not None:
            corner, mask = drawn
            picture.paste(shape.color, corner, mask)


def mask_of(shape: Shape, size: tuple[int, int]) -> tuple[tuple[int, int], Picture] | None:
    """How much of each pixel of a page a shape covers, from 0 to 255, with smooth edges.

    size: the page's width and height.

    Returns:
        The corner of the shape's box on the page, and the box as a grey picture; None if the shape is off the page.
    """
    return _Brush(shape, size).mask()


class _Brush:
    """Draws one shape into a mask of its own box, enlarged for smooth edges."""

    def __init__(self, shape: Shape, size: tuple[int, int]) -> None:
        self.shape = shape
        x0, y0, x1, y1 = box_of(shape)
        width, height = size
        self.corner = max(0, math.floor(x0)), max(0, math.floor(y0))
        self.box = (*self.corner, min(width, math.ceil(x1)), min(height, math.ceil(y1)))

    def mask(self) -> tuple[tuple[int, int], Picture] | None:
        from PIL import Image, ImageDraw

        width, height = self.box[2] - self.box[0], self.box[3] - self.box[1]
        if width <= 0 or height <= 0:
            return None
        # A box as large as a page is drawn at the page's own resolution: an enlarged one would take gigabytes.
        self.scale = _OVERSAMPLING if width * height < MOST_PIXELS // 16 else 1
        mask = Image.new("L", (width * self.scale, height * self.scale))
        self.paint(ImageDraw.Draw(mask), self.shape)
        if isinstance(self.shape, Text):
            self.write(mask, self.shape)
        mask = mask.resize((width, height), Image.Resampling.BOX)
        opacity = self.shape.opacity
        return self.corner, mask.point(lambda value: value * opacity)

    def paint(self, brush: ImageDraw, shape: Shape) -> None:
        match shape:
            case Stroke():
                self.stroke(brush, (*shape.points, shape.points[0]) if shape.closed else shape.points, shape.pressures)
            case Arrow():
                self.arrow(brush, shape)
            case Rectangle() | Ellipse():
                self.framed(brush, shape)
            case Area():
                brush.polygon([self.at(point) for point in shape.points], fill=255)

    def stroke(self, brush: ImageDraw, points: Sequence[Point], pressures: Sequence[float] = ()) -> None:
        placed = [self.at(point) for point in points]
        widths = [max(1.0, width * self.scale) for width in stroke_widths(self.shape.width, pressures, len(points))]
        for (a, b), width in zip(pairwise(placed), widths[1:], strict=True):
            brush.line([a, b], fill=255, width=round(width))
        for (x, y), width in zip(placed, widths, strict=True):
            radius = width / 2
            brush.ellipse((x - radius, y - radius, x + radius, y + radius), fill=255)

    def arrow(self, brush: ImageDraw, shape: Arrow) -> None:
        left, right, neck = arrow_head(shape.start, shape.end, shape.width)
        self.stroke(brush, (shape.start, neck))
        brush.polygon([self.at(point) for point in (shape.end, left, right)], fill=255)

    def framed(self, brush: ImageDraw, shape: Rectangle | Ellipse) -> None:
        (x0, y0), (x1, y1) = self.at(shape.start), self.at(shape.end)
        half = 0.0 if shape.filled else shape.width * self.scale / 2
        box = (min(x0, x1) - half, min(y0, y1) - half, max(x0, x1) + half, max(y0, y1) + half)
        draw = brush.rectangle if isinstance(shape, Rectangle) else brush.ellipse
        if shape.filled:
            draw(box, fill=255)
        else:
            draw(box, outline=255, width=max(1, round(2 * half)))

    def write(self, mask: Picture, shape: Text) -> None:
        from PIL import Image, ImageDraw

        upright = Image.new("L", mask.size)
        x, y = self.at(shape.position)
        letters = font(shape.size * self.scale)
        ImageDraw.Draw(upright).text((x, y), shape.text, fill=255, font=letters, anchor=shape.anchor)
        if shape.italic:
            slanted = (1, _SLANT, -_SLANT * y, 0, 1, 0)
            upright = upright.transform(upright.size, Image.Transform.AFFINE, slanted, Image.Resampling.BILINEAR)
        mask.paste(upright)

    def at(self, point: Point) -> Point:
        return (point[0] - self.box[0]) * self.scale, (point[1] - self.box[1]) * self.scale


def stroke_widths(width: float, pressures: Sequence[float], points: int) -> list[float]:
    """How wide a stroke is at each of its points: a light touch makes it thinner."""
    if len(pressures) != points:
        return [width] * points
    return [width * (0.3 + 0.7 * pressure) for pressure in pressures]


def arrow_head(start: Point, end: Point, width: float) -> tuple[Point, Point, Point]:
    """The two back corners of an arrow's head, and the point where its line meets the head."""
    length = math.dist(start, end) or 1.0
    ux, uy = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    size = min(_ARROW_HEAD * max(width, 2.0), length)
    x, y = end[0] - size * ux, end[1] - size * uy
    half = size / 2
    return (x - half * uy, y + half * ux), (x + half * uy, y - half * ux), (x, y)


@lru_cache(maxsize=64)
def font(size: float) -> FreeTypeFont:
    """The font of texts, which comes with Pillow, so that pages look the same everywhere."""
    from PIL import ImageFont

    return ImageFont.load_default(size)  # type: ignore[return-value]


def text_width(text: str, size: float) -> float:
    """How wide a text is, in pixels."""
    return font(size).getlength(text)


def wrapped(text: str, size: float, width: float) -> list[str]:
    """A text broken into lines of at most a width, where its words allow that."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def box_of(shape: Shape) -> tuple[float, float, float, float]:
    """A box that holds a shape with its line's width: x0, y0, x1, y1."""
    match shape:
        case Stroke() | Area():
            points: Sequence[Point] = shape.points
            margin = shape.width
        case Arrow():
            points = (shape.start, shape.end)
            margin = _ARROW_HEAD * max(shape.width, 2.0)
        case Rectangle() | Ellipse():
            points = (shape.start, shape.end)
            margin = shape.width
        case Text():
            points = (shape.position,)
            margin = text_width(shape.text, shape.size) + 2 * shape.size
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs) - margin - 1, min(ys) - margin - 1, max(xs) + margin + 1, max(ys) + margin + 1
