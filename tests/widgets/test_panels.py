"""The panels beside a view: what they show, and what they signal when something is clicked."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton

from spatial_workbench.engine.core import Openness, Prompt, Scene
from spatial_workbench.engine.core import task as task_of
from spatial_workbench.engine.core.reading.how_read import HowRead
from spatial_workbench.engine.core.scene import Frame, Points
from spatial_workbench.engine.core.words import unit_for
from spatial_workbench.engine.store.facts import THEIR_SCORE
from spatial_workbench.widgets.editing.document import AnswerDocument
from spatial_workbench.widgets.panels.answer_panel import AnswerPanel
from spatial_workbench.widgets.panels.prompt_panel import PromptPanel
from spatial_workbench.widgets.panels.verdict_panel import VerdictPanel
from spatial_workbench.widgets.scene_views.timeline import Timeline
from tests.core.sample_task import SampleTask
from tests.editors.driving import SynchronousRunner

TASK = SampleTask()
SQUARE = TASK.instances()[1]


@pytest.fixture
def verdict_panel(qtbot):
    panel = VerdictPanel()
    qtbot.addWidget(panel)
    panel.resize(320, 480)
    panel.show()
    return panel


def rows(panel):
    tree = panel._tree
    return [tree.topLevelItem(i).text(0) for i in range(tree.topLevelItemCount())]


def words(panel):
    return [label.text() for label in panel.findChildren(QLabel)]


TRIED = task_of("half_subdivision")
TRIED_SQUARE = TRIED.instances()[0]


def shown_on_form(panel, answer, is_untouched=False):
    panel.show_rule(TRIED.live, Openness.RULE)
    panel.show_verdict(TRIED.live.restricted(TRIED.verify(TRIED_SQUARE, answer), Openness.RULE, is_untouched))
    return panel._word.text()


def test_a_verdict_on_the_form_has_three_words(verdict_panel):
    assert shown_on_form(verdict_panel, TRIED.empty(TRIED_SQUARE), is_untouched=True) == "Unfinished"
    assert shown_on_form(verdict_panel, TRIED.solve(TRIED_SQUARE)) == "Complete in form"
    assert shown_on_form(verdict_panel, "no answer") == "Not passed"


def test_a_cached_verdict_says_so_beside_its_time(verdict_panel):
    verdict = TASK.verify(SQUARE, {"points": [[1, 2]]})
    verdict_panel.show_verdict(verdict)
    assert not any("cached" in text for text in words(verdict_panel))
    verdict_panel.show_verdict(verdict.model_copy(update={"is_cached": True}))
    assert any(text.endswith("(cached)") for text in words(verdict_panel))


def test_a_score_of_others_is_not_told_as_a_verifier_of_ours(verdict_panel):
    verdict = TASK.verify(SQUARE, {"points": [[1, 2]]}).model_copy(update={"verifier": THEIR_SCORE})
    verdict_panel.show_verdict(verdict)
    assert "Their score, as it was imported" in words(verdict_panel)


def test_a_verdict_on_the_form_says_what_it_tells_and_what_will_tell_more(verdict_panel):
    shown_on_form(verdict_panel, TRIED.solve(TRIED_SQUARE))
    assert verdict_panel._note.text() == (
        "While you build, this tells no more than the form of the answer. Right or wrong is told when you submit, or "
        "while “Show what is wrong” is on."
    )


def test_where_the_switch_is_not_offered_no_word_speaks_of_it(verdict_panel):
    verdict_panel.offer_help(wrong=False, key=False)
    shown_on_form(verdict_panel, TRIED.solve(TRIED_SQUARE))
    assert not verdict_panel.wrong.isVisible()
    assert not any("Show what is wrong" in text for text in words(verdict_panel))


def test_the_checks_stand_in_the_order_of_the_rules(verdict_panel):
    verdict_panel.show_verdict(TASK.verify(SQUARE, {"points": [[9, 9]]}))
    assert rows(verdict_panel)[:3] == ["at least one point", "inside the square", "above the diagonal"]


def test_passing_is_said_in_words_and_not_by_colour_alone(verdict_panel):
    verdict_panel.show_verdict(TASK.verify(SQUARE, {"points": [[1, 2]]}))
    assert {"Passed", "1.00"} <= set(words(verdict_panel))
    verdict_panel.show_verdict(TASK.verify(SQUARE, {"points": [[9, 9]]}))
    assert {"Not passed", "0.00"} <= set(words(verdict_panel))


def test_a_click_on_a_check_names_its_elements(verdict_panel, qtbot):
    verdict_panel.show_verdict(TASK.verify(SQUARE, {"points": [[1, 1], [9, 9]]}))
    item = verdict_panel._tree.topLevelItem(1)
    with qtbot.waitSignal(verdict_panel.elements_clicked) as clicked:
        qtbot.mouseClick(
            verdict_panel._tree.viewport(),
            Qt.MouseButton.LeftButton,
            pos=verdict_panel._tree.visualItemRect(item).center(),
        )
    assert clicked.args == [("point 1",)]


def test_without_a_verdict_the_panel_says_so(verdict_panel):
    verdict_panel.show_verdict(None)
    assert "No verdict yet" in words(verdict_panel)


def test_a_verdict_that_takes_long_can_be_cancelled(verdict_panel, qtbot):
    verdict_panel.show_waiting(True)
    button = next(b for b in verdict_panel.findChildren(QPushButton) if b.text() == "Cancel")
    with qtbot.waitSignal(verdict_panel.cancel_requested):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


@pytest.fixture
def answer_panel(qtbot):
    document = AnswerDocument(TASK, SQUARE)
    panel = AnswerPanel(document, SynchronousRunner().run)
    qtbot.addWidget(panel)
    panel.resize(400, 300)
    panel.show()
    panel.document_under_test = document
    return panel


def test_the_text_follows_the_document(answer_panel, qtbot):
    answer_panel.document_under_test.edit("Place point", TASK.parse({"points": [[1, 2]]}))
    qtbot.waitUntil(lambda: "1.0" in answer_panel.text.toPlainText())


def test_a_long_answer_is_laid_out_in_the_background(qtbot):
    task = task_of("lego_hemisphere")
    document = AnswerDocument(task, task.instances()[7], task.solve(task.instances()[7]))
    asked = []
    panel = AnswerPanel(document, lambda label, function, *data, done: asked.append((function, data, done)))
    qtbot.addWidget(panel)
    panel.show()
    assert panel.text.toPlainText() == ""
    function, data, done = asked[0]
    done(function(*data))
    assert panel.text.toPlainText() == task.format(document.answer)


def test_a_text_that_was_overtaken_by_another_answer_is_not_shown(qtbot):
    task = task_of("lego_hemisphere")
    document = AnswerDocument(task, task.instances()[7], task.solve(task.instances()[7]))
    asked = []
    panel = AnswerPanel(document, lambda *_, done: asked.append(done))
    qtbot.addWidget(panel)
    panel.show()
    document.edit("Clear", task.empty(document.instance))
    asked[0]("an old text")
    assert panel.text.toPlainText() != "an old text"


def test_what_is_typed_goes_into_the_document(answer_panel):
    answer_panel.text.setPlainText('{"points": [[3, 4]]}')
    answer_panel.apply()
    assert answer_panel.document_under_test.answer.points == ((3.0, 4.0),)


def test_what_cannot_be_read_is_shown_at_its_line_and_nothing_is_lost(answer_panel):
    answer_panel.text.setPlainText('{\n"points": [[3,\n"x"]]}')
    answer_panel.apply()
    assert answer_panel.error.text().startswith("line 3: points[0][1] must be a number")
    assert answer_panel.text.textCursor().blockNumber() == 2
    assert answer_panel.document_under_test.answer.points == ()


def test_text_that_is_being_typed_is_not_overwritten_by_the_editor(answer_panel, qtbot):
    answer_panel.text.setPlainText('{"points": [[3')
    answer_panel.document_under_test.edit("Place point", TASK.parse({"points": [[1, 2]]}))
    qtbot.wait(400)
    assert answer_panel.text.toPlainText() == '{"points": [[3'
    answer_panel.revert_button.click()
    assert "1.0" in answer_panel.text.toPlainText()


def test_the_prompt_is_shown_as_a_solver_gets_it(qtbot):
    panel = PromptPanel()
    qtbot.addWidget(panel)
    panel.show_prompt(Prompt("Cut the square."))
    assert panel.text.toPlainText() == "Cut the square."


@pytest.fixture
def timeline(qtbot):
    frames = [
        Frame(10.0 * i, [Points(name="drops", ids=["drop 0"], positions=np.array([[0.0, 0.0, i]]))]) for i in range(5)
    ]
    line = Timeline()
    qtbot.addWidget(line)
    line.set_scene(Scene(items=(), frames=frames, frame_unit="drops"))
    return line


def test_playing_goes_to_the_end_and_stops_there(timeline, qtbot):
    timeline.play()
    qtbot.waitUntil(lambda: not timeline.is_playing)
    assert timeline.index == 4


def test_scrubbing_shows_the_frame_and_what_its_time_counts(timeline, qtbot):
    with qtbot.waitSignal(timeline.frame_changed) as shown:
        timeline.go_to(3)
    assert shown.args == [3]
    assert "30 drops" in words(timeline)


@pytest.mark.parametrize(("value", "unit", "label"), [(1, "cells", "cell"), (2, "cells", "cells"), (1, "mm", "mm")])
def test_a_figure_s_unit_goes_with_its_value(value, unit, label):
    assert unit_for(value, unit) == label


@pytest.mark.parametrize(("how", "place"), [(HowRead.MENDED, 0), (HowRead.SEVERAL, 0), (HowRead.AS_IT_IS, -1)])
def test_what_had_to_be_done_to_read_an_answer_stands_at_the_top(verdict_panel, how, place):
    verdict = TASK.verify(SQUARE, TASK.solve(SQUARE))
    warned = verdict.model_copy(update={"warnings": ("A code block in the answer was read",), "how_read": how})
    verdict_panel.show_verdict(warned)
    assert rows(verdict_panel)[place] == "Warnings"
