"""The participant's window: a person goes through a session by its pages, with keys and clicks."""

import json
import sys
from unittest.mock import Mock

import pytest
from PySide6.QtCore import QCoreApplication, QMimeData, QPoint, QSettings, Qt
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QPushButton, QTextEdit, QWidget

from spatial_workbench.app.background.jobs import Submits
from spatial_workbench.app.background.live_verdicts import LiveVerdicts
from spatial_workbench.app.studies.participant import autostart
from spatial_workbench.app.studies.participant.clipboard_guard import NOTHING, OUTSIDE
from spatial_workbench.app.studies.participant.covers import Covering, LeaveCover
from spatial_workbench.app.studies.participant.pages.entry_pages import CodePage, ConsentPage
from spatial_workbench.app.studies.participant.pages.item_page import TypedPage
from spatial_workbench.app.studies.participant.pages.later_pages import EndPage, ItemQuestionsPage
from spatial_workbench.app.studies.participant.texts import StudyText
from spatial_workbench.app.studies.participant.window_form import WindowForm
from spatial_workbench.engine.core import Aid, Task
from spatial_workbench.engine.puzzles.annotation.layers import Stroke, read_layer
from spatial_workbench.engine.studies.files.results_file import read_results
from spatial_workbench.engine.studies.sessions.pages import Cover, StudyPage
from spatial_workbench.engine.studies.sessions.schema import SessionState, TrialState
from spatial_workbench.engine.studies.sessions.session_file import lines
from spatial_workbench.widgets.panels.verdict_panel import VerdictPanel
from spatial_workbench.widgets.scene_views.view import SceneView
from tests.app.studies.conftest import wait_for_item, wait_for_page
from tests.mouse_wheel import turn_wheel
from tests.studies.sittings import PASSPHRASE, SHIKAKU, main_item, study

KEY = Qt.Key
PLAIN = Qt.KeyboardModifier.NoModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier


def press(qtbot, window, *keys):
    """Presses keys where the keyboard is."""
    for key in keys:
        qtbot.keyClick(window.focusWidget() or window, key)


def button(widget, text):
    return next(b for b in widget.findChildren(QPushButton) if b.text() == text and b.isVisible())


def test_a_session_from_the_code_to_the_results(participate, qtbot, tmp_path):
    window = participate(study(questions={"confidence": True}), code="")
    assert isinstance(window.page, CodePage)
    qtbot.keyClicks(window.focusWidget(), "p001h")
    press(qtbot, window, KEY.Key_Return)
    qtbot.waitUntil(lambda: isinstance(window.page, ConsentPage))
    window.page.boxes["part"].click()
    qtbot.waitUntil(window.page.primary.isEnabled)
    window.page.primary.click()
    wait_for_page(qtbot, window, StudyPage.INSTRUCTIONS)
    press(qtbot, window, KEY.Key_Return)
    for _ in range(2):
        wait_for_item(qtbot, window)
        window.page.document.edit("Solve", SHIKAKU.solve(window.sitting.state.subject()[1]))
        press(qtbot, window, KEY.Key_F9)
        qtbot.waitUntil(lambda: isinstance(window.page, ItemQuestionsPage))
        window.page.confidence.slider.touch(80)
        window.page.primary.click()
    qtbot.waitUntil(lambda: isinstance(window.page, EndPage))
    (path,) = tmp_path.glob("*.studyresult")
    session = read_results(path, lambda study, its: window.bundle.key).session
    assert session.state is SessionState.FINISHED
    assert [trial.edits for trial in session.trials] == [1, 1]
    assert [trial.responses["confidence"] for trial in session.trials] == [80, 80]


def test_whoever_tries_a_plan_out_is_told_its_codes_and_can_begin_with_the_first(participate, qtbot, tmp_path):
    window = participate(code="", leaves_nothing=True)
    assert "nothing that you do is kept" in shown_text(window.page)
    assert "P001H, P002Q, P003X" in shown_text(window.page)
    assert (window.page.field.text(), window.page.field.selectedText()) == ("P001H", "P001H")
    press(qtbot, window, KEY.Key_Return)
    qtbot.waitUntil(lambda: isinstance(window.page, ConsentPage))
    assert not (tmp_path / "sessions").exists()


def test_the_wheel_over_a_text_scrolls_the_page_and_not_the_text_in_its_place(participate, qtbot):
    window = participate(study(welcome="word " * 1000))
    qtbot.waitUntil(lambda: isinstance(window.page, ConsentPage))
    text = window.page.findChildren(StudyText)[0]
    qtbot.waitUntil(lambda: text.height() > window.height())
    turn_wheel(text.viewport(), -3)
    assert window.page.scroller.verticalScrollBar().value() > 0
    assert text.verticalScrollBar().value() == 0


