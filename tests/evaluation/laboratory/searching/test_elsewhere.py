"""What a verifier says must not depend on its process, on what it was asked before, or on the order of sets."""

import json
from pathlib import Path

import pytest

from spatial_workbench.engine.core import resolve
from spatial_workbench.engine.evaluation.laboratory.own import OwnKind, OwnVerifier, asked
from spatial_workbench.engine.evaluation.laboratory.searching.asking import ask_all
from spatial_workbench.engine.evaluation.laboratory.searching.elsewhere import (
    ELSEWHERE,
    AskedBefore,
    asked_elsewhere,
)
from spatial_workbench.engine.evaluation.laboratory.searching.task_search import SearchState, explore
from spatial_workbench.engine.evaluation.laboratory.verifiers import Trouble, verifiers_of

COUNTS = """
import json, pathlib, sys

json.load(sys.stdin)
count = pathlib.Path(sys.argv[1])
count.write_text(count.read_text() + "x" if count.exists() else "x")
print(json.dumps({"score": 1 / len(count.read_text()), "passed": False}))
"""
"""A command that gives less each time it is asked."""


@pytest.fixture
def counting(tmp_path: Path) -> OwnVerifier:
    (tmp_path / "counts.py").write_text(COUNTS)
    command = ("python3", str(tmp_path / "counts.py"), str(tmp_path / "count"))
    return OwnVerifier(name="counts", task="shikaku", kind=OwnKind.COMMAND, command=command)


def before(addresses: list[str], own: OwnVerifier | None = None) -> list[AskedBefore]:
    sample = []
    for address in addresses:
        task, instance = resolve(address)
        answer = task.format(task.solve(instance))
        if own is None:
            ruled = ask_all(verifiers_of(task), instance, answer)
        else:
            with asked(own) as verifier:
                ruled = ask_all(verifiers_of(task, [verifier.verifier]), instance, answer)
        sample.append(AskedBefore(address, answer, "reference", ruled))
    return sample


@pytest.mark.slow
def test_our_verifiers_say_the_same_in_another_process() -> None:
    assert asked_elsewhere(before(["maze_3d:0", "two_segments:3", "topology_enumeration:0", "csg_union:1"])) == []


@pytest.mark.slow
def test_a_verifier_that_depends_on_what_it_was_asked_before_is_found(counting: OwnVerifier) -> None:
    sample = before(["shikaku:0"], counting)
    (finding,) = asked_elsewhere(sample, [counting.model_dump(mode="json")])
    assert finding.divergence.by_check == ELSEWHERE
    assert isinstance(finding.second, Trouble)
    assert finding.second.message == "Here: not passed, 1. In another process: not passed, 0.5."


def test_the_rest_of_the_sample_is_left_out_when_the_time_is_over(counting: OwnVerifier) -> None:
    assert asked_elsewhere(before(["shikaku:0"], counting), [counting.model_dump(mode="json")], limit_s=0.0) == []


def test_an_answer_that_ends_the_other_process_is_found(tmp_path: Path) -> None:
    sample = before(["shikaku:0"])
    missing = OwnVerifier(name="gone", task="shikaku", kind=OwnKind.FILE, path=str(tmp_path / "gone.py"))
    (finding,) = asked_elsewhere(sample, [missing.model_dump(mode="json")])
    assert isinstance(finding.second, Trouble)
    assert finding.second.message.startswith("Another process ended")


@pytest.mark.slow
def test_the_second_job_of_a_search_asks_elsewhere(counting: OwnVerifier) -> None:
    own = [counting.model_dump(mode="json")]
    first = explore(SearchState("shikaku", 1).as_data(), {"seconds": None, "answers": 12}, own=own)
    second = explore(json.loads(json.dumps(first["state"])), {"seconds": None, "answers": 12}, own=own)
    assert not any(ELSEWHERE in group["key"] for group in first["groups"])
    assert any(ELSEWHERE in group["key"] for group in second["groups"])
