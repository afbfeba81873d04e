"""Titles of a set's puzzles."""

import json

import pytest

from spatial_workbench.engine.puzzles.puzzle import Puzzle, write_metadata
from spatial_workbench.engine.puzzles.sets.folders import PuzzleSet
from spatial_workbench.engine.puzzles.sets.titles import PuzzleTitles


@pytest.fixture
def puzzles(tmp_path):
    for folder, title in (("One_New_Leaf", "One New Leaf"), ("p17", "The Clock\nShop"), ("p18", "")):
        write(tmp_path / folder, title)
    return PuzzleSet(tmp_path)


def write(folder, title):
    folder.mkdir(exist_ok=True)
    (folder / "metadata.json").write_text(write_metadata(Puzzle(title=title)))


def test_a_puzzle_is_called_by_its_title_and_by_its_folder_only_without_one(puzzles):
    assert PuzzleTitles(puzzles).read(["One_New_Leaf", "p17", "p18"]) == {
        "One_New_Leaf": "One New Leaf",
        "p17": "The Clock Shop",
        "p18": "p18",
    }


def test_a_puzzle_whose_folder_is_not_here_is_called_by_what_was_sent(puzzles):
    texts = {"gone": json.dumps({"title": "Far Away"}), "broken": "{"}
    assert PuzzleTitles(puzzles).read(["gone", "broken"], texts) == {"gone": "Far Away", "broken": "broken"}


def test_puzzles_of_one_title_are_told_apart_by_their_folders(puzzles):
    write(puzzles.path / "p18", "One New Leaf")
    titles = PuzzleTitles(puzzles).read(["One_New_Leaf", "p18"])
    assert titles == {"One_New_Leaf": "One New Leaf (One_New_Leaf)", "p18": "One New Leaf (p18)"}


def test_another_title_is_seen_with_the_next_reading(puzzles):
    titles = PuzzleTitles(puzzles)
    titles.read(["p17"])
    write(puzzles.path / "p17", "The Watchmaker's")
    assert titles.read(["p17"]) == {"p17": "The Watchmaker's"}
