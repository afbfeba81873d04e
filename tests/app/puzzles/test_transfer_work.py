"""What an import leaves where it fails, is stopped, or brings nothing: nothing empty."""

from contextlib import suppress

import pytest

from spatial_workbench.app.puzzles.transfer_work import ImportOrder, preview, run_import
from spatial_workbench.engine.core.progress import Cancelled
from spatial_workbench.engine.puzzles.sets.folders import SetError
from spatial_workbench.engine.puzzles.sets.importing import PdfMatch
from spatial_workbench.engine.puzzles.sets.known_sets import known_sets
from tests.puzzles.sets.test_importing import pdf


def paths():
    return set(known_sets().values())


def test_a_new_set_is_added_with_its_puzzles(puzzles, tmp_path):
    target = tmp_path / "copy"
    assert len(run_import(ImportOrder(puzzles.path, target, is_new=True)).folders) == 2
    assert target in paths()


def test_an_unreadable_pdf_leaves_no_set_and_no_folder(tmp_path):
    (tmp_path / "Neon.pdf").write_bytes(b"%PDF-1.7 nonsense")
    target = tmp_path / "copy"
    order = ImportOrder(tmp_path / "Neon.pdf", target, (PdfMatch(tmp_path / "Neon.pdf"),), is_new=True)
    with suppress(SetError):
        run_import(order)
    assert not target.exists()
    assert target not in paths()


def test_an_import_that_is_stopped_before_its_first_puzzle_leaves_nothing(puzzles, tmp_path):
    def stop(done, total, text=""):
        raise Cancelled

    target = tmp_path / "copy"
    with pytest.raises(Cancelled):
        run_import(ImportOrder(puzzles.path, target, is_new=True), stop)
    assert not target.exists()
    assert target not in paths()


def test_puzzles_in_folders_beside_pdfs_come_along_and_are_told_before(puzzles, tmp_path):
    pdf(puzzles.path / "Neon.PDF")
    shown = preview(puzzles.path)
    assert shown.words == "1 puzzle · with 2 puzzles in folders beside them"
    imported = run_import(ImportOrder(puzzles.path, tmp_path / "copy", shown.matches, is_new=True))
    assert imported.folders == ("Neon", "Harbour_Clocks", "Supper_Without_a_Lamp")
