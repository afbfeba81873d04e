"""The steps of an attempt at a puzzle: judged ones beside the text, ticks by hand, and the dialog that asks a judge."""

import json
from io import BytesIO

import pytest
from PIL import Image, ImageColor

from spatial_workbench.app.attempts import drawings
from spatial_workbench.app.evaluation.judge_dialog import StepJudgeDialog
from spatial_workbench.app.runs.steps import NOT_JUDGED
from spatial_workbench.engine.core import resolve
from spatial_workbench.engine.puzzles.annotation.layers import PuzzleLayer, Rectangle, write_layer
from spatial_workbench.engine.puzzles.judging import STORED, StepVerdict, stored_judgement
from spatial_workbench.engine.store import Actor, JudgementSource, StepJudge
from tests.app.evaluation.conftest import set_up_endpoint
from tests.models.conftest import chat, own_keyring, server

__all__ = ["own_keyring", "server"]

YES = json.dumps({"correct": True, "explanation": "It is there."})
TEXT = "Each net is folded into a cube; the lid is the face opposite to the star.\n\nAnswer: PARCEL"


def ask(window, qtbot, question):
    """Asks the window's own connection: a second one in this process would drop its locks on the file."""
    answers = []
    window.project.ask(question, answers.append)
    qtbot.waitUntil(lambda: bool(answers))
    return answers[0]


def submit(window, qtbot, text=TEXT, met=None):
    """An attempt at Packing Room in the window's project, perhaps judged, shown in the runs browser."""
    _, instance = resolve("puzzle_hunt:5")

    def add(project):
        number = project.attempts.add(instance, text, Actor.MODEL, "birch")
        if met is not None:
            steps = tuple(StepVerdict(correct=mark == "T", explanation=f"Because {mark}.") for mark in met)
            version = instance.parameters["version"]
            verdicts = STORED.dump_json(steps).decode()
            project.puzzles.add_step_judgement(
                number, StepJudge(source=JudgementSource.JUDGE, name="oak"), verdicts, version
            )
        return number

    number = ask(window, qtbot, add)
    page = window.run_pages.show_runs()
    page.reload()
    qtbot.waitUntil(lambda: number in page.model.numbers)
    page.show_attempt(number)
    qtbot.waitUntil(lambda: page.detail.dossier is not None and page.detail.dossier.row.number == number)
    page.detail.tabs.setCurrentWidget(page.detail.steps)
    return page, page.detail.steps


@pytest.mark.slow
def test_judged_steps_stand_beside_the_closest_passages(window, qtbot):
    _, steps = submit(window, qtbot, met="TFFT")
    assert [card.state.text() for card in steps.cards] == [
        "Met, by the judge",
        "Not met, by the judge",
        "Not met, by the judge",
        "Met, by the judge",
    ]
    assert steps.cards[1].explanation.text() == "Because F."
    assert any("opposite to the star" in passage for passage in steps.sheet.passages)


@pytest.mark.slow
def test_an_attempt_that_nobody_judged_says_so(window, qtbot):
    _, steps = submit(window, qtbot)
    assert steps.note.text() == NOT_JUDGED


@pytest.mark.slow
def test_the_tab_is_there_for_puzzles_only(window, qtbot):
    page, _ = submit(window, qtbot)
    _, instance = resolve("two_segments:0")
    other = ask(window, qtbot, lambda project: project.attempts.add(instance, "{}", Actor.MODEL, "birch"))
    page.show_attempt(other)
    qtbot.waitUntil(lambda: page.detail.dossier.row.number == other)
    assert not page.detail.tabs.isTabVisible(page.detail.tabs.indexOf(page.detail.steps))


@pytest.mark.slow
def test_ticking_by_hand_hides_what_the_judge_said(window, qtbot):
    _, steps = submit(window, qtbot, met="TFFT")
    steps.blind.setChecked(True)
    assert not steps.judgement.isVisible()
    assert [card.explanation.text() for card in steps.cards] == [""] * 4
    assert [card.state.text() for card in steps.cards] == ["", "", "", "Met, by the final answer"]


