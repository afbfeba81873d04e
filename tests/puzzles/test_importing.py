"""Import from folders, zip files and PDFs; files that mean harm write nothing."""

import zipfile

import pytest

from engine.puzzles.folders import PuzzleSet, SetError
from engine.puzzles.importing import import_any, import_pdfs, match_pdfs, name_similarity, pdf_pages
from engine.puzzles.pages import picture_size


@pytest.fixture
def target(tmp_path):
    (tmp_path / "target").mkdir()
    return PuzzleSet(tmp_path / "target")


def zipped(path, entries):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return path


def contents(puzzles):
    return {
        p.relative_to(puzzles.path).as_posix(): p.read_bytes()
        for p in puzzles.path.rglob("*")
        if p.is_file() and ".workbench" not in p.parts
    }


def test_a_folder_is_copied_whole(puzzles, target):
    assert import_any(puzzles.path, target).folders == ("Harbour_Clocks", "Supper_Without_a_Lamp")
    assert contents(target) == contents(puzzles)


def test_a_name_that_is_taken_gets_a_number(puzzles, target):
    import_any(puzzles.path, target)
    assert import_any(puzzles.path, target).folders[0] == "Harbour_Clocks_2"


def test_a_zip_file_gives_the_same_puzzles(puzzles, target, tmp_path):
    path = zipped(tmp_path / "set.zip", {f"hunt/data/puzzles/{name}": raw for name, raw in contents(puzzles).items()})
    import_any(path, target)
    assert contents(target) == contents(puzzles)


def test_files_that_are_no_part_of_a_puzzle_are_left_out_and_counted(target, tmp_path):
    path = zipped(tmp_path / "set.zip", {"Neon/metadata.json": "{}", "Neon/virus.exe": "x", "README": "y"})
    imported = import_any(path, target)
    assert contents(target) == {"Neon/metadata.json": b"{}"}
    assert imported.skipped == ("2 files that do not belong to a puzzle",)


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ("../Neon/metadata.json", "outside the set"),
        ("/Neon/metadata.json", "outside the set"),
        ("Neon/../../metadata.json", "outside the set"),
        ("C:/Neon/metadata.json", "outside the set"),
        ("a\\..\\metadata.json", "outside the set"),
        ("README", "holds no puzzle"),
    ],
)
def test_a_zip_file_that_means_harm_writes_nothing(target, tmp_path, entry, reason):
    path = zipped(tmp_path / "set.zip", {"Good/metadata.json": "{}"} if reason != "holds no puzzle" else {})
    with zipfile.ZipFile(path, "a") as archive:
        info = zipfile.ZipInfo("placeholder")
        info.filename = entry
        archive.writestr(info, "{}")
    with pytest.raises(SetError, match=reason):
        import_any(path, target)
    assert contents(target) == {}


def test_a_link_in_a_zip_file_is_refused(target, tmp_path):
    link = zipfile.ZipInfo("Neon/content.png")
    link.external_attr = 0o120777 << 16
    with zipfile.ZipFile(tmp_path / "set.zip", "w") as archive:
        archive.writestr(link, "/etc/passwd")
    with pytest.raises(SetError, match="holds a link"):
        import_any(tmp_path / "set.zip", target)


def test_folders_that_differ_by_case_only_are_refused(target, tmp_path):
    path = zipped(tmp_path / "set.zip", {"Neon/metadata.json": "{}", "NEON/metadata.json": "{}"})
    with pytest.raises(SetError, match="differ by case only"):
        import_any(path, target)


@pytest.mark.slow
def test_a_hundred_thousand_entries_are_refused(target, tmp_path):
    path = zipped(tmp_path / "set.zip", {f"P{i}/metadata.json": "{}" for i in range(100_000)})
    with pytest.raises(SetError, match="100,000 entries; the limit is 50,000"):
        import_any(path, target)


def test_ten_gigabytes_of_nothing_are_refused(target, tmp_path, monkeypatch):
    path = zipped(tmp_path / "set.zip", {"Neon/content.png": bytes(3_000_000), "Neon/metadata.json": "{}"})
    monkeypatch.setattr("engine.puzzles.importing.MOST_UNPACKED_BYTES", 2_000_000)
    with pytest.raises(SetError, match="unpacks to"):
        import_any(path, target)
    assert contents(target) == {}


def test_a_damaged_zip_file_is_refused(target, tmp_path):
    path = zipped(tmp_path / "set.zip", {"Neon/metadata.json": "{}" * 1000})
    raw = bytearray(path.read_bytes())
    raw[60] ^= 0xFF
    path.write_bytes(raw)
    with pytest.raises(SetError, match=r"set\.zip"):
        import_any(path, target)
    assert contents(target) == {}


def test_what_is_neither_is_refused(target, tmp_path):
    (tmp_path / "notes.txt").write_text("x")
    with pytest.raises(SetError, match="neither a folder nor a zip file nor a PDF"):
        import_any(tmp_path / "notes.txt", target)


def pdf(path, pages=1):
    import pypdfium2

    document = pypdfium2.PdfDocument.new()
    for _ in range(pages):
        document.new_page(612, 792)
    document.save(path)
    return path


def test_pages_of_a_pdf_are_drawn_at_150_dpi(tmp_path):
    (page,) = pdf_pages(pdf(tmp_path / "Neon.pdf"))
    assert picture_size(page) == (1275, 1650)


def test_a_pdf_becomes_a_puzzle_with_its_solution_as_figures(target, tmp_path):
    matches = match_pdfs([pdf(tmp_path / "Blue_Lamp.pdf", 2), pdf(tmp_path / "Blue Lamp solution.pdf")])
    assert import_pdfs(matches, target).folders == ("Blue_Lamp",)
    folder = target.folder("Blue_Lamp")
    assert (folder.pages(), folder.figures()) == (("content_1.png", "content_2.png"), ("figure_1.png",))
    assert folder.read().puzzle.title == "Blue Lamp"


def test_solutions_are_matched_by_similar_names(tmp_path):
    paths = [tmp_path / name for name in ("Alpha.pdf", "Alphabet.pdf", "Alphabet_solution.pdf", "Omega.pdf")]
    matches = {match.puzzle.stem: match.solution and match.solution.stem for match in match_pdfs(paths)}
    assert matches == {"Alpha": None, "Alphabet": "Alphabet_solution", "Omega": None}
    assert name_similarity("Blue Lamp", "blue_lamp-Solution") == 100


@pytest.mark.parametrize("raw", [b"", b"%PDF-1.7 nothing"])
def test_a_damaged_pdf_is_left_out_with_its_name(target, tmp_path, raw):
    (tmp_path / "Neon.pdf").write_bytes(raw)
    (message,) = import_any(tmp_path / "Neon.pdf", target).skipped
    assert message.startswith("Neon.pdf")
