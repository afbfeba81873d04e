"""Who reviews, and which model flags."""

from datetime import date

from PySide6.QtCore import QDate
from PySide6.QtWidgets import QMessageBox

from spatial_workbench.app.puzzles.review.dialogs import FlagDialog
from spatial_workbench.engine.evaluation.planning.plan import Contender
from spatial_workbench.engine.evaluation.puzzles.flagging import FlaggingOutcome
from spatial_workbench.engine.models import ModelSettings, Provider
from spatial_workbench.engine.puzzles.annotation.review import ReviewState
from tests.app.puzzles.review.conftest import FOLDER, reach


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
