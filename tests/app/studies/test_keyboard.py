"""A whole session by keys alone, at twice the size of text and with reduced motion; and names for screen readers."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QApplication,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QScrollBar,
    QTabBar,
    QTextEdit,
    QWidget,
)

from spatial_workbench.app.studies.participant.pages.later_pages import EndPage
from spatial_workbench.engine.puzzles.solving import answer_of
from spatial_workbench.engine.studies.planning import keyboard
from spatial_workbench.engine.studies.sessions.pages import StudyPage
from spatial_workbench.engine.studies.sessions.schema import Accommodations
from spatial_workbench.widgets.appearance import appearance
from tests.app.studies.conftest import wait_for_item, wait_for_page
from tests.studies.sessions.test_rehearsing import COVARIATES
from tests.studies.sittings import SHIKAKU, bundle, main_item, study

KEY = Qt.Key
SHIFT = Qt.KeyboardModifier.ShiftModifier
NEEDS = Accommodations(type_scale=2.0, reduced_motion=True, keyboard_only=True)
MOST_TABS = 60
SMALLEST = (1280, 800)


@pytest.fixture
def window(participate):
    asked = study(
        covariates=COVARIATES,
        instructions="Divide the grid.",
        questions={"confidence": True, "difficulty": True, "strategy": True, "tlx": "end"},
        limits={"item_s": 300, "pauses": {"kind": "any"}},
    )
    return participate(code="", its_bundle=replace(bundle(asked), accommodations={"P001H": NEEDS}))


class Keys:
    """Presses keys, and nothing else."""

    def __init__(self, qtbot, window):
        self.qtbot = qtbot
        self.window = window

    def press(self, key, held=Qt.KeyboardModifier.NoModifier, times=1):
        for _ in range(times):
            self.qtbot.keyClick(QApplication.focusWidget() or self.window, key, held)

    def type(self, text):
        self.qtbot.keyClicks(QApplication.focusWidget(), text)

    def tab_to(self, wanted):
        """Presses Tab until the keyboard is at a widget with this name or text."""
        for _ in range(MOST_TABS):
            focused = QApplication.focusWidget()
            if focused is not None and wanted in (focused.accessibleName(), getattr(focused, "text", lambda: "")()):
                return
            self.press(KEY.Key_Tab)
        raise AssertionError(f"Tab does not reach “{wanted}”")


def solve_by_keys(keys, window):
    """Draws the rectangles of a solution with the arrow keys."""
    x, y = window.page.editor.cursor_cell
    for x0, y0, x1, y1 in SHIKAKU.solve(window.sitting.state.subject()[1]).rectangles:
        keys.press(KEY.Key_Right if x0 > x else KEY.Key_Left, times=abs(x0 - x))
        keys.press(KEY.Key_Down if y0 > y else KEY.Key_Up, times=abs(y0 - y))
        keys.press(KEY.Key_Right, SHIFT, x1 - x0)
        keys.press(KEY.Key_Down, SHIFT, y1 - y0)
        keys.press(KEY.Key_Return)
        x, y = window.page.editor.cursor_cell


@pytest.mark.slow
def test_a_whole_session_by_keys_alone(window, qtbot):
    keys = Keys(qtbot, window)
    keys.type("P001H")
    keys.press(KEY.Key_Return)
    qtbot.waitUntil(lambda: window.sitting is not None)
    wait_for_page(qtbot, window, StudyPage.CONSENT)
    keys.press(KEY.Key_End)
    keys.tab_to("I take part.")
    keys.press(KEY.Key_Space)
    qtbot.waitUntil(window.page.primary.isEnabled)
    keys.press(KEY.Key_Return)
    wait_for_page(qtbot, window, StudyPage.COVARIATES)
    keys.type("33")
    keys.tab_to("What do you use?: prefer not to say")
    keys.press(KEY.Key_Space)
    keys.press(KEY.Key_Return)
    wait_for_page(qtbot, window, StudyPage.INSTRUCTIONS)
    keys.press(KEY.Key_Return)
    for _ in range(2):
        wait_for_item(qtbot, window)
        solve_by_keys(keys, window)
        assert SHIKAKU.verify(window.sitting.state.subject()[1], window.page.document.answer).score == 1
        keys.press(KEY.Key_F9)
        wait_for_page(qtbot, window, StudyPage.QUESTIONS)
        answer_by_keys(keys)
        qtbot.waitUntil(lambda: window.sitting.state.page is not StudyPage.QUESTIONS)
        if window.sitting.state.page is StudyPage.READY:
            wait_for_page(qtbot, window, StudyPage.READY)
            keys.press(KEY.Key_Return)
    wait_for_page(qtbot, window, StudyPage.AFTER)
    keys.tab_to("Did you take it seriously?: 1")
    keys.press(KEY.Key_Space)
    keys.press(KEY.Key_Return)
    wait_for_page(qtbot, window, StudyPage.TLX_END)
    for rating in window.page.ratings.values():
        keys.tab_to(rating.slider.accessibleName())
        keys.press(KEY.Key_Right)
    keys.press(KEY.Key_Return)
    qtbot.waitUntil(lambda: isinstance(window.page, EndPage))
    assert [trial.responses["difficulty"] for trial in window.sitting.state.file.trials()] == [1, 1]
    assert appearance().reduce_motion


def answer_by_keys(keys):
    """Answers the three questions about an item."""
    keys.tab_to("How sure are you that this answer is right?")
    keys.press(KEY.Key_Right, times=3)
    keys.tab_to("Difficulty: 1")
    keys.press(KEY.Key_Space)
    keys.tab_to("How did you go about it?")
    keys.type("By keys")
    keys.tab_to("Continue")
    keys.press(KEY.Key_Return)


NAMED = (QAbstractButton, QAbstractSlider, QComboBox, QLineEdit, QPlainTextEdit, QTextEdit)


def unnamed(root: QWidget):
    """The controls that a screen reader has no name for."""
    controls = [w for w in root.findChildren(QWidget) if isinstance(w, NAMED) and w.isVisible()]
    own = [w for w in controls if not isinstance(w, QScrollBar | QTabBar) and w.objectName() != "qt_spinbox_lineedit"]
    parents = (QComboBox, QTabBar)
    own = [w for w in own if not isinstance(w.parentWidget(), parents)]
    return [w for w in own if not (w.accessibleName() or getattr(w, "text", lambda: "")())]


def test_every_control_has_a_name_and_every_page_fits_a_small_screen(window, qtbot):
    def looks_right():
        qtbot.wait(20)
        assert unnamed(window) == []
        assert window.minimumSizeHint().width() <= SMALLEST[0]
        scroller = getattr(window.page, "scroller", None)
        assert scroller is None or scroller.widget().minimumSizeHint().width() <= SMALLEST[0]

    looks_right()
    window.begin("P001H")
    sitting = window.sitting
    steps = (
        (StudyPage.CONSENT, lambda: sitting.entering.consent({"part": True})),
        (StudyPage.COVARIATES, lambda: sitting.entering.reply({"age": 33})),
        (StudyPage.INSTRUCTIONS, sitting.go_ahead),
    )
    for page, step in steps:
        wait_for_page(qtbot, window, page)
        looks_right()
        step()
    wait_for_item(qtbot, window)
    looks_right()
    for cover in (window.ask_to_stop, window.show_help, window.ask_to_give_up):
        cover()
        looks_right()
        window._end_asking()
    sitting.work.submit()
    wait_for_page(qtbot, window, StudyPage.QUESTIONS)
    looks_right()


@pytest.mark.slow
def test_the_size_of_text_changes_by_keys_and_is_logged(at_item, qtbot):
    window = at_item()
    qtbot.keyClick(window.focusWidget(), KEY.Key_Plus, Qt.KeyboardModifier.ControlModifier)
    assert appearance().type_scale == 1.1
    wait_for_item(qtbot, window)
    qtbot.keyClick(window.focusWidget(), KEY.Key_Minus, Qt.KeyboardModifier.ControlModifier)
    assert appearance().type_scale == 1.0


def test_a_code_that_works_by_keys_alone_gets_no_item_that_needs_a_pointer(participate, monkeypatch):
    monkeypatch.setattr(keyboard, "BY_KEYS", keyboard.BY_KEYS - {"tetrahedra_shadow"})
    pointed = study([main_item(0), {**main_item(1), "address": "tetrahedra_shadow:0"}])
    window = participate(code="", its_bundle=replace(bundle(pointed), accommodations={"P001H": NEEDS}))
    window.begin("P001H")
    assert (
        window.page.fault.text() == "P001H works by keys alone, and the editor of tetrahedra_shadow:0 needs a pointer."
    )


@pytest.mark.slow
def test_a_formula_is_reached_and_typed_by_keys_alone(at_item, qtbot):
    window = at_item(study([{**main_item(0), "address": "polynomial_fit:0"}, main_item(1)]))
    task, instance = window.sitting.state.subject()
    keys = Keys(qtbot, window)
    keys.tab_to("Formula f(x, y)")
    keys.press(KEY.Key_A, Qt.KeyboardModifier.ControlModifier)
    keys.type(task.solve(instance).function.partition("return ")[2])
    keys.press(KEY.Key_Return)
    assert task.verify(instance, window.page.document.answer).score == 1


def test_the_ends_of_segments_are_typed_by_keys_alone(at_item, qtbot):
    window = at_item(study([{**main_item(0), "address": "two_segments:0"}, main_item(1)]))
    task, instance = window.sitting.state.subject()
    keys = Keys(qtbot, window)
    for end, place in (("0A", "0"), ("0B", "0"), ("1A", "0.8"), ("1B", "0.8")):
        keys.tab_to(f"t of end {end}")
        keys.press(KEY.Key_A, Qt.KeyboardModifier.ControlModifier)
        keys.type(place)
        keys.press(KEY.Key_Tab)
    assert task.verify(instance, window.page.document.answer).score == 1


def test_the_answer_to_a_puzzle_is_typed_by_keys_alone(at_item, qtbot):
    window = at_item(study([{**main_item(0), "address": "puzzle_hunt:0"}, main_item(1)]))
    task, instance = window.sitting.state.subject()
    keys = Keys(qtbot, window)
    keys.tab_to("Answer")
    keys.type(answer_of(task.solve(instance).text))
    assert task.verify(instance, window.page.document.answer).score == 1
