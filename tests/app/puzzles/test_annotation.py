"""The annotation page: steps, fields, figures, history, saving, recovery."""

import json
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor

from spatial_workbench.app.puzzles.annotation import work
from spatial_workbench.engine.puzzles.annotation.layers import Arrow, GridOverlay
from spatial_workbench.engine.puzzles.puzzle import Puzzle, PuzzleStep, write_metadata
from spatial_workbench.engine.puzzles.sets.side_files import drop, kept
from spatial_workbench.engine.puzzles.sets.storing import Change, SaveFailed, save

NAME = "Harbour_Clocks"
CONTROL = Qt.KeyboardModifier.ControlModifier
ALT = Qt.KeyboardModifier.AltModifier


@pytest.fixture
def open_note(window, page, puzzles, qtbot):
    """Opens the annotation of a puzzle and waits for it."""

    def open_(folder=NAME):
        note = window.puzzle_pages.annotate(page.entry, folder)
        qtbot.waitUntil(lambda: note.is_idle)
        return note

    yield open_
    drop(puzzles.path, NAME)


@pytest.fixture
def note(open_note):
    return open_note()


def metadata(puzzles, folder=NAME):
    return json.loads(puzzles.folder(folder).bytes_of("metadata.json"))


def saved(note, qtbot):
    note.saving.save()
    qtbot.waitUntil(lambda: note.is_idle)


def texts(note):
    return [step.explanation for step in note.edited.annotation.puzzle.reasoning]


def draw(note, *shapes):
    """Replaces the sketch of the page in front."""
    desk = note.pad.desk
    desk.put("draw", desk.current.model_copy(update={"shapes": shapes}))


def put_cursor(note, index, place):
    cursor = note.steps.cards[index].text.textCursor()
    cursor.setPosition(place)
    note.steps.cards[index].text.setTextCursor(cursor)


def test_a_letter_and_a_colon_choose_the_action(note, qtbot):
    note.steps.focus_step(0)
    note.steps.new_step(0)
    qtbot.keyClicks(note.steps.cards[1].text, "s: trace the wall")
    assert texts(note)[1] == "Sketching: trace the wall"
    assert note.steps.cards[1].action.currentText() == "Sketching"
    assert note.steps.cards[1].words.text() == "4 words"


def test_an_action_that_is_chosen_takes_the_place_of_the_one_before(note):
    card = note.steps.cards[1]
    card.action.setCurrentIndex(3)
    card.action.activated.emit(3)
    assert texts(note)[1].startswith("Manipulation: read each dial")


def test_keys_make_move_split_and_merge_steps(note, qtbot):
    before = texts(note)
    first = note.steps.cards[0].text
    qtbot.keyClick(first, Qt.Key.Key_Down, ALT)
    assert texts(note)[:2] == [before[1], before[0]]
    qtbot.keyClick(note.steps.cards[1].text, Qt.Key.Key_Up, ALT)
    assert texts(note) == before
    qtbot.keyClick(note.steps.cards[0].text, Qt.Key.Key_Return, CONTROL)
    assert texts(note)[1] == ""
    assert note.steps.current == 1
    note.undo_stack.undo()
    put_cursor(note, 0, len("every dial has two equal hands"))
    note.steps.split(0)
    assert texts(note)[0] == "Pattern discovery: every dial has two equal hands"
    assert texts(note)[1].startswith("Pattern discovery: that point only")
    note.steps.merge(0)
    assert texts(note) == before


def test_a_step_is_dragged_to_another_place(note):
    before = texts(note)
    card = note.steps.cards[0]
    last = note.steps.cards[-1]
    height = last.mapToGlobal(last.rect().bottomLeft()).y()
    card.number.dragged.emit(height)
    card.number.dropped.emit(height)
    assert texts(note) == [*before[1:], before[0]]


def test_everything_is_undone_and_redone(window, note, qtbot):
    before = note.edited.annotation.puzzle
    note.steps.delete(0)
    note.fields.difficulty["hard"].click()
    note.fields.tags["skills", "logic"].click()
    qtbot.keyClicks(note.fields.texts["title"], "X")
    draw(note, Arrow(start=(1, 1), end=(50, 50)))
    after = note.edited.annotation.puzzle
    for _ in range(5):
        window.undo_group.undo_action.trigger()
    assert note.edited.annotation.puzzle == before
    assert not note.pad.pages.layers()
    for _ in range(5):
        window.undo_group.redo_action.trigger()
    assert note.edited.annotation.puzzle == after
    assert note.pad.pages.layers()


