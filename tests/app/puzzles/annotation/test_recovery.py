"""What is not saved is kept, and offered again."""

import pytest

from spatial_workbench.app.puzzles.annotation.banner import Banner
from spatial_workbench.app.puzzles.annotation.recovery import AnnotationRecovery
from spatial_workbench.engine.puzzles.annotation.layers import Arrow
from spatial_workbench.engine.puzzles.puzzle import Puzzle
from spatial_workbench.engine.puzzles.sets.side_files import kept
from spatial_workbench.widgets.sketch import SketchPad
from tests.app.puzzles.annotation.conftest import NAME, draw, metadata, saved


@pytest.mark.slow
def test_what_is_not_saved_is_offered_after_the_page_was_closed(window, note, open_note, puzzles, qtbot):
    note.side.fields.difficulty["hard"].click()
    draw(note, Arrow(start=(9, 9), end=(99, 99)))
    window.pages.close(note)
    qtbot.waitUntil(lambda: kept(puzzles.path, NAME) is not None)
    again = open_note()
    assert again.edited.annotation.puzzle.difficulty == "easy"
    assert "not saved" in again.banner.text.text()
    again.banner.buttons[0].click()
    assert again.edited.annotation.puzzle.difficulty == "hard"
    assert len(again.pad.pages.layers()) == 1
    again.pad.desk.clear_page()
    saved(again, qtbot)
    assert kept(puzzles.path, NAME) is None


@pytest.mark.slow
def test_a_restored_step_has_its_own_figure_though_saving_renumbered_the_files(window, note, open_note, puzzles, qtbot):
    note.side.steps.current = 2
    draw(note, Arrow(start=(9, 9), end=(99, 99)))
    note.pad.figure_wanted.emit(note.pad.desk.current)
    qtbot.waitUntil(lambda: note.is_idle)
    note.side.steps.move_step(2, 0)
    saved(note, qtbot)
    before = {i: puzzles.folder(NAME).bytes_of(f"figure_{i}.png") for i in (1, 2)}
    note.side.fields.difficulty["hard"].click()
    window.pages.close(note)
    qtbot.waitUntil(lambda: kept(puzzles.path, NAME) is not None)
    again = open_note()
    again.banner.buttons[0].click()
    saved(again, qtbot)
    assert metadata(puzzles)["difficulty"] == "hard"
    assert {i: puzzles.folder(NAME).bytes_of(f"figure_{i}.png") for i in (1, 2)} == before
    steps = metadata(puzzles)["reasoning"]
    assert [step["figure"] for step in steps if "figure" in step] == ["figure_1.png", "figure_2.png"]


@pytest.mark.slow
def test_what_is_not_wanted_is_dropped(window, note, open_note, puzzles, qtbot):
    note.side.fields.difficulty["hard"].click()
    note.recovery.keep()
    qtbot.waitUntil(lambda: note.is_idle)
    note.undo_stack.undo()
    window.pages.close(note)
    again = open_note()
    again.banner.buttons[1].click()
    qtbot.waitUntil(lambda: again.is_idle)
    assert kept(puzzles.path, NAME) is None


@pytest.mark.slow
def test_another_tab_in_front_keeps_what_was_typed(window, note, puzzles, qtbot):
    note.side.fields.difficulty["hard"].click()
    window.puzzle_pages.show_sets()
    qtbot.waitUntil(lambda: kept(puzzles.path, NAME) is not None)


def test_a_state_is_backed_up_once(qtbot, edited, lane):
    pad = SketchPad()
    qtbot.addWidget(pad, before_close_func=lambda pad: pad.close_pad())
    recovery = AnnotationRecovery(edited, lane, pad, Banner())
    recovery.keep()
    assert lane.jobs == []
    edited.change(Puzzle("Other"), "title")
    recovery.keep()
    recovery.keep()
    assert len(lane.jobs) == 1
    recovery.keep_again()
    assert len(lane.jobs) == 2
