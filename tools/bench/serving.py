"""People in browsers: how long their pictures take, and how much memory they need. For several numbers of people:

python -m tools.bench.serving 1 4 8 10
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from spatial_workbench.app.serving.load.load_summary import MOST_MS, PERSON_BYTES, LoadSummary, load_table
from spatial_workbench.app.serving.load.load_trial import try_load
from spatial_workbench.app.serving.system_parts import PartsMissing, found_parts
from spatial_workbench.engine.studies.files.bundles import bundle_of
from spatial_workbench.engine.studies.planning.document import Study, study_of
from spatial_workbench.engine.studies.planning.freezing import freeze
from tools.bench.studies import large_study

if TYPE_CHECKING:
    from tools.bench.main import Measurement

PEOPLE = 10
SECONDS = 60
TASKS = ("lego_hemisphere", "maze_3d", "tetrahedra_shadow", "shikaku")
"""People are in these by turns: half of them in views in space, the others in drawings of the plane."""


def measurements() -> Iterator[Measurement]:
    """The rows of the table; none where studies cannot be served."""
    from tools.bench.main import Measurement

    try:
        found_parts()
    except PartsMissing:
        return
    target = f"< {MOST_MS}"
    yield Measurement(f"serving: {PEOPLE} people, pointer to picture, 95 %", "ms", target, _latency)
    yield Measurement(f"serving: {PEOPLE} people, memory of each", "MB", f"< {PERSON_BYTES // 10**6}", _memory)


def mixed_study() -> Study:
    """A study in browsers with one item of each task."""
    items = [{"id": f"i{number}", "address": f"{task}:0"} for number, task in enumerate(TASKS)]
    block = {"id": "a", "order": "fixed", "items": items}
    return study_of({**large_study().data, "setting": "browser", "blocks": [block], "plan": {"slots": PEOPLE}})


def load_of(people: int, tell: Callable[[str], Any]) -> LoadSummary:
    """What so many people need at once on this machine."""
    study = mixed_study()
    return try_load(bundle_of(study, freeze(study), frozenset()), people, SECONDS, tell)


def _latency() -> Iterator[float]:
    yield _of_ten().p95_ms or float("nan")


def _memory() -> Iterator[float]:
    yield _of_ten().person_bytes / 1e6


@cache
def _of_ten() -> LoadSummary:
    return load_of(PEOPLE, lambda _: None)


if __name__ == "__main__":
    for count in map(int, sys.argv[1:]):
        print("\n".join(load_table(load_of(count, lambda _: None))), end="\n\n", flush=True)
