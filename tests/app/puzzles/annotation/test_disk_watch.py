"""Changes by other programs."""

import pytest
from PySide6.QtWidgets import QVBoxLayout, QWidget

from spatial_workbench.app.puzzles.annotation.banner import Banner
from spatial_workbench.app.puzzles.annotation.disk_watch import DiskWatch
from spatial_workbench.app.puzzles.annotation.saving import AnnotationSaving
from spatial_workbench.engine.puzzles.puzzle import Puzzle, PuzzleStep, write_metadata
from spatial_workbench.engine.puzzles.sets.storing import Change, save
from tests.app.puzzles.annotation.conftest import NAME, metadata, saved


@pytest.mark.slow
def test_a_change_by_another_program_is_told_and_either_version_can_be_kept(note, puzzles, qtbot):
    def change(title):
        data = write_metadata(Puzzle(title=title, solution="X", reasoning=(PuzzleStep("theirs"),)))
        save(puzzles, NAME, Change(writes={"metadata.json": data.encode()}))

    change("Theirs")
    note.watch.look()
    qtbot.waitUntil(lambda: note.banner.isVisible())
    note.banner.buttons[0].click()
    qtbot.waitUntil(lambda: note.is_idle)
    assert note.edited.annotation.puzzle.title == "Theirs"
    note.side.fields.difficulty["hard"].click()
    change("Theirs again")
    note.saving.save()
    qtbot.waitUntil(lambda: note.banner.isVisible())
    assert metadata(puzzles)["title"] == "Theirs again"
    note.banner.buttons[1].click()
    qtbot.waitUntil(lambda: note.is_idle)
    saved(note, qtbot)
    assert metadata(puzzles)["title"] == "Theirs"


@pytest.mark.parametrize("is_saving", [False, True])
def test_what_the_page_itself_is_writing_is_no_change_by_another_program(qtbot, edited, lane, is_saving):
    page = QWidget()
    qtbot.addWidget(page)
    banner = Banner()
    QVBoxLayout(page).addWidget(banner)
    page.show()
    saving = AnnotationSaving(edited, lane)
    watch = DiskWatch(page, edited, lane, saving, banner)
    watch.look()
    saving.is_running = is_saving
    lane.jobs[0].done((("metadata.json", 1, 1),))
    assert banner.isVisible() is not is_saving
