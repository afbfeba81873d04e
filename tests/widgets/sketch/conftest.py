"""A sketch pad in a real window."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt

from spatial_workbench.engine.puzzles.annotation.layers import blank_page
from spatial_workbench.engine.puzzles.sets.pages import png_of
from spatial_workbench.widgets.sketch import SketchPad

SIZE = (400, 300)
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def open_pad(qtbot):
    """Opens a pad with white pages of 400 × 300 pixels, at 100 %, with the page decoded."""

    def opened(pages=("content.png",), size=(640, 560), **options):
        pad = SketchPad(**options)
        qtbot.addWidget(pad, before_close_func=lambda widget: widget.close_pad())
        pad.resize(*size)
        with qtbot.waitExposed(pad):
            pad.show()
        pad.pages.replace({name: png_of(blank_page(SIZE)) for name in pages})
        qtbot.waitUntil(lambda: pad.view.tiles is not None)
        pad.view.show_actual_size()
        pad.view.setFocus()
        return pad

    return opened


def on_screen(pad, point):
    """Where a point of the page is in the view."""
    spot = pad.view.transform.map(QPointF(*point))
    return QPoint(round(spot.x()), round(spot.y()))


def drag(qtbot, pad, *points):
    view = pad.view
    qtbot.mousePress(view, LEFT, pos=on_screen(pad, points[0]))
    for point in points[1:]:
        qtbot.mouseMove(view, on_screen(pad, point))
    qtbot.mouseRelease(view, LEFT, pos=on_screen(pad, points[-1]))


def shapes(pad):
    return pad.desk.current.shapes
