"""Who reviews, and which model flags."""

from PySide6.QtWidgets import QMessageBox

from spatial_workbench.app.puzzles.review.dialogs import FlagDialog
from spatial_workbench.engine.evaluation.planning.plan import Contender
from spatial_workbench.engine.evaluation.puzzles.flagging import FlaggingOutcome
from spatial_workbench.engine.models import ModelSettings, Provider
from spatial_workbench.engine.puzzles.annotation.review import FlagKind, ReviewState
from tests.app.puzzles.review.conftest import FOLDER, reach


def test_reviewers_are_chosen_from_the_known_names_or_typed(review, qtbot):
    review.choose(FOLDER)
    review.panel.add_flag(FlagKind.JUMP, "?")
    reach(review, qtbot, ReviewState.FLAGGED)
    review.records.people = ["Ada", "Ben"]
    dialog = review.panel.ask_reviewers()
    first, second = dialog.names
    assert [first.itemText(k) for k in range(first.count())] == ["Ben"]
    first.setCurrentIndex(0)
    first.setEditText("Ben")
    second.setEditText("Ada")
    assert "Ada is the author" in dialog.trouble.text()
    second.setEditText("Cleo")
    dialog.go.click()
    reach(review, qtbot, ReviewState.IN_REVIEW)
    assert review.records.reviews[FOLDER].reviewers == ("Ben", "Cleo")


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
