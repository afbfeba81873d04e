"""Imports do what was decided: each puzzle whole or not at all; files that mean harm write nothing."""

import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from spatial_workbench.engine.core.progress import Cancelled, silent
from spatial_workbench.engine.puzzles.sets import pdf_drawing
from spatial_workbench.engine.puzzles.sets.folders import PuzzleSet, SetError
from spatial_workbench.engine.puzzles.sets.import_plan import DuplicateChoice, ImportOrder, ImportStep
from spatial_workbench.engine.puzzles.sets.import_survey import survey
from spatial_workbench.engine.puzzles.sets.importing import carry_out, decide_import
from spatial_workbench.engine.puzzles.sets.known_sets import forget_set, known_sets
from spatial_workbench.engine.puzzles.sets.pages import picture_size, png_of
from spatial_workbench.engine.puzzles.sets.pdf_drawing import count_pages, draw_pages


@pytest.fixture
def target(tmp_path):
    (tmp_path / "target").mkdir()
    return PuzzleSet(tmp_path / "target")


def import_any(source, target, progress=silent, **decided):
    """Imports everything of a file or folder."""
    sources = [source] if isinstance(source, Path) else source
    return carry_out(decide_import(sources, target.path, **decided), progress)


def left_out(imported):
    return tuple(entry.words for entry in imported.left_out)


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


def test_files_that_are_no_part_of_a_puzzle_are_left_out_by_name(target, tmp_path):
    path = zipped(tmp_path / "set.zip", {"Neon/metadata.json": "{}", "Neon/virus.exe": "x", "README": "y"})
    imported = import_any(path, target)
    assert contents(target) == {"Neon/metadata.json": b"{}"}
    assert left_out(imported) == ("set/Neon/virus.exe is not part of a puzzle", "set/README is not part of a puzzle")


@pytest.mark.slow
def test_a_hundred_thousand_entries_are_refused(target, tmp_path):
    path = zipped(tmp_path / "set.zip", {f"P{i}/metadata.json": "{}" for i in range(100_000)})
    assert left_out(import_any(path, target)) == ("set.zip has 100,000 entries; the limit is 50,000",)


def test_a_damaged_entry_is_left_out_whole_and_the_others_are_imported(target, tmp_path):
    path = zipped(tmp_path / "set.zip", {"Neon/metadata.json": "{}" * 1000, "Oak/metadata.json": "{}"})
    raw = bytearray(path.read_bytes())
    raw[60] ^= 0xFF
    path.write_bytes(raw)
    imported = import_any(path, target)
    assert imported.folders == ("Oak",)
    assert "set/Neon/metadata.json cannot be read" in left_out(imported)[0]
    assert set(contents(target)) == {"Oak/metadata.json"}


def pdf(path, pages=1):
    import pypdfium2

    document = pypdfium2.PdfDocument.new()
    for _ in range(pages):
        document.new_page(612, 792)
    document.save(path)
    return path


@pytest.mark.slow
def test_pages_of_a_pdf_are_drawn_at_150_dpi(tmp_path):
    (page,) = draw_pages(pdf(tmp_path / "Neon.pdf"), tmp_path)
    assert picture_size(page.read_bytes()) == (1275, 1650)


@pytest.mark.slow
def test_a_pdf_becomes_a_puzzle_with_its_solution_as_figures(target, tmp_path):
    sources = [pdf(tmp_path / "Blue_Lamp.pdf", 2), pdf(tmp_path / "Blue Lamp solution.pdf")]
    assert import_any(sources, target).folders == ("Blue_Lamp",)
    folder = target.folder("Blue_Lamp")
    assert (folder.pages(), folder.figures()) == (("content_1.png", "content_2.png"), ("figure_1.png",))
    assert folder.read().puzzle.title == "Blue Lamp"


