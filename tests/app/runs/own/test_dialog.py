"""Verifiers of one's own in the window: added, run over the project, stopped and removed with mouse and keys."""

import sys

import pytest
from PySide6.QtCore import Qt

from spatial_workbench.app.runs.own.dialog import EMPTY, words_of
from spatial_workbench.engine.core.registry import task
from spatial_workbench.engine.evaluation.laboratory.own import OwnJudging, OwnKind, OwnVerifiers
from spatial_workbench.engine.store import Actor

TASK = task("shikaku")
INSTANCE = TASK.instances()[0]
GRADER = """
import json, sys
case = json.load(sys.stdin)
print(json.dumps({"score": 0.25, "passed": False}))
"""


def fill(project):
    answer = TASK.format(TASK.solve(INSTANCE))
    project.attempts.add(INSTANCE, answer, Actor.MODEL, "birch", verdicts=(TASK.verify(INSTANCE, answer),))


@pytest.fixture(autouse=True)
def no_verifiers(monkeypatch):
    """Lists are kept with the settings of the tests, from one test to the next."""
    yield
    kept = OwnVerifiers()
    for verifier in kept.all():
        kept.remove(verifier.name)


@pytest.fixture
def dialog(window, qtbot):
    window.project.tell(fill, announce=True)
    window.project.flush()
    window.actions_registry["runs.verifiers"].trigger()
    opened = window.laboratory.verifiers
    qtbot.waitUntil(lambda: opened.words.text() == EMPTY)
    return opened


@pytest.fixture
def add(dialog, qtbot, tmp_path):
    def command(name="theirs", source=GRADER):
        path = tmp_path / f"{name}.py"
        path.write_text(source)
        qtbot.mouseClick(dialog.add, Qt.MouseButton.LeftButton)
        adding = dialog.adding
        qtbot.keyClicks(adding.name, name)
        adding.task.setCurrentIndex(adding.task.findData("shikaku"))
        adding.kind.setCurrentIndex(adding.kind.findData(OwnKind.COMMAND))
        qtbot.keyClicks(adding.place, f"{sys.executable} {path}")
        qtbot.mouseClick(adding.go, Qt.MouseButton.LeftButton)
        return adding

    return command


def test_an_empty_list_says_what_to_do(dialog):
    assert not dialog.judge.isEnabled()
    assert not dialog.remove.isEnabled()
    assert dialog.add.isEnabled()


def test_an_added_verifier_is_listed_with_its_version(dialog, add, qtbot):
    add()
    qtbot.waitUntil(lambda: dialog.chosen is not None)
    item = dialog.list.currentItem()
    assert (item.text(0), item.text(1)) == ("theirs", "Shikaku rectangles")
    assert item.text(2) == dialog.chosen.verifier.version


def test_a_name_of_ours_is_refused_where_it_was_typed(dialog, add, qtbot):
    adding = add("default")
    qtbot.waitUntil(lambda: "is a verifier of ours" in adding.trouble.text())
    assert adding.isVisible()


def test_the_note_says_where_it_runs(dialog, qtbot):
    qtbot.mouseClick(dialog.add, Qt.MouseButton.LeftButton)
    adding = dialog.adding
    assert "sandbox" in adding.note.text()
    adding.kind.setCurrentIndex(1)
    assert "runs as you do" in adding.note.text()
    assert not adding.browse.isVisible()


@pytest.mark.slow
def test_all_attempts_are_judged_and_what_differs_is_a_disagreement(window, dialog, add, qtbot):
    add()
    qtbot.waitUntil(lambda: dialog.judge.isEnabled())
    qtbot.mouseClick(dialog.judge, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "1 attempt judged, 1 of them differently" in dialog.words.text())
    dialog.reject()
    window.actions_registry["runs.disagreements"].trigger()
    page = window.tabs.currentWidget()
    qtbot.waitUntil(lambda: page.is_idle and bool(page.filters.passing()))
    assert [difference.second for difference in page.filters.passing()] == ["own:theirs"]
    assert page._count.text().startswith("1 question")


def test_a_verifier_that_gives_no_verdict_is_named_with_the_attempt(dialog, add, qtbot):
    add("broken", "print('nonsense')")
    qtbot.waitUntil(lambda: dialog.judge.isEnabled())
    qtbot.mouseClick(dialog.judge, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "No verdict on 1; the first is attempt 1: The reply is no JSON" in dialog.words.text())


def test_a_slow_verifier_can_be_stopped(dialog, add, qtbot):
    add("slow", "import time\ntime.sleep(60)")
    qtbot.waitUntil(lambda: dialog.judge.isEnabled())
    qtbot.mouseClick(dialog.judge, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: dialog.cancel.isVisible())
    qtbot.mouseClick(dialog.cancel, Qt.MouseButton.LeftButton)
    assert dialog.words.text().startswith("Stopped.")
    assert not dialog.cancel.isVisible()


def test_closing_the_dialog_ends_what_it_has_begun(window, dialog, add, qtbot):
    add("slow", "import time\ntime.sleep(60)")
    qtbot.waitUntil(lambda: dialog.judge.isEnabled())
    qtbot.mouseClick(dialog.judge, Qt.MouseButton.LeftButton)
    job = dialog.job
    assert job.is_pending
    qtbot.mouseClick(dialog.closing, Qt.MouseButton.LeftButton)
    assert job.is_cancelled


def test_a_removed_verifier_is_gone(dialog, add, qtbot):
    add()
    qtbot.waitUntil(lambda: dialog.remove.isEnabled())
    qtbot.mouseClick(dialog.remove, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: dialog.list.topLevelItemCount() == 0)
    assert dialog.words.text() == EMPTY


def test_the_outcome_is_told_in_words():
    assert words_of(OwnJudging(3, 2, 1, ())) == (
        "3 attempts judged, 1 of them differently from the default. 2 were judged before."
    )


def test_a_file_runs_outside_of_the_sandbox_after_a_box_is_checked_that_says_what_it_means(dialog, qtbot, tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("def verify(instance, answer):\n    return {'score': 0.25, 'passed': False}\n")
    qtbot.mouseClick(dialog.add, Qt.MouseButton.LeftButton)
    adding = dialog.adding
    qtbot.keyClicks(adding.name, "mine")
    adding.task.setCurrentIndex(adding.task.findData("shikaku"))
    qtbot.keyClicks(adding.place, str(path))
    assert not adding.trust.isChecked()
    adding.trust.setChecked(True)
    assert "it can read and change your files" in adding.note.text()
    qtbot.mouseClick(adding.go, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: dialog.chosen is not None)
    assert dialog.chosen.runs.endswith("mine.py · outside of the sandbox")
    qtbot.mouseClick(dialog.judge, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: dialog.words.text().startswith("1 attempt judged"))


def test_trust_is_asked_anew_for_another_file(dialog, qtbot, monkeypatch, tmp_path):
    qtbot.mouseClick(dialog.add, Qt.MouseButton.LeftButton)
    adding = dialog.adding
    adding.trust.setChecked(True)
    chosen = (str(tmp_path / "other.py"), "")
    monkeypatch.setattr("spatial_workbench.app.runs.own.adding.QFileDialog.getOpenFileName", lambda *_: chosen)
    qtbot.mouseClick(adding.browse, Qt.MouseButton.LeftButton)
    assert adding.place.text() == chosen[0]
    assert not adding.trust.isChecked()
    adding.kind.setCurrentIndex(adding.kind.findData(OwnKind.COMMAND))
    assert not adding.form.isRowVisible(adding.trust)
