"""Sets of puzzles in a folder of their own."""

import pytest

from engine.puzzles.folders import PuzzleSet
from engine.puzzles.originals import originals
from engine.puzzles.storing import Change, save


@pytest.fixture
def puzzles(tmp_path):
    """A set with two of the original puzzles."""
    chosen = PuzzleSet(tmp_path / "set")
    chosen.path.mkdir()
    for puzzle in originals()[:2]:
        save(chosen, puzzle.folder, Change(writes=puzzle.files()))
    return chosen
