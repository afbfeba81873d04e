"""Judging of steps in the window: launched for several attempts, paused, resumed and read on its page."""

import json
import threading

import pytest
from PySide6.QtWidgets import QMessageBox

from spatial_workbench.app.evaluation.judge_dialog import StepJudgeDialog
from spatial_workbench.app.evaluation.judging_page import JudgingPage
from spatial_workbench.app.runs.page import RunsPage
from spatial_workbench.engine.core import resolve
from spatial_workbench.engine.evaluation.puzzles.kept_judgings import kept_judgings
from spatial_workbench.engine.store import Actor, Project
from tests.app.evaluation.conftest import set_up_endpoint
from tests.models.conftest import ScriptedReply, chat

YES = json.dumps({"correct": True, "explanation": "It is there."})
WAIT_MS = 30_000


class HeldJudge:
    """Waits with every answer until it is released."""

    def __init__(self):
        self.released = threading.Event()

    def __call__(self, body):
        return ScriptedReply([self.released, *chat(YES).parts])


@pytest.fixture
def attempts(tmp_path):
    """A project with three attempts at puzzles."""
    path = tmp_path / "puzzles.workbench"
    with Project.create(path) as project:
        for number in (5, 4, 3):
            project.attempts.add(resolve(f"puzzle_hunt:{number}")[1], f"Answer: BOX {number}", Actor.MODEL, "birch")
    return path


def launch(window, qtbot):
    """Has the model “tiny” judge all attempts of the project."""
    window.actions_registry["evaluate.judge"].trigger()
    qtbot.waitUntil(lambda: window.findChild(StepJudgeDialog) is not None)
    dialog = window.findChild(StepJudgeDialog)
    dialog.judge.setCurrentText("tiny")
    qtbot.waitUntil(dialog.go.isEnabled)
    assert dialog.note.text().startswith("3 attempts, 12 requests")
    dialog.go.click()
    page = window.tabs.currentWidget()
    assert isinstance(page, JudgingPage)
    return page


def until(qtbot, page, state):
    qtbot.waitUntil(lambda: page.state.text().startswith(state), timeout=WAIT_MS)


def pause(window, qtbot, server, judge):
    """Judging that was paused after its first question, shown on its page."""
    page = launch(window, qtbot)
    qtbot.waitUntil(lambda: bool(server.seen), timeout=WAIT_MS)
    page.pause.click()
    judge.released.set()
    until(qtbot, page, "Paused")
    return page


@pytest.fixture
def paused(open_window, attempts, qtbot, server):
    """The window after a restart, with a judging that was paused before it, and the judge's endpoint."""
    judge = HeldJudge()
    server.answers.append(judge)
    set_up_endpoint(server, limits={"parallel": 1})
    before = open_window(attempts)
    pause(before, qtbot, server, judge)
    before.close()
    asked = len(server.seen)
    window = open_window(attempts)
    qtbot.waitUntil(lambda: len(window.evaluations.judging.judgings.waiting) == 1, timeout=WAIT_MS)
    return window, asked


@pytest.mark.slow
def test_paused_judging_goes_on_after_a_restart(paused, qtbot, server):
    window, asked = paused
    window.actions_registry["evaluate.judging"].trigger()
    page = window.tabs.currentWidget()
    until(qtbot, page, "Paused · 0 of 3 attempts judged")
    assert page.works.currentText() == "tiny · All attempts at puzzles of this project"
    page.resume.click()
    until(qtbot, page, "Finished · 3 of 3 attempts judged")
    assert (asked, len(server.seen)) == (1, 12)
    window.project.flush()
    assert kept(window, qtbot) == []


def test_judging_is_kept_unless_dropping_is_confirmed(paused, qtbot):
    window, _ = paused
    window.actions_registry["evaluate.judging"].trigger()
    page = window.tabs.currentWidget()
    until(qtbot, page, "Paused")
    drop(page, "Keep it")
    assert page.resume.isEnabled()
    drop(page)
    assert page._stack.currentWidget() is page.empty


def drop(page, answer="Drop"):
    page.drop.click()
    (box,) = [box for box in page.findChildren(QMessageBox) if box.isVisible()]
    next(button for button in box.buttons() if button.text() == answer).click()


@pytest.mark.slow
def test_paused_judging_is_dropped_after_a_restart_and_is_gone_after_the_next(paused, open_window, attempts, qtbot):
    window, _ = paused
    window.actions_registry["evaluate.judging"].trigger()
    page = window.tabs.currentWidget()
    until(qtbot, page, "Paused")
    drop(page)
    assert page._stack.currentWidget() is page.empty
    window.close()
    again = open_window(attempts)
    assert kept(again, qtbot) == []
    assert again.evaluations.judging.judgings.works == []


