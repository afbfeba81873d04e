"""Sets on disk: what is read, under which name, and what is refused."""

import json
import struct
import sys
import zlib

import pytest

from spatial_workbench.engine.puzzles.puzzle import MetadataError, read_metadata, write_metadata
from spatial_workbench.engine.puzzles.sets.folders import PuzzleFolder, PuzzleSet, SetError, folder_name
from spatial_workbench.engine.puzzles.sets.pages import PictureError, check_picture, for_models, picture_size
from spatial_workbench.engine.puzzles.sets.storing import Change, save

METADATA = {
    "title": "Harbour Clocks",
    "flavor_text": "Count the waves.",
    "difficulty": "easy",
    "solution": "ANCHOR",
    "reasoning": [{"explanation": "Extraction: read the dials.", "figure": "figure_1.png", "author_note": 3}],
    "modality": ["visual"],
    "skills": ["spatial"],
    "source": "original",
    "license": "CC BY 4.0",
    "checked_by": {"name": "Ada"},
}


def test_every_field_is_kept_unknown_ones_too():
    reading = read_metadata(json.dumps(METADATA))
    assert reading.misread == ()
    assert json.loads(write_metadata(reading.puzzle)) == METADATA


def test_writing_and_reading_again_changes_nothing():
    text = write_metadata(read_metadata(json.dumps(METADATA)).puzzle)
    assert write_metadata(read_metadata(text).puzzle) == text
    assert list(json.loads(text))[:4] == ["title", "flavor_text", "difficulty", "solution"]


def test_flavor_text_may_be_written_with_a_blank():
    data = {**METADATA, "flavor text": "Count."}
    del data["flavor_text"]
    puzzle = read_metadata(json.dumps(data)).puzzle
    assert puzzle.flavor_text == "Count."
    assert "flavor text" not in json.loads(write_metadata(puzzle))


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"title": 3}, "title must be text"),
        ({"skills": "spatial"}, "skills must be a list of texts"),
        ({"reasoning": ["a step"]}, "reasoning must be a list of steps"),
        ({"reasoning": [{"explanation": None}]}, "reasoning[0].explanation must be text"),
        ({"reasoning": [{"explanation": "x", "figure": 1}]}, "reasoning[0].figure must be a file name"),
    ],
)
def test_a_wrong_type_is_named_and_kept_until_something_takes_its_place(change, place):
    reading = read_metadata(json.dumps(METADATA | change))
    assert [part.message for part in reading.misread] == [place]
    (field,) = change
    assert json.loads(write_metadata(reading.puzzle))[field] == change[field]


@pytest.mark.parametrize("raw", [b"", b"[]", b"{", b"\xff\xfe", b"[" * 100_000, b'{"title": "a" /* note */}'])
def test_what_is_no_object_is_refused(raw):
    with pytest.raises(MetadataError, match=r"metadata\.json"):
        read_metadata(raw)


def test_a_hundred_megabytes_of_metadata_are_not_read(puzzles):
    path = puzzles.folder("Harbour_Clocks").path / "metadata.json"
    with path.open("wb") as file:
        file.truncate(100_000_000)
    with pytest.raises(SetError, match=r"Harbour_Clocks: metadata\.json has 100 MB; the limit is 4 MB"):
        puzzles.folder("Harbour_Clocks").read()


@pytest.mark.parametrize(
    ("title", "name"),
    [("Harbour Clocks", "Harbour_Clocks"), ("What's Up?", "Whats_Up"), ("A/B: c-d", "AB_c-d"), ("???", "Puzzle")],
)
def test_a_folder_is_called_like_its_puzzle(title, name):
    assert folder_name(title) == name


def test_a_name_that_is_taken_in_whatever_case_gets_a_number():
    assert folder_name("Neon", ["neon", "Neon_2"]) == "Neon_3"


def test_folders_that_differ_by_case_only_are_refused(puzzles):
    (puzzles.path / "harbour_clocks").mkdir()
    (puzzles.path / "harbour_clocks" / "metadata.json").write_text("{}")
    with pytest.raises(SetError, match="Harbour_Clocks and harbour_clocks differ by case only"):
        puzzles.names()


