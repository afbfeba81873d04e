"""Submitting, and verdicts by other methods."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox

from spatial_workbench.engine.store import Project
from tests.app.conftest import open_instance, solve, submit, trigger


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


@pytest.mark.slow
def test_the_crosscheck_says_whether_the_methods_agree(window, workspace, qtbot):
    solve(window, qtbot)
    trigger(window, "task.crosscheck")
    qtbot.waitUntil(lambda: workspace.judgement.panel._word.text() == "Methods agree")


@pytest.mark.slow
def test_another_verifier_can_judge(window, workspace, qtbot):
    workspace.judgement.use_verifier("published")
    qtbot.waitUntil(lambda: workspace.document.verdict.verifier == "published")
