"""Single questions: the prompt of an instance and the schema of its answer, in one turn without self-correction."""

from __future__ import annotations

from typing import Any

from spatial_workbench.engine.core import Instance, Task
from spatial_workbench.engine.evaluation.planning.variants import PromptVariant
from spatial_workbench.engine.models import Request


def request_for(
    task: Task[Any],
    instance: Instance,
    repeat: int = 0,
    seed: int | None = None,
    variant: PromptVariant | None = None,
) -> Request:
    """The question about an instance, in the words of a variant if there is one; each repeat has another seed.

    Raises:
        VariantProblem: The prompt has not the parts that the variant names.
    """
    prompt = task.prompt(instance)
    return Request(
        text=prompt.text if variant is None else variant.applied(prompt.text),
        system=prompt.system,
        pictures=prompt.pictures,
        schema=task.schema() if task.answer_format == "json" else None,
        schema_name=task.id,
        seed=None if seed is None else seed + repeat,
        address=instance.address,
        repeat=repeat,
    )
