"""Fields that the wheel changes only while they have the focus."""

import pytest
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from spatial_workbench.widgets.wheel_fields import AmountBox, ChoiceBox, CountBox
from tests.mouse_wheel import turn_wheel


@pytest.fixture(params=[ChoiceBox, CountBox, AmountBox])
def field(request):
    field = request.param()
    if isinstance(field, ChoiceBox):
        field.addItems(["a", "b", "c"])
        field.value = field.currentIndex
    return field


@pytest.fixture
def page(field, qtbot):
    """A page that scrolls, with the field at its top."""
    body = QWidget()
    body.setMinimumHeight(2000)
    column = QVBoxLayout(body)
    column.addWidget(field)
    column.addStretch(1)
    page = QScrollArea()
    page.setWidget(body)
    page.setWidgetResizable(True)
    qtbot.addWidget(page)
    page.show()
    qtbot.waitUntil(page.isActiveWindow)
    page.setFocus()
    return page


def test_whoever_scrolls_past_a_field_changes_nothing(page, field):
    turn_wheel(field, -1)
    assert field.value() == 0
    assert not field.hasFocus()
    assert page.verticalScrollBar().value() > 0


def test_the_wheel_changes_the_field_that_has_the_focus(page, field):
    field.setFocus()
    turn_wheel(field, -1 if isinstance(field, ChoiceBox) else 1)
    assert field.value() == 1
    assert page.verticalScrollBar().value() == 0
