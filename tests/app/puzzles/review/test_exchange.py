"""Reviews that travel in files."""

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QMessageBox


@pytest.mark.slow
def test_reviews_travel_in_a_file_that_is_dropped_on_the_page(review, qtbot, tmp_path):
    file = tmp_path / "hunt.jsonl"
    with qtbot.waitSignal(review.message) as told:
        review.exchange.export_to(file)
    assert told.args[0] == "2 events written to hunt.jsonl."
    with qtbot.waitSignal(review.message) as told:
        review.dropEvent(dropped(file))
    assert told.args[0] == "hunt.jsonl: 0 new entries in the log of reviews, 2 known."


@pytest.mark.slow
def test_a_damaged_line_is_named_and_the_others_are_merged(review, qtbot, tmp_path):
    file = tmp_path / "hunt.jsonl"
    with qtbot.waitSignal(review.message):
        review.exchange.export_to(file)
    file.write_text(file.read_text() + "{broken")
    with qtbot.waitSignal(review.message) as told:
        review.exchange.merge([file])
    assert told.args[0] == "hunt.jsonl: 0 new entries in the log of reviews, 2 known."
    (box,) = review.findChildren(QMessageBox)
    assert "hunt.jsonl, line 3 cannot be read" in box.informativeText()


def test_reviews_of_a_set_of_another_name_are_merged_after_a_question(review, qtbot, tmp_path):
    file = tmp_path / "other.jsonl"
    with qtbot.waitSignal(review.message):
        review.exchange.export_to(file)
    file.write_text(file.read_text().replace('"set": "hunt"', '"set": "other"'))
    review.exchange.merge([file])
    qtbot.waitUntil(lambda: bool(review.findChildren(QMessageBox)))
    (box,) = review.findChildren(QMessageBox)
    with qtbot.waitSignal(review.message) as told:
        next(button for button in box.buttons() if button.text() == "Merge into hunt").click()
    assert told.args[0] == "other.jsonl: 0 new entries in the log of reviews, 2 known."


def test_a_file_that_is_not_there_is_said(review, qtbot, tmp_path):
    with qtbot.waitSignal(review.message) as told:
        review.exchange.merge([tmp_path / "gone.jsonl"])
    assert told.args[0] == "gone.jsonl cannot be read: No such file or directory."


def dropped(path):
    """The event of dropping a file; its data live as long as the event."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    event = QDropEvent(
        QPointF(), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    event.held = data
    return event
