"""Saving an annotation."""

from spatial_workbench.app.puzzles.annotation import work
from tests.app.puzzles.annotation.conftest import metadata, saved


def test_a_save_writes_the_annotation_and_keeps_unknown_fields(note, puzzles, qtbot):
    note.side.fields.difficulty["hard"].click()
    saved(note, qtbot)
    assert metadata(puzzles)["difficulty"] == "hard"
    assert note.side.state.text() == "Saved"


def test_saving_while_a_save_is_under_way_saves_the_rest_as_well(note, puzzles, qtbot):
    note.side.fields.difficulty["hard"].click()
    note.saving.save()
    note.side.fields.difficulty["medium"].click()
    note.saving.save()
    qtbot.waitUntil(lambda: note.is_idle)
    assert metadata(puzzles)["difficulty"] == "medium"


def test_the_page_says_where_a_failed_save_is_kept(note, tmp_path):
    note.saving.refused.emit(work.SaveOutcome(trouble="No space left", kept_at=tmp_path / "side.json"))
    assert str(tmp_path / "side.json") in note.banner.text.text()
