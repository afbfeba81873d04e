"""The page that describes the data set in a folder, and its licence."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from spatial_workbench.engine.core import task
from spatial_workbench.engine.core.files import replacing
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.evaluation.datasets.canary import canary
from spatial_workbench.engine.evaluation.datasets.choice import DatasetChoice
from spatial_workbench.engine.evaluation.datasets.contents import DatasetContents
from spatial_workbench.engine.evaluation.datasets.plan import DatasetPlan, folder_of, task_id
from spatial_workbench.engine.evaluation.datasets.rows import ABOUT, COLUMNS
from spatial_workbench.engine.evaluation.datasets.sayings import (
    LANGUAGE,
    description,
    how_it_was_made,
    known_leaks,
    uses,
)

LICENCE = """The instances, prompts, pictures and reference answers in this folder were made by Spatial Workbench.
They may be used under the terms of the Apache License, version 2.0 (SPDX identifier: Apache-2.0).
"""
_SIZES = {1_000: "n<1K", 10_000: "1K<n<10K", 100_000: "10K<n<100K", 1_000_000: "100K<n<1M", 10_000_000: "1M<n<10M"}
_LARGEST = "10M<n<100M"


def write_card(folder: Path, contents: DatasetContents, choices: Mapping[str, DatasetChoice], failures: int) -> None:
    """Writes README.md, whose head the library `datasets` reads, and LICENSE."""
    lines = ["---", *_head(contents), "---", "", *_words(contents, choices, failures)]
    with replacing(folder / "README.md") as part:
        part.write_text("\n".join(lines) + "\n", "utf-8")
    with replacing(folder / "LICENSE") as part:
        part.write_text(LICENCE, "utf-8")


def shortages(plan: DatasetPlan, choices: Mapping[str, DatasetChoice]) -> list[str]:
    """Which generators gave fewer different instances than were wanted, in sentences."""
    return [_shortage(source, plan, choice) for source, choice in choices.items() if choice.is_exhausted]


def size_category(rows: int) -> str:
    """The category of a number of rows, as the Hugging Face Hub names it."""
    return next((name for limit, name in _SIZES.items() if rows < limit), _LARGEST)


def _shortage(source: str, plan: DatasetPlan, choice: DatasetChoice) -> str:
    known = task(task_id(source))
    found = len(choice.chosen)
    if not found:
        return f"{source}: no instance was found with {choice.tried:,} seeds"
    others = [f"{counted(choice.surplus, 'instance')} of splits that were full"] * (choice.surplus > 0)
    others += [f"{counted(choice.published, 'time')} a published one"] * (choice.published > 0)
    sentence = f"{source}: {found:,} different instances, not {plan.count:,}; {choice.tried:,} seeds gave no others"
    if others:
        sentence += f" but {' and '.join(others)}"
    if "vary" in known.difficulty.model_fields and "vary=true" not in source:
        joint = "&" if "?" in source else "?"
        sentence += f". {source}{joint}vary=true has more"
    return sentence


# The head, which programs read --------------------------------------------------------------------------------------


def _head(contents: DatasetContents) -> Iterator[str]:
    categories = ["text-generation", "question-answering"] + ["visual-question-answering"] * contents.has_pictures
    yield f"pretty_name: {json.dumps(contents.plan.about.title, ensure_ascii=False)}"
    yield "license: apache-2.0"
    yield f"language: [{LANGUAGE}]"
    yield "multilinguality: [monolingual]"
    yield f"task_categories: [{', '.join(categories)}]"
    yield f'size_categories: ["{size_category(contents.rows)}"]'
    yield "annotations_creators: [machine-generated]"
    yield "language_creators: [machine-generated]"
    yield "source_datasets: [original]"
    yield "tags: [spatial-reasoning, synthetic, verifiable, croissant]"
    if contents.pieces:
        yield "configs:"
        yield from _config("all", "*", contents.splits(), is_default=True)
        for source in contents.plan.tasks:
            yield from _config(folder_of(source), folder_of(source), contents.splits(source))


def _config(name: str, folder: str, splits: Mapping[str, int], is_default: bool = False) -> Sequence[str]:
    """A configuration with its splits; nothing for a task that has no file, which would be an error to the reader."""
    if not splits:
        return []
    lines = [f"- config_name: {name}", *["  default: true"] * is_default, "  data_files:"]
    return lines + [f'  - {{split: {split}, path: "data/{folder}/{split}-*.parquet"}}' for split in splits]


# The page, which people read ----------------------------------------------------------------------------------------


def _words(contents: DatasetContents, choices: Mapping[str, DatasetChoice], failures: int) -> Iterator[str]:
    plan = contents.plan
    yield from _section(f"# {plan.about.title}", description(contents), *_where(plan))
    yield from _section("## Sizes", *_sizes(contents))
    yield from _section("## How it was made", how_it_was_made(plan), *_seeds(plan))
    yield from _table(plan, choices)
    if failures:
        sentence = f"{counted(failures, 'instance')} could not be made, or found no reference answer"
        yield from _section(f"{sentence}; `failures` and `choices` say why.")
    yield from _section("## Columns")
    yield "| column | holds |"
    yield "|---|---|"
    yield from (f"| `{name}` | {ABOUT[name]} |" for name in COLUMNS)
    yield ""
    yield from _hidden(plan)
    yield from _section("## Use", " ".join(uses(contents)), *_checking())
    yield from _section(
        "## What is known about leaks", "\n".join(f"- {sentence}" for sentence in known_leaks(contents))
    )
    yield from _section("## Canary", canary(plan.guid))
    yield (
        "This sentence is in every row (`canary`), here and in `croissant.json`. It asks those who collect texts to "
        "leave these files out. If you train on them on purpose, leave the column out."
    )
    yield ""
    yield from _section("## Licence", "Apache-2.0; see `LICENSE`.")


def _section(heading: str, *paragraphs: str) -> Iterator[str]:
    for paragraph in (heading, *paragraphs):
        yield paragraph
        yield ""


def _where(plan: DatasetPlan) -> list[str]:
    return [f"Where it is found: {plan.about.url}"] if plan.about.url else []


def _sizes(contents: DatasetContents) -> Iterator[str]:
    rows = [f"| {split} | {count:,} |" for split, count in contents.splits().items()]
    yield "\n".join(["| split | instances |", "|---|---:|", *rows])
    size = f"{contents.size / 1e6:,.2f} MB of Parquet"
    yield f"Together {counted(contents.rows, 'instance')} in {size}. The language is English."


def _seeds(plan: DatasetPlan) -> list[str]:
    if not plan.count:
        return []
    told = (
        f"Up to {plan.count:,} instances were generated for each of {counted(len(plan.tasks), 'configuration')}, "
        f"from seed {plan.seed} on."
    )
    every = (
        "Every question is there once: seeds that give the question of an earlier seed are left out, and so are those "
        "that give a published one, whether or not the published instances are in this folder."
    )
    return [told, every]


def _checking() -> list[str]:
    return [
        "`spatial-workbench dataset --check FOLDER` judges all reference answers again, and compares; `sha256sum -c "
        "SHA256SUMS` checks the files. `croissant.json` describes them for programs."
    ]


def _table(plan: DatasetPlan, choices: Mapping[str, DatasetChoice]) -> Iterator[str]:
    yield "| configuration | task | generated | seeds tried | repeated | published | of full splits | not made |"
    yield "|---|---|---:|---:|---:|---:|---:|---:|"
    for source in plan.tasks:
        choice = choices[source]
        yield (
            f"| `{folder_of(source)}` | {task(task_id(source)).title} | {len(choice.chosen):,} | {choice.tried:,} | "
            f"{choice.repeated:,} | {choice.published:,} | {choice.surplus:,} | {len(choice.failed):,} |"
        )
    yield ""
    for sentence in shortages(plan, choices):
        yield from _section(f"{sentence}.")


def _hidden(plan: DatasetPlan) -> Iterator[str]:
    """Which parameters are left out, because they would show readers a solution."""
    hidden = {task_id(source): sorted(task(task_id(source)).hidden) for source in plan.tasks}
    listed = [f"`{name}`: {', '.join(names)}" for name, names in hidden.items() if names]
    if listed:
        yield from _section(
            "Left out of `parameters`, since they hold a solution or what a solver may not see: "
            f"{'; '.join(listed)}. The reference answer is in `reference_answer` alone."
        )