def test_whoever_scrolls_past_a_rating_gives_none(at_item, qtbot):
    window = at_item(study(questions={"confidence": True, "difficulty": True}))
    press(qtbot, window, KEY.Key_F9)
    qtbot.waitUntil(lambda: isinstance(window.page, ItemQuestionsPage))
    slider = window.page.confidence.slider
    slider.clearFocus()
    turn_wheel(slider, 1)
    assert (slider.is_touched, slider.value()) == (False, 50)
    slider.setFocus()
    turn_wheel(slider, 1)
    assert slider.is_touched
    assert slider.value() > 50


def test_digits_typed_at_the_line_of_a_rating_are_its_number(at_item, qtbot):
    window = at_item(study(questions={"confidence": True}))
    press(qtbot, window, KEY.Key_F9)
    qtbot.waitUntil(lambda: isinstance(window.page, ItemQuestionsPage))
    rating = window.page.confidence
    assert rating.slider.hasFocus()
    for key in (KEY.Key_5, KEY.Key_5):
        press(qtbot, window, key)
    assert rating.value == 55
    rating.slider.setFocus()
    press(qtbot, window, KEY.Key_7)
    assert rating.number.text() == "7"
    assert rating.value == 7


@pytest.mark.parametrize("kind", ["choice", "multi", "scale", "integer", "text"])
def test_what_was_wrong_with_a_reply_goes_when_it_is_given_and_what_is_below_keeps_its_place(participate, qtbot, kind):
    asked = [{"key": key, "ask": f"What is {key}?", "type": kind, "options": ["few", "many"]} for key in ("a", "b")]
    window = participate(study(covariates=asked))
    window.sitting.entering.consent({"part": True})
    wait_for_page(qtbot, window, StudyPage.COVARIATES)
    fields = window.page.fields
    window.page.primary.click()
    qtbot.waitUntil(lambda: all(field.fault.text() for field in fields.values()))
    QTest.qWait(1)
    before = fields["b"].y()
    field = fields["a"]
    if kind in ("integer", "text"):
        qtbot.keyClicks(field.first, "7")
    else:
        field.findChildren(QAbstractButton)[0].click()
    assert field.fault.text() == ""
    assert fields["b"].fault.text() != ""
    QTest.qWait(1)
    assert fields["b"].y() == before
    fields["b"].refuses.click()
    assert fields["b"].fault.text() == ""


# Items and conditions


def test_what_a_model_gets_is_what_a_person_gets_byte_for_byte(at_item):
    window = at_item(study(conditions={"only": {"aids": [], "answer": "text"}}))
    page = window.page
    task, instance = window.sitting.state.subject()
    assert isinstance(page, TypedPage)
    assert page.prompt._prompt == task.prompt(instance)
    schema = next(field for field in page.findChildren(type(page.text)) if field.isReadOnly())
    assert json.loads(schema.toPlainText()) == task.schema()
    assert page.findChildren(SceneView) == []


def test_a_typed_answer_that_cannot_be_read_is_objected_to_once(at_item, qtbot):
    window = at_item(study(conditions={"only": {"aids": [], "answer": "text"}}))
    window.page.text.setPlainText('{"rectangles": [\n[0, 0]]}')
    press(qtbot, window, KEY.Key_F9)
    assert window.page.fault.text().startswith("line 2:")
    assert window.sitting.state.record.submissions == ()
    press(qtbot, window, KEY.Key_F9)
    qtbot.waitUntil(lambda: window.sitting.state.position == 1)
    assert window.sitting.state.file.trials()[0].submissions[0].is_readable is False


def test_without_a_format_check_a_typed_answer_is_handed_in_as_it_is(at_item, qtbot):
    window = at_item(study(conditions={"only": {"aids": [], "answer": "text", "format_check": False}}))
    window.page.text.setPlainText("neither here nor there")
    press(qtbot, window, KEY.Key_F9)
    qtbot.waitUntil(lambda: window.sitting.state.position == 1)
    assert window.sitting.state.file.trials()[0].submissions[0].is_readable is False


def test_what_is_typed_is_there_again_after_a_restart(at_item, participate, qtbot):
    typed = study(conditions={"only": {"aids": [], "answer": "text"}})
    window = at_item(typed)
    made = window.bundle
    window.page.text.setPlainText("half an answer")
    qtbot.waitUntil(lambda: window.sitting.state.file.draft(0) == {"lines": ["half an answer"]})
    window._may_close = True
    window.close()
    again = participate(its_bundle=made)
    again.sitting.go_on()
    wait_for_item(qtbot, again)
    assert again.page.text.toPlainText() == "half an answer"


