"""Which puzzles are there already, and which folder each becomes."""

import shutil

from spatial_workbench.engine.puzzles.sets.import_plan import DuplicateChoice, import_steps, plan_import
from spatial_workbench.engine.puzzles.sets.import_survey import survey
from tests.puzzles.sets.test_importing import zipped

SKIP, REPLACE, KEEP = DuplicateChoice


def planned(target, *sources):
    return plan_import(survey(sources).puzzles, target).puzzles


def duplicates(target, *sources):
    return {
        entry.folder: entry.duplicate and entry.duplicate.words(entry.folder) for entry in planned(target, *sources)
    }


def steps(target, choice, *sources):
    taken = [path.name for path in target.iterdir()] if target.is_dir() else []
    made, skipped = import_steps([(entry, choice) for entry in planned(target, *sources)], taken)
    return [(step.folder, step.replaces) for step in made], [entry.words for entry in skipped]


def test_nothing_is_a_duplicate_in_a_new_set(puzzles, tmp_path):
    assert duplicates(tmp_path / "none", puzzles.path) == {"Harbour_Clocks": None, "Supper_Without_a_Lamp": None}


def test_duplicates_are_found_by_name_in_any_case_and_by_their_pages(puzzles, tmp_path):
    copy = shutil.copytree(puzzles.path / "Harbour_Clocks", tmp_path / "other" / "Clocks").parent
    (copy / "supper_without_a_lamp").mkdir()
    (copy / "supper_without_a_lamp" / "metadata.json").write_text("{}")
    assert duplicates(puzzles.path, copy) == {
        "Clocks": "is in the set as Harbour_Clocks: same pages",
        "supper_without_a_lamp": "is in the set under this name",
    }


def test_a_puzzle_that_comes_twice_is_a_duplicate_of_the_first(tmp_path):
    first = zipped(tmp_path / "a.zip", {"Neon/metadata.json": "{}"})
    second = zipped(tmp_path / "b.zip", {"NEON/metadata.json": "{}"})
    assert duplicates(tmp_path / "none", first, second) == {"Neon": None, "NEON": "comes twice under this name"}
    assert steps(tmp_path / "none", SKIP, first, second)[0] == [("Neon", False)]
    assert steps(tmp_path / "none", KEEP, first, second)[0] == [("Neon", False), ("NEON_2", False)]
    assert steps(tmp_path / "none", REPLACE, first, second)[0] == [("Neon", False)]


def test_duplicates_are_skipped_replaced_or_kept_beside_each_other(puzzles):
    names = ["Harbour_Clocks", "Supper_Without_a_Lamp"]
    made, skipped = steps(puzzles.path, SKIP, puzzles.path)
    assert (made, len(skipped)) == ([], 2)
    assert steps(puzzles.path, REPLACE, puzzles.path) == ([(name, True) for name in names], [])
    assert steps(puzzles.path, KEEP, puzzles.path) == ([(f"{name}_2", False) for name in names], [])


def test_a_puzzle_is_no_duplicate_of_one_that_is_not_imported(tmp_path):
    first = zipped(tmp_path / "a.zip", {"Neon/metadata.json": "{}"})
    second = zipped(tmp_path / "b.zip", {"Neon/metadata.json": "{}"})
    (_, twin) = planned(tmp_path / "none", first, second)
    (step,) = import_steps([(twin, SKIP)], ())[0]
    assert step.folder == "Neon"
