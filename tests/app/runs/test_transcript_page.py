"""The transcript of an attempt: steps that fold, a search, and what stays when it grows."""

import pytest

from spatial_workbench.app.attempts.transcript_page import TranscriptPage, summary
from spatial_workbench.engine.core.formats.png import png
from spatial_workbench.engine.evaluation.transcripts import PartKind, TranscriptPart, TranscriptStep

numpy = pytest.importorskip("numpy")
PICTURE = png(numpy.zeros((4, 4, 4), numpy.uint8))


def call(name, result, **more):
    return (TranscriptPart(PartKind.CALL, "{}", name), TranscriptPart(PartKind.RESULT, result, name, **more))


FIRST = TranscriptStep(
    (TranscriptPart(PartKind.TOLD, "Pack."), *call("place", "Done."), *call("place", "Done.")), seconds=3
)
SECOND = TranscriptStep(call("look", "See the picture.", pictures=(PICTURE,)), tokens_out=1200)


@pytest.fixture
def page(qtbot):
    page = TranscriptPage()
    qtbot.addWidget(page)
    page.resize(560, 480)
    page.show_steps([FIRST, SECOND])
    with qtbot.waitExposed(page):
        page.show()
    return page


def shown_rows(page):
    root = page.tree.invisibleRootItem()
    return [root.child(k).text(0) for k in range(root.childCount()) if not root.child(k).isHidden()]


def test_a_step_is_named_by_what_it_called(page):
    assert shown_rows(page) == ["1. place × 2", "2. look"]
    assert page.tree.topLevelItem(1).text(2) == "1,200"


def test_a_step_without_calls_is_named_by_its_reply():
    assert summary(TranscriptStep((TranscriptPart(PartKind.REPLY, "\nI give up.\nReally."),))) == "I give up."


def test_the_selected_part_is_shown_as_a_whole_with_its_picture(page):
    page.tree.setCurrentItem(page.tree.topLevelItem(1).child(1))
    assert page.text.text.toPlainText() == "See the picture."
    assert page.picture.isVisible()


def test_a_search_shows_the_steps_with_hits_and_counts_them(qtbot, page):
    qtbot.keyClicks(page.search, "DONE")
    assert shown_rows(page) == ["1. place × 2"]
    assert page.found.text() == "2 hits"
    page.search.clear()
    assert len(shown_rows(page)) == 2


def test_what_is_selected_and_folded_stays_when_the_run_goes_on(page):
    page.fold.click()
    page.tree.setCurrentItem(page.tree.topLevelItem(0))
    page.show_steps([FIRST, SECOND, FIRST])
    assert page.tree.topLevelItemCount() == 3
    assert page.tree.currentItem() is page.tree.topLevelItem(0)
    assert not page.tree.topLevelItem(1).isExpanded()
