"""The Croissant metadata, field by field, against the files that they describe."""

import json
import re

import pyarrow.parquet as pq
import pytest

from spatial_workbench.engine.evaluation.datasets import DatasetAbout
from spatial_workbench.engine.evaluation.datasets.contents import sha256_of
from spatial_workbench.engine.evaluation.datasets.croissant import CROISSANT
from spatial_workbench.engine.evaluation.datasets.rows import COLUMNS
from tests.evaluation.datasets.inline import written

ABOUT = DatasetAbout(title="Rooms and “mazes”", url="https://example.org/rooms", date="2026-11-28")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    sizes = {"train": 3, "test": 2}
    return written(
        tmp_path_factory.mktemp("set") / "d", ("shikaku", "cube_full_visual"), seed=0, splits=sizes, about=ABOUT
    )


@pytest.fixture(scope="module")
def metadata(folder):
    return json.loads((folder / CROISSANT).read_text("utf-8"))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("@type", "sc:Dataset"),
        ("conformsTo", ["http://mlcommons.org/croissant/1.0", "http://mlcommons.org/croissant/RAI/1.0"]),
        ("name", "Rooms and “mazes”"),
        ("license", "https://spdx.org/licenses/Apache-2.0.html"),
        ("url", "https://example.org/rooms"),
        ("datePublished", "2026-11-28"),
        ("version", "0"),
        ("creator", {"@type": "sc:Organization", "name": "Spatial Workbench contributors"}),
        ("inLanguage", "en"),
        ("isAccessibleForFree", True),
        ("citeAs", "Spatial Workbench contributors: Rooms and “mazes”, made with Spatial Workbench 0."),
    ],
)
def test_a_field_about_the_whole_is_as_told(metadata, name, value):
    assert metadata[name] == value


def test_the_description_counts_instances_and_holds_the_canary(folder, metadata):
    assert metadata["description"].startswith("10 questions of 2 tasks of spatial reasoning (test 4, train 6).")
    assert re.search(r"Canary GUID spatial-workbench:[0-9a-f-]{36}$", metadata["description"])


def test_tasks_are_keywords(metadata):
    assert {"shikaku", "cube_full_visual", "spatial reasoning"} <= set(metadata["keywords"])


def test_how_it_was_made_what_may_leak_and_what_it_is_for_are_said(metadata):
    assert "No person and no language model" in metadata["rai:dataCollection"]
    assert any("one split" in sentence for sentence in metadata["rai:dataLimitations"])
    assert metadata["rai:dataUseCases"]


def test_what_nobody_told_is_left_out(tmp_path):
    plain = json.loads((written(tmp_path / "d", ("shikaku",), 1) / CROISSANT).read_text("utf-8"))
    assert not {"url", "datePublished"} & plain.keys()


def parts(metadata, kind):
    return [part for part in metadata["distribution"] if part["@type"] == kind]


def test_each_file_is_there_with_its_checksum_and_size(folder, metadata):
    described = {part["contentUrl"]: part for part in parts(metadata, "cr:FileObject")}
    assert described.keys() == {path.relative_to(folder).as_posix() for path in folder.rglob("*.parquet")}
    for name, part in described.items():
        assert part["@id"] == part["name"] == name
        assert part["sha256"] == sha256_of(folder / name)
        assert part["contentSize"] == f"{(folder / name).stat().st_size} B"
        assert part["encodingFormat"] == "application/x-parquet"


def test_the_files_of_a_configuration_are_a_set(folder, metadata):
    sets = {part["@id"]: part["includes"] for part in parts(metadata, "cr:FileSet")}
    assert sets == {
        "files-of-shikaku": "data/shikaku/*.parquet",
        "files-of-cube_full_visual": "data/cube_full_visual/*.parquet",
    }
    assert all(list(folder.glob(pattern)) for pattern in sets.values())


def record_sets(metadata):
    return {part["@id"]: part for part in metadata["recordSet"]}


def test_splits_are_a_record_set_to_which_the_others_refer(metadata):
    splits = record_sets(metadata)["splits"]
    assert splits["dataType"] == "cr:Split"
    assert splits["key"] == {"@id": "splits/name"}
    assert sorted(row["splits/name"] for row in splits["data"]) == ["test", "train"]
    (field,) = [one for one in record_sets(metadata)["shikaku"]["field"] if one["name"] == "split"]
    assert field["references"] == {"field": {"@id": "splits/name"}}


def test_the_split_of_a_row_follows_from_the_path_of_its_file(folder, metadata):
    (field,) = [one for one in record_sets(metadata)["shikaku"]["field"] if one["name"] == "split"]
    assert field["source"]["extract"] == {"fileProperty": "fullpath"}
    found = {
        re.search(field["source"]["transform"]["regex"], path.relative_to(folder).as_posix())[1]
        for path in folder.rglob("*.parquet")
    }
    assert found == {"train", "test"}


@pytest.mark.parametrize("name", ["shikaku", "cube_full_visual"])
def test_each_column_is_a_field_with_its_type_and_its_files(folder, metadata, name):
    record_set = record_sets(metadata)[name]
    fields = {field["name"]: field for field in record_set["field"]}
    schema = pq.read_schema(next((folder / "data" / name).glob("*.parquet")))
    assert record_set["key"] == {"@id": f"{name}/id"}
    assert fields.keys() - {"split"} == set(schema.names) == set(COLUMNS)
    types = {"string": "sc:Text", "int64": "sc:Integer", "double": "sc:Float", "bool": "sc:Boolean"}
    for column in set(COLUMNS) - {"pictures"}:
        field = fields[column]
        assert field["@id"] == f"{name}/{column}"
        assert field["dataType"] == types[str(schema.field(column).type)]
        assert field["source"] == {"fileSet": {"@id": f"files-of-{name}"}, "extract": {"column": column}}
        assert field["description"]


def test_pictures_are_a_list_of_images(metadata):
    (field,) = [one for one in record_sets(metadata)["cube_full_visual"]["field"] if one["name"] == "pictures"]
    assert field["dataType"] == "sc:ImageObject"
    assert field["repeated"] is True
    assert field["source"]["transform"] == {"jsonPath": "bytes"}


def test_every_id_is_used_once(metadata):
    found = re.findall(r'"@type": "cr:\w+",\s*"@id": "([^"]+)"', json.dumps(metadata))
    assert len(found) == len(set(found)) > 40
