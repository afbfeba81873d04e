"""Pictures that belong together, solutions with similar names, and ranges of pages."""

from pathlib import Path

import pytest

from spatial_workbench.engine.puzzles.sets.found_files import FoundFile
from spatial_workbench.engine.puzzles.sets.pairing import RangeError, name_similarity, page_numbers, paired, sheets_of


def files(*names):
    return [FoundFile(Path("/home") / name, folders=Path(name).parts[:-1]) for name in names]


def titles(*names, join=True):
    return [(sheets.title, [file.name for file in sheets.files]) for sheets in sheets_of(files(*names), join)]


def test_pictures_with_numbers_are_pages_of_one_puzzle():
    assert titles("Neon_2.png", "Neon_10.jpg", "Oak.png", "Neon p1.png") == [
        ("Neon", ["Neon p1.png", "Neon_2.png", "Neon_10.jpg"]),
        ("Oak", ["Oak.png"]),
    ]


def test_a_number_alone_belongs_to_the_title():
    assert titles("Catch 22.png", "1.png", "2.png") == [
        ("1", ["1.png"]),
        ("2", ["2.png"]),
        ("Catch 22", ["Catch 22.png"]),
    ]


def test_numbered_pictures_can_be_puzzles_of_their_own():
    assert titles("Neon 1.png", "Neon 2.png", join=False) == [("Neon 1", ["Neon 1.png"]), ("Neon 2", ["Neon 2.png"])]


def test_pdfs_with_numbers_stay_apart():
    assert len(titles("Neon 1.pdf", "Neon 2.pdf")) == 2


def pairs(*names):
    sheets = sheets_of(files(*names))
    made = paired([s for s in sheets if not s.is_solution], [s for s in sheets if s.is_solution])
    return {pair.puzzle.title: pair.solution and pair.solution.title for pair in made}


def test_solutions_are_matched_by_similar_names():
    assert pairs("Alpha.pdf", "Alphabet.pdf", "Alphabet_solution.pdf", "Omega.pdf") == {
        "Alpha": None,
        "Alphabet": "Alphabet solution",
        "Omega": None,
    }
    assert name_similarity("Blue Lamp", "blue_lamp-Solution") == 100


def test_a_folder_of_solutions_holds_solutions():
    assert pairs("puzzles/Tea.pdf", "Solutions/Tea.png") == {"Tea": "Tea"}


@pytest.mark.parametrize(
    ("text", "numbers"), [("", ()), ("3", (3,)), ("2-4", (2, 3, 4)), ("5, 1 – 2", (5, 1, 2)), ("7-7,", (7,))]
)
def test_a_range_of_pages_is_read(text, numbers):
    assert page_numbers(text, 7) == numbers


@pytest.mark.parametrize("text", ["0", "8", "4-2", "all", "1-", "-3", "1;2"])
def test_what_is_no_range_of_the_pages_is_refused(text):
    with pytest.raises(RangeError):
        page_numbers(text, 7)