@pytest.mark.parametrize("raw", [b"", b"%PDF-1.7 nothing"])
def test_a_damaged_pdf_is_left_out_with_its_name(target, tmp_path, raw):
    (tmp_path / "Neon.pdf").write_bytes(raw)
    (message,) = left_out(import_any(tmp_path / "Neon.pdf", target))
    assert message.startswith("Neon.pdf")


# Hostile files -------------------------------------------------------------------------------------------------------


def png(width=2, height=2):
    return png_of(Image.new("RGB", (width, height)))


def test_a_page_that_is_no_picture_is_left_out_before_anything_is_written(target, tmp_path):
    path = zipped(tmp_path / "set.zip", {"Zeros/content.png": bytes(5_000_000), "Good/content.png": png()})
    imported = import_any(path, target)
    assert imported.folders == ("Good",)
    assert left_out(imported) == ("set/Zeros/content.png is not a PNG picture",)
    assert set(contents(target)) == {"Good/content.png"}


def test_a_small_picture_of_many_bytes_is_left_out(target, tmp_path):
    path = zipped(tmp_path / "set.zip", {"Zeros/content.png": png() + bytes(9_000_000)})
    assert "9 MB for 2 × 2 pixels" in left_out(import_any(path, target))[0]


def test_a_page_that_is_no_picture_in_a_folder_is_left_out(target, tmp_path):
    (tmp_path / "source" / "Neon").mkdir(parents=True)
    (tmp_path / "source" / "Neon" / "content.png").write_bytes(b"no picture, and longer than the head of one")
    assert left_out(import_any(tmp_path / "source", target)) == ("source/Neon/content.png is not a PNG picture",)


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


@pytest.mark.slow
def test_a_page_tree_that_contains_itself_is_one_sentence(target, tmp_path):
    tree = b"<</Type/Pages/Kids[2 0 R]/Count 3>>"
    path = written_pdf(tmp_path / "Ring.pdf", b"<</Type/Catalog/Pages 2 0 R>>", tree)
    (reason,) = left_out(import_any(path, target))
    assert reason.startswith("Ring.pdf ")
    assert "\n" not in reason


def curves(count):
    return (
        b"1 w 0 0 m\n" + b"".join(b"%d 9 300 %d 600 %d c\n" % (i % 600, i % 599, i % 601) for i in range(count)) + b"S"
    )


@pytest.mark.slow
def test_a_page_that_takes_too_long_is_one_sentence(target, tmp_path, monkeypatch):
    monkeypatch.setattr(pdf_drawing, "PAGE_LIMIT_S", 0.3)
    path = written_pdf(tmp_path / "Slow.pdf", *drawn_page(curves(100_000)))
    assert "longer than 0.3 s" in left_out(import_any(path, target))[0]


@pytest.mark.slow
def test_drawing_can_be_cancelled_in_the_middle_of_a_page(target, tmp_path):
    def stop(done, total, text=""):
        if text.endswith("page 1"):
            raise Cancelled

    with pytest.raises(Cancelled):
        import_any(written_pdf(tmp_path / "Slow.pdf", *drawn_page(curves(100_000))), target, stop)


@pytest.mark.slow
def test_a_pdf_tells_its_progress_by_page(target, tmp_path):
    told = []
    import_any(pdf(tmp_path / "Neon.pdf", 3), target, lambda done, total, text="": told.append(text))
    assert [f"Neon: page {page} of 3" for page in (1, 2, 3)] == [text for text in told if " of " in text]


@pytest.mark.slow
def test_pages_of_too_many_pixels_altogether_are_refused(target, tmp_path, monkeypatch):
    path = pdf(tmp_path / "Neon.pdf", 100)
    path.write_bytes(path.read_bytes().replace(b"612", b"4200").replace(b"792", b"4200"))
    (reason,) = left_out(import_any(path, target))
    assert "million pixels on its pages" in reason or "too large" in reason


@pytest.mark.slow
def test_a_folder_with_pdfs_hides_no_puzzle_in_folders_beside_them(puzzles, target):
    pdf(puzzles.path / "Neon.PDF")
    assert import_any(puzzles.path, target).folders == ("Harbour_Clocks", "Supper_Without_a_Lamp", "Neon")


