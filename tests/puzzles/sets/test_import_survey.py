"""What is found in files and folders: every puzzle, and a reason for everything else."""

import pytest
from PIL import Image

from spatial_workbench.engine.puzzles.sets.import_survey import survey
from tests.puzzles.sets.test_importing import pdf, zipped
from tests.puzzles.sets.test_other_pictures import tiff


def write(path, content="{}"):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    return path


def picture(path, size=(300, 200)):
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", size).save(path)
    return path


def found(*sources):
    survey_of = survey(sources)
    return [puzzle.title for puzzle in survey_of.puzzles], [entry.words for entry in survey_of.left_out]


def test_a_folder_with_a_quotation_mark_in_its_name_is_a_puzzle(tmp_path):
    write(tmp_path / 'hunt/The "Blue" Lamp/metadata.json')
    assert found(tmp_path / "hunt") == (['The "Blue" Lamp'], [])


def test_the_folder_of_one_puzzle_is_a_puzzle(tmp_path):
    write(tmp_path / "Neon/metadata.json", '{"title": "Neon Signs"}')
    assert found(tmp_path / "Neon") == (["Neon Signs"], [])


def test_puzzles_in_folders_of_any_depth_are_found(tmp_path):
    write(tmp_path / "hunt/data/puzzles/Neon/metadata.json")
    write(tmp_path / "hunt/2024/May/Oak/metadata.json")
    assert found(tmp_path / "hunt")[0] == ["Oak", "Neon"]


def test_what_lies_in_a_puzzle_without_being_part_of_it_is_named(tmp_path):
    write(tmp_path / "hunt/Neon/metadata.json")
    picture(tmp_path / "hunt/Neon/old/page.png")
    write(tmp_path / "hunt/Neon/notes.txt")
    write(tmp_path / "hunt/Neon/layers/figure_1.json")
    assert found(tmp_path / "hunt") == (
        ["Neon"],
        ["hunt/Neon/notes.txt is not part of a puzzle", "hunt/Neon/old/page.png is not part of a puzzle"],
    )


@pytest.mark.slow
def test_pictures_beside_puzzles_are_no_puzzles_but_pdfs_are(tmp_path):
    write(tmp_path / "hunt/Neon/metadata.json")
    picture(tmp_path / "hunt/logo.png")
    pdf(tmp_path / "hunt/Tea.pdf")
    titles, (reason,) = found(tmp_path / "hunt")
    assert titles == ["Neon", "Tea"]
    assert reason.startswith("hunt/logo.png is a picture outside of a puzzle's folder")


def test_files_that_were_chosen_one_by_one_are_pages_or_named(tmp_path):
    titles, reasons = found(
        picture(tmp_path / "content.png"), write(tmp_path / "metadata.json"), write(tmp_path / "notes.txt")
    )
    assert titles == ["content"]
    assert reasons == [
        "metadata.json is part of a puzzle; choose its folder to import it",
        "notes.txt is neither a folder, a zip file, a PDF nor a picture",
    ]


def test_a_file_that_is_chosen_twice_is_taken_once(tmp_path):
    write(tmp_path / "hunt/Neon/metadata.json")
    assert found(tmp_path / "hunt", tmp_path / "hunt/Neon", tmp_path / "hunt")[0] == ["Neon"]


def test_a_zip_file_of_the_files_of_one_puzzle_is_a_puzzle(tmp_path):
    assert found(zipped(tmp_path / "Neon.zip", {"metadata.json": "{}"})) == (["Neon"], [])


def test_pictures_that_are_none_are_named(tmp_path):
    assert found(
        write(tmp_path / "a.jpg"), write(tmp_path / "b.png", "no picture, and longer than the head of one")
    ) == (
        [],
        ["a.jpg is not a picture that can be opened", "b.png is not a PNG picture"],
    )


def test_pages_of_pdfs_are_counted_also_in_zip_files(tmp_path):
    path = zipped(tmp_path / "set.zip", {"Tea.pdf": pdf(tmp_path / "Tea.pdf", 3).read_bytes(), "Bad.pdf": b"x"})
    shown = survey([path])
    assert [pair.puzzle.total for pair in shown.pairs] == [3]
    assert shown.left_out[0].words.startswith("set/Bad.pdf cannot be read as PDF")


def test_pages_of_tiff_files_are_counted_also_where_several_files_belong_together(tmp_path):
    scan = tiff(tmp_path / "Tide.tiff", 3)
    joined = [tiff(tmp_path / "Scan 1.tif", 2), picture(tmp_path / "Scan 2.png")]
    path = zipped(tmp_path / "set.zip", {file.name: file.read_bytes() for file in (scan, *joined)})
    pairs = {pair.puzzle.title: pair.puzzle for pair in survey([path]).pairs}
    assert (pairs["Tide"].file_pages, pairs["Tide"].has_range) == ((3,), True)
    assert [(file.name, page) for file, page in pairs["Scan"].with_range("2-3").places] == [
        ("Scan 1.tif", 2),
        ("Scan 2.png", 1),
    ]


def test_solutions_alone_are_puzzles(tmp_path):
    assert found(pdf(tmp_path / "Tea solution.pdf"))[0] == ["Tea solution"]
