"""Sets of puzzles in a folder of their own."""

import pytest

from spatial_workbench.engine.puzzles.sets.folders import PuzzleSet
from spatial_workbench.engine.puzzles.sets.originals import originals
from spatial_workbench.engine.puzzles.sets.storing import Change, save


@pytest.fixture
def puzzles(tmp_path):
    """A set with two of the original puzzles."""
    chosen = PuzzleSet(tmp_path / "set")
    chosen.path.mkdir()
    for puzzle in originals()[:2]:
        save(chosen, puzzle.folder, Change(writes=puzzle.files()))
    return chosen
