"""Input of every kind is noticed."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from spatial_workbench.app.workspace.input_watch import InputWatch


def test_a_key_that_is_a_shortcut_is_input_too(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    pressed = []
    QShortcut(QKeySequence("R"), window, lambda: pressed.append("R"))
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    noticed = []
    InputWatch(window).noticed.connect(lambda: noticed.append(True))
    QTest.keyClick(window.windowHandle(), Qt.Key.Key_R)
    assert (pressed, bool(noticed)) == (["R"], True)
