"""Import from folders, zip files and PDFs; files that mean harm write nothing."""

import zipfile
from contextlib import suppress

import pytest

from spatial_workbench.engine.core.progress import Cancelled
from spatial_workbench.engine.puzzles.sets import pdf_drawing
from spatial_workbench.engine.puzzles.sets.folders import PuzzleSet, SetError
from spatial_workbench.engine.puzzles.sets.importing import import_any, import_pdfs, match_pdfs, name_similarity
from spatial_workbench.engine.puzzles.sets.pages import picture_size
from spatial_workbench.engine.puzzles.sets.pdf_drawing import draw_pages


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
    monkeypatch.setattr("spatial_workbench.engine.puzzles.sets.importing.MOST_UNPACKED_BYTES", 2_000_000)
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
    (page,) = draw_pages(pdf(tmp_path / "Neon.pdf"), tmp_path)
    assert picture_size(page.read_bytes()) == (1275, 1650)


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


# Hostile files -------------------------------------------------------------------------------------------------------


def png(width=2, height=2):
    from PIL import Image

    from spatial_workbench.engine.puzzles.sets.pages import png_of

    return png_of(Image.new("RGB", (width, height)))


def test_a_page_that_is_no_picture_is_left_out_before_anything_is_written(target, tmp_path):
    path = zipped(tmp_path / "set.zip", {"Zeros/content.png": bytes(5_000_000), "Good/content.png": png()})
    imported = import_any(path, target)
    assert imported.folders == ("Good",)
    assert imported.skipped == ("Zeros/content.png is not a PNG picture",)
    assert set(contents(target)) == {"Good/content.png"}


def test_a_small_picture_of_many_bytes_is_left_out(target, tmp_path):
    path = zipped(tmp_path / "set.zip", {"Zeros/content.png": png() + bytes(9_000_000)})
    assert "9 MB for 2 × 2 pixels" in import_any(path, target).skipped[0]


def test_a_page_that_is_no_picture_in_a_folder_is_left_out(target, tmp_path):
    (tmp_path / "source" / "Neon").mkdir(parents=True)
    (tmp_path / "source" / "Neon" / "content.png").write_bytes(b"no picture, and longer than the head of one")
    assert import_any(tmp_path / "source", target).skipped == ("Neon/content.png is not a PNG picture",)


def test_unpacking_never_holds_a_whole_file(target, tmp_path):
    import tracemalloc

    path = zipped(tmp_path / "set.zip", {"Large/content.png": png(1500, 1500) + bytes(15_000_000)})
    tracemalloc.start()
    import_any(path, target)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 6_000_000
    assert len(contents(target)["Large/content.png"]) > 15_000_000


def test_what_does_not_fit_on_the_disk_is_refused_before_anything_is_written(target, tmp_path, monkeypatch):
    path = zipped(tmp_path / "set.zip", {"Neon/content.png": png()})
    usage = type("Usage", (), {"free": 10})
    monkeypatch.setattr("spatial_workbench.engine.puzzles.sets.importing.shutil.disk_usage", lambda path: usage)
    with pytest.raises(SetError, match="MB on the disk"):
        import_any(path, target)
    assert contents(target) == {}


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
@pytest.mark.parametrize("place", range(0, 160, 5))
def test_a_zip_file_damaged_anywhere_is_one_sentence(target, tmp_path, method, place):
    with zipfile.ZipFile(tmp_path / "set.zip", "w", method) as archive:
        archive.writestr("Neon/metadata.json", "".join(map(str, range(1000))))
    raw = bytearray((tmp_path / "set.zip").read_bytes())
    raw[place : place + 3] = b"\xff\x00\xff"
    (tmp_path / "set.zip").write_bytes(raw)
    with suppress(SetError):
        import_any(tmp_path / "set.zip", target)
    assert all(len(content) == 2890 for content in contents(target).values())


def test_unpacking_can_be_cancelled_in_the_middle_of_a_puzzle(target, tmp_path):
    path = zipped(tmp_path / "set.zip", {"Large/content.png": png(1500, 1500) + bytes(15_000_000)})

    def stop(done, total, text=""):
        if 0.3 < done < 1:
            raise Cancelled

    with pytest.raises(Cancelled):
        import_any(path, target, stop)
    assert contents(target) == {}


def written_pdf(path, *objects):
    """A PDF of these objects; the first is the catalogue."""
    raw = b"%PDF-1.4\n"
    places = []
    for number, content in enumerate(objects, 1):
        places.append(len(raw))
        raw += f"{number} 0 obj\n".encode() + content + b"\nendobj\n"
    table = b"".join(f"{place:010} 00000 n \n".encode() for place in places)
    size = len(objects) + 1
    raw += f"xref\n0 {size}\n0000000000 65535 f \n".encode() + table
    raw += f"trailer\n<</Root 1 0 R /Size {size}>>\nstartxref\n{raw.rindex(b'xref')}\n%%EOF".encode()
    path.write_bytes(raw)
    return path


def drawn_page(content):
    stream = f"<</Length {len(content)}>>stream\n".encode() + content + b"\nendstream"
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 600]/Contents 4 0 R>>"
    return b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 1>>", page, stream


def test_a_page_tree_that_contains_itself_is_one_sentence(target, tmp_path):
    tree = b"<</Type/Pages/Kids[2 0 R]/Count 3>>"
    path = written_pdf(tmp_path / "Ring.pdf", b"<</Type/Catalog/Pages 2 0 R>>", tree)
    (reason,) = import_any(path, target).skipped
    assert reason.startswith("Ring.pdf ")
    assert "\n" not in reason


def curves(count):
    return (
        b"1 w 0 0 m\n" + b"".join(b"%d 9 300 %d 600 %d c\n" % (i % 600, i % 599, i % 601) for i in range(count)) + b"S"
    )


def test_a_page_that_takes_too_long_is_one_sentence(target, tmp_path, monkeypatch):
    monkeypatch.setattr(pdf_drawing, "PAGE_LIMIT_S", 0.3)
    path = written_pdf(tmp_path / "Slow.pdf", *drawn_page(curves(100_000)))
    assert "longer than 0.3 s" in import_any(path, target).skipped[0]


def test_drawing_can_be_cancelled_in_the_middle_of_a_page(target, tmp_path):
    def stop(done, total, text=""):
        if text.endswith("page 1"):
            raise Cancelled

    with pytest.raises(Cancelled):
        import_any(written_pdf(tmp_path / "Slow.pdf", *drawn_page(curves(100_000))), target, stop)


def test_a_pdf_tells_its_progress_by_page(target, tmp_path):
    told = []
    import_any(pdf(tmp_path / "Neon.pdf", 3), target, lambda done, total, text="": told.append(text))
    assert [f"Neon: page {page} of 3" for page in (1, 2, 3)] == [text for text in told if " of " in text]


def test_pages_of_too_many_pixels_altogether_are_refused(target, tmp_path, monkeypatch):
    path = pdf(tmp_path / "Neon.pdf", 100)
    path.write_bytes(path.read_bytes().replace(b"612", b"4200").replace(b"792", b"4200"))
    (reason,) = import_any(path, target).skipped
    assert "million pixels on its pages" in reason or "too large" in reason


def test_a_folder_with_pdfs_hides_no_puzzle_in_folders_beside_them(puzzles, target):
    pdf(puzzles.path / "Neon.PDF")
    assert import_any(puzzles.path, target).folders == ("Neon", "Harbour_Clocks", "Supper_Without_a_Lamp")
