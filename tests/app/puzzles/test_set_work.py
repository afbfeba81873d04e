"""Sets that are damaged or hostile are listed with what is wrong."""

import os

import pytest
from PIL import Image

from spatial_workbench.app.puzzles import set_work as work
from spatial_workbench.engine.puzzles.sets.pages import png_of
from spatial_workbench.engine.puzzles.sets.storing import Change, save
from tests.app.puzzles.conftest import settled


def test_metadata_of_a_hundred_megabytes_is_refused_by_size(page, puzzles, qtbot):
    with (puzzles.path / "Harbour_Clocks" / "metadata.json").open("wb") as file:
        file.truncate(100_000_000)
    page.reload()
    settled(page, qtbot)
    assert page.puzzles.filter.index(0, 1).data() == "unreadable"
    assert "Harbour_Clocks: metadata.json has 100 MB" in page.puzzles.model.rows[0].trouble


def test_a_page_of_a_hundred_thousand_pixels_a_side_is_an_error_of_its_puzzle(page, puzzles, qtbot):
    raw = bytearray(png_of(Image.new("RGB", (300, 300))))
    raw[16:24] = (100_000).to_bytes(4, "big") * 2
    save(puzzles, "Harbour_Clocks", Change(writes={"content.png": bytes(raw)}))
    page.reload()
    settled(page, qtbot)
    assert page.puzzles.model.rows[0].errors == 1


@pytest.mark.parametrize("metadata", [b'{"title": 5, "reasoning": "x", "skills": [1]}', b"[]", b"\xff", b"[" * 100_000])
def test_wrong_types_are_listed_as_errors(page, puzzles, qtbot, metadata):
    save(puzzles, "Harbour_Clocks", Change(writes={"metadata.json": metadata}))
    page.reload()
    settled(page, qtbot)
    assert page.puzzles.model.rows[0].errors >= 1
    assert len(page.puzzles.model.rows) == 2


def test_two_folders_that_differ_by_case_are_both_named(page, puzzles, qtbot):
    twin = puzzles.path / "harbour_clocks"
    twin.mkdir()
    (twin / "metadata.json").write_text("{}")
    page.reload()
    settled(page, qtbot)
    assert "Harbour_Clocks" in page.puzzles.empty.text.text()
    assert "harbour_clocks" in page.puzzles.empty.text.text()


def test_links_that_lead_outside_are_not_followed(page, puzzles, tmp_path, qtbot):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "metadata.json").write_text('{"title": "Secret"}')
    (puzzles.path / "Linked").symlink_to(outside)
    os.remove(puzzles.path / "Harbour_Clocks" / "metadata.json")
    (puzzles.path / "Harbour_Clocks" / "metadata.json").symlink_to(outside / "metadata.json")
    page.reload()
    settled(page, qtbot)
    assert "Secret" not in str(page.puzzles.model.rows)
    assert "links are not followed" in page.puzzles.model.rows[0].trouble


def damage(puzzles, name, place):
    """Changes some bytes of a page in the middle, or cuts off its end."""
    page = puzzles.folder(name).file("content.png")
    raw = page.read_bytes()
    page.write_bytes(raw[: len(raw) // 2] + (b"\xff" * 9 + raw[len(raw) // 2 + 9 :] if place == "middle" else b""))


@pytest.mark.parametrize(("place", "at_once"), [("middle", 0), ("end", 1)])
def test_a_large_set_is_listed_at_once_and_its_pictures_are_read_through_later(puzzles, monkeypatch, place, at_once):
    monkeypatch.setattr(work, "_SMALL_SET", 0)
    damage(puzzles, "Harbour_Clocks", place)
    quick = work.listing(puzzles.path, False)
    assert (quick.is_thorough, quick.rows[0].errors) == (False, at_once)
    thorough = work.listing(puzzles.path, False, True)
    assert (thorough.is_thorough, thorough.rows[0].errors) == (True, 1)


def test_a_picture_that_was_read_through_is_read_again_only_if_it_has_changed(puzzles, monkeypatch):
    work.listing(puzzles.path, False, True)
    read = []
    monkeypatch.setattr(work, "check_picture", lambda path, side: read.append(path.parent.name))
    work.listing(puzzles.path, False, True)
    assert read == []
    damage(puzzles, "Harbour_Clocks", "middle")
    work.listing(puzzles.path, False, True)
    assert read == ["Harbour_Clocks"]
