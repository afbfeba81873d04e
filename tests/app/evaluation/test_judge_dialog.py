"""A model judges why attempts failed."""

import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox

from spatial_workbench.app.background.evaluations import with_keys
from spatial_workbench.app.evaluation.judge_dialog import JudgeDialog
from spatial_workbench.app.evaluation.new_batch import NewBatchDialog
from spatial_workbench.app.evaluation.watch import BatchStatus
from spatial_workbench.app.runs.page import RunsPage
from spatial_workbench.engine.models import ModelSettings, find_key, give_session_key
from tests.app.evaluation.conftest import set_up_endpoint, start, tick, wait_for
from tests.models.conftest import chat


@pytest.mark.slow
def test_a_judge_labels_the_failed_attempts_of_a_batch_and_says_before_and_after_what_it_takes(window, qtbot, server):
    decision = {
        "subpass": 0,
        "failure_mode": "Near-Miss Edge Case",
        "confidence": 0.8,
        "justification": "One is missing.",
        "evidence_tags": [],
    }
    server.answers.append(lambda body: chat(json.dumps({"decisions": [decision]})))
    set_up_endpoint(server, prices={"input_usd": 1.0, "output_usd": 10.0})
    window.actions_registry["evaluate.new"].trigger()
    dialog = window.findChild(NewBatchDialog)
    dialog.tasks.choose({"shikaku:0"})
    tick(dialog, "random")
    start(dialog, qtbot)
    page = wait_for(window, qtbot, BatchStatus.FINISHED)
    qtbot.mouseClick(page.judge, Qt.MouseButton.LeftButton)
    judging = window.findChild(JudgeDialog)
    judging.judge.setCurrentText("tiny")
    qtbot.waitUntil(judging.go.isEnabled)
    assert judging.note.text().startswith("1 attempt, 1 request: about ")
    assert "about $" in judging.note.text()
    qtbot.mouseClick(judging.go, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.findChild(QMessageBox) is not None)
    box = window.findChild(QMessageBox)
    assert box.text() == "Labelled: 1 attempt."
    assert box.informativeText().startswith("1 × Near-Miss Edge Case\n1 request, ")
    attempts = next(button for button in box.buttons() if button.text() == "Show attempts")
    qtbot.mouseClick(attempts, Qt.MouseButton.LeftButton)
    assert isinstance(window.tabs.currentWidget(), RunsPage)


def test_a_judge_is_asked_with_the_key_that_was_given_for_the_session():
    settings = ModelSettings(name="judge", model="tiny", base_url="https://models.example/v1")
    with_keys({"models.example": "sk-for-now"}, lambda progress: None)
    assert find_key(settings).get_secret_value() == "sk-for-now"
    give_session_key("models.example", "")