def test_what_is_noted_is_there_again_after_a_restart_and_in_the_results(at_item, participate, qtbot, tmp_path):
    window = at_item(study(conditions={"only": {"aids": [], "answer": "text"}}))
    made = window.bundle
    window.page.scratch.setPlainText("try the corners")
    qtbot.waitUntil(lambda: window.sitting.state.file.trials()[0].scratch == "try the corners")
    window._may_close = True
    window.close()
    again = participate(its_bundle=made)
    again.sitting.go_on()
    wait_for_item(qtbot, again)
    assert again.page.scratch.toPlainText() == "try the corners"
    again.page.scratch.setPlainText("the corners are wrong")
    again.submit()
    again.submit()
    again.sitting.leaving.stop(keeps=True)
    qtbot.waitUntil(lambda: isinstance(again.page, EndPage))
    (path,) = tmp_path.glob("*.studyresult")
    assert read_results(path, lambda study, its: made.key).session.trials[0].scratch == "the corners are wrong"


def test_what_is_drawn_over_a_page_is_there_again_when_the_page_is_shown_anew(at_item, qtbot):
    window = at_item(study([{**main_item(0), "address": "puzzle_hunt:0"}, main_item(1)]))
    pad = window.page.editor.pad
    (page,) = pad.pages.names
    stroke = Stroke(points=((10.0, 10.0), (60.0, 40.0)))
    drawn = pad.pages.layer(page).model_copy(update={"shapes": (stroke,)})
    pad.desk.set_layer(drawn)
    window.page.editor._sketch_changed(page)
    window.grow(1)
    wait_for_item(qtbot, window)
    assert window.page.editor.pad.pages.layer(page) == drawn
    assert read_layer(window.sitting.state.file.trials()[0].sketches[page].encode()) == drawn


def test_with_judging_off_nothing_asks_a_verifier(at_item, qtbot, monkeypatch):
    labels = []
    monkeypatch.setattr(Submits, "run", lambda self, label, *rest, **named: labels.append(label))
    monkeypatch.setattr(LiveVerdicts, "__init__", Mock(side_effect=AssertionError("live verdicts")))
    monkeypatch.setattr(Task, "verify", Mock(side_effect=AssertionError("verified")))
    window = at_item(checks=False)
    for _ in range(2):
        window.page.document.edit("Solve", SHIKAKU.solve(window.sitting.state.subject()[1]))
        window.submit()
        qtbot.wait(50)
        if window.sitting.state.page is StudyPage.ITEM:
            wait_for_item(qtbot, window)
    assert labels == ["Checking the items"]


def test_with_judging_on_the_verdict_is_live(at_item, qtbot):
    judged = {"only": {"aids": ["viewing", "editing", "measuring", "judging"], "feedback": "live"}}
    window = at_item(study(conditions=judged))
    qtbot.waitUntil(lambda: window.page.document.is_verdict_current)
    assert window.page.verdict_panel.isVisible()


SETS = [{**main_item(k), "address": f"half_subdivision:{k}"} for k in (0, 1)]


def judged_set(*more, **rest):
    """A study of answers that trying would give away, with live verdicts and perhaps more aids."""
    aids = ["viewing", "editing", "measuring", "judging", *more]
    return study(SETS, conditions={"only": {"aids": aids, "feedback": "live"}}, **rest)


def test_where_trying_would_give_the_answer_away_judging_shows_the_form_alone(at_item, qtbot):
    window = at_item(judged_set())
    qtbot.waitUntil(lambda: window.page.document.is_verdict_current)
    assert window.page.document.verdict.is_of_form
    assert not window.page.verdict_panel.wrong.isVisible()
    assert "Show" not in shown_text(window.page.verdict_panel)


def test_with_solving_aids_a_switch_shows_what_is_wrong_and_is_logged(at_item, qtbot, monkeypatch):
    window = at_item(judged_set("solving"))
    logged = []
    monkeypatch.setattr(window.sitting, "log", lambda kind, **facts: logged.append((kind, facts)))
    window.page.verdict_panel.wrong.click()
    qtbot.waitUntil(lambda: window.page.document.verdict is not None and not window.page.document.verdict.is_of_form)
    assert ("tool", {"name": "Show what is wrong", "aid": "solving"}) in logged


def test_feedback_in_full_names_entries_only_after_the_last_submission(at_item, qtbot):
    told = {"aids": ["viewing", "editing"], "feedback": "full", "feedback_after": "submission"}
    limits = {"item_s": 300, "pauses": {"kind": "none"}, "submissions": 2}
    window = at_item(study(SETS, conditions={"only": told}, limits=limits))
    target = window.sitting.state.subject()[1].parameters["target"]
    window.page.document.edit("List", window.page.document.task.parse({"neighbors": [target]}))
    window.submit()
    qtbot.waitUntil(lambda: window.sitting.state.last_told is not None and window.sitting.state.page is StudyPage.ITEM)
    wait_for_item(qtbot, window)
    assert "own neighbour" not in shown_text(window)
    window.submit()
    wait_for_page(qtbot, window, StudyPage.FEEDBACK)
    checks = window.page.findChild(VerdictPanel)._verdict.checks
    assert "own neighbour" in str(checks)


