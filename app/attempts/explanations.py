"""Functions of the background process that explain how two verdicts differ. Free of Qt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from spatial_workbench.engine.core import (
    AnswerError,
    CountedDifferently,
    DrawsContrasts,
    Progress,
    Verdict,
    resolve,
    silent,
)
from spatial_workbench.engine.evaluation.laboratory.explaining import DifferenceExplained, explained
from spatial_workbench.engine.evaluation.laboratory.findings import divergence
from spatial_workbench.engine.evaluation.laboratory.reasons import CheckReason, reason_for
from spatial_workbench.engine.evaluation.laboratory.verifiers import verifiers_of

if TYPE_CHECKING:
    from spatial_workbench.engine.evaluation.edit_histories import EditHistory


@dataclass(frozen=True)
class DifferenceView:
    """What a page shows of a difference beside the drawings of its two verdicts.

    Attributes:
        explained: Why they differ.
        contrast: What only one of them counts, drawn; None if the task cannot say.
    """

    explained: DifferenceExplained
    contrast: CountedDifferently | None = None


def explain(address: str, text: str, first: Verdict, second: Verdict, progress: Progress = silent) -> DifferenceView:
    """Why two verdicts on the text of an answer differ, with a drawing of what only one of them counts.

    Raises:
        InstanceError: This version does not know the instance.
    """
    task, instance = resolve(address)
    why = explained(address, text, first, second)
    if not isinstance(task, DrawsContrasts):
        return DifferenceView(why)
    try:
        return DifferenceView(why, task.contrast(instance, task.parse(text), first, second))
    except AnswerError:
        return DifferenceView(why)


def reason(address: str, check: str, first: Verdict, second: Verdict, progress: Progress = silent) -> CheckReason:
    """Why a check ended as it did in two verdicts.

    Raises:
        InstanceError: This version does not know the instance.
    """
    task, instance = resolve(address)
    return reason_for(task, instance, check, (first, second))


def parting_edit(history: EditHistory, first: str, second: str, progress: Progress = silent) -> int | None:
    """The number of edits after which two verifiers part for the first time; None if they never do, or are not ours.

    Raises:
        InstanceError: This version does not know the instance.
        Cancelled: Raised by `progress`.
    """
    task, instance = resolve(history.address)
    known = {verifier.name: verifier for verifier in verifiers_of(task)}
    if not {first, second} <= known.keys():
        return None
    pair = known[first], known[second]
    total = len(history.edits)
    for number in range(1, total + 1):
        progress(number - 1, total, "Looking for the edit")
        answer = history.answer_after(number)
        ours, theirs = ((verifier, verifier.ask(instance, answer)) for verifier in pair)
        if divergence(ours, theirs) is not None:
            return number
    return None
