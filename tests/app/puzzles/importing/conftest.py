"""An import dialog over a set of two puzzles."""

import pytest

from spatial_workbench.app.puzzles.importing.dialog import ImportDialog
from spatial_workbench.app.puzzles.importing.sources import PastedPictures
from spatial_workbench.app.puzzles.set_work import SetEntry


@pytest.fixture
def dialog(puzzles, tmp_path, qtbot):
    pictures = PastedPictures()
    sets = [SetEntry("originals", tmp_path, is_read_only=True), SetEntry("hunt", puzzles.path)]
    made = ImportDialog(sets, "hunt", tmp_path / "home", pictures)
    qtbot.addWidget(made)
    made.show()
    yield made
    made.done(0)
    pictures.close()


@pytest.fixture
def add(dialog, qtbot):
    """Adds files to the dialog and waits until they are shown."""

    def added(*paths):
        dialog.add(paths)
        qtbot.waitUntil(lambda: dialog.is_idle)

    return added