def test_practice_is_followed_by_its_verdict(at_item, qtbot):
    window = at_item(study([{**main_item(2), "phase": "practice"}, main_item(0), main_item(1)]))
    assert window.head.place.text() == "Practice 1 of 1"
    window.submit()
    wait_for_page(qtbot, window, StudyPage.FEEDBACK)
    assert "Not passed" in shown_text(window.page)
    window.page.primary.click()
    wait_for_item(qtbot, window)
    assert window.head.place.text() == "Item 1 of 2"


def test_an_attention_item_is_counted_and_handed_in_as_the_others_are(at_item, qtbot):
    attention = {**main_item(2), "phase": "attention", "expects": {"score": 1}}
    window = at_item(study([main_item(0), attention, main_item(1)]))
    heads = []
    for _ in range(3):
        head = window.head
        buttons = (head.submit, head.give_up, head.help, head.finish, head.pause)
        heads.append((head.place.text(), [button.isVisibleTo(head) for button in buttons]))
        window.submit()
        if len(heads) < 3:
            wait_for_item(qtbot, window)
    assert [text for text, _ in heads] == ["Item 1 of 3", "Item 2 of 3", "Item 3 of 3"]
    assert heads[0][1] == heads[1][1] == heads[2][1]


def test_a_prompt_with_long_lines_has_the_room_that_they_need(at_item, qtbot):
    window = at_item(study([{**main_item(0), "address": "cube_full_symbolic:0"}, main_item(1)]))
    assert (window.page.prompt.text.horizontalScrollBar().maximum(), window.page.splitter.sizes()[0] > 400) == (0, True)
    window.submit()
    wait_for_item(qtbot, window)
    assert window.page.splitter.sizes()[0] < 380


def test_the_time_left_is_shown_unless_the_condition_hides_it(at_item, qtbot):
    window = at_item()
    qtbot.waitUntil(lambda: window.head.time.text().endswith(" left"))
    hidden = at_item(study(conditions={"only": {"clock": "hidden"}}), code="P002Q")
    hidden.head.show_state(hidden.sitting)
    assert hidden.head.time.text() == ""


def test_undo_and_redo_work_by_their_keys_and_are_logged(at_item, qtbot):
    window = at_item()
    window.page.document.edit("Solve", SHIKAKU.solve(window.sitting.state.subject()[1]))
    window.sitting.work.store()
    qtbot.keyClick(window.focusWidget(), KEY.Key_Z, Qt.KeyboardModifier.ControlModifier)
    window.sitting.work.store()
    assert (window.sitting.state.record.edits, window.sitting.state.record.undos) == (2, 1)


# Covers


def test_giving_up_asks_first(at_item, qtbot):
    window = at_item()
    window.head.give_up.click()
    assert isinstance(window.stack.currentWidget(), Covering)
    button(window.stack.currentWidget(), "Keep working").click()
    assert window.stack.currentWidget() is window.page
    window.head.give_up.click()
    button(window.stack.currentWidget(), "Give up").click()
    qtbot.waitUntil(lambda: window.sitting.state.position == 1)
    assert window.sitting.state.file.trials()[0].state is TrialState.GIVEN_UP


def test_a_pause_hides_the_item(at_item, qtbot):
    window = at_item(study(limits={"item_s": 300, "pauses": {"kind": "any"}}))
    window.head.pause.click()
    qtbot.waitUntil(lambda: isinstance(window.stack.currentWidget(), Covering))
    assert not window.page.isVisible()
    press(qtbot, window, KEY.Key_Return)
    qtbot.waitUntil(lambda: window.stack.currentWidget() is window.page)
    assert window.sitting.state.cover is None


def test_a_gap_hides_the_item_until_the_person_goes_on(at_item, qtbot):
    window = at_item()
    window.sitting.state.run.cover(True)
    qtbot.waitUntil(lambda: isinstance(window.stack.currentWidget(), Covering))
    assert window.sitting.state.cover is Cover.GAP
    press(qtbot, window, KEY.Key_Return)
    qtbot.waitUntil(lambda: window.stack.currentWidget() is window.page)


def test_a_full_disk_hides_the_item_until_it_takes_something_again(at_item, qtbot, monkeypatch):
    window = at_item()
    with monkeypatch.context() as full:
        full.setattr(window.sitting.state.file, "commit", Mock(side_effect=OSError("No space left on device")))
        qtbot.waitUntil(lambda: isinstance(window.stack.currentWidget(), Covering))
        assert "No space left" in window.stack.currentWidget().text.text()
    qtbot.waitUntil(lambda: window.sitting.state.cover is Cover.GAP)


def test_stopping_asks_what_becomes_of_the_work(at_item, qtbot, tmp_path):
    window = at_item()
    window.head.stop.click()
    button(window.stack.currentWidget(), "Stop and delete").click()
    qtbot.waitUntil(lambda: isinstance(window.page, EndPage))
    assert window.stack.currentWidget() is window.page
    assert not (tmp_path / "sessions" / "P001H.session").exists()
    assert "deleted" in shown_text(window.page)


