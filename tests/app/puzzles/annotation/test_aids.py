"""Decoding aids beside the steps."""

from PySide6.QtGui import QTextCursor

from tests.app.puzzles.annotation.conftest import texts


def test_aids_decode_live_and_insert_into_the_step(note, qtbot):
    note.side.below.setCurrentIndex(1)
    note.side.aids.text.setText("silent")
    assert note.side.aids.results["A1Z26"].text() == "19 9 12 5 14 20"
    qtbot.waitUntil(lambda: "LISTEN" in note.side.aids.results["Anagrams"].text())
    note.side.aids.other.setText("enlist")
    assert note.side.aids.results["Compared"].text() == "the same letters"
    note.side.steps.focus_step(2)
    note.side.steps.cards[2].text.moveCursor(QTextCursor.MoveOperation.End)
    note.side.aids._buttons["Reversed"].click()
    assert texts(note)[2].endswith("tnelis")
