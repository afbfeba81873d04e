"""The fields of a puzzle as a whole."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint

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


def height(note, field):
    return field.mapTo(note, QPoint()).y()


@pytest.mark.slow
def test_a_field_stays_in_its_place_while_findings_above_it_come_and_go(note, qtbot):
    fields = note.side.fields
    note.window().resize(1200, 500)
    note.side.above.setCurrentWidget(fields)
    fields.focus_field("source")
    qtbot.wait(20)
    before = height(note, fields.texts["source"])
    text = fields.texts["solution"].text()
    for changed in ("", text):
        fields.texts["solution"].setText(changed)
        fields.texts["solution"].textEdited.emit(changed)
        qtbot.waitUntil(lambda: note.is_idle)
        assert bool(fields.marks["solution"].problems) == (not changed)
        assert height(note, fields.texts["source"]) == before


def test_fields_below_a_solved_problem_stay_where_the_hand_goes_next(note, qtbot):
    fields = note.side.fields
    note.side.above.setCurrentWidget(fields)

    def type_solution(text):
        fields.texts["solution"].setText(text)
        fields.texts["solution"].textEdited.emit(text)
        qtbot.waitUntil(lambda: note.is_idle)
        qtbot.wait(20)

    solution = fields.texts["solution"].text()
    type_solution("")
    assert fields.marks["solution"].problems
    before = height(note, fields.texts["source"])
    type_solution(solution)
    assert not fields.marks["solution"].problems
    assert height(note, fields.texts["source"]) == before
    type_solution("")
    assert height(note, fields.texts["source"]) == before


def test_the_cursor_stays_in_the_text_that_is_undone(note):
    field = note.side.fields.texts["flavor_text"]
    field.setPlainText("two words")
    cursor = field.textCursor()
    cursor.setPosition(3)
    field.setTextCursor(cursor)
    note.side.fields.show_puzzle(replace(note.edited.puzzle, flavor_text="two more words"))
    assert field.textCursor().position() == 3
