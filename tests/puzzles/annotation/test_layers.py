"""Sketch layers: read, written and rendered into figures."""

import io

import numpy as np
import pytest
from PIL import Image

from spatial_workbench.engine.puzzles.annotation.layers import (
    COLORS,
    Area,
    Arrow,
    Ellipse,
    GridOverlay,
    LayerError,
    PuzzleLayer,
    Rectangle,
    Stroke,
    Text,
    blank_page,
    figure_of,
    read_layer,
    step_figure,
    write_layer,
)
from spatial_workbench.engine.puzzles.sets.pages import picture_size, png_of

RED = (198, 40, 40)
PAGE = png_of(blank_page((200, 100)))


def render(*shapes):
    layer = PuzzleLayer(page="content.png", size=(200, 100), shapes=shapes)
    return np.array(Image.open(io.BytesIO(figure_of(PAGE, layer))))


def test_a_layer_survives_its_file():
    shapes = (
        Stroke(points=((1, 2), (3, 4)), pressures=(0.5, 1.0)),
        Arrow(start=(0, 0), end=(9, 9)),
        Rectangle(start=(0, 0), end=(9, 9), filled=True),
        Ellipse(start=(0, 0), end=(9, 9), opacity=0.5),
        Area(points=((0, 0), (9, 0), (9, 9))),
        Text(position=(5, 5), text="A", italic=True),
    )
    grid = GridOverlay(corner=(0, 0), right=(10, 0), below=(0, 10))
    layer = PuzzleLayer(page="content.png", size=(200, 100), shapes=shapes, grid=grid)
    assert read_layer(write_layer(layer)) == layer


@pytest.mark.parametrize(
    ("raw", "place"),
    [
        (b"", "Invalid JSON"),
        (b'{"page": "a", "size": [1, 2], "shapes": [{"kind": "blob"}]}', "shapes"),
        (b'{"page": "a", "size": [1, 2], "shapes": [{"kind": "arrow", "start": [0, NaN], "end": [0, 0]}]}', "start"),
        (b'{"page": "a", "size": [1, 2], "shapes": [{"kind": "arrow", "start": [0, 1e9], "end": [0, 0]}]}', "start"),
        (b'{"page": "a", "size": [1, 2], "shapes": [{"kind": "text", "position": [0, 0], "text": ""}]}', "text"),
    ],
)
def test_a_layer_that_cannot_be_read_is_refused_with_the_place(raw, place):
    with pytest.raises(LayerError, match=place):
        read_layer(raw)


def test_a_filled_cell_covers_its_pixels_and_no_others():
    picture = render(Rectangle(start=(50, 20), end=(60, 30), filled=True, color=COLORS["red"]))
    assert tuple(picture[25, 55]) == RED
    assert (picture[25, 45] == 255).all()
    assert np.abs((picture != 255).any(axis=2).sum() - 100) <= 25


def test_opacity_mixes_with_the_page():
    picture = render(Area(points=((50, 20), (70, 20), (70, 40), (50, 40)), color="#000000", opacity=0.5))
    assert np.abs(picture[30, 60].astype(int) - 128).max() <= 2


def test_a_line_is_as_wide_as_it_says():
    picture = render(Stroke(points=((20, 50), (180, 50)), width=10, color="#000000"))
    assert (picture[:, 100, 0] < 128).sum() == 10


def test_what_lies_outside_the_page_is_cut_off():
    assert (render(Stroke(points=((-500, -500), (-400, -400)))) == 255).all()
    render(Ellipse(start=(-50, -50), end=(400, 300)))


def test_a_grid_finds_its_cells_even_when_it_is_slanted():
    grid = GridOverlay(corner=(10, 10), right=(30, 12), below=(8, 30))
    for cell in [(0, 0), (3, 2), (-1, 4)]:
        middle = np.mean(grid.outline(*cell), axis=0)
        assert grid.cell_at(*middle) == cell
    assert GridOverlay(corner=(0, 0), right=(1, 1), below=(2, 2)).cell_at(5, 5) is None


@pytest.mark.slow
def test_the_figure_of_a_large_scan_has_a_sensible_size_and_tells_its_progress():
    scan = png_of(blank_page((3000, 4500)))
    told = []
    layer = PuzzleLayer(page="content.png", size=(3000, 4500), shapes=(Arrow(start=(9, 9), end=(999, 999)),))
    figure = step_figure(scan, layer, lambda done, total, text="": told.append(done / total))
    assert picture_size(figure) == (1600, 2400)
    assert told == sorted(told)
    assert picture_size(step_figure(PAGE, layer)) == picture_size(PAGE)
