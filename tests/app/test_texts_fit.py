"""On the smallest window that is supported, every page can be read and scrolled, and none widens the window."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox

from tests.texts import cut_texts
from tools.studio.screenshots import WindowStage

PAGES = ("catalogue", "runs", "results", "disagreements", "batches", "new-batch", "settings", "models")
OTHERS = ("compare-texts", "puzzles", "puzzle-annotation", "studies", "study-progress", "study-outcomes")
SIZE = (1280, 720)


@pytest.fixture
def stage(qapp, qtbot, tmp_path):
    stage = WindowStage(qapp, tmp_path, SIZE, "light")
    yield stage
    stage.close()


@pytest.mark.parametrize("page", PAGES)
def test_no_text_of_a_page_is_cut(stage, page):
    shown = stage.show(page)
    assert cut_texts(shown) == []
    assert shown.width() <= SIZE[0]


@pytest.mark.slow
@pytest.mark.parametrize("page", OTHERS)
def test_no_other_page_widens_the_window(stage, page):
    assert stage.show(page).width() <= SIZE[0]


@pytest.mark.slow
@pytest.mark.parametrize("page", [*PAGES, *OTHERS])
def test_no_field_of_a_page_takes_the_focus_by_the_wheel(stage, page):
    shown = stage.show(page)
    fields = [*shown.findChildren(QComboBox), *shown.findChildren(QAbstractSpinBox)]
    taking = [field for field in fields if field.focusPolicy() == Qt.FocusPolicy.WheelFocus]
    assert [(field.accessibleName(), field.parent()) for field in taking] == []
