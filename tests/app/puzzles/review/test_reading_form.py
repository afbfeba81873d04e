"""An annotation that is read."""

from PySide6.QtCore import Qt

from tests.app.puzzles.review.conftest import FOLDER


def test_whoever_flags_or_audits_sees_the_steps_and_the_pages(review, qtbot):
    review.choose(FOLDER)
    qtbot.waitUntil(lambda: review.panel.pictures.pad.pages.names == ("content.png",))
    assert review.panel.form is None
    reading = review.panel.area.widget()
    assert reading.steps[0].text.text().startswith("Pattern discovery: every dial")
    qtbot.mouseClick(reading.steps[1], Qt.MouseButton.LeftButton)
    assert review.panel.pictures.step == 2