def test_the_history_is_200_deep(note):
    for i in range(220):
        note.fields.changed.emit(replace(note.edited.annotation.puzzle, title=f"t{i}"), "title", "")
    assert note.undo_stack.count() == 200


def test_the_undo_key_in_a_field_reaches_the_pages_history(window, note, qtbot):
    before = note.edited.annotation.puzzle
    text = note.steps.cards[0].text
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    text.setFocus()
    qtbot.keyClicks(text, "abc")
    assert note.edited.annotation.puzzle != before
    qtbot.keyClick(text, Qt.Key.Key_Z, CONTROL)
    assert note.edited.annotation.puzzle == before


def test_findings_stand_at_their_fields_and_in_the_panel(note, qtbot):
    note.fields.texts["solution"].setText("")
    note.fields.texts["solution"].textEdited.emit("")
    note.steps.new_step(3)
    qtbot.waitUntil(lambda: note.is_idle)
    assert [f.code for f in note.fields.marks["solution"].problems] == ["P_SOLUTION"]
    assert "P_STEPS" in [f.code for f in note.steps.cards[4].marks.problems]
    assert "2 errors" in note.below.tabText(0)
    assert (note.above.tabText(0), note.above.tabText(1)) == ("Steps · 1 error", "Puzzle · 1 error")
    note.panel.itemClicked.emit(note.panel.item(0))
    assert note.above.currentWidget() is note.fields


def test_tags_are_suggested_but_never_set(note, qtbot):
    note.fields.tags["skills", "spatial"].setChecked(False)
    note.steps.new_step(0)
    qtbot.keyClicks(note.steps.cards[1].text, "s: trace it")
    grid = GridOverlay(corner=(0, 0), right=(10, 0), below=(0, 10))
    note.pad.desk.put("grid", note.pad.desk.current.model_copy(update={"grid": grid}))
    qtbot.waitUntil(lambda: note.is_idle)
    assert set(note.fields.suggestions()) == {"spatial", "structured"}
    assert "spatial" not in note.edited.annotation.puzzle.skills
    note.fields._suggested["spatial"].click()
    assert "spatial" in note.edited.annotation.puzzle.skills


def test_a_save_writes_the_annotation_and_keeps_unknown_fields(note, puzzles, qtbot):
    note.fields.difficulty["hard"].click()
    saved(note, qtbot)
    assert metadata(puzzles)["difficulty"] == "hard"
    assert note.state.text() == "Saved"


def test_a_sketch_becomes_the_figure_of_the_step_and_opens_again(note, puzzles, qtbot):
    note.steps.current = 0
    draw(note, Arrow(start=(9, 9), end=(99, 99)))
    note.pad.figure_wanted.emit(note.pad.desk.current)
    qtbot.waitUntil(lambda: note.is_idle)
    steps = metadata(puzzles)["reasoning"]
    assert [step.get("figure") for step in steps[:2]] == ["figure_1.png", "figure_2.png"]
    assert (puzzles.path / NAME / "layers" / "figure_1.json").is_file()
    assert not note.edited.is_dirty
    note.pad.desk.clear_page()
    note.figures.open_figure(0)
    qtbot.waitUntil(lambda: note.is_idle)
    assert len(note.pad.desk.current.shapes) == 1


def test_a_figure_without_a_layer_opens_flat(note, puzzles, qtbot):
    save(puzzles, NAME, Change(removals=["layers/figure_1.json"]))
    note.figures.open_figure(1)
    qtbot.waitUntil(lambda: note.is_idle)
    assert note.flat_bar.isVisible()
    note.figures.close_flat()
    assert not note.flat_bar.isVisible()


def test_deleting_a_step_with_a_figure_is_undone_after_saving_too(note, puzzles, qtbot):
    before = puzzles.folder(NAME).bytes_of("figure_1.png")
    note.steps.delete(1)
    saved(note, qtbot)
    assert puzzles.folder(NAME).figures() == ()
    note.undo_stack.undo()
    saved(note, qtbot)
    assert puzzles.folder(NAME).bytes_of("figure_1.png") == before


