"""The library: its examples are true, and a notebook shows an answer with its verdict."""

import doctest
from pathlib import Path

import pytest

import spatial_workbench as sw
from spatial_workbench.engine.store import BatchState, ItemState
from spatial_workbench.engine.store import Project as StoredProject

ROOT = Path(__file__).resolve().parents[2]


def test_the_examples_in_the_docstrings_are_true():
    assert doctest.testmod(sw).failed == 0


@pytest.mark.slow
def test_the_examples_in_the_documentation_are_true():
    assert doctest.testfile(str(ROOT / "docs" / "library.md"), module_relative=False).failed == 0


def test_a_notebook_shows_an_answer_with_its_checks():
    judged = sw.verify("shikaku:0", sw.solve("shikaku:0"))
    html = judged._repr_html_()
    assert judged._repr_png_().startswith(b"\x89PNG")
    assert "shikaku:0: passed, score 1" in html
    assert all(check.name in html for check in judged.verdict.checks)


def test_an_answer_that_cannot_be_read_is_judged_and_drawn_too():
    judged = sw.verify("shikaku:0", "<b>no</b>")
    assert (judged.score, judged.answer) == (0, None)
    assert "<b>no" not in judged._repr_html_()


def test_plain_data_are_judged_like_text():
    answer = sw.solve("shikaku:0")
    assert sw.verify("shikaku:0", answer.model_dump(mode="json")).passed
    assert sw.verify("shikaku:0", sw.task("shikaku").format(answer), verifier="default").passed


@pytest.mark.slow
def test_each_repeat_of_a_function_is_a_result():
    asked = []

    def respond(prompt):
        asked.append(prompt.text)
        return "[]"

    results = sw.evaluate(respond, "shikaku:0-1", repeats=2, workers=1)
    assert len(asked) == 4
    assert [result.instance.address for result in results] == ["shikaku:0", "shikaku:0", "shikaku:1", "shikaku:1"]


@pytest.mark.slow
def test_a_function_keeps_its_name_in_the_project(tmp_path):
    path = tmp_path / "p.workbench"
    sw.evaluate(lambda prompt: "[]", "shikaku:0", project=path, name="mine", workers=1)
    with sw.Project.open(path) as project:
        assert [row["model"] for row in project.attempts()] == ["mine"]


def test_questions_without_an_answer_are_told(monkeypatch):
    def ask_nobody(path, batch, answerers, drawer):
        with StoredProject.open(path) as project:
            (item,) = project.items.of_batch(batch)
            project.items.fail(item.number, ItemState.ERROR, "refused", "The model is away.")
            project.batches.set_state(batch, BatchState.FINISHED)

    monkeypatch.setattr("spatial_workbench.evaluating.run_batch", ask_nobody)
    with pytest.raises(
        RuntimeError, match="1 of 1 questions have no answer, the first one shikaku:0: The model is away"
    ):
        sw.evaluate("reference", "shikaku:0")


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        (lambda: sw.instance("shikaku:999"), sw.InstanceError),
        (lambda: sw.evaluate("reference", "no_task"), sw.InstanceError),
        (lambda: sw.evaluate("no model", "shikaku:0"), Exception),
        (lambda: sw.task("no_task"), KeyError),
    ],
)
def test_what_there_is_not_is_refused_in_a_sentence(call, kind):
    with pytest.raises(kind, match=r"no_task|999|no model"):
        call()
