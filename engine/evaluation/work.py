"""The jobs that a batch runs in other processes: pure functions from JSON data to JSON data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from spatial_workbench.engine.core import resolve
from spatial_workbench.engine.core.consent import allow_programs
from spatial_workbench.engine.core.reading.limits import well_formed

Data = dict[str, Any]

JUDGING_LIMIT_S = 1800.0
"""Long enough for the simulation of rolling rock, which takes minutes on a busy machine."""


def judge(addresses: Sequence[str], text: str, programs: bool = True) -> Data:
    """Judges an answer on each instance, by all verifiers and the cross-check.

    Returns `answer` (the text that was verified) and `verdicts`: for each address a list of verdicts as JSON data.
    Their warnings say how the answer had to be repaired to be read. The list is empty if the answer holds a program
    and none may be run.

    programs: Whether programs in the answer run, in the sandbox.
    """
    read = well_formed(text)
    with allow_programs(programs) as consent:
        verdicts = {address: _verdicts(address, read) for address in addresses}
    if consent.was_missed:
        verdicts = {address: [] for address in addresses}
    return {"answer": read, "verdicts": verdicts}


def reference(address: str) -> Data:
    """The reference solution of an instance, as the fields of a `Response`."""
    return _asked("reference", address, 0, 0)


def random_answer(address: str, repeat: int, seed: int) -> Data:
    """A random answer to an instance, as the fields of a `Response`."""
    return _asked("random", address, repeat, seed)


def _verdicts(address: str, text: str) -> list[Data]:
    task, instance = resolve(address)
    return [verdict.model_dump(mode="json") for verdict in task.verify_all(instance, text)]


def _asked(provider: str, address: str, repeat: int, seed: int) -> Data:
    from spatial_workbench.engine.evaluation.planning.single import request_for
    from spatial_workbench.engine.models import ModelSettings, Provider, open_answerer

    task, instance = resolve(address)
    settings = ModelSettings(name=provider, provider=Provider(provider), seed=seed)
    response = open_answerer(settings).ask(request_for(task, instance, repeat, seed))
    return response.model_dump(mode="json")