# Pages ---------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_range_of_the_pages_of_a_long_pdf_is_imported(target, tmp_path):
    path = pdf(tmp_path / "Hunt.pdf", 120)
    assert "120 pages; give a range of at most 100" in left_out(import_any(path, target))[0]
    assert import_any(path, target, pages="3-4, 119").folders == ("Hunt",)
    assert target.folder("Hunt").pages() == ("content_1.png", "content_2.png", "content_3.png")


def test_a_range_beyond_the_last_page_is_one_sentence(target, tmp_path):
    with pytest.raises(SetError, match=r"Hunt\.pdf: “2-9” is not within the pages 1 to 3"):
        import_any(pdf(tmp_path / "Hunt.pdf", 3), target, pages="2-9")


def test_the_pages_of_pdfs_are_counted_though_one_is_damaged(tmp_path):
    (tmp_path / "Bad.pdf").write_bytes(b"nothing")
    counts = count_pages([pdf(tmp_path / "A.pdf", 2), tmp_path / "Bad.pdf", pdf(tmp_path / "C.pdf", 3)])
    assert (counts[0], counts[2]) == (2, 3)
    assert "cannot be read as PDF" in counts[1]


def test_scans_become_pages_in_the_order_of_their_numbers(target, tmp_path):
    for name, colour in (("Neon 10.jpg", "black"), ("Neon 2.png", "white")):
        Image.new("RGB", (300, 200), colour).save(tmp_path / name)
    assert import_any([tmp_path / "Neon 10.jpg", tmp_path / "Neon 2.png"], target).folders == ("Neon",)
    folder = target.folder("Neon")
    first, second = (Image.open(folder.file(name)).convert("L").getpixel((0, 0)) for name in folder.pages())
    assert (first, second) == (255, 0)


def test_a_photograph_is_turned_upright(target, tmp_path):
    turned = Image.Exif()
    turned[0x0112] = 6
    Image.new("RGB", (300, 200)).save(tmp_path / "Neon.jpg", exif=turned)
    import_any(tmp_path / "Neon.jpg", target)
    assert picture_size(target.folder("Neon").bytes_of("content.png")) == (200, 300)


def test_all_pages_of_a_scan_in_one_tiff_file_are_imported_or_a_range_of_them(target, tmp_path):
    first, *others = (Image.new("L", (300, 200), grey) for grey in (10, 20, 30))
    first.save(tmp_path / "Tide.tiff", save_all=True, append_images=others)
    import_any(tmp_path / "Tide.tiff", target)
    assert target.folder("Tide").pages() == ("content_1.png", "content_2.png", "content_3.png")
    import_any(tmp_path / "Tide.tiff", target, pages="3", duplicates=DuplicateChoice.REPLACE)
    (page,) = target.folder("Tide").pages()
    assert Image.open(target.folder("Tide").file(page)).convert("L").getpixel((0, 0)) == 30


@pytest.mark.slow
def test_a_zip_file_of_pdfs_and_pictures_is_imported(target, tmp_path):
    pdf(tmp_path / "Tea.pdf")
    pdf(tmp_path / "Key.pdf", 2)
    names = {"hunt/Tea.pdf": "Tea.pdf", "hunt/solutions/Tea.pdf": "Key.pdf"}
    path = zipped(tmp_path / "hunt.zip", {name: (tmp_path / file).read_bytes() for name, file in names.items()})
    assert import_any(path, target).folders == ("Tea",)
    assert target.folder("Tea").figures() == ("figure_1.png", "figure_2.png")


# Puzzles that are there already --------------------------------------------------------------------------------------


def test_duplicates_are_skipped_by_name(puzzles, target):
    import_any(puzzles.path, target)
    before = contents(target)
    imported = import_any(puzzles.path, target, duplicates=DuplicateChoice.SKIP)
    assert imported.folders == ()
    assert left_out(imported)[0] == "set/Harbour_Clocks is skipped: it is in the set: same pages"
    assert contents(target) == before


