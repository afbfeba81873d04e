"""Functions of the program that asks, as verifiers: they run here, as everything that this program runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from spatial_workbench.engine.core import Instance, Verdict
from spatial_workbench.engine.evaluation.laboratory.own.asking import case_of
from spatial_workbench.engine.evaluation.laboratory.own.replies import verdict_of
from spatial_workbench.engine.evaluation.laboratory.verifiers import AnyVerifier
from spatial_workbench.engine.store.facts import OWN_PREFIX

Judge: TypeAlias = Callable[[dict[str, Any], Any], Mapping[str, Any]]
"""Gets an instance and an answer as plain data, and gives a verdict as plain data (docs/own_verifiers.md)."""
VERSION = "function"


def verifiers_of_functions(judges: Mapping[str, Judge]) -> tuple[AnyVerifier, ...]:
    """Functions as verifiers, by the names that they get."""
    return tuple(_verifier(OWN_PREFIX + name, judge) for name, judge in judges.items())


def _verifier(name: str, judge: Judge) -> AnyVerifier:
    def run(instance: Instance, text: str) -> Verdict:
        case = case_of(instance, text)
        return verdict_of(judge(case["instance"], case["answer"]), name, VERSION, instance.address)

    return AnyVerifier(name, VERSION, run)
