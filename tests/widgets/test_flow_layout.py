"""A layout in rows: widgets stay in their order, and no row is wider than there is room."""

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QWidget

from spatial_workbench.widgets.flow_layout import FlowLayout

WIDTHS = (50, 60, 70, 40)


def places(qtbot, width, **how):
    """Where four widgets stand in a width."""
    parent = QWidget()
    qtbot.addWidget(parent)
    flow = FlowLayout(parent, **how)
    flow.setSpacing(10)
    for wide in WIDTHS:
        child = QWidget(parent)
        child.setFixedSize(wide, 20)
        flow.addWidget(child)
    flow.setGeometry(QRect(0, 0, width, 500))
    return [flow.itemAt(k).geometry() for k in range(len(WIDTHS))], flow.heightForWidth(width)


@pytest.mark.parametrize(("width", "rows"), [(250, 1), (249, 2), (120, 2), (119, 4), (70, 4)])
def test_as_many_stand_in_a_row_as_fit(qtbot, width, rows):
    found, height = places(qtbot, width)
    assert len({place.top() for place in found}) == rows
    assert height == 30 * rows - 10
    assert all(place.left() >= 0 and place.right() < width for place in found)


def test_rows_begin_at_the_left_or_end_at_the_right(qtbot):
    at_left, _ = places(qtbot, 130)
    at_right, _ = places(qtbot, 130, at_right=True)
    assert [place.left() for place in at_left] == [0, 60, 0, 80]
    assert [place.right() for place in at_right] == [59, 129, 79, 129]
