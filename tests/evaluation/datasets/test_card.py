"""The card: a head that the Hub understands, and what readers have to know."""

import uuid

import pytest
import yaml

from spatial_workbench.app.commands.main import main
from spatial_workbench.engine.evaluation.datasets import DatasetAbout, source_of
from spatial_workbench.engine.evaluation.datasets.card import size_category
from tests.evaluation.datasets.inline import rows_of, written


def head_and_text(folder):
    _, head, text = (folder / "README.md").read_text("utf-8").split("---\n", 2)
    return yaml.safe_load(head), text


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    about = DatasetAbout(title='Say "rooms": a # set', url="https://example.org/rooms")
    tasks = ("shikaku", "cube_full_visual", "cube_full_symbolic")
    sizes = {"train": 3, "test": 2}
    return written(tmp_path_factory.mktemp("set") / "d", tasks, seed=0, splits=sizes, published=True, about=about)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("pretty_name", 'Say "rooms": a # set'),
        ("license", "apache-2.0"),
        ("language", ["en"]),
        ("multilinguality", ["monolingual"]),
        ("task_categories", ["text-generation", "question-answering", "visual-question-answering"]),
        ("size_categories", ["n<1K"]),
        ("annotations_creators", ["machine-generated"]),
        ("language_creators", ["machine-generated"]),
        ("source_datasets", ["original"]),
    ],
)
def test_a_field_of_the_head_is_as_the_hub_names_it(folder, name, value):
    assert head_and_text(folder)[0][name] == value


def test_a_data_set_without_pictures_is_none_of_visual_questions(tmp_path):
    head, _ = head_and_text(written(tmp_path / "d", ("shikaku",), 1))
    assert "visual-question-answering" not in head["task_categories"]


def test_each_split_of_a_configuration_has_files(folder):
    head, _ = head_and_text(folder)
    paths = [entry["path"] for config in head["configs"] for entry in config["data_files"]]
    assert len(paths) == 4 * 3
    assert all(list(folder.glob(path)) for path in paths)


@pytest.mark.slow
def test_a_configuration_without_files_is_not_promised(tmp_path):
    impossible = source_of("two_segments", {"partition": "2T 2P", "grid_values": "0 1"})
    folder = written(tmp_path / "d", ("shikaku", impossible), 1)
    assert [config["config_name"] for config in head_and_text(folder)[0]["configs"]] == ["all", "shikaku"]
    assert len(rows_of(folder)) == 1


@pytest.mark.parametrize(
    "words",
    [
        "| test | 6 |",
        "| published | 86 |",
        "https://example.org/rooms",
        "No person and no language model wrote any of it",
        "in one split, whatever its seed",
        "The published instances (“published”) are public",
        "cube_full_symbolic, cube_full_visual ask about the same cubes",
        "No training corpus was searched",
        "Apache-2.0",
        "--check FOLDER",
    ],
)
def test_what_readers_have_to_know_is_said(folder, words):
    assert words in head_and_text(folder)[1]


@pytest.mark.parametrize(
    ("rows", "name"),
    [
        (0, "n<1K"),
        (999, "n<1K"),
        (1000, "1K<n<10K"),
        (10_000, "10K<n<100K"),
        (999_999, "100K<n<1M"),
        (10**7, "10M<n<100M"),
    ],
)
def test_sizes_are_told_in_the_hubs_categories(rows, name):
    assert size_category(rows) == name


def test_the_canary_is_in_each_row_in_the_card_and_the_same_for_the_same_options(folder, tmp_path):
    (sentence,) = {row["canary"] for row in rows_of(folder)}
    assert sentence in head_and_text(folder)[1]
    first, again = (written(tmp_path / name, ("shikaku",), 1) for name in "ab")
    assert rows_of(first)[0]["canary"] == rows_of(again)[0]["canary"] != sentence


def test_the_date_does_not_change_the_canary_nor_keep_a_data_set_from_going_on(tmp_path):
    dated = written(tmp_path / "d", ("shikaku",), 1, about=DatasetAbout(date="2026-01-01"))
    before = {path: path.read_bytes() for path in dated.rglob("*") if path.is_file()}
    written(tmp_path / "d", ("shikaku",), 1, about=DatasetAbout(date="2026-01-02"))
    assert before == {path: path.read_bytes() for path in dated.rglob("*") if path.is_file()}


@pytest.mark.slow
def test_the_command_tells_title_url_and_canary(tmp_path):
    guid = str(uuid.uuid4())
    words = ["--tasks", "shikaku", "--generate", "1", "--title", "Rooms", "--url", "https://x.org", "--canary", guid]
    assert main(["dataset", "-o", str(tmp_path / "d"), "--workers", "1", *words]) == 0
    head, text = head_and_text(tmp_path / "d")
    assert head["pretty_name"] == "Rooms"
    assert "https://x.org" in text
    assert guid in text
