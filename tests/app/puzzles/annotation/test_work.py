"""What runs in the background."""

from dataclasses import replace

from spatial_workbench.app.puzzles.annotation import work
from spatial_workbench.engine.puzzles.sets.side_files import drop, kept
from spatial_workbench.engine.puzzles.sets.storing import SaveFailed
from tests.app.puzzles.annotation.conftest import NAME


def test_a_full_disk_leaves_what_was_typed_in_the_side_file_and_says_where(tmp_path, puzzles, monkeypatch):
    def full(*_):
        raise SaveFailed("Harbour_Clocks could not be saved: No space left on device")

    monkeypatch.setattr(work, "save_annotation", full)
    opened = work.open_puzzle(puzzles.path, NAME, False)
    changed = replace(opened.annotation, puzzle=replace(opened.annotation.puzzle, title="Typed"))
    outcome = work.save(puzzles.path, NAME, changed, ())
    assert "No space left" in outcome.trouble
    assert outcome.kept_at.is_file()
    assert kept(puzzles.path, NAME).annotation.puzzle.title == "Typed"
    drop(puzzles.path, NAME)
