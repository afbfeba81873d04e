"""Where answers come from, and that equal seeds draw equal answers."""

import json

import pytest

from spatial_workbench.engine.core import task
from spatial_workbench.engine.evaluation.laboratory.searching.sources import SOURCES, AnswerSources, KeptAnswer

SHIKAKU = task("shikaku")
SOLVED = SHIKAKU.format(SHIKAKU.solve(SHIKAKU.instances()[0]))


def sources(kept: bool = True, stored: bool = False) -> AnswerSources:
    answers = [KeptAnswer("shikaku:0", SOLVED, passes=True)] if kept else []
    return AnswerSources(SHIKAKU, (1, 0), answers, [("shikaku:1", "[]")] if stored else [], lambda *_: "same")


def drawn(source: str, number: int = 0) -> list[str]:
    return [candidate.answer for candidate in sources(stored=True).draw(source, number)]


@pytest.mark.parametrize("source", SOURCES)
def test_equal_draws_give_equal_answers(source: str) -> None:
    assert drawn(source, 0) == drawn(source, 0)


def test_only_references_and_random_answers_come_from_nothing() -> None:
    assert sources(kept=False).available({}) == ["reference", "random"]


def test_references_end_after_the_last_instance() -> None:
    assert "reference" not in sources().available({"reference": sources().instance_count})


def test_references_come_with_the_empty_answer() -> None:
    solved, empty = drawn("reference")
    assert solved == SOLVED
    assert json.loads(empty)["rectangles"] == []


def test_stored_attempts_are_asked_once() -> None:
    assert drawn("stored") == ["[]"]
    assert "stored" not in sources(stored=True).available({"stored": 1})


def test_answers_stop_early_after_any_number_of_elements() -> None:
    counts = [len(json.loads(answer)["rectangles"]) for answer in drawn("early")]
    whole = len(json.loads(SOLVED)["rectangles"])
    assert counts[0] == 0
    assert max(counts) == whole - 1


def test_commands_of_the_task_change_answers() -> None:
    changed = [answer for number in range(20) for answer in drawn("command", number)]
    assert any(json.loads(answer) != json.loads(SOLVED) for answer in changed)


def test_a_text_that_happens_to_be_a_number_stays_a_text() -> None:
    maze = AnswerSources(task("maze_3d"), (1, 0), [KeptAnswer("maze_3d:0", "5054")], [], lambda *_: "same")
    for number in range(20):
        assert all(isinstance(each.answer, str) for each in maze.draw("mutation", number))
