"""On the smallest window that is supported, every text on every page can be read."""

import pytest

from tests.texts import cut_texts
from tools.studio.screenshots import WindowStage

PAGES = ("catalogue", "runs", "results", "disagreements", "batches", "new-batch", "settings", "models")


@pytest.mark.parametrize("page", PAGES)
def test_no_text_of_a_page_is_cut(qapp, qtbot, tmp_path, page):
    stage = WindowStage(qapp, tmp_path, (1280, 720), "light")
    try:
        assert cut_texts(stage.show(page)) == []
    finally:
        stage.close()
