"""Transcripts in the runs browser: read once somebody looks, and of people told as calls."""

import json

import pytest
from PySide6.QtWidgets import QApplication

from spatial_workbench.app.runs import transcript_loading
from spatial_workbench.engine.core import resolve
from spatial_workbench.engine.core.agents import HANDS
from spatial_workbench.engine.core.contract import packed
from spatial_workbench.engine.evaluation.hands.conditions import HandsOptions
from spatial_workbench.engine.evaluation.hands.desk import record_of
from spatial_workbench.engine.evaluation.hands.episode import Episode
from spatial_workbench.engine.store import Actor, Transcript
from tests.app.runs.conftest import choose, open_page

TASK, BOARD = resolve("shikaku:0")
PLACED = ({"corner": [0, 0], "opposite": [1, 1]}, {"corner": [2, 2], "opposite": [3, 2]})


def fill(project):
    """1: a model with hands. 2: Ada, two edits."""
    episode = Episode(TASK, BOARD, HandsOptions())
    for given in PLACED:
        episode.call("rectangle", given)
    episode.call("submit")
    record = record_of(episode, "Divide.")
    kept = Transcript(kind=HANDS, record=record.model_dump_json(), words=record.words)
    project.attempts.add(BOARD, packed(TASK, episode.answer), Actor.MODEL, "birch", 9.0, transcript=kept)
    project.drafts.begin(BOARD, {"reasoning": "", "rectangles": []}, "Ada")
    project.drafts.add_edit(BOARD.address, "Draw rectangle", [[["rectangles"], 0, [], [[0, 0, 1, 1]]]], "Ada")
    project.drafts.add_edit(BOARD.address, "Draw rectangle", [[["rectangles"], 1, [], [[2, 2, 3, 2]]]], "Ada")
    project.attempts.add(BOARD, packed(TASK, episode.answer), Actor.PERSON, "Ada", 30.0)


@pytest.fixture
def detail(window, qtbot):
    page = open_page(window, qtbot, fill)

    def shown(number):
        choose(page, qtbot, number)
        return page.detail

    return shown


def calls(detail, qtbot):
    """Opens the transcript, and copies its calls."""
    detail.tabs.setCurrentWidget(detail.transcript)
    qtbot.waitUntil(lambda: detail.is_idle and detail.transcript.copy.isVisible())
    detail.transcript.copy.click()
    return json.loads(QApplication.clipboard().text())


@pytest.mark.slow
def test_the_transcript_is_read_when_its_tab_is_opened(detail, qtbot, monkeypatch):
    read = []
    monkeypatch.setattr(transcript_loading, "_material_of", lambda row, project: read.append(row.number) or ())
    shown = detail(1)
    assert shown.tabs.isTabVisible(shown.tabs.indexOf(shown.transcript))
    assert read == []
    shown.tabs.setCurrentWidget(shown.transcript)
    qtbot.waitUntil(lambda: shown.is_idle and read == [1])


def test_a_persons_edits_are_shown_as_calls(detail, qtbot):
    shown = detail(2)
    assert calls(shown, qtbot) == [{"tool": "rectangle", "arguments": given} for given in PLACED]
    assert [step.title for step in shown.transcript.steps] == ["Draw rectangle"] * 2


@pytest.mark.slow
def test_a_person_and_a_model_who_did_the_same_have_the_same_calls(detail, qtbot):
    by_model = calls(detail(1), qtbot)
    assert [call for call in by_model if call["tool"] != "submit"] == calls(detail(2), qtbot)


@pytest.mark.slow
def test_the_transcript_follows_the_selection_while_its_tab_is_open(detail, qtbot):
    calls(detail(1), qtbot)
    shown = detail(2)
    qtbot.waitUntil(lambda: shown.is_idle and len(shown.transcript.steps) == 2)
    assert shown.transcript.steps[0].title == "Draw rectangle"


def test_an_edit_that_cannot_be_told_says_why(window, qtbot):
    def filling(project):
        project.drafts.begin(BOARD, {"reasoning": "", "rectangles": [[0, 0, 0, 0]]}, "Ada")
        project.drafts.add_edit(BOARD.address, "Delete", [[["rectangles"], 0, [[0, 0, 0, 0]], []]], "Ada")
        project.attempts.add(BOARD, '{"rectangles": []}', Actor.PERSON, "Ada", 30.0)

    page = open_page(window, qtbot, filling)
    choose(page, qtbot, 1)
    page.detail.tabs.setCurrentWidget(page.detail.transcript)
    qtbot.waitUntil(lambda: page.is_idle and "did not begin" in page.detail.transcript.text.text.toPlainText())
