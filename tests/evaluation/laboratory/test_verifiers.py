"""The verifiers of a task, as the laboratory asks them."""

import pytest

from spatial_workbench.engine.core import Cancelled, Instance, Verdict
from spatial_workbench.engine.core.registry import task
from spatial_workbench.engine.evaluation.laboratory import AnyVerifier, Trouble, verifiers_of


def test_a_task_is_judged_by_its_verifiers_and_the_cross_check() -> None:
    names = [verifier.name for verifier in verifiers_of(task("hamiltonian_loop"))]
    assert names[0] == "default"
    assert "published" in names
    assert names[-1] == "crosscheck"


def test_each_verifier_gives_the_verdict_of_its_own_name() -> None:
    judged = task("shikaku")
    instance = judged.instances()[0]
    answer = judged.format(judged.solve(instance))
    for verifier in verifiers_of(judged):
        verdict = verifier.ask(instance, answer)
        assert isinstance(verdict, Verdict)
        assert (verdict.verifier, verdict.version) == (verifier.name, verifier.version)


def test_a_verifier_that_raises_is_trouble_with_its_message() -> None:
    def judge(instance: Instance, answer: str) -> Verdict:
        raise ZeroDivisionError("division by zero")

    ruled = AnyVerifier("theirs", "1", judge).ask(task("shikaku").instances()[0], "{}")
    assert ruled == Trouble("theirs", "exception", "ZeroDivisionError: division by zero")


def test_a_verifier_that_takes_too_long_is_trouble_of_its_own_kind() -> None:
    def judge(instance: Instance, answer: str) -> Verdict:
        raise TimeoutError("It took longer than 5 s.")

    ruled = AnyVerifier("theirs", "1", judge).ask(task("shikaku").instances()[0], "{}")
    assert ruled == Trouble("theirs", "time-out", "It took longer than 5 s.")


def test_cancelling_is_no_trouble_of_the_verifier() -> None:
    def judge(instance: Instance, answer: str) -> Verdict:
        raise Cancelled

    with pytest.raises(Cancelled):
        AnyVerifier("theirs", "1", judge).ask(task("shikaku").instances()[0], "{}")
