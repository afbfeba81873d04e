"""Before the first item that counts, people are shown what they have to know, and told when it counts."""

from spatial_workbench.app.studies.participant.texts import StudyText
from spatial_workbench.engine.studies.sessions.pages import StudyPage
from tests.app.studies.conftest import wait_for_item, wait_for_page
from tests.studies.sittings import main_item, study

PRACTICE = {**main_item(2), "phase": "practice"}
BETWEEN = {"item_s": 300, "pauses": {"kind": "between"}}


def shown_text(window):
    """The words of the page's text."""
    return window.page.findChild(StudyText).toPlainText()


def test_the_instructions_say_what_the_plan_says(participate, qtbot):
    window = participate(study(instructions="Take your time."))
    window.sitting.entering.consent({"part": True})
    wait_for_page(qtbot, window, StudyPage.INSTRUCTIONS)
    words = shown_text(window)
    assert words.startswith("Take your time.")
    assert "up to 5 minutes for each item" in words
    assert "Please do not use: a calculator" in words


def test_a_text_of_the_leader_replaces_what_is_written_from_the_plan(participate, qtbot):
    window = participate(study(briefing="Everything is allowed."))
    window.sitting.entering.consent({"part": True})
    wait_for_page(qtbot, window, StudyPage.INSTRUCTIONS)
    assert shown_text(window) == "Everything is allowed."


def test_after_the_practice_people_are_told_that_it_counts(at_item, qtbot):
    window = at_item(study([PRACTICE, main_item(0), main_item(1)], limits=BETWEEN))
    window.submit()
    window._submit_now()
    wait_for_page(qtbot, window, StudyPage.FEEDBACK)
    window.sitting.go_ahead()
    wait_for_page(qtbot, window, StudyPage.READY)
    assert "From now on it counts. You have up to 5 minutes for the next one." in ready_words(window)
    window.sitting.go_ahead()
    wait_for_item(qtbot, window)
    window.submit()
    window._submit_now()
    wait_for_page(qtbot, window, StudyPage.READY)
    assert "From now on" not in ready_words(window)


def test_no_time_is_promised_for_an_item_without_a_limit(at_item, qtbot):
    window = at_item(study(limits={"pauses": {"kind": "between"}}))
    window.submit()
    window._submit_now()
    wait_for_page(qtbot, window, StudyPage.READY)
    assert "up to" not in ready_words(window)


def ready_words(window):
    """All words of the page between two items."""
    from PySide6.QtWidgets import QLabel

    labels = [label.text() for label in window.page.findChildren(QLabel)]
    texts = [text.toPlainText() for text in window.page.findChildren(StudyText)]
    return " ".join([*labels, *texts])
