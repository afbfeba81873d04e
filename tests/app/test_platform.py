"""What the libraries under the application are relied on for."""

import sys
import tempfile

import pytest
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QWidget


class Painted(QWidget):
    """A widget whose paintEvent is Python and gives None."""

    def paintEvent(self, event: QPaintEvent) -> None:
        self.painted = True


def test_a_thousand_repaints_lose_no_references_to_none(qtbot):
    widget = Painted()
    qtbot.addWidget(widget)
    with qtbot.waitExposed(widget):
        widget.show()
    before = sys.getrefcount(None)
    for _ in range(1000):
        widget.repaint()
    assert widget.painted
    assert sys.getrefcount(None) > before - 100


def test_the_suite_draws_without_a_display_server(qapp):
    assert qapp.platformName() == "offscreen"


@pytest.mark.usefixtures("qapp")
def test_settings_of_the_tests_are_not_those_of_a_person():
    from PySide6.QtCore import QSettings

    assert QSettings().fileName().startswith(tempfile.gettempdir())
