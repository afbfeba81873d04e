"""A site's folder is written whole or not at all, and nothing foreign is replaced."""

import json

import pytest

from spatial_workbench.engine.reporting.site.choice import CannotPublish
from spatial_workbench.engine.reporting.site.folder import MARK, older_canary, whole_folder


def write(target, text="new", name="index.html"):
    with whole_folder(target) as folder:
        (folder / name).write_text(text)
        (folder / MARK).write_text(json.dumps({"canary": "a guid"}))


def write_half(target):
    with whole_folder(target) as folder:
        (folder / "index.html").write_text("half")
        raise RuntimeError


def test_a_folder_appears_with_all_files_and_nothing_beside_it(tmp_path):
    write(tmp_path / "deep" / "site")
    assert (tmp_path / "deep" / "site" / "index.html").read_text() == "new"
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["site"]


def test_an_older_site_is_replaced_with_what_is_no_longer_there(tmp_path):
    write(tmp_path / "site", name="gone.html")
    write(tmp_path / "site")
    assert sorted(path.name for path in (tmp_path / "site").iterdir()) == ["index.html", MARK]


def test_an_error_leaves_the_older_site_as_it_was(tmp_path):
    write(tmp_path / "site", "old")
    with pytest.raises(RuntimeError):
        write_half(tmp_path / "site")
    assert (tmp_path / "site" / "index.html").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_an_empty_folder_is_filled(tmp_path):
    (tmp_path / "site").mkdir()
    write(tmp_path / "site")
    assert (tmp_path / "site" / "index.html").exists()


@pytest.mark.parametrize("name", ["thesis.txt", "deep/notes.md"])
def test_a_foreign_folder_is_refused_and_left_alone(tmp_path, name):
    (tmp_path / "site" / name).parent.mkdir(parents=True)
    (tmp_path / "site" / name).write_text("mine")
    with pytest.raises(CannotPublish, match="not of a site made here"):
        write(tmp_path / "site")
    assert (tmp_path / "site" / name).read_text() == "mine"


def test_a_file_that_somebody_put_into_a_site_is_not_lost(tmp_path):
    write(tmp_path / "site")
    (tmp_path / "site" / "CNAME").write_text("example.org")
    with pytest.raises(CannotPublish, match="CNAME"):
        write(tmp_path / "site")
    assert (tmp_path / "site" / "CNAME").exists()


def test_a_site_of_another_program_is_refused(tmp_path):
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / MARK).write_text('{"generator": "another", "files": ["site.json"]}')
    with pytest.raises(CannotPublish):
        write(tmp_path / "site")


def test_a_file_in_its_place_is_refused(tmp_path):
    (tmp_path / "site").write_text("mine")
    with pytest.raises(CannotPublish, match="is not a folder"):
        write(tmp_path / "site")


def test_the_canary_of_an_older_site_is_known(tmp_path):
    assert older_canary(tmp_path / "site") == ""
    write(tmp_path / "site")
    assert older_canary(tmp_path / "site") == "a guid"
