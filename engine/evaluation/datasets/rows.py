"""An instance with its reference answer as a row, and rows as a Parquet file."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spatial_workbench.engine.core import resolve
from spatial_workbench.engine.core.files import replacing
from spatial_workbench.engine.evaluation.datasets.ids import instance_id
from spatial_workbench.engine.evaluation.datasets.splits import LEVELS

if TYPE_CHECKING:
    import pyarrow as pa

EASY_FROM, HARD_TO = 2 / 3, 1 / 3
"""An instance is called easy if its pass rate is at least the first, and hard if it is at most the second."""


def row(address: str) -> dict[str, Any]:
    """An instance with its reference answer as JSON data; runs in a process of the executor."""
    known, instance = resolve(address)
    prompt = known.prompt(instance)
    answer = known.solve(instance)
    verdict = known.verify(instance, answer)
    return {
        "id": instance_id(known, instance),
        "address": instance.address,
        "task": known.id,
        "title": known.title,
        "bucket": known.bucket.id,
        "seed": instance.seed,
        "parameters": json.dumps(known.visible_parameters(instance), sort_keys=True, separators=(",", ":")),
        "system": prompt.system,
        "prompt": prompt.text,
        "pictures": [base64.b64encode(picture).decode("ascii") for picture in prompt.pictures],
        "schema": json.dumps(known.schema()) if known.answer_format == "json" else None,
        "reference_answer": known.format(answer),
        "reference_score": verdict.score,
        "reference_passed": verdict.passed,
        "verifier": f"{verdict.verifier} {verdict.version}",
    }


@dataclass(frozen=True)
class SolveRate:
    """How often models passed an instance, and over how many attempts."""

    passed: float
    attempts: int

    @property
    def word(self) -> str:
        """How hard the instance is: “easy”, “medium” or “hard”."""
        easy, medium, hard = LEVELS
        return easy if self.passed >= EASY_FROM else hard if self.passed <= HARD_TO else medium


def graded(row: Mapping[str, Any], rate: SolveRate | None) -> dict[str, Any]:
    """The row with the columns that say how hard its instance is."""
    if rate is None:
        return {**row, "pass_rate": None, "attempts": 0, "difficulty": None}
    return {**row, "pass_rate": rate.passed, "attempts": rate.attempts, "difficulty": rate.word}


COLUMNS: Mapping[str, str] = {
    "id": "string",
    "address": "string",
    "task": "string",
    "title": "string",
    "bucket": "string",
    "seed": "int64",
    "parameters": "string",
    "system": "string",
    "prompt": "string",
    "pictures": "pictures",
    "schema": "string",
    "reference_answer": "string",
    "reference_score": "float64",
    "reference_passed": "bool",
    "verifier": "string",
    "pass_rate": "float64",
    "attempts": "int64",
    "difficulty": "string",
    "canary": "string",
}
"""The columns and their types."""
ABOUT = {
    "id": "depends on the question alone: equal questions have it in common in all splits and versions",
    "address": "names the instance: `TASK@SEED` for a generated one, `TASK:N` for a published one",
    "parameters": "what the instance is made of, as JSON, without what holds a solution",
    "system": "what models get as their system message; empty for most tasks",
    "prompt": "what a solver is told, with all rules",
    "pictures": "pictures that belong to the prompt, as PNG",
    "schema": "JSON schema of the answer; empty where the answer is text",
    "reference_answer": "an answer by the reference solver, as text",
    "reference_score": "its score, 0 to 1",
    "verifier": "who judged it, with its version",
    "pass_rate": "share of models' attempts that passed; empty where nothing was measured",
    "attempts": "how many attempts that is",
    "bucket": "the kind of task",
    "seed": "of the generator; empty for published instances",
    "task": "id of the task",
    "title": "the task's name",
    "reference_passed": "whether it passed",
    "canary": "the same words in each row, by which copies are found; leave them out when you train",
    "difficulty": "easy from two thirds on, hard up to one third, medium between; empty where nothing was measured",
}
"""What each column holds, in words."""


def write_rows(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """Writes rows to a file, completely or not at all."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = _schema()
    columns = [
        pa.array([_decoded(name, row[name]) for row in rows], field.type)
        for name, field in zip(COLUMNS, schema, strict=True)
    ]
    with replacing(path) as part:
        pq.write_table(pa.Table.from_arrays(columns, schema=schema), part, compression="zstd")


def _decoded(name: str, value: Any) -> Any:
    if name != "pictures":
        return value
    return [{"bytes": base64.b64decode(data), "path": f"{k}.png"} for k, data in enumerate(value)]


def _schema() -> pa.Schema:
    """The columns with their types, and what the library `datasets` has to know to show pictures."""
    import pyarrow as pa

    picture = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
    types = {"pictures": pa.list_(picture), "bool": pa.bool_(), "int64": pa.int64(), "float64": pa.float64()}
    features: dict[str, Any] = {name: {"dtype": kind, "_type": "Value"} for name, kind in COLUMNS.items()}
    features["pictures"] = {"feature": {"_type": "Image"}, "_type": "List"}
    schema = pa.schema([(name, types.get(kind, pa.string())) for name, kind in COLUMNS.items()])
    return schema.with_metadata({"huggingface": json.dumps({"info": {"features": features}})})
