"""The sentences in data files that are recorded in English and translated where they are shown."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator

Texts = Iterator[list[str]]


def of_blocks(source: str) -> Texts:
    """What the palette says of the blocks of machines, and how sentences call those that carry nothing."""
    for block in json.loads(source)["blocks"]:
        yield from ([text] for text in (block["name"], block["ours"]["palette"], block["description"]))
        if not block["faces"]:
            yield [block["name"].lower()]


def of_examples(source: str) -> Texts:
    """What the example machines are."""
    yield from ([machine["description"]] for machine in json.loads(source)["machines"])


def of_states(source: str) -> Texts:
    """Why the included states of the cube have their depths: clause by clause, since a name stands before them."""
    for reason in json.loads(source)["how"].values():
        yield from ([clause] for clause in re.split(r"(?<=\.) |[;:] ", reason))


def of_goals(source: str) -> Texts:
    """The goals of the worlds that it rains on, as they are written above them."""
    yield from ([row["caption"]] for row in json.loads(source)["instances"])


DATA: dict[str, Callable[[str], Texts]] = {
    "resources/cube/test_states.json": of_states,
    "resources/machines/blocks.json": of_blocks,
    "resources/machines/examples.json": of_examples,
    "resources/tasks/fluid_simulation.json": of_goals,
}
"""What finds the sentences in each file."""
