"""The review page: flags, two reviewers who do not see each other, and the disagreement that is settled."""

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QMessageBox

from spatial_workbench.app.puzzles.review.decision_form import DecisionForm
from spatial_workbench.app.puzzles.review.dialogs import FlagDialog
from spatial_workbench.app.puzzles.review.difference_form import DisagreementForm
from spatial_workbench.engine.evaluation.planning.plan import Contender
from spatial_workbench.engine.evaluation.puzzles.flagging import FlaggingOutcome
from spatial_workbench.engine.models import ModelSettings, Provider
from spatial_workbench.engine.puzzles.annotation.review import FlagKind, ReviewState
from spatial_workbench.engine.puzzles.sets.folders import METADATA

FOLDER = "Harbour_Clocks"


@pytest.fixture
def review(window, page, qtbot):
    """The review of the set, its drafts sent by Ada."""
    window.person.change_person("Ada")
    opened = window.puzzle_pages.review()
    opened.records.send()
    reach(opened, qtbot, ReviewState.CHECKED)
    return opened


def reach(page, qtbot, state, folder=FOLDER):
    qtbot.waitUntil(lambda: folder in page.records.reviews and page.records.reviews[folder].state is state)
    page.choose(folder)


def assigned(review, qtbot):
    review.choose(FOLDER)
    review.panel.add_flag(FlagKind.JUMP, "Why semaphore?", 1)
    reach(review, qtbot, ReviewState.FLAGGED)
    review.panel.assign_reviewers("Ben", "Cleo")
    reach(review, qtbot, ReviewState.IN_REVIEW)


def decide(window, review, qtbot, person, text=""):
    """A reviewer finishes, with a new text for the first step if one is given."""
    window.person.change_person(person)
    review.records.reload()
    qtbot.waitUntil(lambda: isinstance(review.panel.form, DecisionForm))
    if text:
        review.panel.form.steps[0].judged.setCurrentText("Edit")
        review.panel.form.steps[0].text.setPlainText(text)
    review.panel.form.finish.click()
    qtbot.waitUntil(lambda: person in review.records.reviews[FOLDER].decisions)


def test_a_flag_stands_with_the_puzzle(review, qtbot):
    assigned(review, qtbot)
    assert "Step 1, jump: Why semaphore?" in review.panel.about.text()


def test_the_author_cannot_be_a_reviewer_and_is_told_so(review, qtbot):
    review.choose(FOLDER)
    review.panel.add_flag(FlagKind.JUMP, "?")
    reach(review, qtbot, ReviewState.FLAGGED)
    with qtbot.waitSignal(review.message) as told:
        review.panel.assign_reviewers("Ada", "Ben")
    assert "Ada is the author" in told.args[0]


def test_two_accepts_verify(window, review, qtbot):
    assigned(review, qtbot)
    decide(window, review, qtbot, "Ben")
    assert review.panel.form is None
    decide(window, review, qtbot, "Cleo")
    assert review.records.reviews[FOLDER].state is ReviewState.VERIFIED


def test_a_reviewer_does_not_see_what_the_other_decided(window, review, qtbot):
    assigned(review, qtbot)
    decide(window, review, qtbot, "Ben", "Pattern discovery: Ben's words, which stand here.")
    window.person.change_person("Cleo")
    review.records.reload()
    qtbot.waitUntil(lambda: isinstance(review.panel.form, DecisionForm))
    assert "Ben's words" not in review.panel.form.steps[0].text.toPlainText()
    assert "Ben has finished" in review.panel.about.text()
    assert "change" not in review.panel.about.text()


def test_a_rejected_step_needs_a_reason(window, review, qtbot):
    assigned(review, qtbot)
    window.person.change_person("Ben")
    review.records.reload()
    qtbot.waitUntil(lambda: isinstance(review.panel.form, DecisionForm))
    review.panel.form.steps[1].judged.setCurrentText("Reject")
    review.panel.form.finish.click()
    assert review.panel.form.note.text() == "Say why step 2 is rejected."


