"""The models that a study compares people with, from the attempts of a project."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import fmean
from typing import TYPE_CHECKING

from spatial_workbench.engine.core import resolve
from spatial_workbench.engine.evaluation.collect import scored_outside_studies
from spatial_workbench.engine.evaluation.scored import Ending, Scored
from spatial_workbench.engine.evaluation.scores import grouped
from spatial_workbench.engine.studies.analysis.counting import main_instances
from spatial_workbench.engine.studies.analysis.figures import ModelRun
from spatial_workbench.engine.studies.analysis.outcomes import Outcomes
from spatial_workbench.engine.studies.planning.document import Contrast
from spatial_workbench.engine.studies.planning.freezing import prompt_digest

if TYPE_CHECKING:
    from spatial_workbench.engine.store import Project

_MODEL = "model"


def model_runs(project: Project, outcomes: Outcomes) -> list[ModelRun]:
    """The runs of models that the contrasts of the study name, with their results on the study's main instances.

    A contrast of which the project has no result is left out.
    """
    spellings = {resolve(item.address)[1].address: item.address for item in main_instances(outcomes.study)}
    digests = {material.address: material.prompt for material in outcomes.frozen.materials} if outcomes.frozen else {}
    contrasts = outcomes.study.analysis.contrasts
    records = {batch: _records(project, batch, spellings) for batch in {contrast.batch for contrast in contrasts}}
    runs = []
    for contrast in contrasts:
        asked = (contrast.run, contrast.tools)
        items = [item for item in records[contrast.batch] if (item.model, item.tools) == asked]
        if items:
            runs.append(_run(project, contrast, items, digests))
    return runs


def _records(project: Project, batch: int | None, spellings: Mapping[str, str]) -> list[Scored]:
    """The results of models on the instances of a study.

    Args:
        batch: Only the results of this batch; None: of the whole project.
        spellings: The address as the study spells it, by the address of each instance.
    """
    return [
        replace(item, address=spellings[item.address])
        for item in scored_outside_studies(project, None if batch is None else [batch])
        if item.actor == _MODEL and item.address in spellings and item.value is not None and item.state is Ending.DONE
    ]


def _run(project: Project, contrast: Contrast, items: Sequence[Scored], digests: Mapping[str, str]) -> ModelRun:
    by_address = grouped(items, lambda item: item.address)
    tokens = [item.output_tokens for item in items if item.output_tokens is not None]
    attempts = {item.attempt: item.address for item in items if item.attempt is not None}
    return ModelRun(
        name=contrast.run + (" with tools" if contrast.tools else ""),
        condition=contrast.condition,
        scores={
            address: tuple(item.value for item in of if item.value is not None) for address, of in by_address.items()
        },
        passed={address: tuple(bool(item.passed) for item in of) for address, of in by_address.items()},
        budget=next((item.budget for item in items if item.budget is not None), None),
        output_tokens=fmean(tokens) if tokens else None,
        tools=contrast.tools,
        same_prompt=_same_prompts(project, attempts, digests),
        versions=_versions(project, attempts),
    )


def _same_prompts(project: Project, attempts: Mapping[int, str], digests: Mapping[str, str]) -> dict[str, bool | None]:
    """Whether each item was asked with the words that people got; None where no prompt is stored."""
    same: dict[str, bool | None] = {}
    texts: dict[int, str] = {}
    for row in project.runs.rows(list(attempts)):
        address = attempts[row.number]
        if row.prompt is not None:
            text = texts.setdefault(row.prompt, project.runs.prompt_text(row.prompt))
            is_same = _asks_the_same(address, text, digests)
            same[address] = is_same and same.get(address) is not False
        else:
            same.setdefault(address, None)
    return same


def _asks_the_same(address: str, text: str, digests: Mapping[str, str]) -> bool:
    """Whether a stored prompt holds the prompt that was frozen; models are told more, such as the schema."""
    task, instance = resolve(address)
    prompt = task.prompt(instance)
    return digests.get(address) == prompt_digest(prompt) and prompt.text in text


def _versions(project: Project, attempts: Mapping[int, str]) -> dict[str, str]:
    """The default verifier's version of the newest verdict on each item."""
    versions = {}
    for number, address in attempts.items():
        for verdict in project.attempts.get(number).verdicts:
            if verdict.verifier == "default":
                versions[address] = verdict.version
    return versions
