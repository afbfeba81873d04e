"""One attempt: drawn, with what was asked, said, spent and judged."""

import json

import pytest
from PySide6.QtWidgets import QAbstractButton, QApplication

from spatial_workbench.app.runs.detail import NO_REASONING
from tests.app.runs.conftest import FIRST, ONE, SOLVED, choose, fill, open_page


@pytest.mark.slow
def test_a_chosen_attempt_is_drawn_with_its_verdict_and_all_verifiers_to_choose_from(page, qtbot):
    choose(page, qtbot, 1)
    detail = page.detail
    assert detail.stage.view is not None
    assert detail.verdict_panel._word.text() == "Passed"
    assert [detail.verifier.itemData(i) for i in range(3)] == ["default", "published", "crosscheck"]
    detail.verifier.setCurrentIndex(2)
    assert detail.verdict_panel._note.text().startswith("crosscheck")


def test_what_was_asked_said_and_spent_stands_in_the_tabs(page, qtbot):
    choose(page, qtbot, 2)
    detail = page.detail
    assert detail.prompt_panel.text.toPlainText() == "Draw two segments"
    assert detail.raw.text.toPlainText() == "Here is my scarlet answer"
    assert detail.reasoning.text.toPlainText() == "I turned it over"
    assert detail.usage.tries.topLevelItem(0).text(4) == "rate limit: too many requests"
    assert detail.usage._form.rowCount() == 5


def test_a_persons_attempt_shows_the_tasks_prompt_and_the_answer(page, qtbot):
    choose(page, qtbot, 1)
    detail = page.detail
    assert detail.prompt_panel.text.toPlainText() == ONE.prompt(FIRST).text
    assert SOLVED in detail.raw.text.toPlainText()
    assert detail.reasoning.text.toPlainText() == NO_REASONING


@pytest.mark.slow
def test_an_answer_that_cannot_be_read_shows_the_instance_alone_and_says_why(page, qtbot):
    choose(page, qtbot, 3)
    assert page.detail._trouble.isVisible()
    assert "cannot be read" in page.detail._trouble.text()
    assert page.detail.stage.view is not None


def test_a_long_text_is_cut_on_the_screen_and_copied_whole(page, qtbot):
    choose(page, qtbot, 1)
    page.detail.raw.show_text("x" * 150_000)
    assert "150,000" in page.detail.raw._note.text()
    next(button for button in page.detail.raw.findChildren(QAbstractButton)).click()
    assert len(QApplication.clipboard().text()) == 150_000


def test_what_a_judge_said_is_shown_with_confidence_justification_and_evidence(window, qtbot):
    judgement = {
        "confidence": 0.8,
        "justification": "<b>One is missing.</b>",
        "evidence_tags": ["off by one"],
        "judge": "elm",
    }

    def filling(project):
        fill(project)
        project.judgements.add_label(2, "ok", "Near-Miss Edge Case", json.dumps(judgement))

    page = open_page(window, qtbot, filling)
    choose(page, qtbot, 2)
    form = page.detail.failure.form
    shown = {form.itemAt(k, form.ItemRole.LabelRole).widget().text(): form.itemAt(k, form.ItemRole.FieldRole).widget()
             for k in range(form.rowCount()) if form.itemAt(k, form.ItemRole.LabelRole)}  # fmt: skip
    assert [shown[name].text() for name in ("Failure mode", "Confidence", "Evidence", "Judge")] == [
        *("Near-Miss Edge Case", "80%", "off by one", "elm"),
    ]
    assert shown["Justification"].text() == "<b>One is missing.</b>"
    assert "confidence 80%. <b>One is missing.</b>" in page.detail.history.topLevelItem(0).text(2)
