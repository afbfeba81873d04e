"""Figures made of sketches, and opened again."""

import pytest

from spatial_workbench.engine.puzzles.annotation.layers import Arrow
from spatial_workbench.engine.puzzles.puzzle import Puzzle, PuzzleStep, write_metadata
from spatial_workbench.engine.puzzles.sets.storing import Change, save
from tests.app.puzzles.annotation.conftest import NAME, draw, metadata, saved


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


def test_a_figure_without_a_layer_opens_flat(note, puzzles, qtbot):
    save(puzzles, NAME, Change(removals=["layers/figure_1.json"]))
    note.figures.open_figure(1)
    qtbot.waitUntil(lambda: note.is_idle)
    assert note.left.flat_bar.isVisible()
    note.left.close_flat()
    assert not note.left.flat_bar.isVisible()


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