def test_help_shows_the_instructions_and_the_clock_goes_on(at_item, qtbot):
    window = at_item(study(instructions="Divide the *grid*."))
    window.head.help.click()
    assert window.sitting.state.cover is None
    press(qtbot, window, KEY.Key_Escape)
    assert window.stack.currentWidget() is window.page


def test_an_editor_that_fails_is_told_and_the_next_item_follows(participate, qtbot, monkeypatch):
    monkeypatch.setattr(
        "spatial_workbench.app.studies.participant.pages.item_opening.page_of",
        Mock(side_effect=RuntimeError("no view")),
    )
    window = participate(study(limits={"item_s": 300, "pauses": {"kind": "between"}}))
    window.sitting.entering.consent({"part": True})
    window.sitting.go_ahead()
    wait_for_page(qtbot, window, StudyPage.READY)
    assert window.sitting.state.record.state is TrialState.BROKEN
    assert "could not be shown" in shown_text(window.page)


# Kiosk


def test_the_keys_of_the_workbench_do_nothing(at_item, qtbot):
    window = at_item()
    before = set(map(id, window.findChildren(QWidget)))
    control = Qt.KeyboardModifier.ControlModifier
    shift = Qt.KeyboardModifier.ShiftModifier
    for key, held in ((KEY.Key_K, control), (KEY.Key_O, control), (KEY.Key_O, control | shift), (KEY.Key_Tab, control)):
        qtbot.keyClick(window.focusWidget(), key, held)
    for key in (KEY.Key_F6, KEY.Key_F8, KEY.Key_F1):
        qtbot.keyClick(window.focusWidget(), key)
    assert set(map(id, window.findChildren(QWidget))) == before
    assert window.sitting.state.record.edits == 0
    assert window.sitting.state.page is StudyPage.ITEM


