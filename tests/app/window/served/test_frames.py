"""Where no window manager runs, dialogs have a frame, and the window used last has the keyboard."""

import os
import signal

import pytest
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QVBoxLayout, QWidget

from spatial_workbench.app.window.served.addresses import ServedAddresses
from spatial_workbench.app.window.served.frames import BAR_PX, DialogFrame, WindowKeeper
from spatial_workbench.app.window.served.screen import ServedScreen


@pytest.fixture
def main_window(qtbot, qapp):
    window = QWidget()
    qtbot.addWidget(window)
    window.setGeometry(0, 0, 800, 600)
    keeper = WindowKeeper(qapp, window)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    yield window
    qapp.removeEventFilter(keeper)


def opened(qtbot, parent, title="Settings"):
    dialog = QDialog(parent)
    dialog.setWindowTitle(title)
    layout = QVBoxLayout(dialog)
    layout.addWidget(QLineEdit())
    dialog.open()
    qtbot.waitUntil(lambda: frame_of(dialog) is not None and frame_of(dialog).isVisible())
    return dialog


def frame_of(dialog):
    return next((child for child in dialog.children() if isinstance(child, DialogFrame)), None)


def test_a_dialog_has_a_bar_with_its_title_above_it_and_inside_of_the_screen(main_window, qtbot):
    dialog = opened(qtbot, main_window)
    frame = frame_of(dialog)
    assert frame.title.text() == "Settings"
    assert frame.geometry().top() == dialog.geometry().top() - BAR_PX >= 0
    dialog.setWindowTitle("Preferences")
    assert frame.title.text() == "Preferences"


def test_the_button_of_the_bar_closes_the_dialog_and_the_frame_goes_with_it(main_window, qtbot):
    dialog = opened(qtbot, main_window)
    frame_of(dialog).close_button.click()
    assert not dialog.isVisible()
    qtbot.waitUntil(lambda: not frame_of(dialog).isVisible())


def test_dragging_the_bar_moves_the_dialog_and_never_out_of_the_screen(main_window, qtbot):
    dialog = opened(qtbot, main_window)
    frame = frame_of(dialog)
    before = dialog.pos()
    grip = QPoint(20, 10)
    qtbot.mousePress(frame, Qt.MouseButton.LeftButton, pos=grip)
    qtbot.mouseMove(frame, grip + QPoint(30, 40))
    assert dialog.pos() - before == QPoint(30, 40)
    assert frame.geometry().top() == dialog.geometry().top() - BAR_PX
    dialog.move(-500, -500)
    qtbot.mouseRelease(frame, Qt.MouseButton.LeftButton, pos=grip)
    assert main_window.screen().geometry().contains(frame.geometry())


def test_a_dialog_has_the_keyboard_and_gives_it_back(main_window, qtbot):
    first = opened(qtbot, main_window)
    qtbot.waitUntil(first.isActiveWindow)
    second = opened(qtbot, first, "Sure?")
    qtbot.waitUntil(second.isActiveWindow)
    second.close()
    qtbot.waitUntil(first.isActiveWindow)
    first.close()
    qtbot.waitUntil(main_window.isActiveWindow)


def test_a_dialog_that_is_shown_again_has_one_frame(main_window, qtbot):
    dialog = opened(qtbot, main_window)
    dialog.close()
    dialog.open()
    qtbot.waitUntil(lambda: frame_of(dialog).isVisible())
    assert sum(isinstance(child, DialogFrame) for child in dialog.children()) == 1


def test_addresses_are_copied_and_files_are_told_in_place_of_other_programs(window, caplog):
    addresses = ServedAddresses(window)
    try:
        assert QDesktopServices.openUrl(QUrl("https://study.example/"))
        assert QGuiApplication.clipboard().text() == "https://study.example/"
        assert QDesktopServices.openUrl(QUrl.fromLocalFile("/srv/report.html"))
        assert "/srv/report.html" in caplog.text
    finally:
        addresses.forget()


def test_the_window_fills_its_screen_and_is_closed_by_the_signal_that_ends_programs(window, qapp, qtbot, monkeypatch):
    monkeypatch.setattr(QApplication, "quit", lambda *_: None)
    monkeypatch.setattr("spatial_workbench.app.window.served.screen._tell_ready", lambda: None)
    handler = signal.getsignal(signal.SIGTERM)
    screen = ServedScreen(qapp, window)
    try:
        screen.open()
        assert window.geometry() == window.screen().geometry()
        os.kill(os.getpid(), signal.SIGTERM)
        qtbot.waitUntil(lambda: not window.isVisible())
    finally:
        signal.signal(signal.SIGTERM, handler)
        signal.set_wakeup_fd(-1)
        qapp.removeEventFilter(screen._keeper)
        screen._addresses.forget()