def test_a_set_may_hold_its_puzzles_below_data(tmp_path):
    (tmp_path / "data" / "puzzles" / "Neon").mkdir(parents=True)
    (tmp_path / "data" / "puzzles" / "Neon" / "metadata.json").write_text("{}")
    assert PuzzleSet(tmp_path).names() == ("Neon",)


@pytest.mark.parametrize("name", ["../secret.png", "/etc/passwd", "a\\b.png", "..", "", "layers/x.json"])
def test_a_file_name_with_a_path_is_refused(puzzles, name):
    with pytest.raises(SetError, match="Harbour_Clocks"):
        puzzles.folder("Harbour_Clocks").bytes_of(name)


def test_links_are_not_followed(puzzles, tmp_path):
    (tmp_path / "secret.png").write_bytes(b"secret")
    (puzzles.path / "Harbour_Clocks" / "figure_9.png").symlink_to(tmp_path / "secret.png")
    (puzzles.path / "Outside").symlink_to(tmp_path)
    assert "figure_9.png" not in puzzles.folder("Harbour_Clocks").files()
    assert "Outside" not in puzzles.names()
    with pytest.raises(SetError, match="is a link"):
        puzzles.folder("Harbour_Clocks").bytes_of("figure_9.png")


def test_pages_come_in_the_order_of_their_numbers(tmp_path):
    for name in ("content_10.png", "content_2.png", "content.png", "contents.png"):
        (tmp_path / name).touch()
    assert PuzzleFolder(tmp_path).pages() == ("content.png", "content_2.png", "content_10.png")


def test_a_version_follows_the_content_alone(puzzles):
    folder = puzzles.folder("Harbour_Clocks")
    before = folder.version()
    (folder.path / "notes.txt").write_text("not part of the puzzle")
    assert folder.version() == before
    (folder.path / "metadata.json").write_text("{}")
    assert folder.version() != before


def header(width, height):
    data = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + b"IHDR" + data + struct.pack(">I", zlib.crc32(b"IHDR" + data))


def test_a_picture_of_ten_thousand_million_pixels_is_not_opened(tmp_path):
    (tmp_path / "content.png").write_bytes(header(100_000, 100_000))
    with pytest.raises(PictureError, match=r"100000 × 100000 pixels; at most 80 million"):
        check_picture(tmp_path / "content.png")


@pytest.mark.parametrize("raw", [b"", b"GIF89a", header(300, 300), header(300, 300) + b"\0" * 99])
def test_what_is_no_whole_png_is_refused(tmp_path, raw):
    (tmp_path / "content.png").write_bytes(raw)
    with pytest.raises(PictureError):
        check_picture(tmp_path / "content.png")
    with pytest.raises(PictureError):
        for_models(raw)


def test_models_see_pages_of_at_most_1024_pixels(puzzles):
    small = for_models(puzzles.folder("Harbour_Clocks").bytes_of("content.png"))
    assert picture_size(small) == (1024, 429)


@pytest.mark.parametrize(
    ("title", "name"),
    [("Café au lait", "Café_au_lait"), ("Москва!", "Москва"), ("月 の 光", "月_の_光"), ("?!", "Puzzle")],
)
def test_letters_of_any_script_are_kept_in_folder_names(title, name):
    assert folder_name(title) == name


def test_a_long_name_fits_into_every_file_system():
    assert len(folder_name("光" * 300).encode()) <= 200


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such names")
def test_a_puzzle_whose_folder_has_a_quotation_mark_is_read(tmp_path):
    (tmp_path / 'Say_"Aah"').mkdir()
    (tmp_path / 'Say_"Aah"' / "metadata.json").write_text('{"title": "Say"}')
    chosen = PuzzleSet(tmp_path)
    assert [chosen.folder(name).read().puzzle.title for name in chosen.names()] == ["Say"]
    save(chosen, 'Say_"Aah"', Change(writes={"metadata.json": b'{"title": "Aah"}'}))
    assert chosen.folder('Say_"Aah"').read().puzzle.title == "Aah"
    with pytest.raises(SetError, match="cannot be the name of a folder"):
        save(chosen, 'New_"one"', Change(writes={"metadata.json": b"{}"}))