def test_nothing_can_be_dropped_into_the_window(at_item, qapp):
    window = at_item(study(conditions={"only": {"aids": [], "answer": "text"}}))
    data = QMimeData()
    data.setText("from outside")
    place = QPoint(5, 5)
    action = Qt.DropAction.CopyAction
    event = QDropEvent(place, action, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    qapp.sendEvent(window.page.text.viewport(), event)
    assert window.page.text.toPlainText() == ""


def test_closing_asks_for_the_passphrase_and_three_wrong_ones_wait(at_item, qtbot):
    window = at_item(form=WindowForm.KIOSK)
    assert window.geometry() == window.screen().geometry()
    assert not window.close()
    qtbot.waitUntil(lambda: isinstance(window.stack.currentWidget(), LeaveCover))
    cover = window.stack.currentWidget()
    for _ in range(3):
        cover.field.setText("wrong")
        press(qtbot, window, KEY.Key_Return)
    assert "Wait 0:30" in cover.fault.text()
    assert not cover.buttons[0].isEnabled()


def test_the_screen_is_covered_from_consent_to_the_end(participate, qtbot):
    window = participate(form=WindowForm.KIOSK)
    wait_for_page(qtbot, window, StudyPage.CONSENT)
    assert not window.isFullScreen()
    assert button(window.page, "Save this text…").isEnabled()
    size = window.size()
    window.sitting.entering.consent({"part": True})
    wait_for_page(qtbot, window, StudyPage.INSTRUCTIONS)
    assert window.isFullScreen()
    window.sitting.leaving.stop(keeps=True)
    wait_for_page(qtbot, window, StudyPage.STOPPED)
    assert not window.isFullScreen()
    assert window.size() == size


def test_while_the_screen_is_covered_no_page_opens_a_file_dialog(at_item, qtbot, monkeypatch):
    monkeypatch.setattr("PySide6.QtWidgets.QFileDialog.getSaveFileName", Mock(side_effect=AssertionError("a dialog")))
    window = at_item(form=WindowForm.KIOSK)
    for pressed in window.findChildren(QPushButton):
        if pressed.text().endswith("…") and pressed is not window.head.stop:
            pressed.click()
    assert window.kiosk.is_on


def test_before_somebody_begins_closing_asks_for_the_passphrase_too(participate):
    window = participate(form=WindowForm.KIOSK, code="")
    assert not window.isFullScreen()
    assert not window.close()
    assert isinstance(window.stack.currentWidget(), LeaveCover)


def test_the_passphrase_opens_the_leaders_choices(at_item, qtbot):
    window = at_item(form=WindowForm.KIOSK)
    qtbot.keyClick(window.focusWidget(), KEY.Key_Q, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: isinstance(window.stack.currentWidget(), LeaveCover))
    cover = window.stack.currentWidget()
    qtbot.keyClicks(cover.field, PASSPHRASE)
    press(qtbot, window, KEY.Key_Return)
    button(cover, "Close; the session goes on another time").click()
    assert not window.isVisible()


TYPED = {"only": {"aids": [], "answer": "text"}}


def test_text_from_outside_is_not_pasted_and_text_from_inside_is(at_item, qtbot, qapp):
    window = at_item(study(conditions=TYPED))
    field = window.page.text
    qapp.clipboard().setText("from outside")
    qtbot.keyClick(field, KEY.Key_V, CONTROL)
    assert field.toPlainText() == ""
    assert window.head.told.text() == OUTSIDE
    window.page.scratch.setPlainText("inside")
    window.page.scratch.selectAll()
    qtbot.keyClick(window.page.scratch, KEY.Key_C, CONTROL)
    qtbot.keyClick(field, KEY.Key_V, CONTROL)
    assert field.toPlainText() == "inside"
    window.sitting.tick()
    window.sitting.recording.commit()
    events = [e for e in lines(window.sitting.state.file.chunks()) if e["kind"] in ("copy", "paste")]
    assert [(e["kind"], e["characters"], e.get("refused")) for e in events] == [
        ("paste", 12, True),
        ("copy", 6, None),
        ("paste", 6, False),
    ]


def test_what_is_copied_inside_reaches_no_other_program(at_item, qtbot, qapp):
    window = at_item(study(conditions=TYPED))
    qapp.clipboard().setText("from outside")
    window.page.prompt.copy_button.click()
    assert qapp.clipboard().text() == "from outside"
    window.page.prompt.text.selectAll()
    qtbot.keyClick(window.page.prompt.text, KEY.Key_C, CONTROL)
    window.page.text.setPlainText("an answer")
    window.page.text.selectAll()
    qtbot.keyClick(window.page.text, KEY.Key_X, CONTROL)
    assert window.page.text.toPlainText() == ""
    assert qapp.clipboard().text() == "from outside"
    qtbot.keyClick(window.page.text, KEY.Key_V, CONTROL)
    assert window.page.text.toPlainText() == "an answer"


def test_what_another_program_copied_last_is_refused_though_something_was_copied_inside(at_item, qtbot, qapp):
    window = at_item(study(conditions=TYPED))
    window.page.prompt.copy_button.click()
    qapp.clipboard().setText("copied later, outside")
    qtbot.keyClick(window.page.text, KEY.Key_V, CONTROL)
    assert window.page.text.toPlainText() == ""
    assert window.head.told.text() == OUTSIDE


def test_where_copying_is_off_the_person_is_told(at_item, qtbot):
    window = at_item(study(conditions={"only": {**TYPED["only"], "clipboard": "off"}}))
    window._tick()
    window.page.scratch.setPlainText("inside")
    window.page.scratch.selectAll()
    qtbot.keyClick(window.page.scratch, KEY.Key_X, CONTROL)
    qtbot.keyClick(window.page.text, KEY.Key_V, CONTROL)
    assert (window.page.scratch.toPlainText(), window.page.text.toPlainText()) == ("inside", "")
    assert window.head.told.text() == NOTHING


def test_where_the_systems_clipboard_may_be_used_it_is(at_item, qtbot, qapp):
    window = at_item(study(conditions={"only": {**TYPED["only"], "clipboard": "system"}}))
    window._tick()
    qapp.clipboard().setText("from outside")
    qtbot.keyClick(window.page.text, KEY.Key_V, CONTROL)
    assert window.page.text.toPlainText() == "from outside"
    window.page.prompt.copy_button.click()
    assert qapp.clipboard().text() == window.page.prompt._prompt.whole_text


@pytest.mark.slow
def test_two_people_one_after_the_other_meet_equal_windows(at_item, qtbot):
    window = at_item()
    first = settled(window, qtbot)
    window.page.splitter.setSizes([200, 1080])
    window.grow(2)
    wait_for_item(qtbot, window)
    window.page.document.edit("Solve", SHIKAKU.solve(window.sitting.state.subject()[1]))
    window.page.prompt.copy_button.click()
    window.sitting.leaving.stop(keeps=True)
    qtbot.waitUntil(lambda: isinstance(window.page, EndPage))
    window.page.primary.click()
    assert isinstance(window.page, CodePage)
    qtbot.keyClick(window.page.field, KEY.Key_V, CONTROL)
    assert window.page.field.text() == ""
    window.begin("P002Q")
    window.sitting.entering.consent({"part": True})
    window.sitting.go_ahead()
    wait_for_item(qtbot, window)
    qtbot.waitUntil(lambda: grabbed(window) == first)


def grabbed(window):
    """The picture of the window once it is laid out, without its clock."""
    QCoreApplication.sendPostedEvents()
    window._ticker.stop()
    window.head.time.setText("")
    window.page.editor.view.flush()
    image = window.grab().toImage()
    window._ticker.start()
    return image


def settled(window, qtbot):
    """The picture of the window when nothing in it changes any more."""
    pictures = [grabbed(window)]

    def is_still():
        pictures.append(grabbed(window))
        return pictures[-1] == pictures[-2]

    qtbot.waitUntil(is_still)
    return pictures[-1]


def shown_text(page):
    """All words on a page."""
    labels = [label.text() for label in page.findChildren(QLabel)]
    return " ".join([*labels, *(text.toPlainText() for text in page.findChildren(QTextEdit))])


# What is watched


def test_input_is_noticed_and_a_pointer_that_trembles_is_not(at_item, qtbot):
    window = at_item()
    handle = window.windowHandle()
    QTest.mouseMove(handle, QPoint(500, 300))
    window.sitting.state.run.update(first_input_ms=None)
    QTest.mouseMove(handle, QPoint(501, 301))
    assert window.sitting.state.record.first_input_ms is None
    QTest.keyClick(handle, KEY.Key_Right)
    assert window.sitting.state.record.first_input_ms is not None


def test_the_pointer_is_logged_if_the_study_says_so_and_the_prompt_as_it_is_scrolled(at_item, qtbot, monkeypatch):
    monkeypatch.setattr("spatial_workbench.app.studies.participant.pages.item_page.LOG_MS", 1)
    window = at_item(study(log={"pointer": True}))
    for place in (QPoint(500, 300), QPoint(600, 400)):
        QTest.mouseMove(window.windowHandle(), place)
    window.resize(1280, 300)
    window.page.prompt.text.verticalScrollBar().setValue(30)
    qtbot.wait(20)
    window.sitting.recording.commit()
    kinds = {event["kind"] for event in lines(window.sitting.state.file.chunks())}
    assert {"pointer", "prompt_scroll"} <= kinds


def test_another_program_in_front_is_logged(at_item, qtbot):
    window = at_item()
    window.surroundings.set_state(Qt.ApplicationState.ApplicationInactive)
    window.surroundings.set_state(Qt.ApplicationState.ApplicationActive)
    window.sitting.recording.commit()
    kinds = [event["kind"] for event in lines(window.sitting.state.file.chunks())]
    assert [kind for kind in kinds if kind in ("blur", "focus")] == ["blur", "focus"]
    assert window.sitting.state.record.away_count == 1


def test_no_setting_is_read_or_written(participate, qtbot, monkeypatch):
    for name in ("value", "setValue", "remove"):
        monkeypatch.setattr(QSettings, name, Mock(side_effect=AssertionError("a setting")))
    window = participate(study([{**main_item(0), "address": "lego_hemisphere:0"}, main_item(1)]))
    window.sitting.entering.consent({"part": True})
    window.sitting.go_ahead()
    wait_for_item(qtbot, window)
    window.sitting.work.submit()
    wait_for_item(qtbot, window)


def test_by_hand_a_brick_goes_into_another_without_a_word(at_item, qtbot):
    window = at_item(study([{**main_item(0), "address": "lego_hemisphere:0"}, main_item(1)]))
    task, _ = window.sitting.state.subject()
    said = []
    window.page.editor.message.connect(said.append)
    brick = {"Centroid": [32.0, 0.0, 4.8], "RotationDegrees": 0}
    window.page.document.edit("Place", task.parse({"bricks": [brick, brick]}))
    window.sitting.work.store()
    assert window.sitting.state.record.edits == 1
    assert said == []
    assert window.page.document.verdict is None


def test_what_a_study_writes_is_never_a_link(participate):
    hostile = "Read [this](http://x.org) <b>now</b> ![p](http://x.org/p.png) <http://y.org>"
    window = participate(study(welcome=hostile))
    texts = window.page.findChildren(QTextEdit)
    assert hostile in [text.toPlainText() for text in texts]
    assert not any("href" in text.toHtml() or "<img" in text.toHtml() for text in texts)


def test_the_entry_for_autostart_is_removed_again(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    path = autostart.write_entry(tmp_path / "a b$.study", "Two\nlines")
    assert "Name=Two lines" in path.read_text()
    assert '"study" "run"' in path.read_text()
    autostart.remove_entry()
    assert not path.exists()


def test_a_bundle_names_itself_in_the_entry_for_autostart(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.delenv("APPIMAGE", raising=False)
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", "/opt/spatial-workbench/spatial-workbench")
    path = autostart.write_entry(tmp_path / "a.study", "A study")
    assert 'Exec="/opt/spatial-workbench/spatial-workbench" "study" "run"' in path.read_text()


def test_a_long_consent_has_to_be_read_to_its_end(participate, qtbot):
    long_text = "\n\n".join(f"{k}. What we store, and why." for k in range(80))
    consent = {"version": "1", "text": long_text, "boxes": [{"key": "part", "required": True}]}
    window = participate(study(consent=consent))
    wait_for_page(qtbot, window, StudyPage.CONSENT)
    window.page.boxes["part"].setChecked(True)
    qtbot.waitUntil(lambda: window.page.scroller.verticalScrollBar().maximum() > 500)
    assert not window.page.primary.isEnabled()
    assert "Read to the end" in window.page.note.text()
    qtbot.keyClick(window.page, KEY.Key_End)
    qtbot.waitUntil(window.page.primary.isEnabled)
    qtbot.keyClick(window.page, KEY.Key_Home)
    assert window.page.primary.isEnabled()


@pytest.mark.parametrize("may_program", [False, True])
def test_files_are_never_read_and_programs_written_only_if_the_condition_says_so(at_item, may_program):
    everything = {"aids": list(Aid), "feedback": "live", "tools.code": may_program}
    items = [{**main_item(0), "address": "interlocking_parts:0"}, main_item(1)]
    window = at_item(study(items, conditions={"only": everything}))
    assert "Import…" not in window.page.editor.panel.actions
    assert ("Source…" in window.page.editor.panel.actions) is may_program


def test_a_sitting_that_is_over_leaves_results_that_later_ones_extend(at_item, qtbot, tmp_path):
    window = at_item(study(limits={"item_s": 300, "sitting_s": 0.2, "pauses": {"kind": "none"}}))
    qtbot.wait(300)
    window.submit()
    wait_for_page(qtbot, window, StudyPage.LATER)
    assert "go on another time with the code P001H" in shown_text(window.page)
    assert len(list(tmp_path.glob("*.studyresult"))) == 1
    window.page.primary.click()
    window.begin("P001H")
    assert window.sitting.state.page is StudyPage.READY


def test_a_session_that_goes_on_has_the_history_of_its_editor(at_item, participate, qtbot):
    window = at_item()
    document = window.page.document
    empty = document.answer
    right = SHIKAKU.solve(window.sitting.state.subject()[1])
    document.edit("Solve", right)
    document.edit("Clear", empty)
    document.undo_stack.undo()
    window._may_close = True
    window.close()

    again = participate()
    again.sitting.go_ahead()
    wait_for_item(qtbot, again)
    document = again.page.document
    stack = document.undo_stack
    assert (document.answer, stack.count(), stack.index()) == (right, 2, 1)
    assert (stack.undo_words(), stack.redo_words()) == ("Undo Solve", "Redo Clear")
    stack.undo()
    assert document.answer == empty
    stack.redo()
    stack.redo()
    assert document.answer == empty


@pytest.mark.slow
def test_a_session_that_goes_on_has_the_cursor_of_its_editor(at_item, participate, qtbot):
    window = at_item()
    for key, held in ((KEY.Key_Right, PLAIN), (KEY.Key_Down, PLAIN), (KEY.Key_Right, SHIFT)):
        qtbot.keyClick(window.page.editor.view, key, held)
    (area, cell) = window.page.editor.cursor_area, window.page.editor.cursor_cell
    assert (area, cell) == ((1, 1, 2, 1), (1, 1))
    qtbot.waitUntil(lambda: window.sitting.state.file.place["standing"] == [0, {"cursor": [1, 1, 1, 1, 2, 1, -1]}])
    window._may_close = True
    window.close()

    again = participate()
    again.sitting.go_ahead()
    wait_for_item(qtbot, again)
    assert (again.page.editor.cursor_area, again.page.editor.cursor_cell) == (area, cell)
    again.sitting.go_on()
    again.submit()
    qtbot.waitUntil(lambda: again.sitting.state.position == 1)
    wait_for_item(qtbot, again)
    assert again.page.editor.cursor_cell == (0, 0)


def test_a_typed_answer_can_be_undone_after_the_session_went_on(at_item, participate, qtbot):
    window = at_item(study(conditions=TYPED))
    qtbot.keyClicks(window.page.text, "one")
    window.sitting.work.store()
    qtbot.keyClicks(window.page.text, " two")
    window._may_close = True
    window.close()

    again = participate(study(conditions=TYPED))
    again.sitting.go_ahead()
    wait_for_item(qtbot, again)
    field = again.page.text
    assert (field.toPlainText(), field.textCursor().position()) == ("one two", 7)
    field.undo()
    assert field.toPlainText() == "one"


def test_the_cursor_in_a_typed_answer_stands_where_it_stood(at_item, participate, qtbot):
    window = at_item(study(conditions=TYPED))
    qtbot.keyClicks(window.page.text, "one two")
    for key, held in ((KEY.Key_Home, PLAIN), (KEY.Key_Right, PLAIN), (KEY.Key_Right, SHIFT)):
        qtbot.keyClick(window.page.text, key, held)
    window._may_close = True
    window.close()

    again = participate(study(conditions=TYPED))
    again.sitting.go_ahead()
    wait_for_item(qtbot, again)
    cursor = again.page.text.textCursor()
    assert (cursor.anchor(), cursor.position()) == (1, 2)
