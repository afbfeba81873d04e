"""Figures made of sketches, and opened again."""

import pytest
from PySide6.QtWidgets import QMenu

from spatial_workbench.engine.puzzles.annotation.layers import Arrow
from spatial_workbench.engine.puzzles.puzzle import Puzzle, PuzzleStep, write_metadata
from spatial_workbench.engine.puzzles.sets.storing import Change, save
from tests.app.puzzles.annotation.conftest import NAME, draw, metadata, saved


@pytest.mark.slow
def test_a_sketch_becomes_the_figure_of_the_step_and_opens_again(note, puzzles, qtbot):
    note.side.steps.current = 0
    draw(note, Arrow(start=(9, 9), end=(99, 99)))
    note.pad.figure_wanted.emit(note.pad.desk.current)
    qtbot.waitUntil(lambda: note.is_idle)
    steps = metadata(puzzles)["reasoning"]
    assert [step.get("figure") for step in steps[:2]] == ["figure_1.png", "figure_2.png"]
    assert (puzzles.path / NAME / "layers" / "figure_1.json").is_file()
    assert not note.edited.is_dirty
    note.pad.desk.clear_page()
    note.figures.open_figure(0)
    qtbot.waitUntil(lambda: note.is_idle)
    assert len(note.pad.desk.current.shapes) == 1


@pytest.mark.slow
def test_a_figure_without_a_layer_opens_flat(note, puzzles, qtbot):
    save(puzzles, NAME, Change(removals=["layers/figure_1.json"]))
    note.figures.open_figure(1)
    qtbot.waitUntil(lambda: note.is_idle)
    assert note.left.flat_bar.isVisible()
    note.left.close_flat()
    assert not note.left.flat_bar.isVisible()


def test_a_picture_that_no_step_names_is_looked_at_like_a_page_of_a_solution(open_note, puzzles, qtbot):
    picture = puzzles.folder(NAME).bytes_of("figure_1.png")
    save(puzzles, NAME, Change(writes={"figure_2.png": picture}))
    note = open_note()
    before = note.edited.puzzle
    note.side.figures_button.click()
    menu = note.side.steps.findChild(QMenu)
    assert [action.text() for action in menu.actions()] == ["figure_2.png", "figure_1.png (in use)"]
    menu.actions()[0].trigger()
    qtbot.waitUntil(lambda: note.is_idle)
    menu.close()
    assert note.left.flat_bar.isVisible()
    assert (note.edited.puzzle, note.edited.is_edited) == (before, False)


@pytest.mark.slow
def test_deleting_a_step_with_a_figure_is_undone_after_saving_too(note, puzzles, qtbot):
    before = puzzles.folder(NAME).bytes_of("figure_1.png")
    note.side.steps.delete(1)
    saved(note, qtbot)
    assert puzzles.folder(NAME).figures() == ()
    note.undo_stack.undo()
    saved(note, qtbot)
    assert puzzles.folder(NAME).bytes_of("figure_1.png") == before


@pytest.mark.parametrize("figure", ["../../secret.png", "/etc/passwd"])
def test_a_figure_outside_the_folder_is_marked_and_not_opened(open_note, puzzles, qtbot, figure):
    puzzle = Puzzle("Harbour Clocks", reasoning=(PuzzleStep("Extraction: read it all at once", figure),))
    save(puzzles, NAME, Change(writes={"metadata.json": write_metadata(puzzle).encode()}))
    note = open_note()
    assert "P_FIGURE" in [f.code for f in note.side.steps.cards[0].marks.problems]
    note.figures.open_figure(0)
    qtbot.waitUntil(lambda: note.is_idle)
    assert "not the name of a file in the folder" in note.window().statusBar().currentMessage()


def figures_of(note):
    return [step.figure for step in note.edited.puzzle.reasoning]


def begin_figure(note, index):
    """Asks for a figure at a step; it is being drawn when this returns."""
    note.side.steps.focus_step(index)
    draw(note, Arrow(start=(9, 9), end=(99, 99)))
    note.pad.actions_by_name["Save as figure"].trigger()
    assert note.left.figure_strip.cancel.isVisible()


@pytest.mark.slow
def test_a_figure_goes_to_its_step_though_steps_move_meanwhile_and_the_cursor_stays(note, qtbot):
    begin_figure(note, 0)
    wanted = note.side.steps.steps[0].explanation
    note.side.steps.move_step(0, 3)
    note.side.steps.new_step(-1)
    qtbot.waitUntil(lambda: note.is_idle)
    steps = note.edited.puzzle.reasoning
    (step,) = [step for step in steps if step.explanation == wanted]
    assert step.figure is not None
    assert steps[0].figure is None
    assert note.side.steps.current == 0
    assert not note.left.figure_strip.cancel.isVisible()


@pytest.mark.slow
def test_a_figure_whose_step_is_rewritten_or_undone_meanwhile_finds_it(note, qtbot):
    begin_figure(note, 0)
    note.side.steps.cards[0].text.setPlainText("other words for the same step")
    note.side.steps.move_step(0, 2)
    note.undo_stack.undo()
    qtbot.waitUntil(lambda: note.is_idle)
    assert figures_of(note)[0] is not None


@pytest.mark.slow
def test_the_figure_of_a_deleted_step_goes_to_no_other_and_can_be_chosen(note, qtbot):
    before = figures_of(note)
    begin_figure(note, 0)
    note.side.steps.delete(0)
    qtbot.waitUntil(lambda: note.is_idle)
    assert figures_of(note) == before[1:]
    assert "was deleted" in note.window().statusBar().currentMessage()
    assert note.edited.sketches
    assert len(note.edited.annotation.fresh) == 1


def test_the_step_that_gets_the_figure_is_always_named(note):
    strip = note.left.figure_strip
    note.side.steps.focus_step(2)
    assert strip.target.text().startswith("Save as figure: step 3, ")
    note.side.steps.move_step(2, 0)
    assert strip.target.text().startswith("Save as figure: step 1, ")
    while note.side.steps.steps:
        note.side.steps.delete(0)
    assert strip.target.text() == "Save as figure: makes a first step"


@pytest.mark.slow
def test_the_drawing_of_a_figure_can_be_cancelled_and_the_sketch_stays(note, qtbot):
    before = figures_of(note)
    begin_figure(note, 0)
    note.left.figure_strip.cancel.click()
    qtbot.waitUntil(lambda: note.is_idle)
    assert figures_of(note) == before
    assert note.pad.desk.current.shapes


@pytest.mark.slow
def test_saving_does_not_wait_for_a_figure(note, qtbot):
    begin_figure(note, 0)
    note.side.steps.cards[1].text.setPlainText("typed while a figure is drawn")
    with qtbot.waitSignal(note.saving.saved):
        note.saving.save()
