"""The dialog of the search: tasks, how long, and which verifiers of one's own are asked, too."""

import sys

import pytest
from PySide6.QtCore import Qt

from spatial_workbench.engine.evaluation.laboratory.own import OwnKind, OwnVerifier, OwnVerifiers


@pytest.fixture
def verifiers(tmp_path):
    """Two that judge all answers alike, of two tasks; lists are kept with the settings of the tests."""
    grader = tmp_path / "grader.py"
    grader.write_text('print(\'{"score": 0.5, "passed": false}\')')
    kept = OwnVerifiers()
    for name, task in (("half", "maze_3d"), ("other", "shikaku")):
        kept.add(OwnVerifier(name=name, task=task, kind=OwnKind.COMMAND, command=(sys.executable, str(grader))))
    yield kept.all()
    for verifier in kept.all():
        kept.remove(verifier.name)


@pytest.fixture
def dialog(window, verifiers, qtbot):
    window.actions_registry["runs.look"].trigger()
    opened = window.laboratory.dialog
    qtbot.waitUntil(lambda: opened.own.count() == 2)
    return opened


def check(dialog, task):
    for row in range(dialog.tasks.count()):
        item = dialog.tasks.item(row)
        if item.data(Qt.ItemDataRole.UserRole) == task:
            item.setCheckState(Qt.CheckState.Checked)


def test_verifiers_of_the_chosen_tasks_are_offered(dialog):
    assert not dialog.own.isVisible()
    check(dialog, "maze_3d")
    shown = [dialog.own.item(row).text() for row in range(2) if not dialog.own.item(row).isHidden()]
    assert shown == ["half · 3D maze with jumps · command"]
    assert dialog.asked_too() == ()


@pytest.mark.slow
def test_a_chosen_verifier_is_asked_in_the_search(dialog, window, verifiers, qtbot):
    check(dialog, "maze_3d")
    dialog.own.item(0).setCheckState(Qt.CheckState.Checked)
    dialog.own.item(1).setCheckState(Qt.CheckState.Checked)
    assert dialog.asked_too() == verifiers[:1]
    dialog.workers.setValue(1)
    qtbot.mouseClick(dialog.go, Qt.MouseButton.LeftButton)
    page = window.tabs.currentWidget()
    qtbot.waitUntil(lambda: page.tree.topLevelItemCount() > 0, timeout=60_000)
    window.laboratory.searching.cancel()
    groups = []
    window.project.ask(lambda project: project.searches.groups("maze_3d"), groups.extend)
    qtbot.waitUntil(lambda: bool(groups))
    assert "own:half" in {group["divergence"]["second"] for group in groups}
