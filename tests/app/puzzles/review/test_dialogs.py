"""Who reviews, and which model flags."""

from datetime import date

import pytest
from PySide6.QtCore import QDate
from PySide6.QtWidgets import QMessageBox

from spatial_workbench.app.puzzles.review.dialogs import FlagDialog, SendBackDialog, StepFlagDialog
from spatial_workbench.engine.evaluation.planning.plan import Contender
from spatial_workbench.engine.evaluation.puzzles.flagging import FlaggingOutcome
from spatial_workbench.engine.models import ModelSettings, Provider
from spatial_workbench.engine.puzzles.annotation.review import FlagKind, ReviewState
from tests.app.puzzles.conftest import dialog_of
from tests.app.puzzles.review.conftest import FOLDER, reach


@pytest.mark.slow
def test_reviewers_are_chosen_from_the_people_and_nobody_is_preset(review, qtbot):
    review.choose(FOLDER)
    review.records.people = ["Ada", "Ben"]
    dialog = review.panel.ask_reviewers()
    first, second = dialog.names
    assert [first.itemText(k) for k in range(first.count())] == ["Choose…", "Ben", "Somebody else…"]
    assert not first.isEditable()
    assert not dialog.go.isEnabled()
    first.setCurrentText("Ben")
    second.setCurrentText("Ben")
    assert "two different people" in dialog.trouble.text()
    assert not dialog.add_person("Ada")
    assert dialog.add_person("Cleo")
    second.setCurrentText("Cleo")
    dialog.has_due.setChecked(True)
    dialog.due.setDate(QDate(2020, 1, 1))
    dialog.go.click()
    reach(review, qtbot, ReviewState.IN_REVIEW)
    assigned = review.records.reviews[FOLDER]
    assert (assigned.reviewers, assigned.due) == (("Ben", "Cleo"), date(2020, 1, 1))


def test_a_step_is_flagged_in_one_form_with_its_kind_and_the_reason(review, qtbot):
    review.choose(FOLDER)
    review.panel.ask_flag()
    dialog = dialog_of(review, StepFlagDialog, qtbot)
    assert dialog.step.itemText(0) == "The whole annotation"
    assert dialog.step.itemText(1).startswith("1. ")
    assert [FlagKind(dialog.kind.itemData(k)) for k in range(dialog.kind.count())] == list(FlagKind)
    dialog.step.setCurrentIndex(1)
    dialog.kind.setCurrentIndex(1)
    qtbot.keyClicks(dialog.reason, "Why semaphore?")
    dialog.go.click()
    reach(review, qtbot, ReviewState.FLAGGED)
    (flag,) = review.records.reviews[FOLDER].flags
    assert (flag.step, flag.kind, flag.reason) == (1, FlagKind.JUMP, "Why semaphore?")


def test_a_model_flags_the_puzzles_that_were_sent(monkeypatch, window, review, qtbot):
    settings = ModelSettings(name="oak", provider=Provider.COMPATIBLE, base_url="http://127.0.0.1:9", model="m")
    monkeypatch.setattr(
        "spatial_workbench.app.window.menus.judging.judging_models", lambda: {"oak": Contender(settings=settings)}
    )
    monkeypatch.setattr(window.jobs, "run", run_at_once)
    monkeypatch.setattr(
        "spatial_workbench.app.background.evaluations.flag_puzzles",
        lambda *_, progress: FlaggingOutcome(flagged=1, clear=1),
    )
    review.ask_flagging()
    dialog = window.findChild(FlagDialog)
    assert dialog.note.text().startswith("2 puzzles")
    dialog.go.click()
    assert "1 flagged, 1 clear, 0 to be asked again." in [box.text() for box in window.findChildren(QMessageBox)]


def run_at_once(label, function, *arguments, done, failed):
    done(function(*arguments))


@pytest.mark.slow
def test_a_puzzle_goes_back_only_with_what_is_to_be_changed(review, qtbot):
    review.choose(FOLDER)
    review.panel.ask_back()
    dialog = dialog_of(review, SendBackDialog, qtbot)
    assert not dialog.go.isEnabled()
    dialog.wanted.setPlainText("Say why.")
    dialog.go.click()
    reach(review, qtbot, ReviewState.RETURNED)
    assert "Say why." in review.panel.about.text()
