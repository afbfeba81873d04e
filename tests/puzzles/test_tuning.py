"""Export for fine-tuning: form, split, licences."""

import json

import pytest

from spatial_workbench.engine.puzzles.puzzle import Puzzle
from spatial_workbench.engine.puzzles.sets.folders import SetError
from spatial_workbench.engine.puzzles.sets.originals import original
from spatial_workbench.engine.puzzles.sets.tuning import NON_COMMERCIAL, export_for_tuning, licence_of, split

NAMES = [f"P{i:02}" for i in range(10)]


def rows(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_ten_puzzles_give_eight_and_two():
    parts = list(split(NAMES).values())
    assert (parts.count("train"), parts.count("test")) == (8, 2)


def test_adding_two_leaves_the_first_ten_where_they_were():
    first = split(NAMES)
    second = split([*NAMES, "A", "Z"], before=first)
    assert {name: second[name] for name in NAMES} == first
    assert [second["A"], second["Z"]].count("train") == 1


def test_the_split_follows_the_seed_and_not_the_order():
    assert split(NAMES) == split(NAMES[::-1])
    assert split(NAMES, seed=1) != split(NAMES, seed=2)


def test_a_line_holds_the_pages_and_both_forms_of_the_answer(puzzles, tmp_path):
    export_for_tuning(puzzles, ["Harbour_Clocks", "Supper_Without_a_Lamp"], tmp_path / "out")
    (answer,), (reasoning,) = (rows(tmp_path / "out" / f"train_{form}.jsonl") for form in ("answer", "reasoning"))
    solution = original(answer["id"]).puzzle.solution
    assert answer["messages"][2]["content"] == f"Answer: {solution}"
    assert reasoning["messages"][2]["content"].endswith(f"\nAnswer: {solution}")
    assert reasoning["messages"][2]["content"].startswith("1. ")
    assert answer["messages"][1]["content"].count("<image>") == len(answer["images"]) == 1
    assert all((tmp_path / "out" / image).is_file() for image in answer["images"])
    assert solution not in answer["messages"][0]["content"] + answer["messages"][1]["content"]


def test_an_export_again_keeps_its_split(puzzles, tmp_path):
    export_for_tuning(puzzles, ["Harbour_Clocks"], tmp_path / "out")
    before = json.loads((tmp_path / "out" / "split.json").read_text())
    export_for_tuning(puzzles, puzzles.names(), tmp_path / "out", seed=9)
    assert before.items() <= json.loads((tmp_path / "out" / "split.json").read_text()).items()


def test_a_folder_with_other_things_is_not_written_into(puzzles, tmp_path):
    (tmp_path / "mine.txt").write_text("x")
    with pytest.raises(SetError, match="is not empty"):
        export_for_tuning(puzzles, puzzles.names(), tmp_path)


@pytest.mark.parametrize(
    ("puzzle", "licence"),
    [
        (Puzzle(source="original"), "Apache-2.0"),
        (Puzzle(source="https://puzzledpint.org/a/b"), NON_COMMERCIAL),
        (Puzzle(source="https://example.org"), "unknown"),
        (Puzzle(source="https://example.org", extra={"license": "CC0"}), "CC0"),
    ],
)
def test_the_licence_of_every_puzzle_goes_along(puzzle, licence):
    assert licence_of(puzzle) == licence


def test_non_commercial_material_gets_a_notice(puzzles, tmp_path):
    path = puzzles.path / "Harbour_Clocks" / "metadata.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "source": "https://puzzledpint.com/x"}))
    export_for_tuning(puzzles, puzzles.names(), tmp_path / "out")
    assert NON_COMMERCIAL in (tmp_path / "out" / "NOTICE.md").read_text()
    assert json.loads((tmp_path / "out" / "licenses.json").read_text())["Harbour_Clocks"] == NON_COMMERCIAL


def test_the_library_datasets_reads_it(puzzles, tmp_path):
    datasets = pytest.importorskip("datasets")
    export_for_tuning(puzzles, puzzles.names(), tmp_path / "out")
    file = str(tmp_path / "out" / "train_reasoning.jsonl")
    loaded = datasets.load_dataset("json", data_files=file, cache_dir=str(tmp_path / "cache"))["train"]
    assert loaded.column_names == ["id", "images", "messages"]