def test_a_disagreement_is_settled_by_a_new_text_which_is_what_is_stored(window, review, qtbot, puzzles):
    assigned(review, qtbot)
    decide(window, review, qtbot, "Ben", "Pattern discovery: Ben's words, which stand here.")
    decide(window, review, qtbot, "Cleo")
    reach(review, qtbot, ReviewState.DISAGREEMENT)
    qtbot.waitUntil(lambda: isinstance(review.panel.form, DisagreementForm))
    (part,) = review.panel.form.parts
    assert part.shown[0].property("rich")
    assert "<b><u>Ben&#x27;s</u>" in part.shown[0].text()
    part.taken.setCurrentText("New text")
    part.new.setPlainText("Pattern discovery: the words of both, which stand here.")
    review.panel.form.settle.click()
    reach(review, qtbot, ReviewState.VERIFIED)
    with qtbot.waitSignal(review.applied):
        review.records.apply()
    stored = puzzles.folder(FOLDER).read().puzzle
    assert stored.reasoning[0].explanation == "Pattern discovery: the words of both, which stand here."


def in_form(window, review, qtbot):
    """Ben's form, with the pages beside it."""
    assigned(review, qtbot)
    window.person.change_person("Ben")
    review.records.reload()
    qtbot.waitUntil(lambda: isinstance(review.panel.form, DecisionForm))
    qtbot.waitUntil(lambda: review.panel.pictures.pad.pages.names == ("content.png",))
    return review.panel.form


def test_the_pages_stand_beside_the_steps_and_cannot_be_drawn_on(window, review, qtbot):
    in_form(window, review, qtbot)
    assert review.panel.pictures.isVisible()
    assert review.panel.pictures.pad.desk.is_read_only
    assert not review.panel.pictures.note.isVisible()


def test_the_figure_of_the_chosen_step_is_shown(window, review, qtbot, puzzles):
    form = in_form(window, review, qtbot)
    figures = [step.figure for step in puzzles.folder(FOLDER).read().puzzle.reasoning]
    number = next(k for k, figure in enumerate(figures, 1) if figure)
    qtbot.mouseClick(form.steps[number - 1].text.viewport(), Qt.MouseButton.LeftButton)
    assert review.panel.pictures.caption.text() == f"Figure of step {number} · {figures[number - 1]}"
    qtbot.waitUntil(lambda: review.panel.pictures.pad.pages.shows_figure)
    review.panel.pictures.back.click()
    assert not review.panel.pictures.pad.pages.shows_figure


def test_a_step_without_a_figure_shows_the_pages(window, review, qtbot, puzzles):
    form = in_form(window, review, qtbot)
    figures = [step.figure for step in puzzles.folder(FOLDER).read().puzzle.reasoning]
    number = figures.index(None) + 1
    qtbot.mouseClick(form.steps[number - 1], Qt.MouseButton.LeftButton, pos=QPoint(4, 4))
    assert review.panel.pictures.caption.text() == f"Pages · step {number} has no figure"


def test_a_disagreement_shows_the_pages_too(window, review, qtbot):
    assigned(review, qtbot)
    decide(window, review, qtbot, "Ben", "Pattern discovery: Ben's words, which stand here.")
    decide(window, review, qtbot, "Cleo")
    qtbot.waitUntil(lambda: isinstance(review.panel.form, DisagreementForm))
    qtbot.waitUntil(lambda: review.panel.pictures.pad.pages.names == ("content.png",))
    qtbot.mouseClick(review.panel.form.parts[0].shown[0], Qt.MouseButton.LeftButton)
    assert review.panel.pictures.step == 1


def test_a_puzzle_that_changed_since_is_said_beside_its_pages(window, review, qtbot, puzzles):
    assigned(review, qtbot)
    (puzzles.folder(FOLDER).path / METADATA).write_text("{}")
    window.person.change_person("Ben")
    review.records.reload()
    qtbot.waitUntil(review.panel.pictures.note.isVisible)
    assert "has changed since" in review.panel.pictures.note.text()


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


def test_people_assigned_to_a_review_are_known_names(review, qtbot):
    assigned(review, qtbot)
    qtbot.waitUntil(lambda: {"Ada", "Ben", "Cleo"} <= set(review.records.people))


