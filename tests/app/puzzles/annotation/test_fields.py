"""The fields of a puzzle as a whole."""

from spatial_workbench.engine.puzzles.annotation.layers import GridOverlay


def test_tags_are_suggested_but_never_set(note, qtbot):
    note.side.fields.tags["skills", "spatial"].setChecked(False)
    note.side.steps.new_step(0)
    qtbot.keyClicks(note.side.steps.cards[1].text, "s: trace it")
    grid = GridOverlay(corner=(0, 0), right=(10, 0), below=(0, 10))
    note.pad.desk.put("grid", note.pad.desk.current.model_copy(update={"grid": grid}))
    qtbot.waitUntil(lambda: note.is_idle)
    assert set(note.side.fields.suggestions()) == {"spatial", "structured"}
    assert "spatial" not in note.edited.annotation.puzzle.skills
    note.side.fields._suggested["spatial"].click()
    assert "spatial" in note.edited.annotation.puzzle.skills
