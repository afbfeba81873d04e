"""The page on which a puzzle is annotated."""

import pytest

from spatial_workbench.engine.puzzles.puzzle import Puzzle, PuzzleStep, write_metadata
from spatial_workbench.engine.puzzles.sets.storing import Change, save
from tests.app.puzzles.annotation.conftest import NAME


@pytest.mark.slow
def test_an_original_can_be_looked_at_but_not_changed(window, page, qtbot):
    page.load_sets("originals")
    qtbot.waitUntil(lambda: page.is_idle and page.entry.is_read_only)
    note = window.puzzle_pages.annotate(page.entry, NAME)
    qtbot.waitUntil(lambda: note.is_idle)
    note.side.steps.delete(0)
    assert len(note.edited.annotation.puzzle.reasoning) == 4
    assert not note.side.save_button.isEnabled()
    assert note.side.state.text() == "Read-only"


@pytest.mark.slow
def test_a_puzzle_without_a_page_offers_to_add_one(note, open_note, puzzles, page, tmp_path, qtbot):
    from PIL import Image

    Image.new("RGB", (300, 240), "white").save(tmp_path / "page.png")
    save(puzzles, "Bare", Change(writes={"metadata.json": write_metadata(Puzzle("Bare")).encode()}))
    bare = open_note("Bare")
    assert bare.left.no_page.isVisible()
    bare.add_pages((tmp_path / "page.png",))
    qtbot.waitUntil(lambda: bare.is_idle)
    assert bare.pad.isVisible()


def test_a_puzzle_with_too_many_steps_is_refused_by_name(open_note, puzzles):
    many = Puzzle("Many", reasoning=tuple(PuzzleStep("x") for _ in range(201)))
    save(puzzles, NAME, Change(writes={"metadata.json": write_metadata(many).encode()}))
    note = open_note()
    assert note.empty.text.text() == "Harbour_Clocks: reasoning has 201 steps; up to 200 can be edited here"
