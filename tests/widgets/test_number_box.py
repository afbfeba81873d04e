"""Number fields: numbers outside the bounds, and units."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolTip

from spatial_workbench.widgets.number_box import BoundedIntBox, number_field


@pytest.mark.parametrize(("typed", "value"), [("6", 6), ("60", 24), ("0", 1), ("24", 24), ("1000000", 24)])
def test_a_number_outside_the_bounds_becomes_the_nearest_bound(qtbot, typed, value):
    field = number_field("Line width", (1, 24), unit="px")
    qtbot.addWidget(field)
    field.setValue(4)
    field.lineEdit().setSelection(0, len(field.lineEdit().text()) - len(field.suffix()))
    qtbot.keyClicks(field, typed)
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert field.value() == value
    assert field.text().endswith(" px")


def test_letters_are_not_typed(qtbot):
    field = number_field("Line width", (1, 24))
    qtbot.addWidget(field)
    field.setValue(4)
    field.selectAll()
    qtbot.keyClicks(field, "ab")
    assert field.text() == "4"


def test_the_bounds_are_told_where_a_number_became_one_of_them(qtbot):
    field = number_field("Line width", (1, 24), unit="px")
    qtbot.addWidget(field)
    field.show()
    qtbot.keyClicks(field, "60")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert QToolTip.text() == "From 1 to 24"


@pytest.mark.parametrize(("typed", "value"), [("60", 25), ("-60", -25), ("-7", -7), ("x", 3)])
def test_a_whole_number_outside_the_bounds_becomes_the_nearest_bound(qtbot, typed, value):
    field = BoundedIntBox()
    qtbot.addWidget(field)
    field.setRange(-25, 25)
    field.setValue(3)
    field.selectAll()
    qtbot.keyClicks(field, typed)
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert field.value() == value
