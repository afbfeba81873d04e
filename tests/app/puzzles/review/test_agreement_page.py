"""The agreement of independent annotations, from the request to the third annotation."""

from dataclasses import replace

import pytest

from spatial_workbench.app.puzzles.annotation.page import AnnotationPage
from spatial_workbench.app.puzzles.review.adjudication_form import AdjudicationForm
from spatial_workbench.engine.puzzles.annotation.review import ReviewState
from tests.app.puzzles.review.conftest import FOLDER, reach


def written_by(window, review, qtbot, person, puzzle):
    """A person writes in their own copy, and hands in."""
    window.person.change_person(person)
    qtbot.waitUntil(lambda: review.panel.write.isVisibleTo(review))
    review.panel.write.click()
    qtbot.waitUntil(lambda: isinstance(window.pages.front, AnnotationPage))
    note = window.pages.front
    qtbot.waitUntil(lambda: note.is_idle and note.edited.is_open)
    assert note.edited.puzzle.reasoning == ()
    note.edited.change(puzzle, "all")
    window.puzzle_pages.review_set(review.entry)
    review.panel.submit.click()
    qtbot.waitUntil(lambda: person in review.records.review(FOLDER).annotations)
    window.pages.close(note)


def asked(window, page, qtbot):
    window.person.change_person("Cleo")
    review = window.puzzle_pages.review()
    qtbot.waitUntil(lambda: FOLDER in review.records.names)
    review.choose(FOLDER)
    dialog = review.panel.ask_annotators()
    for field, name in zip(dialog.fields, ("Ada", "Ben"), strict=False):
        dialog.add_person(name)
        field.setCurrentText(name)
    dialog.go.click()
    reach(review, qtbot, ReviewState.TWO_ANNOTATORS)
    return review


def both_in(window, page, puzzles, qtbot):
    review = asked(window, page, qtbot)
    puzzle = puzzles.folder(FOLDER).read().puzzle
    steps = tuple(replace(step, figure=None) for step in puzzle.reasoning)
    written_by(window, review, qtbot, "Ada", replace(puzzle, reasoning=steps))
    written_by(window, review, qtbot, "Ben", replace(puzzle, reasoning=steps[1:], difficulty="hard"))
    reach(review, qtbot, ReviewState.ADJUDICATION)
    return review


@pytest.mark.slow
def test_two_write_on_their_own_and_a_third_makes_one_of_both(window, page, puzzles, qtbot):
    review = both_in(window, page, puzzles, qtbot)
    assert review.panel.form.make.isHidden() or not review.panel.form.make.isVisibleTo(review)
    window.person.change_person("Cleo")
    qtbot.waitUntil(lambda: review.panel.form is not None and review.panel.form.make.isVisibleTo(review))
    form = review.panel.form
    assert isinstance(form, AdjudicationForm)
    form.rows[0].taken.setCurrentText("Take A (Ada)")
    form.fields[0].taken.setCurrentText("Take B (Ben)")
    form.make.click()
    reach(review, qtbot, ReviewState.CHECKED)
    assert "Made by Cleo of the annotations by Ada and Ben." in review.panel.about.text()
    assert puzzles.folder(FOLDER).read().puzzle.difficulty == "hard"


def test_neither_sees_what_the_other_writes_before_both_are_in(window, page, puzzles, qtbot):
    review = asked(window, page, qtbot)
    puzzle = puzzles.folder(FOLDER).read().puzzle
    steps = tuple(replace(step, figure=None) for step in puzzle.reasoning)
    written_by(window, review, qtbot, "Ada", replace(puzzle, reasoning=steps))
    window.person.change_person("Ben")
    qtbot.waitUntil(lambda: review.panel.write.isVisibleTo(review))
    assert review.panel.form is None
    agreement = window.puzzle_pages.show_agreement(review.entry)
    qtbot.waitUntil(lambda: bool(agreement.records.reviews))
    assert agreement.list.topLevelItemCount() == 0


def test_the_page_of_agreement_shows_figures_and_both_annotations(window, page, puzzles, qtbot):
    review = both_in(window, page, puzzles, qtbot)
    agreement = window.puzzle_pages.show_agreement(review.entry)
    qtbot.waitUntil(lambda: agreement.form is not None)
    assert agreement.figures["steps"].text() == "86 % [86, 86]"
    assert agreement.figures["tags"].text().startswith("1.00")
    assert agreement.figures["same_difficulty"].text() == "0 % [0, 0]"
    assert [row.pair.second for row in agreement.form.rows] == [None, 1, 2, 3]