def test_what_is_not_saved_is_offered_after_the_page_was_closed(window, note, open_note, puzzles, qtbot):
    note.fields.difficulty["hard"].click()
    draw(note, Arrow(start=(9, 9), end=(99, 99)))
    window.pages.close(note)
    qtbot.waitUntil(lambda: kept(puzzles.path, NAME) is not None)
    again = open_note()
    assert again.edited.annotation.puzzle.difficulty == "easy"
    assert "not saved" in again.banner.text.text()
    again.banner.buttons[0].click()
    assert again.edited.annotation.puzzle.difficulty == "hard"
    assert len(again.pad.pages.layers()) == 1
    again.pad.desk.clear_page()
    saved(again, qtbot)
    assert kept(puzzles.path, NAME) is None


def test_a_restored_step_has_its_own_figure_though_saving_renumbered_the_files(window, note, open_note, puzzles, qtbot):
    note.steps.current = 2
    draw(note, Arrow(start=(9, 9), end=(99, 99)))
    note.pad.figure_wanted.emit(note.pad.desk.current)
    qtbot.waitUntil(lambda: note.is_idle)
    note.steps.move_step(2, 0)
    saved(note, qtbot)
    before = {i: puzzles.folder(NAME).bytes_of(f"figure_{i}.png") for i in (1, 2)}
    note.fields.difficulty["hard"].click()
    window.pages.close(note)
    qtbot.waitUntil(lambda: kept(puzzles.path, NAME) is not None)
    again = open_note()
    again.banner.buttons[0].click()
    saved(again, qtbot)
    assert metadata(puzzles)["difficulty"] == "hard"
    assert {i: puzzles.folder(NAME).bytes_of(f"figure_{i}.png") for i in (1, 2)} == before
    steps = metadata(puzzles)["reasoning"]
    assert [step["figure"] for step in steps if "figure" in step] == ["figure_1.png", "figure_2.png"]


def test_saving_while_a_save_is_under_way_saves_the_rest_as_well(note, puzzles, qtbot):
    note.fields.difficulty["hard"].click()
    note.saving.save()
    note.fields.difficulty["medium"].click()
    note.saving.save()
    qtbot.waitUntil(lambda: note.is_idle)
    assert metadata(puzzles)["difficulty"] == "medium"


def test_what_is_not_wanted_is_dropped(window, note, open_note, puzzles, qtbot):
    note.fields.difficulty["hard"].click()
    note.recovery.keep()
    qtbot.waitUntil(lambda: note.is_idle)
    note.undo_stack.undo()
    window.pages.close(note)
    again = open_note()
    again.banner.buttons[1].click()
    qtbot.waitUntil(lambda: again.is_idle)
    assert kept(puzzles.path, NAME) is None


def test_another_tab_in_front_keeps_what_was_typed(window, note, puzzles, qtbot):
    note.fields.difficulty["hard"].click()
    window.puzzle_pages.show_sets()
    qtbot.waitUntil(lambda: kept(puzzles.path, NAME) is not None)


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
    note.fields.difficulty["hard"].click()
    change("Theirs again")
    note.saving.save()
    qtbot.waitUntil(lambda: note.banner.isVisible())
    assert metadata(puzzles)["title"] == "Theirs again"
    note.banner.buttons[1].click()
    qtbot.waitUntil(lambda: note.is_idle)
    saved(note, qtbot)
    assert metadata(puzzles)["title"] == "Theirs"


def test_a_full_disk_leaves_what_was_typed_in_the_side_file_and_says_where(tmp_path, puzzles, monkeypatch):
    def full(*_):
        raise SaveFailed("Harbour_Clocks could not be saved: No space left on device")

    monkeypatch.setattr(work, "save_annotation", full)
    opened = work.open_puzzle(puzzles.path, NAME, False)
    changed = replace(opened.annotation, puzzle=replace(opened.annotation.puzzle, title="Typed"))
    outcome = work.save(puzzles.path, NAME, changed, ())
    assert "No space left" in outcome.trouble
    assert outcome.kept_at.is_file()
    assert kept(puzzles.path, NAME).annotation.puzzle.title == "Typed"
    drop(puzzles.path, NAME)