def test_a_model_flags_the_puzzles_that_were_sent(monkeypatch, window, review, qtbot):
    settings = ModelSettings(name="oak", provider=Provider.COMPATIBLE, base_url="http://127.0.0.1:9", model="m")
    monkeypatch.setattr(
        "spatial_workbench.app.window.menus.judging.judging_models", lambda: {"oak": Contender(settings=settings)}
    )
    monkeypatch.setattr(window.jobs, "run", run_at_once)
    monkeypatch.setattr(
        "spatial_workbench.app.background.evaluations.flag_puzzles", lambda *_: FlaggingOutcome(flagged=1, clear=1)
    )
    review.ask_flagging()
    dialog = window.findChild(FlagDialog)
    assert dialog.note.text().startswith("2 puzzles")
    dialog.go.click()
    assert "1 flagged, 1 clear, 0 to be asked again." in [box.text() for box in window.findChildren(QMessageBox)]


def run_at_once(label, function, *arguments, done, failed):
    done(function(*arguments))


def test_reviews_travel_in_a_file_that_is_dropped_on_the_page(review, qtbot, tmp_path):
    file = tmp_path / "hunt.jsonl"
    with qtbot.waitSignal(review.message) as told:
        review.exchange.export_to(file)
    assert told.args[0] == "2 events written to hunt.jsonl."
    with qtbot.waitSignal(review.message) as told:
        review.dropEvent(dropped(file))
    assert told.args[0] == "hunt.jsonl: 0 new, 2 known."


def test_a_damaged_line_is_named_and_the_others_are_merged(review, qtbot, tmp_path):
    file = tmp_path / "hunt.jsonl"
    with qtbot.waitSignal(review.message):
        review.exchange.export_to(file)
    file.write_text(file.read_text() + "{broken")
    with qtbot.waitSignal(review.message) as told:
        review.exchange.merge([file])
    assert told.args[0] == "hunt.jsonl: 0 new, 2 known."
    (box,) = review.findChildren(QMessageBox)
    assert "hunt.jsonl, line 3 cannot be read" in box.informativeText()


def test_reviews_of_a_set_of_another_name_are_merged_after_a_question(review, qtbot, tmp_path):
    file = tmp_path / "other.jsonl"
    with qtbot.waitSignal(review.message):
        review.exchange.export_to(file)
    file.write_text(file.read_text().replace('"set": "hunt"', '"set": "other"'))
    review.exchange.merge([file])
    qtbot.waitUntil(lambda: bool(review.findChildren(QMessageBox)))
    (box,) = review.findChildren(QMessageBox)
    with qtbot.waitSignal(review.message) as told:
        next(button for button in box.buttons() if button.text() == "Merge into hunt").click()
    assert told.args[0] == "other.jsonl: 0 new, 2 known."


def test_a_file_that_is_not_there_is_said(review, qtbot, tmp_path):
    with qtbot.waitSignal(review.message) as told:
        review.exchange.merge([tmp_path / "gone.jsonl"])
    assert told.args[0] == "gone.jsonl cannot be read: No such file or directory."


def dropped(path):
    """The event of dropping a file; its data live as long as the event."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    event = QDropEvent(
        QPointF(), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    event.held = data
    return event


def test_another_person_never_goes_on_with_somebody_elses_form(window, review, qtbot):
    form = in_form(window, review, qtbot)
    window.person.change_person("Cleo")
    qtbot.waitUntil(lambda: isinstance(review.panel.form, DecisionForm) and review.panel.form is not form)


def test_whoever_flags_or_audits_sees_the_steps_and_the_pages(review, qtbot):
    review.choose(FOLDER)
    qtbot.waitUntil(lambda: review.panel.pictures.pad.pages.names == ("content.png",))
    assert review.panel.form is None
    reading = review.panel.area.widget()
    assert reading.steps[0].text.text().startswith("Pattern discovery: every dial")
    qtbot.mouseClick(reading.steps[1], Qt.MouseButton.LeftButton)
    assert review.panel.pictures.step == 2


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("skills", "spacial", "Skills: “spacial” is not one of"),
        ("difficulty", "", "Difficulty: “” is not"),
        ("solution", " ", "The solution is empty."),
    ],
)
def test_a_reviewer_cannot_finish_with_a_tag_that_does_not_exist(window, review, qtbot, field, value, words):
    in_form(window, review, qtbot)
    review.panel.form.fields[field].setText(value)
    review.panel.form.finish.click()
    assert review.panel.form.note.text().startswith(words)
