"""Every file that is not taken is named with the reason."""

import zipfile

import pytest

from spatial_workbench.engine.puzzles.sets import found_files
from spatial_workbench.engine.puzzles.sets.found_files import find_files
from tests.puzzles.sets.test_importing import zipped


def left_out(path):
    return [entry.words for entry in find_files(path).left_out]


@pytest.mark.parametrize(
    "name", ["../Neon/metadata.json", "/Neon/metadata.json", "Neon/../../metadata.json", "C:/Neon/x", "a\\..\\x"]
)
def test_an_entry_that_names_a_place_outside_is_left_out_by_name_and_the_rest_is_found(tmp_path, name):
    path = zipped(tmp_path / "set.zip", {"Good/metadata.json": "{}"})
    with zipfile.ZipFile(path, "a") as archive:
        info = zipfile.ZipInfo("placeholder")
        info.filename = name
        archive.writestr(info, "{}")
    assert [file.entry for file in find_files(path).files] == ["Good/metadata.json"]
    assert left_out(path) == [f"set.zip/{name} names a place outside the zip file"]


def test_links_encrypted_and_nested_entries_are_left_out_by_name(tmp_path):
    link = zipfile.ZipInfo("Neon/content.png")
    link.external_attr = 0o120777 << 16
    path = zipped(tmp_path / "set.zip", {"more.zip": "x", ".secret/notes": "y", "secret.png": "z", "__MACOSX/x": ""})
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(link, "/etc/passwd")
    raw = path.read_bytes()
    place = raw.rindex(b"secret.png") - 46
    path.write_bytes(raw[: place + 8] + b"\x01" + raw[place + 9 :])
    assert left_out(path) == [
        "set.zip/more.zip is a zip file in a zip file",
        "set.zip/.secret/notes is hidden",
        "set.zip/secret.png is encrypted",
        "set.zip/Neon/content.png is a link; links are not followed",
    ]


def test_links_and_hidden_files_of_a_folder_are_left_out_by_name(tmp_path):
    folder = tmp_path / "hunt"
    folder.mkdir()
    (folder / "there").symlink_to("/etc")
    (folder / ".notes").write_text("x")
    (folder / "content.png").write_text("y")
    assert [file.shown for file in find_files(folder).files] == ["hunt/content.png"]
    assert left_out(folder) == ["hunt/.notes is hidden", "hunt/there is a link; links are not followed"]


def test_a_zip_file_in_a_folder_is_looked_into(tmp_path):
    (tmp_path / "hunt").mkdir()
    zipped(tmp_path / "hunt" / "more.zip", {"Neon/metadata.json": "{}"})
    assert [file.shown for file in find_files(tmp_path / "hunt").files] == ["hunt/more/Neon/metadata.json"]


def test_ten_gigabytes_of_nothing_are_refused(tmp_path, monkeypatch):
    path = zipped(tmp_path / "set.zip", {"Neon/content.png": bytes(3_000_000)})
    monkeypatch.setattr(found_files, "MOST_UNPACKED_BYTES", 2_000_000)
    assert "unpacks to" in left_out(path)[0]
    assert find_files(path).files == ()


def test_a_folder_with_too_many_files_is_refused_by_name(tmp_path, monkeypatch):
    monkeypatch.setattr(found_files, "MOST_ENTRIES", 3)
    for k in range(4):
        (tmp_path / f"{k}.png").write_text("")
    assert left_out(tmp_path) == [f"{tmp_path.name} holds more than 3 files"]


def test_a_file_that_has_gone_is_named(tmp_path):
    assert left_out(tmp_path / "Neon.pdf") == ["Neon.pdf is not there any more"]
