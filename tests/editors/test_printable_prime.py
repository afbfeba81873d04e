"""The editor of printable prime, driven by mouse and keyboard."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton

from spatial_workbench.engine.core import Cancelled
from spatial_workbench.engine.core import task as task_of
from spatial_workbench.engine.tasks.printable_prime.digits import DigitPlaced, Orientation, number_of
from spatial_workbench.engine.tasks.printable_prime.neighbours import neighbouring_prime
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.theme import DARK, LIGHT
from tests.editors.driving import HANDS, steps

TASK = task_of("printable_prime")
INSTANCE = TASK.instances()[0]


@pytest.fixture
def editor(show_editor):
    return show_editor(TASK, INSTANCE)


@pytest.fixture
def solved(show_editor):
    return show_editor(TASK, INSTANCE, TASK.solve(INSTANCE))


def button(editor, name):
    return next(b for b in editor.tools.findChildren(QToolButton) if b.accessibleName() == name)


def test_typed_digits_go_on_top_one_step_each(editor, qtbot):
    qtbot.keyClicks(editor.view, "331")
    assert number_of(editor.digits.stack) == "331"
    assert steps(editor) == 3
    editor.document.undo_stack.undo()
    assert number_of(editor.digits.stack) == "33"


def test_a_typed_digit_takes_the_first_orientation_that_fits(editor, qtbot):
    qtbot.keyClicks(editor.view, "61")
    assert editor.digits.stack[1] == DigitPlaced(1, Orientation.FLIPPED_X)


def test_a_digit_that_fits_nowhere_is_refused_with_the_reason(editor, qtbot):
    qtbot.keyClicks(editor.view, "1")
    with qtbot.waitSignal(editor.message) as blocker:
        qtbot.keyClicks(editor.view, "8")
    assert "No 8 fits here: its bars A, D" in blocker.args[0]
    assert number_of(editor.digits.stack) == "1"


def test_the_palette_greys_what_cannot_come_next_and_says_why(editor, qtbot):
    qtbot.keyClicks(editor.view, "1")
    assert not button(editor, "8 flat").isEnabled()
    assert "would hang in the air" in button(editor, "8 flat").toolTip()
    assert button(editor, "7 on its long side").isEnabled()


def test_a_click_in_the_palette_adds_that_digit(editor, qtbot):
    qtbot.mouseClick(button(editor, "7 on its head"), Qt.MouseButton.LeftButton)
    assert editor.digits.stack == (DigitPlaced(7, Orientation.HEAD),)


def test_turning_goes_through_the_orientations_that_fit_as_one_step(editor, qtbot):
    qtbot.keyClicks(editor.view, "81")
    before = steps(editor)
    qtbot.keyClick(editor.view, Qt.Key.Key_R)
    qtbot.keyClick(editor.view, Qt.Key.Key_R)
    assert editor.digits.stack[1] == DigitPlaced(1, Orientation.HEAD)
    assert steps(editor) == before + 1


def test_backspace_takes_the_top_off_and_a_selected_digit_out(editor, qtbot):
    qtbot.keyClicks(editor.view, "3317")
    editor.digits.select(2)
    qtbot.keyClick(editor.view, Qt.Key.Key_Backspace)
    qtbot.keyClick(editor.view, Qt.Key.Key_Backspace)
    assert number_of(editor.digits.stack) == "33"


def test_a_digit_is_inserted_above_the_selected_one(editor, qtbot):
    qtbot.keyClicks(editor.view, "31")
    editor.digits.select(0)
    qtbot.keyClicks(editor.view, "3")
    assert number_of(editor.digits.stack) == "331"
    assert editor.digits.selected == 1


def test_a_click_on_the_number_selects_the_digit(solved, qtbot):
    solved.panel.widgets["The number so far"].linkActivated.emit("3")
    assert solved.digits.selected == 3
    assert "digit 3: 8" in solved.status()


def test_arrows_step_through_the_stack_and_move_digits(editor, qtbot):
    qtbot.keyClicks(editor.view, "331")
    qtbot.keyClick(editor.view, Qt.Key.Key_Up)
    qtbot.keyClick(editor.view, Qt.Key.Key_Down)
    assert editor.digits.selected == 1
    qtbot.keyClick(editor.view, Qt.Key.Key_Up, Qt.KeyboardModifier.ControlModifier)
    assert number_of(editor.digits.stack) == "313"


def test_digits_that_do_not_rest_are_marked_at_once(editor, qtbot):
    qtbot.keyClicks(editor.view, "331")
    editor.digits.select(1)
    qtbot.keyClick(editor.view, Qt.Key.Key_Up, Qt.KeyboardModifier.ControlModifier)
    assert editor.digits.faulty == [2]


def test_a_typed_number_gets_orientations_that_fit(editor, qtbot):
    editor._field.setText("888,999,996,969,699,696,669,666,333,377,777,711,111,171")
    qtbot.keyClick(editor._field, Qt.Key.Key_Return)
    assert len(editor.digits.stack) == 42
    assert TASK.verify(INSTANCE, editor.document.answer).passed


@pytest.mark.parametrize(("text", "words"), [("12x", "Type a number"), ("17", ""), ("171717188", "cannot be stacked")])
def test_a_number_that_cannot_be_stacked_is_refused(editor, qtbot, text, words):
    messages = []
    editor.message.connect(messages.append)
    editor._field.setText(text)
    qtbot.keyClick(editor._field, Qt.Key.Key_Return)
    assert bool(messages) == bool(words)
    assert all(words in line for line in messages)


def test_the_next_and_prior_primes_that_stack_are_found(editor, qtbot):
    qtbot.keyClicks(editor.view, "811")
    qtbot.keyClick(editor.view, Qt.Key.Key_N)
    larger = number_of(editor.digits.stack)
    qtbot.keyClick(editor.view, Qt.Key.Key_P)
    assert number_of(editor.digits.stack) == "811"
    assert int(larger) > 811


class Waiting:
    """A runner whose work ends when the test says so."""

    def __init__(self):
        self.jobs = []
        self.cancelled = 0

    def run(self, label, function, *arguments, done, failed=None, quiet=False):
        self.jobs.append(lambda: done(function(*arguments)))
        return self

    def cancel(self):
        self.cancelled += 1


@pytest.fixture
def waiting(editor):
    editor.search.runner = Waiting()
    return editor


def test_the_next_prime_is_looked_for_in_the_background(waiting, qtbot):
    qtbot.keyClicks(waiting.view, "811")
    qtbot.keyClick(waiting.view, Qt.Key.Key_N)
    assert number_of(waiting.digits.stack) == "811"
    waiting.search.runner.jobs.pop()()
    assert int(number_of(waiting.digits.stack)) > 811


def test_escape_stops_looking_for_a_prime(waiting, qtbot):
    qtbot.keyClicks(waiting.view, "811")
    qtbot.keyClick(waiting.view, Qt.Key.Key_N)
    qtbot.keyClick(waiting.view, Qt.Key.Key_Escape)
    assert waiting.search.runner.cancelled == 1


def test_a_prime_that_comes_after_the_digits_were_changed_is_left_out(waiting, qtbot):
    qtbot.keyClicks(waiting.view, "811")
    qtbot.keyClick(waiting.view, Qt.Key.Key_N)
    qtbot.keyClick(waiting.view, Qt.Key.Key_Backspace)
    with qtbot.waitSignal(waiting.message):
        waiting.search.runner.jobs.pop()()
    assert number_of(waiting.digits.stack) == "81"


def test_looking_for_a_prime_can_be_cancelled():
    def cancel(done, total, text):
        raise Cancelled

    with pytest.raises(Cancelled):
        neighbouring_prime("811", 1, list(Orientation), cancel)


def test_the_panel_tells_whether_the_number_is_prime(editor, qtbot):
    qtbot.keyClicks(editor.view, "33")
    assert "divisible by 3" in editor.panel.widgets["Prime"].words.text()
    qtbot.keyClicks(editor.view, "1")
    assert editor.panel.widgets["Prime"].words.text() == "prime"


def test_layers_can_be_pulled_apart(solved, qtbot):
    height = solved.view.scene.item("digits").centers[:, 2].max()
    solved.panel.widgets["Exploded view"].setValue(30)
    assert solved.view.scene.item("digits").centers[:, 2].max() > height + 60


def test_the_palette_takes_the_colours_of_another_theme(editor, qtbot):
    before = button(editor, "8 flat").icon().cacheKey()
    appearance().set(DARK)
    after = button(editor, "8 flat").icon().cacheKey()
    appearance().set(LIGHT)
    assert after != before


def test_what_a_check_names_is_pointed_out_in_the_number_too(solved):
    solved.show_elements(["digit 2"])
    assert solved.digits.selected == 2
    assert "underline" in solved.panel.widgets["The number so far"].text().partition('href="2"')[2][:80]


@pytest.fixture
def by_hand(show_editor):
    return show_editor(TASK, INSTANCE, aids=HANDS)


def test_without_judging_any_digit_goes_on_any_other(by_hand, qtbot):
    qtbot.keyClicks(by_hand.view, "0188")
    assert number_of(by_hand.digits.stack) == "0188"
    assert by_hand.marked() == {}
    assert button(by_hand, "8 flat").isEnabled()


def test_without_judging_doubled_groups_are_not_marked(by_hand, qtbot):
    qtbot.keyClicks(by_hand.view, "111111")
    assert "underline" not in by_hand.panel.widgets["The number so far"].text()


def test_without_measuring_digits_and_height_are_not_told(by_hand, qtbot):
    qtbot.keyClicks(by_hand.view, "11")
    assert by_hand.status() == ""
