"""Export for fine-tuning: form, split, licences."""

import base64
import csv
import json

import pytest

from spatial_workbench.engine.core import Cancelled
from spatial_workbench.engine.puzzles.puzzle import Puzzle
from spatial_workbench.engine.puzzles.sets.folders import SetError
from spatial_workbench.engine.puzzles.sets.originals import original
from spatial_workbench.engine.puzzles.sets.pages import picture_size
from spatial_workbench.engine.puzzles.sets.tuning import (
    NON_COMMERCIAL,
    TuningForm,
    export_for_tuning,
    licence_of,
    split,
)
from spatial_workbench.engine.puzzles.sets.tuning_rows import TuningLayout

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
    export_for_tuning(puzzles, puzzles.names(), tmp_path / "out", TuningForm(seed=9))
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


def written_rows(puzzles, tmp_path, layout):
    export_for_tuning(puzzles, puzzles.names(), tmp_path / "out", TuningForm(layout))
    return rows(tmp_path / "out" / "train_reasoning.jsonl")


def test_the_chat_layout_has_a_part_for_each_picture(puzzles, tmp_path):
    (row,) = written_rows(puzzles, tmp_path, TuningLayout.CHAT)
    _system, user, assistant = row["messages"]
    assert [part["type"] for part in user["content"]] == ["image", "text"]
    assert "<image>" not in user["content"][1]["text"]
    assert assistant["content"][0]["text"].startswith("1. ")
    assert (tmp_path / "out" / row["images"][0]).is_file()


def test_data_urls_hold_the_pictures_and_no_file_lies_beside(puzzles, tmp_path):
    (row,) = written_rows(puzzles, tmp_path, TuningLayout.DATA_URLS)
    url = row["messages"][1]["content"][0]["image_url"]["url"]
    kind, _, data = url.partition(",")
    assert (kind, base64.b64decode(data)[:4]) == ("data:image/png;base64", b"\x89PNG")
    assert not (tmp_path / "out" / "images").exists()


def test_pictures_have_the_size_that_was_chosen_and_the_note_says_it(puzzles, tmp_path):
    export_for_tuning(puzzles, puzzles.names(), tmp_path / "out", TuningForm(side_px=300))
    assert {max(picture_size(path.read_bytes())) for path in (tmp_path / "out" / "images").iterdir()} == {300}
    assert "at most 300 pixels" in (tmp_path / "out" / "README.md").read_text()


def test_every_puzzle_that_gives_no_row_is_named_with_its_reason(puzzles, tmp_path):
    (puzzles.path / "Harbour_Clocks" / "content.png").write_bytes(b"no picture")
    written = export_for_tuning(puzzles, puzzles.names(), tmp_path / "out", dropped={"Other": "It has 2 errors"})
    assert set(written.left_out) == {"Harbour_Clocks", "Other"}
    table = list(csv.reader((tmp_path / "out" / "left_out.csv").open(encoding="utf-8")))
    assert [row[0] for row in table] == ["puzzle", "Harbour_Clocks", "Other"]
    assert "PNG" in table[1][1]


def test_an_export_that_is_cancelled_leaves_nothing(puzzles, tmp_path):
    def cancel(done, total, text=""):
        if done:
            raise Cancelled

    with pytest.raises(Cancelled):
        export_for_tuning(puzzles, puzzles.names(), tmp_path / "there" / "out", progress=cancel)
    assert list((tmp_path / "there").iterdir()) == []


@pytest.mark.parametrize("layout", [TuningLayout.LLAMA_FACTORY, TuningLayout.CHAT, TuningLayout.DATA_URLS])
def test_the_library_datasets_reads_it(puzzles, tmp_path, layout):
    datasets = pytest.importorskip("datasets")
    written_rows(puzzles, tmp_path, layout)
    file = str(tmp_path / "out" / "train_reasoning.jsonl")
    loaded = datasets.load_dataset("json", data_files=file, cache_dir=str(tmp_path / "cache"))["train"]
    assert set(loaded.column_names) >= {"id", "messages"}
    assert [turn["role"] for turn in loaded[0]["messages"]] == ["system", "user", "assistant"]


def test_the_library_datasets_opens_pictures_of_parquet_files_and_of_the_chat_layout(puzzles, tmp_path, monkeypatch):
    datasets = pytest.importorskip("datasets")
    export_for_tuning(puzzles, puzzles.names(), tmp_path / "bytes", TuningForm(TuningLayout.PARQUET))
    export_for_tuning(puzzles, puzzles.names(), tmp_path / "files", TuningForm(TuningLayout.CHAT))
    cache = str(tmp_path / "cache")
    file = str(tmp_path / "bytes" / "train_answer.parquet")
    held = datasets.load_dataset("parquet", data_files=file, cache_dir=cache)["train"]
    monkeypatch.chdir(tmp_path / "files")
    named = datasets.load_dataset("json", data_files="train_answer.jsonl", cache_dir=cache)["train"]
    named = named.cast_column("images", datasets.List(datasets.Image()))
    assert held[0]["images"][0].size == named[0]["images"][0].size
    assert held[0]["messages"] == named[0]["messages"]
    assert held[0]["messages"][1]["content"][0]["type"] == "image"