@pytest.mark.slow
def test_ticks_are_stored_as_a_second_judgement(window, qtbot):
    _, steps = submit(window, qtbot, met="TFFT")
    steps.blind.setChecked(True)
    steps.cards[1].tick.setChecked(True)
    steps.save.click()
    qtbot.waitUntil(lambda: steps.judgement.count() == 2)
    _, ticked = ask(window, qtbot, lambda project: project.puzzles.step_judgements())
    assert ticked.source is JudgementSource.PERSON
    assert stored_judgement(ticked.steps).met == (False, True, False, True)


@pytest.mark.slow
def test_a_model_judges_the_steps_of_an_attempt_and_the_page_shows_them(window, qtbot, server):
    server.answers.append(chat(YES))
    set_up_endpoint(server)
    _, steps = submit(window, qtbot)
    steps.judge.click()
    qtbot.waitUntil(lambda: window.findChild(StepJudgeDialog) is not None)
    dialog = window.findChild(StepJudgeDialog)
    dialog.judge.setCurrentText("tiny")
    qtbot.waitUntil(dialog.go.isEnabled)
    assert dialog.note.text().startswith("1 attempt, 4 requests: about ")
    dialog.go.click()
    qtbot.waitUntil(lambda: len(steps.cards) == 4 and steps.cards[0].state.text() == "Met, by the judge")


@pytest.mark.slow
def test_judging_all_steps_at_once_takes_one_request(window, qtbot, server):
    set_up_endpoint(server)
    _, steps = submit(window, qtbot)
    steps.judge.click()
    qtbot.waitUntil(lambda: window.findChild(StepJudgeDialog) is not None)
    dialog = window.findChild(StepJudgeDialog)
    dialog.judge.setCurrentText("tiny")
    dialog.together.setChecked(True)
    qtbot.waitUntil(lambda: dialog.note.text().startswith("1 attempt, 1 request"))
    dialog.reject()


LAYER = PuzzleLayer(page="content.png", size=(900, 900), shapes=(Rectangle(start=(50, 50), end=(90, 90), filled=True),))


def red_pixel(scene):
    """The colour of the middle of the sketch, on the first page."""
    return Image.open(BytesIO(scene.items[0].png)).convert("RGB").getpixel((70, 70))


def test_a_sketch_is_shown_over_its_page_in_the_runs_browser(window, qtbot):
    _, instance = resolve("puzzle_hunt:5")

    def add(project):
        project.drafts.store_sketch(instance, "content.png", write_layer(LAYER).decode(), "Ada")
        return project.attempts.add(instance, TEXT, Actor.PERSON, "Ada")

    number = ask(window, qtbot, add)
    page = window.run_pages.show_run(number) or window.run_pages.show_runs()
    qtbot.waitUntil(lambda: page.detail.dossier is not None and page.is_idle)
    assert red_pixel(page.detail.stage._scene) == ImageColor.getrgb(LAYER.shapes[0].color)


def test_a_sketch_that_cannot_be_read_is_told_and_the_page_is_shown():
    drawn = drawings.draw_with_sketches("puzzle_hunt:5", TEXT, None, sketches={"content.png": "{}"})
    assert red_pixel(drawn.scene) == (255, 255, 255)
    assert drawn.trouble.startswith("The sketch on content.png cannot be shown. The layer cannot be read: page")


def test_judging_is_in_the_menu_and_no_model_is_chosen_at_first(window, qtbot, server):
    set_up_endpoint(server)
    submit(window, qtbot)
    window.actions_registry["evaluate.judge"].trigger()
    qtbot.waitUntil(lambda: window.findChild(StepJudgeDialog) is not None)
    dialog = window.findChild(StepJudgeDialog)
    assert dialog.scope.itemText(dialog.scope.count() - 1) == "All attempts at puzzles of this project"
    assert (dialog.chosen, dialog.go.isEnabled()) == ("", False)
    dialog.judge.setCurrentText("tiny")
    qtbot.waitUntil(dialog.go.isEnabled)
    dialog.reject()
