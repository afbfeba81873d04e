"""Saving an annotation."""

import pytest

from spatial_workbench.app.puzzles.annotation import work
from spatial_workbench.app.puzzles.annotation.saving import AnnotationSaving
from spatial_workbench.engine.puzzles.annotation.annotating import Saved
from spatial_workbench.engine.puzzles.puzzle import Puzzle
from tests.app.puzzles.annotation.conftest import metadata, saved


@pytest.mark.slow
def test_a_save_writes_the_annotation_and_keeps_unknown_fields(note, puzzles, qtbot):
    note.side.fields.difficulty["hard"].click()
    saved(note, qtbot)
    assert metadata(puzzles)["difficulty"] == "hard"
    assert note.side.state.text() == "Saved"


@pytest.mark.slow
def test_saving_while_a_save_is_under_way_saves_the_rest_as_well(note, puzzles, qtbot):
    note.side.fields.difficulty["hard"].click()
    note.saving.save()
    note.side.fields.difficulty["medium"].click()
    note.saving.save()
    qtbot.waitUntil(lambda: note.is_idle)
    assert metadata(puzzles)["difficulty"] == "medium"


@pytest.mark.slow
def test_the_page_says_where_a_failed_save_is_kept(note, tmp_path):
    note.saving.refused.emit(work.SaveOutcome(trouble="No space left", kept_at=tmp_path / "side.json"))
    assert str(tmp_path / "side.json") in note.banner.text.text()


@pytest.fixture
def saving(edited, lane):
    return AnnotationSaving(edited, lane)


def test_a_process_that_dies_while_it_saves_is_told_with_the_place_of_what_was_typed(saving, lane):
    told = []
    saving.refused.connect(lambda outcome: told.append(("refused", outcome.trouble, outcome.kept_at is not None)))
    saving.crashed.connect(lambda: told.append("crashed"))
    saving.save()
    lane.jobs.pop().failed("The process has ended")
    assert told == [("refused", "The process has ended", True), "crashed"]
    assert not saving.is_running


def test_a_save_that_is_asked_for_while_one_runs_follows_it_if_something_has_changed(saving, edited, lane):
    edited.change(Puzzle("First"), "title")
    saving.save()
    edited.change(Puzzle("Second"), "title")
    saving.save()
    (first,) = lane.jobs
    first.done(work.SaveOutcome(Saved({}, (), (), {})))
    assert (len(lane.jobs), saving.is_running) == (2, True)
    lane.jobs[1].done(work.SaveOutcome(Saved({}, (), (), {})))
    assert not edited.is_edited


def test_after_a_refusal_nothing_is_saved_until_it_is_asked_for_again(saving, edited, lane):
    edited.change(Puzzle("First"), "title")
    saving.save()
    saving.save()
    lane.jobs[0].done(work.SaveOutcome(trouble="No space left"))
    assert (len(lane.jobs), edited.is_edited) == (1, True)


def test_nothing_is_saved_before_the_puzzle_is_open(saving, edited, lane):
    edited.is_open = False
    saving.save()
    assert lane.jobs == []
