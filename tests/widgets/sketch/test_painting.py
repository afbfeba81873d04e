"""What is on the screen is what the figure shows."""

import io

import numpy as np
import pytest
from PIL import Image
from PySide6.QtGui import QImage

from spatial_workbench.engine.puzzles.annotation.layers import (
    Area,
    Arrow,
    Ellipse,
    PuzzleLayer,
    Rectangle,
    Stroke,
    Text,
    blank_page,
    figure_of,
)
from spatial_workbench.engine.puzzles.sets.pages import png_of
from spatial_workbench.widgets.sketch.pictures import decoded
from spatial_workbench.widgets.sketch.tiles import Tiles

SIZE = (320, 240)
PAGE = png_of(blank_page(SIZE))
WAVE = tuple((20 + 10 * i, 100 + 40 * (i % 2)) for i in range(20))
SHAPES = {
    "line": Stroke(points=((20, 30), (250, 190)), width=6),
    "pen": Stroke(points=WAVE, width=9, opacity=0.5),
    "pressure": Stroke(points=WAVE, width=16, pressures=tuple(i / 19 for i in range(20)), opacity=0.5),
    "closed polyline": Stroke(points=((40, 40), (200, 60), (120, 200)), closed=True, width=5),
    "dot": Stroke(points=((100, 100),), width=20),
    "arrow": Arrow(start=(30, 200), end=(260, 60), width=6, opacity=0.6),
    "rectangle": Rectangle(start=(200, 180), end=(40, 40), width=8),
    "filled rectangle": Rectangle(start=(40, 40), end=(200, 180), filled=True, opacity=0.4),
    "ellipse": Ellipse(start=(40, 40), end=(260, 180), width=5),
    "cell": Area(points=((50, 50), (110, 60), (100, 120), (40, 110)), opacity=0.4),
    "text": Text(position=(40, 80), text="ANCHOR", size=36),
    "slanted text": Text(position=(160, 120), text="of flags", size=30, anchor="mm", italic=True),
}


def pixels(image):
    image = image.convertToFormat(QImage.Format.Format_RGB888)
    flat = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return flat[:, : 3 * image.width()].reshape(image.height(), image.width(), 3).astype(int)


def on_screen(shapes):
    tiles = Tiles(decoded(PAGE, "content.png"))
    tiles.set_shapes(shapes)
    return pixels(tiles.pictured())


@pytest.mark.parametrize("name", SHAPES)
def test_a_shape_looks_on_the_screen_as_in_the_figure(name):
    layer = PuzzleLayer(page="content.png", size=SIZE, shapes=(SHAPES[name],))
    figure = np.asarray(Image.open(io.BytesIO(figure_of(PAGE, layer))).convert("RGB")).astype(int)
    difference = np.abs(on_screen(layer.shapes) - figure).max(axis=2)
    drawn = (figure != 255).any(axis=2).sum()
    assert drawn > 100
    assert (difference > 96).sum() < 0.03 * drawn + 4
    assert difference.sum() / 255 < 0.08 * drawn


def test_a_shape_painted_over_tiles_looks_as_if_all_were_painted_again():
    tiles = Tiles(decoded(PAGE, "content.png"))
    tiles.set_shapes((SHAPES["line"],))
    area = tiles._area(0, tiles.picture.levels[0].rect())
    list(tiles.tiles_in(0, area))
    tiles.set_shapes((SHAPES["line"], SHAPES["text"]))
    (_, tile), *_ = tiles.tiles_in(0, area)
    assert (pixels(tile) == on_screen((SHAPES["line"], SHAPES["text"]))).all()


def test_a_shape_that_is_taken_back_leaves_no_trace():
    tiles = Tiles(decoded(PAGE, "content.png"))
    area = tiles._area(0, tiles.picture.levels[0].rect())
    tiles.set_shapes((SHAPES["line"], SHAPES["arrow"]))
    list(tiles.tiles_in(0, area))
    tiles.set_shapes((SHAPES["arrow"],))
    (_, tile), *_ = tiles.tiles_in(0, area)
    assert (pixels(tile) == on_screen((SHAPES["arrow"],))).all()


def test_tiles_that_take_too_long_are_painted_one_at_a_time():
    tiles = Tiles(decoded(png_of(blank_page((1500, 900))), "content.png"))
    area = tiles._area(0, tiles.picture.levels[0].rect())
    counts = [sum(tile is not None for _, tile in tiles.tiles_in(0, area, until=0.0)) for _ in range(3)]
    assert counts == [1, 2, 3]
