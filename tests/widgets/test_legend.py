"""The legend of a view: it hides nothing else that stands at the top."""

from types import SimpleNamespace

import pytest
from PySide6.QtGui import QImage, QPainter

from spatial_workbench.widgets.scene_views.legend import AXES_WIDTH, TOP, Entry, Legend
from spatial_workbench.widgets.theme import LIGHT


@pytest.fixture
def box_in(qapp, monkeypatch):
    """Where a legend beside axes stands in a view of some size; None: it is left out."""
    boxes = []
    monkeypatch.setattr(Legend, "_ground", lambda self, painter, theme, box: boxes.append(box))
    legend = Legend(lambda: [Entry("the largest flat region", ("secondary",))], right=AXES_WIDTH)

    def box_in(width, height):
        boxes.clear()
        image = QImage(600, 600, QImage.Format.Format_ARGB32)
        with QPainter(image) as painter:
            legend(painter, SimpleNamespace(width=lambda: width, height=lambda: height, theme=LIGHT))
        return boxes[0] if boxes else None

    return box_in


def test_it_stands_beside_the_axes_where_there_is_room_and_below_them_where_there_is_none(box_in):
    wide, narrow = box_in(600, 400), box_in(220, 400)
    assert wide.top() == TOP
    assert wide.right() <= 600 - AXES_WIDTH
    assert narrow.top() >= AXES_WIDTH
    assert narrow.right() <= 220


@pytest.mark.parametrize("size", [(100, 400), (220, 200), (600, 100)])
def test_it_is_left_out_of_small_views(box_in, size):
    assert box_in(*size) is None