def test_a_duplicate_takes_the_place_of_the_puzzle_which_stays_among_the_removed(puzzles, target, tmp_path):
    import_any(puzzles.path, target)
    path = zipped(tmp_path / "new.zip", {"harbour_clocks/metadata.json": "{}"})
    assert import_any(path, target, duplicates=DuplicateChoice.REPLACE).folders == ("Harbour_Clocks",)
    assert set(target.folder("Harbour_Clocks").files()) == {"metadata.json"}
    assert (target.own_folder / "removed" / "Harbour_Clocks.1" / "content.png").is_file()


def test_new_pages_leave_the_annotation_alone(puzzles, target):
    import_any(puzzles.path, target)
    before = contents(target)
    Image.new("RGB", (300, 200)).save(target.path / "Harbour Clocks.jpg")
    import_any(target.path / "Harbour Clocks.jpg", target, duplicates=DuplicateChoice.REPLACE)
    after = contents(target)
    changed = {name for name in before if before[name] != after.get(name)}
    assert changed == {"Harbour_Clocks/content.png"}


def test_a_place_that_is_taken_since_the_decision_is_left_alone(puzzles, target, tmp_path):
    order = decide_import([puzzles.path], target.path)
    (target.path / "harbour_clocks").mkdir()
    (target.path / "harbour_clocks" / "metadata.json").write_text("{}")
    imported = carry_out(order)
    assert imported.folders == ("Supper_Without_a_Lamp",)
    assert "by now, there is a folder Harbour_Clocks" in left_out(imported)[0]


# Sets ----------------------------------------------------------------------------------------------------------------


@pytest.fixture
def own_sets():
    yield
    for name in known_sets():
        forget_set(name)


def test_a_new_set_is_added_with_its_puzzles(puzzles, tmp_path, own_sets):
    order = replace(decide_import([puzzles.path], tmp_path / "a" / "copy"), adds_set=True)
    assert carry_out(order).set_name == "copy"
    assert known_sets()["copy"] == tmp_path / "a" / "copy"


@pytest.mark.slow
def test_an_import_without_a_puzzle_leaves_no_set_and_no_folder(tmp_path, own_sets):
    (tmp_path / "Neon.pdf").write_bytes(b"%PDF-1.7 nonsense")
    puzzle = survey([pdf(tmp_path / "Oak.pdf")]).puzzles[0]
    (tmp_path / "Oak.pdf").write_bytes(b"%PDF-1.7 nonsense")
    imported = carry_out(ImportOrder((ImportStep(puzzle, "Oak"),), tmp_path / "a" / "copy", adds_set=True))
    assert imported.folders == ()
    assert left_out(imported)[0].startswith("Oak.pdf was left out: Oak.pdf cannot be read")
    assert not (tmp_path / "a").exists()
    assert known_sets() == {}


def test_an_import_that_is_stopped_before_its_first_puzzle_leaves_nothing(puzzles, tmp_path, own_sets):
    def stop(done, total, text=""):
        raise Cancelled

    order = replace(decide_import([puzzles.path], tmp_path / "copy"), adds_set=True)
    with pytest.raises(Cancelled):
        carry_out(order, stop)
    assert not (tmp_path / "copy").exists()
    assert known_sets() == {}


def test_a_disk_that_is_full_names_each_puzzle_that_was_not_saved(puzzles, tmp_path, own_sets, monkeypatch):
    from spatial_workbench.engine.puzzles.sets import importing
    from spatial_workbench.engine.puzzles.sets.storing import SaveFailed

    def full(*_):
        raise SaveFailed("the disk is full")

    monkeypatch.setattr(importing, "save", full)
    imported = import_any(puzzles.path, PuzzleSet(tmp_path / "copy"))
    assert len(imported.left_out) == 2
    assert not (tmp_path / "copy").exists()
