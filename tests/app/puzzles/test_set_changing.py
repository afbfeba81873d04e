"""Sets added, made and forgotten."""

import pytest

from spatial_workbench.engine.puzzles.sets.folders import PuzzleSet
from spatial_workbench.engine.puzzles.sets.known_sets import known_sets
from tests.app.puzzles.conftest import settled


@pytest.mark.slow
def test_a_folder_is_added_and_forgotten_without_touching_it(window, page, tmp_path, qtbot):
    other = PuzzleSet(tmp_path / "other")
    other.path.mkdir()
    page.set_changing.add_folder(other.path)
    settled(page, qtbot)
    assert page.entry.name == "other"
    assert "New puzzle" in page.puzzles.empty.text.text()
    page.set_changing.forget()
    settled(page, qtbot)
    assert "other" not in known_sets()
    assert other.path.is_dir()


def test_a_new_set_starts_empty_and_refuses_a_full_folder(page, puzzles, tmp_path, qtbot):
    page.set_changing.make_set(tmp_path / "fresh")
    settled(page, qtbot)
    assert page.entry.name == "fresh"
    page.set_changing.make_set(puzzles.path)
    settled(page, qtbot)
    assert "not empty" in page.note.text()
