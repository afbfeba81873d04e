"""What is wrong with a puzzle, shown at its fields."""

import pytest

from spatial_workbench.engine.puzzles.puzzle import Puzzle, PuzzleStep, write_metadata
from spatial_workbench.engine.puzzles.sets.storing import Change, save
from tests.app.puzzles.annotation.conftest import NAME, metadata, saved


@pytest.mark.slow
def test_findings_stand_at_their_fields_and_in_the_panel(note, qtbot):
    note.side.fields.texts["solution"].setText("")
    note.side.fields.texts["solution"].textEdited.emit("")
    note.side.steps.new_step(3)
    qtbot.waitUntil(lambda: note.is_idle)
    assert [f.code for f in note.side.fields.marks["solution"].problems] == ["P_SOLUTION"]
    assert "P_STEPS" in [f.code for f in note.side.steps.cards[4].marks.problems]
    assert "2 errors" in note.side.below.tabText(0)
    assert (note.side.above.tabText(0), note.side.above.tabText(1)) == ("Steps · 1 error", "Puzzle · 1 error")
    note.side.panel.itemClicked.emit(note.side.panel.item(0))
    assert note.side.above.currentWidget() is note.side.fields


@pytest.mark.slow
def test_a_value_of_a_wrong_type_stays_until_another_is_given(open_note, puzzles, qtbot):
    save(puzzles, NAME, Change(writes={"metadata.json": b'{"title": "T", "solution": 5, "odd": [1]}'}))
    note = open_note()
    assert "P_JSON" in [f.code for f in note.side.fields.marks["solution"].problems]
    note.side.fields.difficulty["easy"].click()
    saved(note, qtbot)
    assert metadata(puzzles)["solution"] == 5
    qtbot.keyClicks(note.side.fields.texts["solution"], "ANCHOR")
    qtbot.waitUntil(lambda: note.is_idle)
    assert "P_JSON" not in [f.code for f in note.side.fields.marks["solution"].problems]
    saved(note, qtbot)
    assert metadata(puzzles)["solution"] == "ANCHOR"
    assert metadata(puzzles)["odd"] == [1]


def test_what_saving_repairs_loses_its_error_at_once(open_note, puzzles, qtbot):
    old = b'{"title": "Harbour Clocks", "flavor text": "Ships", "solution": "ANCHOR"}'
    save(puzzles, NAME, Change(writes={"metadata.json": old}))
    note = open_note()
    assert "source is missing" in [f.message for f in note.checks.findings]
    note.side.fields.difficulty["easy"].click()
    saved(note, qtbot)
    assert [f.message for f in note.checks.findings if f.code == "P_JSON"] == []


@pytest.mark.slow
def test_a_figure_without_a_number_is_no_error_before_and_after_saving(open_note, puzzles, qtbot):
    puzzle = Puzzle("Harbour Clocks", reasoning=(PuzzleStep("Extraction: read it all at once", "figure.png"),))
    writes = {
        "metadata.json": write_metadata(puzzle).encode(),
        "figure.png": puzzles.folder(NAME).bytes_of("figure_1.png"),
    }
    save(puzzles, NAME, Change(writes=writes, removals=["figure_1.png", "layers/figure_1.json"]))
    note = open_note()
    assert "P_FIGURE" not in [f.code for f in note.checks.findings]
    note.side.fields.difficulty["easy"].click()
    saved(note, qtbot)
    assert metadata(puzzles)["reasoning"][0]["figure"] == "figure_1.png"
    assert "P_FIGURE" not in [f.code for f in note.checks.findings]
