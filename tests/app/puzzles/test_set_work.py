"""Sets that are damaged or hostile are listed with what is wrong."""

import os

import pytest
from PIL import Image

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
