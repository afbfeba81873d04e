"""The pages and the figures beside the forms."""

import json

import pytest
from PySide6.QtCore import QPoint, Qt

from spatial_workbench.app.puzzles.review.difference_form import DisagreementForm
from spatial_workbench.engine.puzzles.puzzle import Puzzle
from spatial_workbench.engine.puzzles.sets.folders import METADATA
from tests.app.puzzles.review.conftest import FOLDER, assigned, decide, in_form


@pytest.mark.slow
def test_the_pages_stand_beside_the_steps_and_cannot_be_drawn_on(window, review, qtbot):
    in_form(window, review, qtbot)
    assert review.panel.pictures.isVisible()
    assert review.panel.pictures.pad.desk.is_read_only
    assert not review.panel.pictures.note.isVisible()


@pytest.mark.slow
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


@pytest.mark.slow
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
    path = puzzles.folder(FOLDER).path / METADATA
    path.write_text(path.read_text("utf-8").replace("ANCHOR", "ANKER"), "utf-8")
    window.person.change_person("Ben")
    review.records.reload()
    qtbot.waitUntil(review.panel.pictures.note.isVisible)
    assert "another version of this puzzle" in review.panel.pictures.note.text()


@pytest.mark.slow
def test_an_annotation_that_is_not_in_the_folder_yet_comes_with_apply_results(window, review, qtbot, puzzles):
    assigned(review, qtbot)
    folder = puzzles.folder(FOLDER)
    metadata = json.loads((folder.path / METADATA).read_text("utf-8"))
    (folder.path / METADATA).write_text(json.dumps(metadata | {"reasoning": []}), "utf-8")
    window.person.change_person("Ben")
    review.records.reload()
    pictures = review.panel.pictures
    qtbot.waitUntil(pictures.note.isVisible)
    assert "not in your folder yet; Apply results brings it there" in pictures.note.text()
    with qtbot.waitSignal(review.applied):
        review.records.apply()
    qtbot.waitUntil(lambda: pictures.pad.pages.names == ("content.png",) and not pictures.note.isVisible())


@pytest.mark.slow
def test_no_page_is_shown_while_those_of_another_puzzle_are_read(window, review, qtbot):
    in_form(window, review, qtbot)
    pictures = review.panel.pictures
    pictures.show_puzzle("Supper_Without_a_Lamp", "", Puzzle())
    assert pictures.pad.pages.names == ()
    qtbot.waitUntil(lambda: pictures.pad.pages.names == ("content.png",))
