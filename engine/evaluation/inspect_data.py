"""What logs of Inspect and projects have in common: the names of our data in logs, edits of scores, and kept logs.

All that a log holds is kept beside the attempts that are made of it, so that an export can write it as it was. Logs are
read and written by Inspect's own package, which is optional, and loaded only there.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any

from pydantic_core import to_json

from spatial_workbench.engine.core import CannotRepresent
from spatial_workbench.engine.store import pack, unpack

LINE = "spatial_workbench"
"""Where the metadata of a log hold the header of an export in JSON lines, and those of a sample its line."""
TRANSCRIPT = "spatial_workbench:transcript"
"""Where the store of a sample holds the record of an agent's run: its kind, and the record as data."""
SINCE = "spatial_workbench:since"
"""Where the metadata of a sample hold the parts of a line that people added after an import."""
MAX_KEPT_BYTES = 20_000_000
"""The packed size of a sample, above which it is not kept, since no line of an export could hold it."""


def packed_log(log: Any, others: Sequence[tuple[int, Any]]) -> bytes:
    """A log without its samples, but with those that are about no task of ours, each with its place in the log."""
    about = log.model_copy(update={"samples": None})
    return pack(json.dumps({"log": _text(about), "others": [[place, _text(sample)] for place, sample in others]}))


def packed_sample(sample: Any) -> bytes | None:
    """A sample as Inspect has it, without what we added; None if it is far too large."""
    metadata = {name: value for name, value in sample.metadata.items() if name != SINCE}
    packed = pack(_text(sample.model_copy(update={"metadata": metadata})))
    return packed if len(packed) <= MAX_KEPT_BYTES else None


def unpacked_log(packed: bytes) -> tuple[Any, list[tuple[int, Any]]]:
    """The log without samples, and the samples about other tasks. Raises CannotRepresent."""
    logs = import_module("inspect_ai.log")
    try:
        kept = json.loads(unpack(packed))
        others = [(int(place), logs.EvalSample.model_validate_json(text)) for place, text in kept["others"]]
        return logs.EvalLog.model_validate_json(kept["log"]), others
    except (ValueError, TypeError, LookupError) as error:
        raise CannotRepresent(
            f"A log of Inspect was kept, but this version of Inspect cannot read it: {error}"
        ) from None


def unpacked_sample(packed: bytes) -> Any:
    """A sample as Inspect has it. Raises CannotRepresent."""
    try:
        return import_module("inspect_ai.log").EvalSample.model_validate_json(unpack(packed))
    except ValueError as error:
        raise CannotRepresent(
            f"A sample of Inspect was kept, but this version of Inspect cannot read it: {error}"
        ) from None


def judged_by_us(sample: Any) -> str | None:
    """The name of the score whose metadata hold our verdicts, or else of the first; None if there is none."""
    scores: Mapping[str, Any] = sample.scores or {}
    ours = [name for name, score in scores.items() if _first(score).metadata and "verdicts" in _first(score).metadata]
    return next(iter([*ours, *scores]), None)


def edits_of(sample: Any) -> Iterator[dict[str, Any]]:
    """The scores that people set by editing the log with Inspect, as overrides."""
    for score in (sample.scores or {}).values():
        for edit in score.history:
            if edit.provenance is not None and isinstance(edit.value, int | float):
                yield {
                    "score": edit.value,
                    "passed": edit.value >= 1,
                    "reason": edit.provenance.reason or "edited in Inspect",
                    "person": edit.provenance.author,
                    "at": edit.provenance.timestamp.isoformat(),
                }


def _first(score: Any) -> Any:
    """A score as it was before it was edited."""
    return score.history[0] if score.history else score


def _text(record: Any) -> str:
    return to_json(record, inf_nan_mode="constants").decode("utf-8")
