"""The pages of a pad, and what the view shows of them."""

import pytest

from spatial_workbench.engine.puzzles.annotation.layers import PuzzleLayer, Stroke, blank_page
from spatial_workbench.engine.puzzles.sets.pages import png_of
from spatial_workbench.widgets.sketch.desk import SketchDesk
from spatial_workbench.widgets.sketch.pages import SketchPages
from spatial_workbench.widgets.sketch.tools.base import SketchTool
from spatial_workbench.widgets.sketch.view import PageView

NAMES = ("content.png", "content_1.png", "content_2.png")


@pytest.fixture
def pages(qtbot):
    """Three decoded pages of 40 × 30 pixels."""
    view = PageView(lambda: SketchTool(SketchDesk(view, pages)))
    pages = SketchPages(view)
    qtbot.addWidget(view, before_close_func=lambda view: view.close_view())
    pages.replace({name: png_of(blank_page((40, 30))) for name in NAMES})
    pages.wait()
    return pages


def drawn_on(page):
    return PuzzleLayer(page=page, size=(40, 30), shapes=(Stroke(points=((1, 1), (9, 9))),))


def test_behind_the_last_page_comes_the_first(pages):
    fronts = [pages.front]
    for _ in NAMES:
        pages.turn_by(1)
        fronts.append(pages.front)
    assert fronts == [*NAMES, NAMES[0]]


def test_only_layers_with_something_on_them_are_listed(pages):
    pages.replace_layer(drawn_on(NAMES[1]))
    pages.replace_layer(PuzzleLayer(page=NAMES[2], size=(40, 30)))
    assert list(pages.layers()) == [NAMES[1]]


def test_a_layer_of_an_unknown_page_is_refused(pages):
    with pytest.raises(KeyError):
        pages.replace_layer(drawn_on("other.png"))


def test_what_is_begun_ends_before_the_page_is_turned(pages):
    fronts = []
    pages.leaving.connect(lambda: fronts.append(pages.front))
    pages.turned.connect(fronts.append)
    pages.turn_to(NAMES[2])
    assert fronts == [NAMES[0], NAMES[2]]


def test_other_pages_have_no_layers_yet(pages):
    pages.replace_layer(drawn_on(NAMES[0]))
    pages.replace({NAMES[0]: png_of(blank_page((40, 30)))})
    assert pages.layers() == {}


def test_a_flat_figure_is_shown_without_its_page(open_pad):
    pad = open_pad()
    pad.pages.set_figure(png_of(blank_page((50, 60))))
    pad.pages.wait()
    assert (pad.view.tiles.size, pad.desk.can_draw) == ((50, 60), False)
    pad.pages.set_figure(None)
    pad.pages.wait()
    assert (pad.view.tiles.size, pad.desk.can_draw) == ((400, 300), True)


def test_a_damaged_page_is_said_in_its_place(qtbot, open_pad):
    pad = open_pad()
    pad.pages.replace({"content.png": b"no picture"})
    qtbot.waitUntil(lambda: "cannot be shown" in pad.view.message)
    assert "not a PNG" in pad.view.message
