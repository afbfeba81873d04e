"""A window with the Puzzles page, and a set of puzzles in the test's folder."""

import pytest

from spatial_workbench.engine.puzzles.sets.folders import PuzzleSet
from spatial_workbench.engine.puzzles.sets.known_sets import add_set, forget_set, known_sets
from spatial_workbench.engine.puzzles.sets.originals import originals
from spatial_workbench.engine.puzzles.sets.storing import Change, save


@pytest.fixture
def puzzles(tmp_path):
    """A set with two of the original puzzles, added to the list of sets."""
    chosen = PuzzleSet(tmp_path / "hunt")
    chosen.path.mkdir()
    for puzzle in originals()[:2]:
        save(chosen, puzzle.folder, Change(writes=puzzle.files()))
    add_set(chosen.path)
    yield chosen
    for name in known_sets():
        forget_set(name)


@pytest.fixture
def page(window, puzzles, qtbot):
    """The Puzzles page with the set in front."""
    return open_sets(window, qtbot)


def open_sets(window, qtbot):
    """Opens the Puzzles page of a window, with the set in front."""
    page = window.puzzle_pages.show_sets()
    page.load_sets("hunt")
    return settled(page, qtbot)


def settled(page, qtbot):
    """Waits until everything requested is shown."""
    qtbot.waitUntil(lambda: page.is_idle)
    return page


def titles(page):
    """What is listed of the puzzles' titles, in order."""
    return [page.puzzles.filter.index(i, 0).data() for i in range(page.puzzles.filter.rowCount())]


def dialog_of(page, kind, qtbot):
    """Waits for a dialog of a page."""
    qtbot.waitUntil(lambda: any(d.isVisible() for d in page.findChildren(kind)))
    return next(d for d in page.findChildren(kind) if d.isVisible())
