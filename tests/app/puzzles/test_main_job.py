"""From the first look at a puzzle to the export of a set, with mouse and keys."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QAbstractButton

from spatial_workbench.app.puzzles.export_dialog import ExportDialog
from spatial_workbench.app.puzzles.review.decision_form import DecisionForm
from spatial_workbench.app.puzzles.review.difference_form import DisagreementForm
from spatial_workbench.app.puzzles.set_dialogs import NewPuzzleDialog
from spatial_workbench.engine.puzzles.annotation.layers import blank_page
from spatial_workbench.engine.puzzles.annotation.review import FlagKind, ReviewState
from spatial_workbench.engine.puzzles.sets.folders import PuzzleSet
from spatial_workbench.engine.puzzles.sets.known_sets import forget_set, known_sets
from spatial_workbench.engine.puzzles.sets.pages import png_of
from tests.app.conftest import open_instance
from tests.app.puzzles.conftest import dialog_of

CLEO = "Sketching: Cleo's words, which lead to a star."
LEFT = Qt.MouseButton.LeftButton


def drag(qtbot, view, start, end):
    qtbot.mousePress(view, LEFT, pos=QPoint(*start))
    qtbot.mouseMove(view, QPoint(*end))
    qtbot.mouseRelease(view, LEFT, pos=QPoint(*end))


@pytest.fixture
def own_sets():
    yield
    for name in known_sets():
        forget_set(name)


def test_a_puzzle_is_solved_against_the_clock_with_a_sketch(window, qtbot):
    workspace = open_instance(window, qtbot, "puzzle_hunt:0")
    pad = workspace.editor.pad
    pane = workspace.editor._pane
    pad.pages.wait()
    pad.view.setFocus()
    qtbot.keyClick(pad.view, Qt.Key.Key_A)
    drag(qtbot, pad.view, (60, 120), (160, 170))
    assert len(pad.desk.current.shapes) == 1
    qtbot.keyClicks(pane.steps, "Pattern discovery: the dials are semaphore.")
    qtbot.keyClicks(pane.answer, "harbor")
    with qtbot.waitSignal(workspace.session.judged, timeout=20_000):
        qtbot.keyClick(pane.answer, Qt.Key.Key_Return)
    assert not workspace.session.clock.is_finished
    pane.answer.selectAll()
    qtbot.keyClicks(pane.answer, "anchor")
    with qtbot.waitSignal(workspace.session.judged, timeout=20_000):
        qtbot.keyClick(pane.answer, Qt.Key.Key_Return)
    assert workspace.session.clock.is_finished


@pytest.mark.slow
def test_a_folder_of_ones_own_is_annotated_reviewed_and_exported(window, own_sets, tmp_path, qtbot):
    window.person.change_person("Ada")
    home = tmp_path / "mine"
    home.mkdir()
    page = window.puzzle_pages.show_sets()
    qtbot.waitUntil(lambda: page.is_idle)
    page.set_changing.add_folder(home)
    qtbot.waitUntil(lambda: page.is_idle and page.entry.name == "mine")
    note = make_puzzle(window, page, qtbot, tmp_path)
    write_annotation(window, note, qtbot)
    review(window, page, qtbot)
    window.puzzle_pages.show_sets()
    # The page may look idle before it has begun to read what the review changed.
    model = page.puzzles.model
    qtbot.waitUntil(lambda: page.is_idle and [model.state_of(row) for row in model.rows] == [ReviewState.VERIFIED])
    page.transfer.ask_export()
    dialog = dialog_of(page, ExportDialog, qtbot)
    dialog.target.setText(str(tmp_path / "out"))
    qtbot.mouseClick(dialog.go, LEFT)
    qtbot.waitUntil(lambda: page.is_idle and (tmp_path / "out" / "split.json").is_file())
    lines = [(tmp_path / "out" / name).read_text() for name in ("train_reasoning.jsonl", "test.jsonl")]
    assert "Answer: NORTH" in "".join(lines)


def make_puzzle(window, page, qtbot, tmp_path):
    (tmp_path / "page.png").write_bytes(png_of(blank_page((800, 600))))
    qtbot.mouseClick(page.new, LEFT)
    dialog = dialog_of(page, NewPuzzleDialog, qtbot)
    qtbot.keyClicks(dialog.title, "Four Winds")
    dialog.add_pages([tmp_path / "page.png"])
    qtbot.mouseClick(dialog.go, LEFT)
    qtbot.waitUntil(lambda: page.is_idle and len(page.puzzles.model.rows) == 1)
    qtbot.mouseClick(page.open, LEFT)
    note = window.pages.front
    qtbot.waitUntil(lambda: note.is_idle)
    return note


def write_annotation(window, note, qtbot):
    assert "error" in note.side.above.tabText(1)
    note.pad.pages.wait()
    note.side.steps.new_step(-1)
    qtbot.keyClicks(note.side.steps.cards[0].text, "s: trace the arrows from corner to corner, which gives a star.")
    qtbot.keyClick(note.side.steps.cards[0].text, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClicks(note.side.steps.cards[1].text, "e: read the longest arrow of the star, which points NORTH.")
    note.side.steps.focus_step(0)
    note.pad.view.setFocus()
    qtbot.keyClick(note.pad.view, Qt.Key.Key_L)
    drag(qtbot, note.pad.view, (80, 200), (200, 260))
    note.pad.actions_by_name["Save as figure"].trigger()
    qtbot.waitUntil(lambda: note.is_idle and note.edited.annotation.puzzle.reasoning[0].figure is not None)
    note.side.above.setCurrentIndex(1)
    qtbot.keyClicks(note.side.fields.texts["solution"], "NORTH")
    qtbot.keyClicks(note.side.fields.texts["source"], "original")
    fill_tags(note, qtbot)
    qtbot.waitUntil(lambda: note.is_idle)
    window.activateWindow()
    note.side.fields.texts["source"].setFocus()
    qtbot.waitUntil(window.isActiveWindow)
    qtbot.keyClick(note.side.fields.texts["source"], Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: note.is_idle and not note.edited.is_dirty)
    assert not [finding for finding in note.checks.findings if finding.is_error]


def fill_tags(note, qtbot):
    for word in ("easy", "visual", "spatial"):
        button = next(b for b in note.side.fields.findChildren(QAbstractButton) if b.text().lower().startswith(word))
        button.click()


def review(window, page, qtbot):
    window.puzzle_pages.show_sets()
    opened = window.puzzle_pages.review()

    def reach(state):
        qtbot.waitUntil(
            lambda: "Four_Winds" in opened.records.reviews and opened.records.reviews["Four_Winds"].state is state
        )

    opened.records.send()
    reach(ReviewState.CHECKED)
    opened.panel.add_flag(FlagKind.JUMP, "Why a star?", 1)
    reach(ReviewState.FLAGGED)
    opened.records.assign(["Four_Winds"], "Ben", "Cleo")
    reach(ReviewState.IN_REVIEW)
    for person in ("Ben", "Cleo"):
        window.person.change_person(person)
        qtbot.waitUntil(lambda: isinstance(opened.panel.form, DecisionForm))
        if person == "Cleo":
            opened.panel.form.steps[0].judged.setCurrentText("Edit")
            opened.panel.form.steps[0].text.setPlainText(CLEO)
        opened.panel.form.accept_rest.click()
        opened.panel.form.finish.click()
        qtbot.waitUntil(lambda person=person: person in opened.records.reviews["Four_Winds"].decisions)
    reach(ReviewState.DISAGREEMENT)
    window.person.change_person("Dora")
    qtbot.waitUntil(lambda: isinstance(opened.panel.form, DisagreementForm) and not opened.panel.form.note.text())
    opened.panel.form.parts[0].taken.setCurrentText("Take B (Cleo)")
    opened.panel.form.settle.click()
    reach(ReviewState.VERIFIED)
    with qtbot.waitSignal(opened.applied):
        opened.records.apply()
    stored = PuzzleSet(opened.entry.path).folder("Four_Winds").read().puzzle
    assert stored.reasoning[0].explanation == CLEO
