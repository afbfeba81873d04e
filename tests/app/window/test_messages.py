"""What the window says, and for which tab."""

import pytest
from PySide6.QtWidgets import QLabel, QMessageBox

from tests.app.conftest import trigger


@pytest.mark.slow
def test_a_change_that_cannot_be_stored_is_told_in_a_box(window, workspace, qtbot):
    def break_down(project):
        raise OSError("disk full")

    with qtbot.waitSignal(window.project.trouble) as blocker:
        window.project.tell(break_down)
    assert "disk full" in blocker.args[0]
    assert window.findChild(QMessageBox).text().startswith("A change could not be stored")


def test_the_log_opens_once_and_holds_what_was_told(window):
    window.show_message("Brick 17 is stored.")
    trigger(window, "view.log")
    trigger(window, "view.catalogue")
    trigger(window, "view.log")
    assert window.tabs.count() == 2
    assert "Brick 17 is stored." in window.tabs.currentWidget().text.toPlainText()


def test_the_status_bar_tells_only_of_the_tab_in_front(window, workspace):
    window.show_catalogue()
    workspace.status_changed.emit("4 of 4 people")
    assert "4 of 4 people" not in [label.text() for label in window.status_bar.findChildren(QLabel)]