@pytest.mark.slow
def test_judging_that_a_closed_window_cut_off_is_listed_as_paused(open_window, attempts, qtbot, server):
    server.answers.append(HeldJudge())
    set_up_endpoint(server)
    window = open_window(attempts)
    launch(window, qtbot)
    qtbot.waitUntil(lambda: bool(server.seen), timeout=WAIT_MS)
    window.close()
    window = open_window(attempts)
    window.actions_registry["evaluate.judging"].trigger()
    until(qtbot, window.tabs.currentWidget(), "Paused")


@pytest.mark.slow
def test_the_page_of_batches_and_a_message_say_that_judging_is_paused(paused, qtbot, caplog):
    window, _ = paused
    assert any(said.message.startswith("Judging of steps is paused") for said in caplog.get_records("setup"))
    page = window.pages.show("batches")
    assert page.judging.isVisible()
    assert page.judging.words.text() == "1 judging of steps can go on: tiny · All attempts at puzzles of this project"
    page.judging.button.click()
    assert isinstance(window.tabs.currentWidget(), JudgingPage)
    drop(window.tabs.currentWidget())
    assert not page.judging.isVisibleTo(page)


def kept(window, qtbot):
    """The judgings that the window's project keeps."""
    found = []
    window.project.ask(kept_judgings, found.append)
    qtbot.waitUntil(lambda: bool(found))
    return found[0]


@pytest.mark.slow
def test_what_is_judged_is_read_on_the_page(open_window, attempts, qtbot, server):
    server.answers.append(chat(YES))
    set_up_endpoint(server)
    window = open_window(attempts)
    page = launch(window, qtbot)
    until(qtbot, page, "Finished · 3 of 3 attempts judged")
    assert "12 requests" in page.note.text()
    assert {(line.puzzle, line.state.value) for line in page.model.rows} == {
        ("Packing Room", "judged"),
        ("One New Leaf", "judged"),
        ("Switch Off the Bulb", "judged"),
    }
    first = page.model.index(0, 0)
    assert [page.model.index(0, k).data() for k in (4, 5, 6)] == ["✓✓✓✓", "1.00", "0.75"]
    page.table.activated.emit(first)
    runs = window.tabs.currentWidget()
    assert isinstance(runs, RunsPage)
    qtbot.waitUntil(lambda: runs.detail.dossier is not None and runs.detail.steps.cards != [], timeout=WAIT_MS)
    assert runs.detail.tabs.currentWidget() is runs.detail.steps


@pytest.mark.slow
def test_a_pause_keeps_the_answers_on_their_way_and_nothing_is_asked_twice(open_window, attempts, qtbot, server):
    judge = HeldJudge()
    server.answers.append(judge)
    set_up_endpoint(server, limits={"parallel": 2})
    page = launch(open_window(attempts), qtbot)
    qtbot.waitUntil(lambda: len(server.seen) == 2, timeout=WAIT_MS)
    page.pause.click()
    until(qtbot, page, "Pausing")
    assert not page.resume.isEnabled()
    judge.released.set()
    until(qtbot, page, "Paused")
    assert len(server.seen) == 2
    page.resume.click()
    until(qtbot, page, "Finished · 3 of 3 attempts judged")
    assert len(server.seen) == 12


@pytest.mark.slow
def test_an_attempt_that_could_not_be_judged_says_why(open_window, attempts, qtbot, server):
    server.answers.append(chat("I would rather not."))
    set_up_endpoint(server)
    page = launch(open_window(attempts), qtbot)
    until(qtbot, page, "Finished · 0 of 3 attempts judged · 3 could not be judged")
    assert "no JSON object; asked 3 times" in page.model.rows[0].note
    assert "“Judge steps…” tries them again" in page.note.text()
    assert not page.resume.isEnabled()


def test_cancelling_in_the_status_bar_pauses(open_window, attempts, qtbot, server):
    judge = HeldJudge()
    server.answers.append(judge)
    set_up_endpoint(server)
    window = open_window(attempts)
    page = launch(window, qtbot)
    qtbot.waitUntil(lambda: bool(server.seen), timeout=WAIT_MS)
    window.jobs.judging.current.cancel()
    until(qtbot, page, "Pausing")
    judge.released.set()
    until(qtbot, page, "Paused")
    assert page.resume.isEnabled()


def test_the_page_says_what_to_do_when_nothing_was_judged(window, qtbot):
    window.actions_registry["evaluate.judging"].trigger()
    page = window.tabs.currentWidget()
    assert page._stack.currentWidget() is page.empty
    page.empty.button.click()
    qtbot.waitUntil(lambda: window.findChild(StepJudgeDialog) is not None)
    window.findChild(StepJudgeDialog).reject()


def test_judging_goes_on_when_its_page_is_closed_and_is_there_when_it_is_opened_again(
    open_window, attempts, qtbot, server
):
    judge = HeldJudge()
    server.answers.append(judge)
    set_up_endpoint(server)
    window = open_window(attempts)
    page = launch(window, qtbot)
    window.pages.close(page)
    judge.released.set()
    window.actions_registry["evaluate.judging"].trigger()
    until(qtbot, window.tabs.currentWidget(), "Finished · 3 of 3 attempts judged")
