"""Solving a puzzle in the window, against the clock."""

import pytest
from PySide6.QtCore import Qt

from spatial_workbench.app.attempts.words import kinds_of_time
from spatial_workbench.app.workspace.clock import ClockState
from spatial_workbench.app.workspace.session import CONTINUED, PAUSED, _layers_of
from spatial_workbench.engine.core import Aid, State, task
from spatial_workbench.engine.puzzles.annotation.layers import Stroke
from spatial_workbench.engine.store import Project
from spatial_workbench.widgets.editing.editor import GIVE_UP
from tests.app.conftest import open_instance
from tests.app.set_time import let_time_pass

ADDRESS = "puzzle_hunt:4"  # One New Leaf: STEM


@pytest.fixture
def puzzle(window, qtbot):
    workspace = open_instance(window, qtbot, ADDRESS)
    qtbot.waitUntil(lambda: workspace.editor.pad.view.tiles is not None)
    return workspace


def submit(qtbot, workspace, answer):
    pane = workspace.editor._pane
    pane.answer.clear()
    qtbot.keyClicks(pane.answer, answer)
    qtbot.waitUntil(lambda: workspace.document.is_verdict_current)
    with qtbot.waitSignal(workspace.session.judged, timeout=20_000):
        qtbot.keyClick(pane.answer, Qt.Key.Key_Return)


@pytest.mark.slow
def test_whether_the_answer_is_right_is_told_on_submission_only(puzzle, qtbot):
    qtbot.keyClicks(puzzle.editor._pane.answer, "stem")
    qtbot.waitUntil(lambda: puzzle.document.is_verdict_current)
    assert puzzle.document.verdict.is_undecided
    assert puzzle.judgement.panel._word.text() == "Complete in form"
    submit(qtbot, puzzle, "stem")
    assert puzzle.judgement.panel._word.text() == "Passed"
    assert puzzle.session.clock.is_finished


@pytest.mark.slow
def test_the_clock_of_a_solved_puzzle_is_stopped_not_paused(window, puzzle, qtbot):
    submit(qtbot, puzzle, "stem")
    assert window.status_bar._clock.text().endswith("stopped")
    assert "Click" not in window.status_bar._clock.toolTip()


@pytest.mark.slow
def test_the_clock_of_a_puzzle_shows_the_whole_time_of_solving_after_attempts(window, puzzle, qtbot):
    qtbot.wait(1100)
    submit(qtbot, puzzle, "root")
    submit(qtbot, puzzle, "stem")
    effort = puzzle.session.clock.reading.effort
    assert effort.total_s >= 1
    total = kinds_of_time(effort.total_s, effort.total_idle_s, effort.total_away_s)
    assert window.status_bar._clock.text() == f"{total} · stopped"


@pytest.mark.slow
def test_the_cross_check_does_not_tell_before(puzzle, qtbot):
    qtbot.keyClicks(puzzle.editor._pane.answer, "stem")
    qtbot.waitUntil(lambda: puzzle.document.is_verdict_current)
    puzzle.judgement.crosscheck()
    assert not puzzle.judgement.panel._crosscheck.isEnabled()
    assert "Cross-check" not in [use.name for use in puzzle.session.aids]


@pytest.mark.slow
def test_a_wrong_submission_is_an_attempt_and_the_clock_goes_on(puzzle, qtbot):
    submit(qtbot, puzzle, "root")
    assert puzzle.document.verdict.checks[1].state is State.FAILED
    assert not puzzle.session.clock.is_finished
    assert puzzle.document.answer.text == "Answer: root"


@pytest.mark.slow
def test_pauses_are_recorded_and_are_no_help(puzzle):
    pause = puzzle.editor.panel.actions["Pause clock"]
    pause.trigger()
    assert puzzle.session.clock.is_paused
    pause.trigger()
    uses = [(use.name, use.kind) for use in puzzle.session.aids]
    assert uses == [(PAUSED, Aid.VIEWING), (CONTINUED, Aid.VIEWING)]


def test_who_gave_up_cannot_start_the_clock_again(puzzle):
    puzzle.editor.panel.actions[GIVE_UP].trigger()
    puzzle.session.clock.resume()
    assert puzzle.session.clock.state is ClockState.STOPPED
    assert not puzzle.editor.panel.actions["Pause clock"].isEnabled()
    assert puzzle.session.has_used(GIVE_UP)


def test_the_clock_goes_on_as_away_while_another_tab_is_in_front(window, puzzle):
    window.pages.tabs.setCurrentWidget(window.catalogue)
    assert puzzle.session.clock.state is ClockState.AWAY


def test_a_minute_without_input_counts_as_idle(puzzle, monkeypatch):
    clock = puzzle.session.clock
    now = let_time_pass(monkeypatch, clock)
    puzzle.time.set_state(ClockState.ACTIVE)
    now.pass_s(61)
    assert clock.state is ClockState.IDLE
    puzzle.time._watch.noticed.emit()
    assert clock.state is ClockState.ACTIVE


@pytest.mark.slow
def test_a_sketch_comes_back_with_the_draft(window, puzzle, qtbot):
    pad = puzzle.editor.pad
    line = Stroke(points=((10, 10), (80, 40)))
    pad.desk.put("Draw", pad.desk.current.model_copy(update={"shapes": (line,)}))
    window.pages.close(puzzle)
    again = open_instance(window, qtbot, ADDRESS)
    assert again.editor.pad.desk.current.shapes == (line,)


def test_a_stored_sketch_that_cannot_be_read_is_told(tmp_path):
    with Project.create(tmp_path / "a.workbench") as project:
        project.drafts.store_sketch(task("puzzle_hunt").instances()[4], "content.png", "{}", "Ada")
        layers, unread = _layers_of(project.drafts.sketches(ADDRESS, "Ada"))
    assert layers == ()
    assert unread[0].startswith("The sketch on content.png cannot be shown. The layer cannot be read: page")


def test_undo_takes_back_strokes_and_words_in_their_order(puzzle, qtbot):
    pad = puzzle.editor.pad
    pad.desk.put("Draw", pad.desk.current.model_copy(update={"shapes": (Stroke(points=((10, 10), (80, 40))),)}))
    qtbot.keyClicks(puzzle.editor._pane.answer, "a")
    puzzle.document.undo_stack.undo()
    assert (puzzle.document.answer.text, len(pad.desk.current.shapes)) == ("", 1)
    puzzle.document.undo_stack.undo()
    assert pad.desk.current.shapes == ()
