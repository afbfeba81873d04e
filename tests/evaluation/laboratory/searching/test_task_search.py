"""The search in one task: repeated exactly, resumed, and finding what is known."""

import json

import pytest

from spatial_workbench.engine.core import Verdict, task
from spatial_workbench.engine.evaluation.laboratory.findings import Finding
from spatial_workbench.engine.evaluation.laboratory.searching import task_search
from spatial_workbench.engine.evaluation.laboratory.searching.task_search import (
    SearchLimits,
    SearchState,
    TaskSearch,
    explore,
    group_as_data,
    group_from_data,
)
from spatial_workbench.engine.evaluation.laboratory.verifiers import AnyVerifier


def searched(task: str, answers: int, state: SearchState | None = None) -> TaskSearch:
    search = TaskSearch(state or SearchState(task, 1))
    search.run(SearchLimits(None, answers))
    return search


def smallest(search: TaskSearch) -> dict[str, tuple[str, int]]:
    return {key: (group.smallest.answer, group.count) for key, group in search.groups.items()}


@pytest.mark.slow
def test_equal_seeds_find_the_same() -> None:
    assert smallest(searched("maze_3d", 200)) == smallest(searched("maze_3d", 200))


@pytest.mark.slow
def test_what_is_known_is_found_from_nothing() -> None:
    known = {name for group in searched("maze_3d", 1500).groups.values() for name in group.known}
    assert {"other-digits", "text-around-the-grid"} <= known


@pytest.mark.slow
def test_a_search_goes_on_from_its_state() -> None:
    first = searched("maze_3d", 100)
    state = SearchState.from_data(json.loads(json.dumps(first.state.as_data())))
    again = searched("maze_3d", 100, state)
    assert again.state.asked == 200
    assert set(first.groups) <= set(again.state.groups)


@pytest.mark.slow
def test_the_job_gives_the_new_state_and_what_it_found() -> None:
    done = explore(SearchState("maze_3d", 1).as_data(), {"seconds": None, "answers": 150})
    assert done["state"]["asked"] == 150
    assert {group["key"] for group in done["groups"]} == set(done["state"]["groups"])
    json.dumps(done)


@pytest.mark.slow
def test_a_group_keeps_its_smallest_case_and_their_number() -> None:
    group = next(iter(searched("maze_3d", 400).groups.values()))
    stored = group_from_data(json.loads(json.dumps(group_as_data(group))))
    assert stored.smallest.answer == group.smallest.answer
    assert stored.joined_with(stored).count == 2 * group.count


def test_a_verifier_of_somebody_else_that_fails_is_a_question() -> None:
    def run(instance: object, answer: str) -> Verdict:
        raise ZeroDivisionError("no area")

    search = TaskSearch(SearchState("shikaku", 1), [AnyVerifier("theirs", "1", run)])
    search.run(SearchLimits(None, 5))
    group = next(group for group in search.groups.values() if group.smallest.divergence.second == "theirs")
    assert group.is_question


def test_default_and_cross_check_may_part_by_rounding() -> None:
    ends = [
        [[0.17450415, 0.549504], [-0.0546856, 0.9954552]],
        [[0.3909187463332449, 0.674934], [-0.12228225366675505, 0.81184425]],
    ]
    search = TaskSearch(SearchState("two_segments", 1), stored=[("two_segments@9", json.dumps({"segments": ends}))])
    search.state.yields.draws = {"reference": 1000, "random": 1000}
    search.run(SearchLimits(None, 1))
    group = next(group for group in search.groups.values() if group.smallest.divergence.second == "crosscheck")
    assert group.known == ("rounding",)
    assert not group.is_question


def test_a_solver_that_fails_ends_a_draw_and_a_fault_of_the_search_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise ZeroDivisionError("no area")

    search = TaskSearch(SearchState("shikaku", 1))
    monkeypatch.setattr(type(task("shikaku")), "solve", fails)
    search.run(SearchLimits(None, 20))
    assert search.state.faults["reference"] == "ZeroDivisionError: no area"
    monkeypatch.setattr(search, "_keep", fails)
    with pytest.raises(ZeroDivisionError):
        search.run(SearchLimits(None, 20))


def test_two_others_that_show_known_differences_part_by_these(monkeypatch: pytest.MonkeyPatch) -> None:
    def known_in(finding: Finding) -> tuple[str, ...]:
        way = finding.divergence
        return (f"of-{way.second}",) if way.first == "default" and way.second in ("lower", "higher") else ()

    monkeypatch.setattr(task_search, "known_in", known_in)
    scores = {"lower": 0.3, "higher": 0.6, "strange": 0.1}
    others = [
        AnyVerifier(
            name,
            "1",
            lambda place, _, name=name, score=score: Verdict(
                instance=place.address, verifier=name, version="1", score=score, passed=False
            ),
        )
        for name, score in scores.items()
    ]
    search = TaskSearch(SearchState("shikaku", 1), others)
    search.run(SearchLimits(None, 1))
    known = {
        (group.smallest.divergence.first, group.smallest.divergence.second): group.known
        for group in search.groups.values()
    }
    assert known["lower", "higher"] == ("of-lower", "of-higher")
    assert known["lower", "strange"] == ()


@pytest.mark.slow
def test_stored_attempts_are_asked_about() -> None:
    search = TaskSearch(
        SearchState("maze_3d", 1), stored=[("maze_3d:0", "```\nA5054\n78882\n23404\n09759\n2210B\n```")]
    )
    search.run(SearchLimits(None, 60))
    assert search.state.yields.draws["stored"] == 1


@pytest.mark.parametrize("task", ["interlocking_parts"])
def test_programs_in_answers_do_not_run(task: str) -> None:
    program = {
        "fileContents": "# a program",
        "fileType": "Python Generating STL",
        "transform": [1, 0, 0, 0, 0] * 3 + [1],
    }
    text = json.dumps({"reasoning": "", "parts": [program]})
    search = TaskSearch(SearchState(task, 1), stored=[(f"{task}:0", text)])
    search.state.yields.draws = dict.fromkeys(("reference", "random"), 1000)
    search.run(SearchLimits(None, 1))
    assert search.state.not_run == 1
