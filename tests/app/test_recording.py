"""What is recorded of a person: whose draft it is, how long they took, and what helped them."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QMessageBox

from spatial_workbench.app.frame.people import PersonButton
from spatial_workbench.app.workspace.clock import Clock, ClockState
from spatial_workbench.engine.core import Aid, resolve
from spatial_workbench.engine.store import ClockReading, Project
from tests.app.conftest import open_instance
from tests.app.set_time import SetTime, let_time_pass


def trigger(window, action):
    window.actions_registry[action].trigger()


def attempts_of(window):
    window.project.flush()
    with Project.open(window.project.path) as project:
        return [project.attempts.get(row.number) for row in reversed(project.attempts.newest())]


def submit(window, qtbot):
    before = len(attempts_of(window))
    trigger(window, "task.submit")
    for box in window.workspace.findChildren(QMessageBox):
        box.buttons()[0].click()
    qtbot.waitUntil(lambda: len(attempts_of(window)) > before)
    return attempts_of(window)[-1]


def reference_arrives(workspace):
    return lambda: workspace.session.has_used("Load reference solution")


@pytest.mark.slow
def test_without_a_name_attempts_belong_to_nobody_in_particular(window, workspace, qtbot):
    assert window.status_bar.person.text() == "Somebody"
    assert submit(window, qtbot).actor_name == ""


@pytest.mark.slow
def test_another_person_begins_with_an_empty_draft_and_finds_none_of_the_first_ones_work(window, workspace, qtbot):
    document = workspace.document
    document.edit("Draw", document.task.solve(document.instance))
    window.person.change_person("Ben")
    qtbot.waitUntil(lambda: window.workspace is not None and window.workspace.session.person == "Ben")
    assert window.workspace.document.answer == document.task.empty(document.instance)
    assert submit(window, qtbot).actor_name == "Ben"


@pytest.mark.slow
def test_the_first_person_finds_their_draft_again(window, workspace, qtbot):
    solution = workspace.document.task.solve(workspace.document.instance)
    workspace.document.edit("Draw", solution)
    for person in ("Ben", ""):
        window.person.change_person(person)
        qtbot.waitUntil(
            lambda person=person: window.workspace is not None and window.workspace.session.person == person
        )
    assert window.workspace.document.answer == solution


@pytest.mark.slow
def test_the_menu_of_people_offers_everybody_who_left_something(window, workspace, qtbot):
    window.person.change_person("Ada")
    qtbot.waitUntil(lambda: window.workspace is not None and window.workspace.session.person == "Ada")
    submit(window, qtbot)
    window.person.change_person("Ben")
    button = window.findChild(PersonButton)
    qtbot.waitUntil(lambda: "Ada" in button.people)
    button._fill()
    assert [action.text() for action in button.menu().actions()] == ["Somebody", "Ada", "Ben", "", "New name…"]


def test_an_editor_that_is_on_its_way_when_the_person_changes_opens_for_the_new_person(window, qtbot):
    window.open_instance("two_segments:1")
    window._openings.loader.flush()
    window._openings.begin_session(resolve("two_segments:1")[1])
    window.person.change_person("Ben")
    qtbot.waitUntil(lambda: window.workspace is not None)
    assert [page.session.person for page in window.pages.workspaces] == ["Ben"]


@pytest.mark.slow
def test_the_reference_is_stored_as_help_with_the_attempt(window, workspace, qtbot):
    trigger(window, "task.solve")
    qtbot.waitUntil(reference_arrives(workspace))
    attempt = submit(window, qtbot)
    assert [use.name for use in attempt.aids if use.kind is Aid.SOLVING] == ["Load reference solution"]


@pytest.mark.slow
def test_help_that_was_undone_or_cleared_stays_on_record(window, workspace, qtbot):
    trigger(window, "task.solve")
    qtbot.waitUntil(reference_arrives(workspace))
    trigger(window, "task.clear")
    assert submit(window, qtbot).solving_aids == 1


@pytest.mark.slow
def test_an_attempt_made_by_hand_records_only_that_it_was_judged_live(window, workspace, qtbot):
    workspace.document.edit("Draw", workspace.document.task.solve(workspace.document.instance))
    attempt = submit(window, qtbot)
    assert [(use.name, use.kind) for use in attempt.aids] == [("Live verdict", Aid.JUDGING)]


def test_a_solving_tool_of_an_editor_is_recorded(window, qtbot):
    workspace = open_instance(window, qtbot, "hamiltonian_loop:0")
    next(action for action in workspace.editor.actions() if action.text() == "Accept all").trigger()
    assert workspace.session.has_used("Accept all")


@pytest.mark.slow
def test_the_key_is_shown_only_after_it_was_asked_for_and_stays_shown(window, qtbot):
    workspace = open_instance(window, qtbot, "half_subdivision:0")
    assert "Missing" not in str(workspace.document.verdict)
    workspace.session.show_key()
    qtbot.waitUntil(lambda: "Missing" in str(workspace.document.verdict))
    window.pages.close(workspace)
    assert "Missing" in str(open_instance(window, qtbot, "half_subdivision:0").document.verdict)


@pytest.mark.slow
def test_a_submitted_attempt_is_compared_with_the_whole_key(window, qtbot):
    open_instance(window, qtbot, "half_subdivision:0")
    submit(window, qtbot)
    qtbot.waitUntil(lambda: len(attempts_of(window)[0].verdicts) > 0)
    assert "Missing" in str(attempts_of(window)[0].verdicts)


@pytest.fixture
def clock(qtbot):
    """A clock at an instance that is in front, with the time that it reads."""
    now = SetTime()
    clock = Clock(ClockReading(), now.read)
    now.clock = clock
    clock.count(ClockState.ACTIVE)
    return clock, now


def test_time_away_is_a_part_of_active_time(clock):
    clock, now = clock
    now.pass_s(30, acts=True)
    clock.count(ClockState.AWAY)
    now.pass_s(20)
    assert (clock.reading.active_s, clock.reading.away_s) == (50, 20)


def test_idle_time_is_a_part_of_active_time_with_the_minute_that_made_it_idle(clock):
    clock, now = clock
    now.pass_s(40, acts=True)
    now.pass_s(90)
    assert (clock.reading.active_s, clock.reading.idle_s, clock.reading.away_s) == (130, 90, 0)
    assert clock.state is ClockState.IDLE


def test_a_workspace_and_a_study_tell_active_idle_and_away_alike(clock):
    """The example of docs/studies.md, "The clock": 100 s of work, 70 s without input, 30 s in another window."""
    clock, now = clock
    now.pass_s(100, acts=True)
    now.pass_s(70)
    clock.note_input()
    clock.count(ClockState.AWAY)
    now.pass_s(30, acts=True)
    assert (clock.reading.active_s, clock.reading.idle_s, clock.reading.away_s) == (200, 70, 30)


def test_no_more_becomes_idle_than_was_active_since_the_person_came_back(clock):
    clock, now = clock
    now.pass_s(50)
    clock.count(ClockState.STOPPED)
    now.pass_s(500)
    clock.count(ClockState.ACTIVE)
    now.pass_s(50)
    assert (clock.reading.active_s, clock.reading.idle_s) == (100, 0)


def test_sleep_of_the_computer_does_not_count(clock):
    clock, now = clock
    now.pass_s(10, acts=True)
    now.ms += 3_600_000
    assert clock.reading.active_s == 10


def test_idle_time_that_began_before_its_active_time_was_stored_is_stored_as_a_whole(clock):
    clock, now = clock
    now.pass_s(59)
    assert clock.take_unstored() == (59, 0, 0)
    now.pass_s(1)
    assert clock.take_unstored() == (1, 60, 0)


@pytest.mark.slow
def test_another_program_in_front_counts_as_away_in_every_workspace(workspace, monkeypatch):
    now = let_time_pass(monkeypatch, workspace.session.clock)
    workspace.time.set_state(ClockState.ACTIVE)
    now.pass_s(61)
    assert workspace.session.clock.state is ClockState.IDLE
    workspace.time.set_state(ClockState.AWAY)
    assert workspace.session.clock.state is ClockState.AWAY


def test_the_second_attempt_counts_only_the_time_since_the_first(clock):
    clock, now = clock
    now.pass_s(60)
    clock.credit()
    now.pass_s(40)
    effort = clock.reading.effort
    assert (effort.seconds, effort.total_s) == (40, 100)


def test_a_pause_lasts_until_it_is_ended_whatever_the_window_does(clock):
    clock, now = clock
    clock.pause()
    clock.count(ClockState.ACTIVE)
    now.pass_s(50)
    assert clock.reading.active_s == 0


@pytest.mark.parametrize("state", [ClockState.STOPPED, ClockState.AWAY, ClockState.ACTIVE])
def test_after_a_pause_the_clock_counts_what_the_window_asked_for_last(clock, state):
    clock, _ = clock
    clock.pause()
    clock.count(state)
    clock.resume()
    assert clock.state is state


@pytest.mark.slow
def test_an_edit_ends_a_pause(window, workspace):
    workspace.session.clock.pause()
    workspace.document.edit("Draw", workspace.document.task.solve(workspace.document.instance))
    assert not workspace.session.clock.is_paused


@pytest.mark.slow
def test_a_dialog_of_ours_is_no_time_away(window, workspace, qtbot):
    noticed = []
    workspace.time._watch.noticed.connect(lambda: noticed.append(True))
    window.activateWindow()
    dialog = QDialog(window)
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.activateWindow()
    qtbot.waitUntil(dialog.isActiveWindow)
    assert workspace.session.clock.state is ClockState.ACTIVE
    QTest.keyClick(dialog.windowHandle(), Qt.Key.Key_A)
    assert noticed
