"""Answers out of files become batches."""

import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox

from spatial_workbench.app.evaluation.watch import BatchStatus
from tests.app.evaluation.conftest import wait_for


def messages_of(window):
    """All that the status bar says from now on."""
    messages = []
    window.statusBar().messageChanged.connect(messages.append)
    return messages


@pytest.mark.slow
def test_answers_out_of_a_file_are_verified(window, qtbot, tmp_path):
    line = {"task": "two_segments", "instance": 0, "model": "mine", "text": '{"segments": []}'}
    (tmp_path / "answers.jsonl").write_text(f"{json.dumps(line)}\nno json\n")
    messages = messages_of(window)
    window.evaluations.import_answers(tmp_path / "answers.jsonl")
    qtbot.waitUntil(lambda: any("Skipped: 1 line" in text for text in messages))
    page = wait_for(window, qtbot, BatchStatus.FINISHED)
    assert page.chosen().row.ended == 1


@pytest.mark.slow
def test_a_file_that_was_imported_is_taken_again_only_after_a_question(window, qtbot, tmp_path):
    line = {"task": "two_segments", "instance": 0, "model": "mine", "text": '{"segments": []}'}
    (tmp_path / "answers.jsonl").write_text(json.dumps(line))
    messages = messages_of(window)
    window.evaluations.import_answers(tmp_path / "answers.jsonl")
    qtbot.waitUntil(lambda: any("To be verified: 1 answer" in text for text in messages))
    wait_for(window, qtbot, BatchStatus.FINISHED)
    window.evaluations.import_answers(tmp_path / "answers.jsonl")
    qtbot.waitUntil(lambda: window.findChild(QMessageBox) is not None)
    again = next(button for button in window.findChild(QMessageBox).buttons() if button.text() == "Import again")
    qtbot.mouseClick(again, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: len(window.evaluations.watch.batches) == 2)


def test_a_file_without_answers_is_refused_with_the_reason(window, qtbot, tmp_path):
    (tmp_path / "empty.jsonl").write_text("")
    messages = messages_of(window)
    window.evaluations.import_answers(tmp_path / "empty.jsonl")
    qtbot.waitUntil(lambda: any("no answer that can be used" in text for text in messages))
