"""The page that describes the data set in a folder, and its licence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from spatial_workbench.engine.core import task
from spatial_workbench.engine.core.files import replacing
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.evaluation.datasets.choice import DatasetChoice
from spatial_workbench.engine.evaluation.datasets.plan import DatasetPlan, folder_of, task_id
from spatial_workbench.engine.evaluation.datasets.rows import ABOUT, COLUMNS

LICENCE = """The instances, prompts, pictures and reference answers in this folder were made by Spatial Workbench.
They may be used under the terms of the Apache License, version 2.0 (SPDX identifier: Apache-2.0).
"""


def write_card(folder: Path, plan: DatasetPlan, choices: Mapping[str, DatasetChoice], failures: int) -> None:
    """Writes README.md, whose head the library `datasets` reads, and LICENSE."""
    splits = ["test"] * plan.published + ["train"] * (plan.count > 0)
    configs = [line for source in plan.tasks for line in _config(folder_of(source), splits)]
    every = ["- config_name: all", "  default: true", "  data_files:"]
    every += [f'  - {{split: {split}, path: "data/*/{split}-*.parquet"}}' for split in splits]
    head = ["---", "license: apache-2.0", "tags: [spatial-reasoning]", "configs:", *every, *configs, "---"]
    with replacing(folder / "README.md") as part:
        part.write_text("\n".join([*head, "", *_words(plan, choices, failures)]) + "\n", "utf-8")
    with replacing(folder / "LICENSE") as part:
        part.write_text(LICENCE, "utf-8")


def shortages(plan: DatasetPlan, choices: Mapping[str, DatasetChoice]) -> list[str]:
    """Which generators gave fewer different instances than were wanted, in sentences."""
    return [_shortage(source, plan.count, choice) for source, choice in choices.items() if choice.is_exhausted]


def _shortage(source: str, wanted: int, choice: DatasetChoice) -> str:
    known = task(task_id(source))
    found = len(choice.addresses)
    if not found:
        return f"{source}: no instance was found with {choice.tried:,} seeds"
    sentence = f"{source}: {found:,} different instances, not {wanted:,}; {choice.tried:,} seeds gave no others"
    if choice.published:
        sentence += f" but {counted(choice.published, 'time')} a published one"
    if "vary" in known.difficulty.model_fields and "vary=true" not in source:
        joint = "&" if "?" in source else "?"
        sentence += f". {source}{joint}vary=true has more"
    return sentence


def _config(name: str, splits: Sequence[str]) -> list[str]:
    lines = [f"- config_name: {name}", "  data_files:"]
    return lines + [f'  - {{split: {split}, path: "data/{name}/{split}-*.parquet"}}' for split in splits]


def _words(plan: DatasetPlan, choices: Mapping[str, DatasetChoice], failures: int) -> Iterator[str]:
    yield "# Spatial reasoning, generated"
    yield ""
    published = ", and the published instances as the split “test”" if plan.published else ""
    yield (
        f"Up to {plan.count:,} generated instances of each of {len(plan.tasks)} tasks, from seed {plan.seed} on"
        f"{published}. Made with Spatial Workbench {plan.version}, which makes the same data again from `plan.json`."
    )
    yield ""
    yield (
        "Every question is there once: seeds that give the question of an earlier seed are left out, and so are those "
        "that give a published one, whether or not the published instances are in this folder."
    )
    yield ""
    yield from _table(plan, choices)
    if failures:
        yield ""
        sentence = f"{counted(failures, 'instance')} could not be made, or found no reference answer"
        yield f"{sentence}; `failures` and `choices` say why."
    yield ""
    yield "| column | holds |"
    yield "|---|---|"
    yield from (f"| `{name}` | {ABOUT.get(name, name.replace('_', ' '))} |" for name in COLUMNS)
    yield ""
    yield from _hidden(plan)


def _table(plan: DatasetPlan, choices: Mapping[str, DatasetChoice]) -> Iterator[str]:
    yield "| configuration | task | generated | seeds tried | repeated | published | not made |"
    yield "|---|---|---:|---:|---:|---:|---:|"
    for source in plan.tasks:
        choice = choices[source]
        yield (
            f"| `{folder_of(source)}` | {task(task_id(source)).title} | {len(choice.addresses):,} | {choice.tried:,} | "
            f"{choice.repeated:,} | {choice.published:,} | {len(choice.failed):,} |"
        )
    for sentence in shortages(plan, choices):
        yield ""
        yield f"{sentence}."


def _hidden(plan: DatasetPlan) -> Iterator[str]:
    """Which parameters are left out, because they would show readers a solution."""
    hidden = {task_id(source): sorted(task(task_id(source)).hidden) for source in plan.tasks}
    listed = [f"`{name}`: {', '.join(names)}" for name, names in hidden.items() if names]
    if listed:
        yield (
            "Left out of `parameters`, since they hold a solution or what a solver may not see: "
            f"{'; '.join(listed)}. The reference answer is in `reference_answer` alone."
        )
