"""One step: its action and its text."""

from tests.app.puzzles.annotation.conftest import texts


def test_a_letter_and_a_colon_choose_the_action(note, qtbot):
    note.side.steps.focus_step(0)
    note.side.steps.new_step(0)
    qtbot.keyClicks(note.side.steps.cards[1].text, "s: trace the wall")
    assert texts(note)[1] == "Sketching: trace the wall"
    assert note.side.steps.cards[1].action.currentText() == "Sketching"
    assert note.side.steps.cards[1].words.text() == "4 words"


def test_an_action_that_is_chosen_takes_the_place_of_the_one_before(note):
    card = note.side.steps.cards[1]
    card.action.setCurrentIndex(3)
    card.action.activated.emit(3)
    assert texts(note)[1].startswith("Manipulation: read each dial")
