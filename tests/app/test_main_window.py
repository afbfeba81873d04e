"""The window as a person uses it: open, build, undo, submit, close, come back."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QKeySequence
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QComboBox,
    QDialogButtonBox,
    QDockWidget,
    QFormLayout,
    QLabel,
    QLineEdit,
    QMessageBox,
    QWidget,
)

from spatial_workbench.app.comparison.page import ComparePage
from spatial_workbench.app.frame.loading import OpeningPage
from spatial_workbench.app.window.catalogue.card import Card
from spatial_workbench.app.window.dialogs import GenerateDialog, SettingsDialog
from spatial_workbench.app.window.palette import CommandPalette, rank
from spatial_workbench.app.workspace.docks import PANELS_WIDTH
from spatial_workbench.engine.core import task
from spatial_workbench.engine.store import Project
from tests.app.conftest import open_instance


def trigger(window, action):
    window.actions_registry[action].trigger()


def has_verdict(workspace, passed):
    return lambda: workspace.document.is_verdict_current and workspace.document.verdict.passed is passed


def solve(window, qtbot):
    workspace = window.workspace
    trigger(window, "task.solve")
    qtbot.waitUntil(has_verdict(workspace, True))


def confirm_empty(workspace):
    """Answers the question that is asked once before an empty answer is submitted."""
    for box in workspace.findChildren(QMessageBox):
        if box.isVisible():
            box.buttons()[0].click()


def submit(window, qtbot):
    workspace = window.workspace
    before = window.workspace.attempts.panel.model.rowCount()
    trigger(window, "task.submit")
    confirm_empty(workspace)
    model = workspace.attempts.panel.model
    qtbot.waitUntil(lambda: model.rowCount() > before and model.rows[0].score is not None)


def test_a_lego_dome_is_built_undone_solved_submitted_and_found_again(open_window, qtbot):
    window = open_window()
    workspace = open_instance(window, qtbot, "lego_hemisphere:0")
    document = workspace.document
    assert not document.verdict.passed
    first_brick = document.task.parse({"bricks": [{"Centroid": [52, 0, 4.8], "RotationDegrees": 0}]})
    document.edit("Place brick", first_brick)
    qtbot.waitUntil(lambda: document.is_verdict_current)
    assert "brick" in workspace.judgement.panel._tree.topLevelItem(0).text(0)
    document.undo_stack.undo()
    assert document.answer == document.task.empty(document.instance)
    solve(window, qtbot)
    submit(window, qtbot)
    bricks = len(document.answer.bricks)
    window.close()

    again = open_instance(open_window(), qtbot, "lego_hemisphere:0")
    assert len(again.document.answer.bricks) == bricks
    qtbot.waitUntil(lambda: again.attempts.panel.model.rowCount() == 1)
    assert again.attempts.panel.model.rows[0].passed


def test_every_edit_is_in_the_project_file_at_once(window, workspace, qtbot):
    solve(window, qtbot)
    window.project.flush()
    with Project.open(window.project.path) as project:
        assert project.drafts.get("two_segments:0").answer == workspace.document.answer.model_dump(mode="json")


@pytest.fixture
def steps(window, qtbot, monkeypatch):
    """Opens a subtask; what builds its workspace, to be gone through step by step."""
    begun = []
    monkeypatch.setattr("spatial_workbench.app.workspace.openings.in_turns", lambda _, steps: begun.append(steps))
    window.open_instance("two_segments:0")
    qtbot.waitUntil(lambda: bool(begun))
    monkeypatch.undo()
    return begun[0]


def test_the_window_answers_between_the_editor_and_its_panels(window, steps):
    for _ in range(3):
        next(steps)
        assert window.workspace is None
    assert list(steps) == []
    assert window.workspace.prompt_panel.text.toPlainText()


@pytest.mark.parametrize("done", [1, 2, 3])
def test_a_tab_that_is_closed_while_its_workspace_is_built_stays_closed(window, steps, done):
    for _ in range(done):
        next(steps)
    window.pages.close(window.tabs.currentWidget())
    assert list(steps) == []
    assert window.tabs.count() == 1


def test_a_workspace_that_is_half_built_when_the_person_changes_is_built_for_the_new_person(window, steps, qtbot):
    next(steps)
    next(steps)
    window.person.change_person("Ben")
    assert list(steps) == []
    qtbot.waitUntil(lambda: window.workspace is not None)
    assert window.workspace.session.person == "Ben"


def test_opening_an_instance_twice_goes_to_its_tab(window, workspace):
    window.open_instance("two_segments:0")
    assert window.tabs.count() == 2


def test_looking_at_an_instance_begins_no_draft(window, workspace):
    window.project.flush()
    with Project.open(window.project.path) as project:
        assert project.drafts.get("two_segments:0") is None


def test_a_tab_shows_at_once_that_its_editor_is_being_built(window, qtbot):
    window.open_instance("two_segments:0")
    assert isinstance(window.tabs.currentWidget(), OpeningPage)
    qtbot.waitUntil(lambda: window.workspace is not None)
    assert window.tabs.count() == 2


def test_an_editor_that_is_being_built_stays_behind_when_another_tab_is_in_front(window, qtbot):
    window.open_instance("two_segments:0")
    window.tabs.setCurrentWidget(window.catalogue)
    qtbot.waitUntil(lambda: any(window.pages.workspaces))
    assert window.tabs.currentWidget() is window.catalogue
    assert window.tabs.count() == 2


def test_an_editor_whose_tab_is_closed_while_it_is_built_does_not_come_up(window, workspace, qtbot):
    window.open_instance("two_segments:4")
    window.pages.close(window.tabs.currentWidget())
    open_instance(window, qtbot, "two_segments:5")
    assert [page.document.instance.number for page in window.pages.workspaces] == [0, 5]


def test_undo_belongs_to_the_tab_in_front(window, workspace, qtbot):
    solve(window, qtbot)
    open_instance(window, qtbot, "two_segments:4")
    window.undo_group.undo()
    assert workspace.document.undo_stack.canUndo()


def test_a_submitted_attempt_keeps_the_verdict_of_every_verifier(window, workspace, qtbot):
    solve(window, qtbot)
    submit(window, qtbot)
    with Project.open(window.project.path) as project:
        attempt = project.attempts.get(1)
    assert [verdict.verifier for verdict in attempt.verdicts] == ["default", "published", "crosscheck"]


def test_submitting_a_wrong_number_of_voxels_asks_first(window, qtbot):
    workspace = open_instance(window, qtbot, "voxel_projection:0")
    trigger(window, "task.submit")
    box = workspace.findChild(QMessageBox)
    assert "0 voxels are filled" in box.text()
    assert workspace.attempts.panel.model.rowCount() == 0
    qtbot.mouseClick(box.buttons()[0], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: workspace.attempts.panel.model.rowCount() == 1)


def test_solving_shows_on_the_card(window, workspace, qtbot):
    workspace.document.edit("Draw", workspace.document.task.solve(workspace.document.instance))
    submit(window, qtbot)
    qtbot.waitUntil(lambda: card_of(window, "two_segments")._count.text().startswith("1 of 27 solved"))


def test_solving_with_the_reference_shows_on_the_card_as_help(window, workspace, qtbot):
    solve(window, qtbot)
    submit(window, qtbot)
    qtbot.waitUntil(lambda: "0 of 27 solved · 1 with help" in card_of(window, "two_segments")._count.text())


def card_of(window, task_id):
    return next(card for card in window.catalogue.findChildren(Card) if card.task.id == task_id)


def test_an_attempt_can_be_put_back_into_the_editor(window, workspace, qtbot):
    solve(window, qtbot)
    solved = workspace.document.answer
    submit(window, qtbot)
    trigger(window, "task.clear")
    workspace.attempts.panel.opened.emit(1)
    qtbot.waitUntil(lambda: workspace.document.answer == solved)


def test_an_attempt_that_is_gone_is_named_when_it_is_opened(window, workspace, qtbot):
    with qtbot.waitSignal(window.project.trouble) as blocker:
        workspace.attempts.open(77)
    assert blocker.args[0].startswith("Attempt 77 is not in this project.")


def test_two_answers_are_compared_side_by_side_and_one_over_the_other(window, workspace, qtbot):
    solve(window, qtbot)
    submit(window, qtbot)
    workspace.attempts.panel.select([1])
    workspace.attempts.panel._ask_comparison()
    qtbot.waitUntil(lambda: isinstance(window.tabs.currentWidget(), ComparePage))
    page = window.tabs.currentWidget()
    page.show_over(True)
    qtbot.keyClick(page._over, Qt.Key.Key_Right)
    assert page._over._share == pytest.approx(0.55)


def test_what_is_selected_stays_so_when_attempts_are_added_even_with_a_key_held(window, workspace, qtbot):
    panel = workspace.attempts.panel
    for _ in range(3):
        submit(window, qtbot)
    panel.select([1, 2])
    qtbot.keyPress(panel.table, Qt.Key.Key_Shift, Qt.KeyboardModifier.ShiftModifier)
    submit(window, qtbot)
    assert sorted(panel.selected()) == [1, 2]
    qtbot.keyRelease(panel.table, Qt.Key.Key_Shift)


def test_the_crosscheck_says_whether_the_methods_agree(window, workspace, qtbot):
    solve(window, qtbot)
    trigger(window, "task.crosscheck")
    qtbot.waitUntil(lambda: workspace.judgement.panel._word.text() == "Methods agree")


def test_another_verifier_can_judge(window, workspace, qtbot):
    workspace.judgement.use_verifier("published")
    qtbot.waitUntil(lambda: workspace.document.verdict.verifier == "published")


def test_a_new_instance_is_generated_from_a_seed(window, qtbot):
    window.open_instance("two_segments@7")
    qtbot.waitUntil(lambda: window.workspace is not None)
    assert window.workspace.document.instance.seed == 7


def test_the_dialog_for_a_new_instance_asks_for_what_differs_from_the_defaults(window):
    dialog = GenerateDialog(task("half_subdivision"), window)
    controls = {name: field.control for name, field in dialog.form.fields.items()}
    assert dialog.address == "half_subdivision@1000"
    controls["max_depth"].setValue(7)
    controls["split_prob"].setText("0.255")
    assert dialog.address == "half_subdivision@1000?max_depth=7&split_prob=0.255"


def test_the_dialog_for_a_new_instance_leaves_to_the_seed_what_is_not_given(window):
    dialog = GenerateDialog(task("interlocking_parts"), window)
    segments = dialog.form.fields["segments"].control
    assert segments.text() == "from the seed"
    segments.setValue(2)
    assert dialog.address == "interlocking_parts@1000?segments=2"


def test_the_dialog_for_a_new_instance_says_what_is_wrong_and_stays(window):
    dialog = GenerateDialog(task("half_subdivision"), window)
    dialog.show()
    dialog.form.fields["split_prob"].control.setText("7")
    dialog.accept()
    assert "split_prob" in dialog._error.text()
    assert dialog.isVisible()


def test_a_wrong_address_is_told_and_nothing_opens(window):
    window.open_instance("two_segments:99")
    assert "instances 0 to 26" in window.statusBar().currentMessage()
    assert window.tabs.count() == 1


def test_an_answer_file_is_loaded_or_refused_with_the_reason(window, workspace, tmp_path):
    (tmp_path / "bad.json").write_text('{"segments": 3}')
    workspace.answers.load_file(str(tmp_path / "bad.json"))
    assert "not loaded" in window.statusBar().currentMessage()
    (tmp_path / "good.json").write_text('{"segments": [[[0, 0], [1, 1]], [[0.8, 0], [0.2, 1]]]}')
    workspace.answers.load_file(str(tmp_path / "good.json"))
    assert workspace.document.answer.segments[0] == ((0.0, 0.0), (1.0, 1.0))


def test_a_huge_answer_file_is_read_in_the_background_and_refused_with_the_place(window, workspace, qtbot, tmp_path):
    points = ", ".join(["[0, 0]"] * 200_000)
    (tmp_path / "huge.json").write_text(f'{{"segments": [[{points}]]}}')
    workspace.answers.load_file(str(tmp_path / "huge.json"))
    qtbot.waitUntil(lambda: "not loaded" in window.statusBar().currentMessage())
    assert "two segments of two points" in window.statusBar().currentMessage()


def test_a_file_beyond_the_limit_is_refused_without_being_read_whole(window, workspace, qtbot, tmp_path):
    with (tmp_path / "vast.json").open("wb") as file:
        file.truncate(500_000_000)
    workspace.answers.load_file(str(tmp_path / "vast.json"))
    qtbot.waitUntil(lambda: "limit is 16 MB" in window.statusBar().currentMessage())


def change_project(window, qtbot, path):
    with qtbot.waitSignal(window.project.opened):
        window.project.open(path, create=not path.exists())


@pytest.mark.slow
def test_what_was_opened_in_one_project_closes_with_it(window, workspace, qtbot, tmp_path):
    for name in ("runs.browse", "runs.disagreements", "runs.results", "evaluate.batches", "view.log"):
        window.actions_registry[name].trigger()
    assert window.tabs.count() == 7
    change_project(window, qtbot, tmp_path / "other.workbench")
    assert [window.tabs.widget(i) for i in range(window.tabs.count())] == [window.catalogue]


def test_an_instance_that_is_being_opened_does_not_come_up_in_another_project(window, qtbot, tmp_path):
    with qtbot.waitSignal(window.project.opened):
        window.project.open(tmp_path / "other.workbench", create=True)
        window.open_instance("shikaku:0")
    window.project.flush()
    assert window.tabs.count() == 1
    open_instance(window, qtbot, "shikaku:0")


def test_verdicts_that_come_after_the_project_was_changed_are_stored_with_their_attempt(
    window, workspace, qtbot, tmp_path
):
    first = window.project.path
    with qtbot.waitSignal(workspace.session.submitted):
        workspace.judgement.submit()
        confirm_empty(workspace)
    change_project(window, qtbot, tmp_path / "other.workbench")
    qtbot.waitUntil(lambda: window.jobs.long.current is None)
    window.project.flush()
    with Project.open(first) as project:
        assert project.attempts.get(1).verdicts
    with Project.open(window.project.path) as project:
        assert project.runs.count() == 0


def test_a_project_that_cannot_be_opened_leaves_the_present_one_in_use(window, workspace, qtbot, tmp_path):
    (tmp_path / "letter.workbench").write_text("Dear aunt")
    with qtbot.waitSignal(window.project.refused) as refused:
        window.project.open(tmp_path / "letter.workbench")
    assert "not a project" in refused.args[0]
    assert window.project.path.name == "work.workbench"
    assert window.workspace is workspace


def test_a_change_that_cannot_be_stored_is_told_in_a_box(window, workspace, qtbot):
    def break_down(project):
        raise OSError("disk full")

    with qtbot.waitSignal(window.project.trouble) as blocker:
        window.project.tell(break_down)
    assert "disk full" in blocker.args[0]
    assert window.findChild(QMessageBox).text().startswith("A change could not be stored")


def test_the_log_opens_once_and_holds_what_was_told(window):
    window.show_message("Brick 17 is stored.")
    trigger(window, "view.log")
    trigger(window, "view.catalogue")
    trigger(window, "view.log")
    assert window.tabs.count() == 2
    assert "Brick 17 is stored." in window.tabs.currentWidget().text.toPlainText()


def test_a_tab_may_be_closed_while_work_for_it_runs(window, workspace, qtbot):
    trigger(window, "task.crosscheck")
    trigger(window, "task.solve")
    window.pages.close(workspace)
    qtbot.waitUntil(lambda: window.jobs.long.current is None)
    window.project.flush()
    qtbot.wait(100)
    assert not list(window.pages.workspaces)


def test_a_hint_is_shown_the_first_time_only(open_window, qtbot):
    window = open_window()
    assert open_instance(window, qtbot, "two_segments:0").editor.view.texts.hint
    assert not open_instance(window, qtbot, "two_segments:4").editor.view.texts.hint


def test_docks_are_where_they_were_left(open_window, qtbot):
    window = open_window()
    workspace = open_instance(window, qtbot, "two_segments:0")
    tools = next(dock for dock in workspace.findChildren(QWidget) if dock.objectName() == "tools")
    tools.close()
    window.close()
    again = open_instance(open_window(), qtbot, "two_segments:0")
    assert next(dock for dock in again.findChildren(QWidget) if dock.objectName() == "tools").isHidden()


def test_the_palette_finds_commands_and_subtasks_by_a_few_letters(window, qtbot):
    window.show_palette()
    palette = window.findChild(CommandPalette)
    palette.field.setText("two seg 5")
    assert palette.list.item(0).text().startswith("Open Two segments 5")
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.workspace is not None)


@pytest.mark.parametrize(
    ("typed", "opened"), [("two segments 1", "Two segments 1:"), ("pipe loop 10", "Pipe loop 10:")]
)
def test_a_number_in_the_palette_is_the_subtask(window, typed, opened):
    window.show_palette()
    palette = window.findChild(CommandPalette)
    palette.field.setText(typed)
    assert palette.list.item(0).text().startswith(f"Open {opened}")
    palette.close()


def test_subtasks_that_fit_alike_stand_in_the_order_of_their_numbers(window):
    window.show_palette()
    palette = window.findChild(CommandPalette)
    palette.field.setText("open two segments 1")
    texts = [palette.list.item(row).text() for row in range(palette.list.count())]
    numbers = [int(text.split()[3].rstrip(":")) for text in texts if text.startswith("Open Two segments")]
    palette.close()
    assert numbers[0] == 1
    assert numbers[1:] == sorted(numbers[1:])


def test_words_fit_better_than_their_beginnings_and_these_better_than_scattered_letters():
    texts = ["Task: Clear answer", "Clearance", "Edit: Close a new bar"]
    assert sorted(texts, key=lambda text: rank("clear", text) or 10**9) == texts
    assert rank("7", "Open Maze 7", 7) < rank("7", "Open Maze 3: 7 rows", 3)


def test_letters_at_the_start_of_words_fit_better():
    assert rank("lr", "Load reference") < rank("lr", "Solver")
    assert rank("zz", "Load reference") is None


def test_the_catalogue_searches_and_filters(window):
    window.catalogue.search.setText("lego")
    shown = [card.task.id for card in window.catalogue.findChildren(Card) if not card.isHidden()]
    assert shown == ["lego_hemisphere"]
    window.catalogue.search.setText("no such thing")
    assert not window.catalogue._nothing.isHidden()


def test_a_tab_out_of_sight_takes_the_theme_when_it_is_seen(window, workspace, qtbot):
    def look():
        window.tabs.setCurrentWidget(workspace)
        workspace.editor.view.flush()
        return workspace.grab().toImage()

    qtbot.waitUntil(lambda: workspace.findChild(QDockWidget, "verdict").width() == PANELS_WIDTH)
    light = look()
    trigger(window, "view.theme")
    seen = look()
    trigger(window, "view.theme")
    window.tabs.setCurrentWidget(window.catalogue)
    trigger(window, "view.theme")
    assert look() == seen
    window.tabs.setCurrentWidget(window.catalogue)
    trigger(window, "view.theme")
    assert look() == light


def test_light_and_dark_reach_every_view(window, workspace):
    before = workspace.editor.view.theme.name
    trigger(window, "view.theme")
    assert workspace.editor.view.theme.name != before


def test_every_control_has_a_name_for_those_who_cannot_see_it(window, workspace):
    kinds = (QAbstractButton, QComboBox, QLineEdit, QAbstractSpinBox)
    nameless = [
        widget
        for kind in kinds
        for widget in window.findChildren(kind)
        if widget.isVisible()
        and not widget.objectName().startswith("qt_")
        and not isinstance(widget.parent(), QAbstractSpinBox | QComboBox)
        and not QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)
    ]
    assert nameless == []


def settings_dialog(window, qtbot):
    trigger(window, "app.settings")
    return next(child for child in window.findChildren(SettingsDialog) if child.isVisible())


def row_of(dialog, text):
    return next(row for row in dialog.keys.rows if row.bound.text == text)


def test_keys_that_are_taken_are_named_and_cannot_be_stored(window, qtbot):
    dialog = settings_dialog(window, qtbot)
    row_of(dialog, "Submit answer").field.setKeySequence(QKeySequence("F6"))
    assert "Load reference solution" in dialog.keys.note.text()
    assert not dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Ok).isEnabled()
    dialog.keys.restore.click()
    assert dialog.keys.conflicts() == []
    dialog.reject()


def test_keys_of_undo_and_of_an_editor_can_be_changed_and_stay_so(window, workspace, qtbot):
    dialog = settings_dialog(window, qtbot)
    row_of(dialog, "Undo").field.setKeySequence(QKeySequence("Ctrl+U"))
    row_of(dialog, "Move").field.setKeySequence(QKeySequence("Ctrl+J"))
    dialog.accept()
    window.pages.close(workspace)
    again = open_instance(window, qtbot, "two_segments:0")
    move = next(action for action in again.editor.actions() if action.text() == "Move")
    assert move.shortcut().toString() == "Ctrl+J"
    assert window.actions_registry["edit.undo"].shortcut().toString() == "Ctrl+U"


def test_a_panel_that_was_closed_comes_back_through_the_view_menu(window, workspace):
    dock = next(dock for dock in workspace.findChildren(QDockWidget) if dock.windowTitle() == "Verdict")
    dock.close()
    window.task_entries.panels.aboutToShow.emit()
    next(action for action in window.task_entries.panels.actions() if action.text() == "Verdict").trigger()
    assert not dock.isHidden()


def test_a_tab_carries_the_number_of_the_subtask(window, workspace):
    assert window.tabs.tabText(window.tabs.currentIndex()).startswith("Two segments 0 ·")


def test_a_restart_opens_the_last_project(window, tmp_path, qtbot):
    window.project.open(tmp_path / "other.workbench", create=True)
    qtbot.waitUntil(lambda: window.project.path.name == "other.workbench")
    assert window.settings.last_project == tmp_path / "other.workbench"


def test_a_search_without_hits_says_so_and_escape_clears_it(window, qtbot):
    window.catalogue.search.setText("nothing of the kind")
    assert "nothing of the kind" in window.catalogue._nothing.text()
    assert not window.catalogue._nothing.isHidden()
    qtbot.keyClick(window.catalogue.search, Qt.Key.Key_Escape)
    assert window.catalogue.search.text() == ""


def test_arrows_go_from_card_to_card(window, qtbot):
    cards = [card for card in window.catalogue.findChildren(Card) if not card.isHidden()]
    cards[0].setFocus()
    qtbot.keyClick(cards[0], Qt.Key.Key_Right)
    assert cards[1].hasFocus()
    qtbot.keyClick(cards[1], Qt.Key.Key_Down)
    assert window.catalogue.focusWidget().y() > cards[0].y()


def test_no_two_actions_share_a_key(window):
    keys = [entry.action.shortcut().toString() for entry in window.actions_registry.entries.values()]
    used = [key for key in keys if key]
    assert sorted(used) == sorted(set(used))


def test_heavy_libraries_are_not_loaded_before_they_are_needed():
    import subprocess
    import sys

    code = (
        "import sys, spatial_workbench.app.window.main_window\n"
        "print([name for name in ('vtkmodules', 'pyqtgraph', 'manifold3d', 'shapely', 'numba', 'scipy', 'trimesh',"
        " 'matplotlib', 'sqlite_utils') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_an_answer_is_saved_for_another_program_and_opened_from_there(window, qtbot, tmp_path):
    workspace = open_instance(window, qtbot, "pack_prisms:0")
    workspace.answers.load_reference()
    qtbot.waitUntil(lambda: len(workspace.document.answer.boxes) == 7)
    packed = workspace.document.answer
    file = tmp_path / "packing.3mf"
    workspace.answers.save_file(str(file))
    qtbot.waitUntil(file.exists)
    workspace.answers.clear()
    workspace.answers.load_file(str(file))
    qtbot.waitUntil(lambda: workspace.document.answer == packed)


def test_a_machine_is_saved_as_global_positions_and_opened_from_there(window, qtbot, tmp_path):
    workspace = open_instance(window, qtbot, "machine_movement:0")
    workspace.answers.load_reference()
    qtbot.waitUntil(lambda: len(workspace.document.answer.blocks) == 7)
    file = tmp_path / "car.positions.json"
    workspace.answers.save_file(str(file))
    qtbot.waitUntil(file.exists)
    assert "Position" in file.read_text()
    workspace.answers.clear()
    workspace.answers.load_file(str(file))
    qtbot.waitUntil(lambda: len(workspace.document.answer.blocks) == 7)


def test_a_file_that_cannot_be_represented_is_refused_with_the_reason(window, qtbot, tmp_path):
    workspace = open_instance(window, qtbot, "lego_hemisphere:0")
    (tmp_path / "wrong.ldr").write_text("1 4 0 0 0 1 0 0 0 1 0 0 0 1 3003.dat")
    with qtbot.waitSignal(workspace.message) as blocker:
        workspace.answers.load_file(str(tmp_path / "wrong.ldr"))
    assert "3003.dat" in blocker.args[0]


def test_the_settings_tell_what_this_computer_can_do(window, qtbot):
    window.preferences.show_settings()
    dialog = next(child for child in window.findChildren(SettingsDialog) if child.isVisible())
    qtbot.waitUntil(lambda: dialog._abilities.rowCount() == 4)
    assert "sandbox" in dialog._abilities.itemAt(0, QFormLayout.ItemRole.FieldRole).widget().text().lower()
    dialog.reject()


def test_the_catalogue_tells_the_totals_of_each_bucket(window):
    window.catalogue.search.setText("scbench")
    text = window.catalogue._totals.text()
    for words in ("22 tasks", "285 subtasks", "75 axiomatic", "171 constructive", "39 planning"):
        assert words in text


def test_the_catalogue_fits_into_a_narrow_window(window):
    assert window.catalogue.minimumSizeHint().width() <= 900


def test_a_search_without_hits_counts_no_buckets(window):
    window.catalogue.search.setText("nothing like this")
    assert "()" not in window.catalogue._totals.text()


def test_the_status_bar_tells_only_of_the_tab_in_front(window, workspace):
    window.show_catalogue()
    workspace.status_changed.emit("4 of 4 people")
    assert "4 of 4 people" not in [label.text() for label in window.status_bar.findChildren(QLabel)]


def test_every_command_stands_in_one_menu(window):
    shown = [action.text() for menu in window.menuBar().actions() for action in menu.menu().actions() if action.text()]
    assert len(shown) == len(set(shown))
