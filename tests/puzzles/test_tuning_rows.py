"""Rows for fine-tuning, field by field as trainers document them, and read by their own formatters where installed.

TRL expects "messages" whose contents are lists of parts, with as many parts of the type "image" as there are entries in
"images". LLaMA-Factory expects roles in turns after the system's, an <image> mark for each entry of "images", and the
names of all columns and roles in dataset_info.json.
"""

import json
from dataclasses import replace
from types import SimpleNamespace

import pytest

from spatial_workbench.engine.puzzles.sets.originals import original
from spatial_workbench.engine.puzzles.sets.tuning import TuningForm, export_for_tuning
from spatial_workbench.engine.puzzles.sets.tuning_rows import PARTS, TuningLayout, tuning_row

PUZZLE = original("Harbour_Clocks").puzzle
PAGES = {"images/a.png": b"one", "images/b.png": b"two"}


def row_of(layout, puzzle=PUZZLE, answer="1. Step.\nAnswer: ANCHOR"):
    return tuning_row("a", puzzle, PAGES, answer, layout)


def test_llama_factory_takes_texts_with_a_mark_for_each_picture():
    row = row_of(TuningLayout.LLAMA_FACTORY)
    assert list(row) == ["id", "images", "messages"]
    assert [list(turn) for turn in row["messages"]] == [["role", "content"]] * 3
    assert [turn["role"] for turn in row["messages"]] == ["system", "user", "assistant"]
    assert all(isinstance(turn["content"], str) for turn in row["messages"])
    assert row["messages"][1]["content"].startswith("<image><image>Solve this puzzle.")
    assert row["images"] == list(PAGES)


@pytest.mark.parametrize("mark", ["<image>", "<video>", "<audio>"])
def test_a_mark_in_a_puzzle_is_not_taken_for_a_picture(mark):
    puzzle = replace(PUZZLE, flavor_text=f"The tag {mark} is part of the puzzle.")
    _, user, assistant = row_of(TuningLayout.LLAMA_FACTORY, puzzle, f"1. The tag {mark}.\nAnswer: X")["messages"]
    assert user["content"].count(mark) == (len(PAGES) if mark == "<image>" else 0)
    assert mark not in assistant["content"]


@pytest.mark.parametrize("layout", [TuningLayout.CHAT, TuningLayout.PARQUET])
def test_trl_takes_parts_of_which_as_many_are_pictures_as_there_are_pictures(layout):
    row = row_of(layout)
    assert list(row) == ["id", "images", "messages"]
    parts = [part for turn in row["messages"] for part in turn["content"]]
    assert [part["type"] for part in parts] == ["text", "image", "image", "text", "text"]
    assert len(row["images"]) == 2
    assert all(isinstance(part["text"], str) for part in parts if part["type"] == "text")


def test_pictures_of_parquet_files_are_bytes_with_their_names():
    assert row_of(TuningLayout.PARQUET)["images"] == [
        {"path": "a.png", "bytes": b"one"},
        {"path": "b.png", "bytes": b"two"},
    ]


def test_data_urls_stand_in_parts_like_those_of_an_endpoint():
    row = row_of(TuningLayout.DATA_URLS)
    assert list(row) == ["id", "messages"]
    first = row["messages"][1]["content"][0]
    assert first == {"type": "image_url", "image_url": {"url": "data:image/png;base64,b25l"}}


@pytest.fixture
def exported(puzzles, tmp_path):
    """Exports both puzzles in a layout; returns the folder."""

    def export(layout):
        export_for_tuning(puzzles, puzzles.names(), tmp_path / layout.value, TuningForm(layout))
        return tmp_path / layout.value

    return export


def test_the_table_of_data_sets_names_every_column_and_role(exported):
    folder = exported(TuningLayout.LLAMA_FACTORY)
    info = json.loads((folder / "dataset_info.json").read_text("utf-8"))
    assert list(info) == list(PARTS)
    for name, entry in info.items():
        assert (folder / entry["file_name"]).is_file()
        assert entry["formatting"] == "sharegpt"
        row = json.loads((folder / f"{name}.jsonl").read_text("utf-8").splitlines()[0])
        assert set(entry["columns"].values()) <= set(row)
        roles = [entry["tags"][f"{role}_tag"] for role in ("system", "user", "assistant")]
        assert [turn[entry["tags"]["role_tag"]] for turn in row["messages"]] == roles


def loaded(kind, file, tmp_path):
    datasets = pytest.importorskip("datasets")
    return datasets.load_dataset(kind, data_files=file, split="train", cache_dir=str(tmp_path / "cache"))


@pytest.mark.parametrize("layout", [TuningLayout.CHAT, TuningLayout.PARQUET])
def test_trl_puts_the_pictures_into_the_messages(exported, tmp_path, monkeypatch, layout):
    trl = pytest.importorskip("trl.data_utils")
    datasets = pytest.importorskip("datasets")
    monkeypatch.chdir(exported(layout))
    kind, ending = ("parquet", "parquet") if layout is TuningLayout.PARQUET else ("json", "jsonl")
    rows = loaded(kind, f"train_reasoning.{ending}", tmp_path).cast_column("images", datasets.List(datasets.Image()))
    assert trl.is_conversational(rows[0])
    _, user, assistant = trl.prepare_multimodal_messages(rows[0]["messages"], rows[0]["images"])
    assert [part["type"] for part in user["content"]] == ["image", "text"]
    assert max(user["content"][0]["image"].size) <= 1024
    assert assistant["content"][0]["text"].startswith("1. ")


def test_llama_factory_converts_every_row(exported, tmp_path):
    converter = pytest.importorskip("llamafactory.data.converter")
    parser = pytest.importorskip("llamafactory.data.parser")
    folder = str(exported(TuningLayout.LLAMA_FACTORY))
    for name in PARTS:
        (attributes,) = parser.get_dataset_list([name], folder)
        options = SimpleNamespace(media_dir=folder, dataset_dir=folder)
        convert = converter.get_dataset_converter(attributes.formatting, attributes, options)
        for row in loaded("json", f"{folder}/{attributes.dataset_name}", tmp_path):
            converted = convert(row)
            assert converted["_prompt"][0]["content"].count("<image>") == len(converted["_images"]) == 1
            assert converted["_response"][0]["content"].splitlines()[-1].startswith("Answer: ")