def test_the_page_says_where_a_failed_save_is_kept(note, tmp_path):
    note.saving.refused.emit(work.SaveOutcome(trouble="No space left", kept_at=tmp_path / "side.json"))
    assert str(tmp_path / "side.json") in note.banner.text.text()


def test_an_original_can_be_looked_at_but_not_changed(window, page, qtbot):
    page.load_sets("originals")
    qtbot.waitUntil(lambda: page.is_idle and page.entry.is_read_only)
    note = window.puzzle_pages.annotate(page.entry, NAME)
    qtbot.waitUntil(lambda: note.is_idle)
    note.steps.delete(0)
    assert len(note.edited.annotation.puzzle.reasoning) == 4
    assert not note.save_button.isEnabled()
    assert note.state.text() == "Read-only"


def test_a_puzzle_without_a_page_offers_to_add_one(note, open_note, puzzles, page, tmp_path, qtbot):
    from PIL import Image

    Image.new("RGB", (300, 240), "white").save(tmp_path / "page.png")
    save(puzzles, "Bare", Change(writes={"metadata.json": write_metadata(Puzzle("Bare")).encode()}))
    bare = open_note("Bare")
    assert bare.left.currentWidget() is bare.no_page
    bare.add_pages((tmp_path / "page.png",))
    qtbot.waitUntil(lambda: bare.is_idle)
    assert bare.left.currentWidget() is bare.pad


def test_a_puzzle_with_too_many_steps_is_refused_by_name(open_note, puzzles):
    many = Puzzle("Many", reasoning=tuple(PuzzleStep("x") for _ in range(201)))
    save(puzzles, NAME, Change(writes={"metadata.json": write_metadata(many).encode()}))
    note = open_note()
    assert note.empty.text.text() == "Harbour_Clocks: reasoning has 201 steps; up to 200 can be edited here"


@pytest.mark.parametrize("figure", ["../../secret.png", "/etc/passwd"])
def test_a_figure_outside_the_folder_is_marked_and_not_opened(open_note, puzzles, qtbot, figure):
    puzzle = Puzzle("Harbour Clocks", reasoning=(PuzzleStep("Extraction: read it all at once", figure),))
    save(puzzles, NAME, Change(writes={"metadata.json": write_metadata(puzzle).encode()}))
    note = open_note()
    assert "P_FIGURE" in [f.code for f in note.steps.cards[0].marks.problems]
    note.figures.open_figure(0)
    qtbot.waitUntil(lambda: note.is_idle)
    assert "not the name of a file in the folder" in note.window().statusBar().currentMessage()


def test_a_value_of_a_wrong_type_stays_until_another_is_given(open_note, puzzles, qtbot):
    save(puzzles, NAME, Change(writes={"metadata.json": b'{"title": "T", "solution": 5, "odd": [1]}'}))
    note = open_note()
    assert "P_JSON" in [f.code for f in note.fields.marks["solution"].problems]
    note.fields.difficulty["easy"].click()
    saved(note, qtbot)
    assert metadata(puzzles)["solution"] == 5
    qtbot.keyClicks(note.fields.texts["solution"], "ANCHOR")
    qtbot.waitUntil(lambda: note.is_idle)
    assert "P_JSON" not in [f.code for f in note.fields.marks["solution"].problems]
    saved(note, qtbot)
    assert metadata(puzzles)["solution"] == "ANCHOR"
    assert metadata(puzzles)["odd"] == [1]


def test_aids_decode_live_and_insert_into_the_step(note, qtbot):
    note.below.setCurrentIndex(1)
    note.aids.text.setText("silent")
    assert note.aids.results["A1Z26"].text() == "19 9 12 5 14 20"
    qtbot.waitUntil(lambda: "LISTEN" in note.aids.results["Anagrams"].text())
    note.aids.other.setText("enlist")
    assert note.aids.results["Compared"].text() == "the same letters"
    note.steps.focus_step(2)
    note.steps.cards[2].text.moveCursor(QTextCursor.MoveOperation.End)
    note.aids._buttons["Reversed"].click()
    assert texts(note)[2].endswith("tnelis")
