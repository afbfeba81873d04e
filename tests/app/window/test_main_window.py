"""The window: one way through it from end to end, projects, closing, starting again."""

import pytest
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QAbstractButton, QAbstractSpinBox, QComboBox, QLineEdit

from spatial_workbench.engine.store import Project
from tests.app.conftest import confirm_empty, open_instance, solve, submit, trigger


@pytest.mark.slow
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


@pytest.mark.slow
def test_undo_belongs_to_the_tab_in_front(window, workspace, qtbot):
    solve(window, qtbot)
    open_instance(window, qtbot, "two_segments:4")
    window.undo_group.undo()
    assert workspace.document.undo_stack.canUndo()


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


@pytest.mark.slow
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


def test_a_tab_may_be_closed_while_work_for_it_runs(window, workspace, qtbot):
    trigger(window, "task.crosscheck")
    trigger(window, "task.solve")
    window.pages.close(workspace)
    qtbot.waitUntil(lambda: window.jobs.long.current is None)
    window.project.flush()
    qtbot.wait(100)
    assert not list(window.pages.workspaces)


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


def test_a_restart_opens_the_last_project(window, tmp_path, qtbot):
    window.project.open(tmp_path / "other.workbench", create=True)
    qtbot.waitUntil(lambda: window.project.path.name == "other.workbench")
    assert window.settings.last_project == tmp_path / "other.workbench"


@pytest.mark.slow
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


def test_the_bar_of_tabs_is_as_high_before_a_tab_can_be_closed(window):
    bar = window.tabs.tabBar()
    before = bar.sizeHint().height()
    window.puzzle_pages.show_sets()
    assert bar.sizeHint().height() == before
