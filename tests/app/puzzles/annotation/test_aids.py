"""Decoding aids beside the steps."""

from PySide6.QtGui import QTextCursor

from tests.app.puzzles.annotation.conftest import texts


def test_aids_decode_live_and_insert_into_the_step(note, qtbot):
    note.below.setCurrentIndex(1)
    note.aids.text.setText("silent")
    assert note.aids.results["A1Z26"].text() == "19 9 12 5 14 20"
    qtbot.waitUntil(lambda: "LISTEN" in note.aids.results["Anagrams"].text())
    note.aids.other.setText("enlist")
    assert note.aids.results["Compared"].text() == "the same letters"
    note.steps.focus_step(2)
    note.steps.cards[2].text.moveCursor(QTextCursor.MoveOperation.End)
    note.aids._buttons["Reversed"].click()
    assert texts(note)[2].endswith("tnelis")
