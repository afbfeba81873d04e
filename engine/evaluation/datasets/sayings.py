"""What the card and the metadata of a data set say: what it is, how it was made, what it is for, and what may leak."""

from __future__ import annotations

from collections.abc import Iterator

from spatial_workbench.engine.core import Family, task
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.evaluation.datasets.contents import DatasetContents
from spatial_workbench.engine.evaluation.datasets.plan import DatasetPlan, task_id
from spatial_workbench.engine.evaluation.datasets.rows import EASY_FROM, HARD_TO

LANGUAGE = "en"
MAKERS = "Spatial Workbench contributors"
KEYWORDS = ("spatial reasoning", "synthetic data", "verifiable answers", "reference solutions")


def description(contents: DatasetContents) -> str:
    """What the data set is, in two sentences, with the sizes of its splits."""
    tasks = len({task_id(source) for source in contents.plan.tasks})
    splits = ", ".join(f"{split} {rows:,}" for split, rows in contents.splits().items())
    return (
        f"{counted(contents.rows, 'question')} of {counted(tasks, 'task')} of spatial reasoning"
        f"{f' ({splits})' if splits else ''}. Each has the rules in words, a reference answer, and its score."
    )


def how_it_was_made(plan: DatasetPlan) -> str:
    """Where instances, prompts and answers come from."""
    generated = (
        "Generators with seeds made the instances, programs worded the prompts, reference solvers found the answers, "
        "and verifiers judged them. No person and no language model wrote any of it."
        if plan.count
        else ""
    )
    published = (
        f"The split “{plan.published_split}” holds the instances that the workbench ships as published ones; reference "
        "solvers answered them, too."
        if plan.published
        else ""
    )
    again = f"Spatial Workbench {plan.version} makes the same data again from the options in `plan.json`."
    return " ".join(filter(None, [generated, published, again]))


def uses(contents: DatasetContents) -> list[str]:
    """What the data set is meant for, a sentence each."""
    sentences = [
        "Training on instances whose answers can be checked; any answer is judged by the workbench's verifiers."
    ]
    if len(contents.splits()) > 1:
        sentences.append("Comparing models on splits that they were not trained on.")
    return sentences


def known_leaks(contents: DatasetContents) -> list[str]:
    """What is known about how answers, or instances, may have reached a model before; a sentence or two each."""
    return list(_leaks(contents.plan))


def _leaks(plan: DatasetPlan) -> Iterator[str]:
    if plan.count:
        yield (
            "Each generated question is there once, in one split, whatever its seed or the arguments of its generator; "
            "none asks what a published instance asks. Equality is decided by prompts, pictures included."
        )
        yield (
            "The generators are public, so anybody can make the same instances from the same seeds. A secret test set "
            "needs seeds that nobody knows."
        )
    if plan.count and len(plan.sizes) > 1:
        yield (
            "The split of an instance follows from its id and the proportions of the splits, so it stays the same in a "
            "larger data set of the same proportions. All splits come from the same generators: results on one after "
            "training on another say nothing about other kinds of instances."
        )
    cubes = sorted({name for name in map(task_id, plan.tasks) if task(name).family == Family.CUBE})
    if len(cubes) > 1:
        yield (
            f"{', '.join(cubes)} ask about the same cubes, which therefore have the same digits in their ids and "
            "belong to the same split, but the answer to one is an answer to the others."
        )
    if plan.published:
        yield (
            f"The published instances (“{plan.published_split}”) are public, and models may have seen them in "
            "training. Some of them share a prompt: nine criteria of one answer, or one face of different cubes."
        )
    if plan.by_difficulty:
        yield (
            f"Splits are divided by the share of models' attempts that passed (easy from {EASY_FROM:.0%} on, hard up "
            f"to {HARD_TO:.0%}), so they depend on the models that were asked."
        )
    yield "No training corpus was searched for these instances."
