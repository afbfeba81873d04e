"""A study's data as a Psych-DS folder, and the check of such a folder without a network."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from spatial_workbench.engine.core.files import replacing
from spatial_workbench.engine.reporting.figures_script import figures_script, script_settings
from spatial_workbench.engine.reporting.study_tables import ColumnInfo, DataTable, data_tables, first_version
from spatial_workbench.engine.studies.analysis.figures import ModelRun
from spatial_workbench.engine.studies.analysis.outcomes import Outcomes
from spatial_workbench.engine.studies.files.canonical import SHOWN_CHARS, canonical
from spatial_workbench.engine.studies.planning.briefing import written_briefing
from spatial_workbench.engine.studies.planning.consenting import written_consent
from spatial_workbench.engine.studies.planning.document import Study

DESCRIPTION = "dataset_description.json"
_CONTEXT = "https://schema.org/"
_KIND = "Dataset"
_NAME = re.compile(r"([a-z]+-[a-zA-Z0-9]+)(_[a-z]+-[a-zA-Z0-9]+)*_data\.csv")
_KEYWORDS = frozenset({"study", "site", "subject", "session", "task", "condition", "trial", "stimulus", "description"})
"""The keywords that file names may use."""
_FIELDS = ("name", "description", "variableMeasured")


def write_psychds(
    folder: Path,
    outcomes: Outcomes,
    report: str = "",
    raw: Sequence[Path] = (),
    events: Mapping[str, Sequence[bytes]] | None = None,
    left_out: Sequence[str] = (),
    runs: Sequence[ModelRun] = (),
    is_public: bool = False,
) -> list[Path]:
    """Writes the data of a study as a Psych-DS dataset, and returns the paths of its files.

    Args:
        folder: Where to write the dataset; it is created if it does not exist.
        report: The report as HTML; empty: none is written.
        raw: Results files to copy into the dataset.
        events: The events of sessions by session id, as JSON lines in pieces; None: no table of events is written.
        left_out: A sentence for each thing that is not in the data.
        runs: The models that the study compares people with.
        is_public: Whether the outcomes are in the public form.

    Raises:
        OSError: A file cannot be written, or one of `raw` cannot be read.
    """
    study = outcomes.study
    tables = data_tables(outcomes, events, runs)
    texts = {
        DESCRIPTION: _json(_description(study, tables)),
        "README.md": _readme(outcomes, tables, left_out),
        "CHANGES.md": f"# Changes\n\n- Written from version {study.hash[:SHOWN_CHARS]} of the study.\n",
        "materials/study.json": canonical(study.data).decode() + "\n",
        **{f"materials/{name}.md": text for name, text in _materials(study)},
        "analysis/figures.py": figures_script(),
        "analysis/settings.json": _json(script_settings(outcomes, is_public)),
        **({"analysis/report.html": report} if report else {}),
    }
    written = [_write(folder / name, text) for name, text in texts.items()]
    for table in tables:
        path = folder / "data" / f"study-{_word(study.name)}_description-{table.name}_data.csv"
        path.parent.mkdir(parents=True, exist_ok=True)
        table.save(path)
        written.append(path)
    written.append(_codebook(folder / "documentation" / "codebook.csv", tables))
    for source in raw:
        target = folder / "data" / "raw" / source.name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(source.read_bytes())
        written.append(target)
    return written


def _write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as part:
        part.write_text(text, "utf-8")
    return path


def _json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def _word(name: str) -> str:
    """The words of a name, capitalized and joined: values in Psych-DS file names consist of letters and digits."""
    return "".join(part[:1].upper() + part[1:] for part in re.findall(r"[A-Za-z0-9]+", name)) or "Study"


def _description(study: Study, tables: Sequence[DataTable]) -> dict[str, Any]:
    columns = {column.name: column for table in tables for column in table.columns}
    data = {
        "@context": _CONTEXT,
        "@type": _KIND,
        "name": study.name,
        "description": first_version(study.question) or study.name,
        "author": [{"@type": "Person", "name": study.leader}] if study.leader else None,
        "keywords": ["human baseline", "spatial reasoning"],
        "identifier": study.hash,
        "variableMeasured": [_variable(column) for column in columns.values()],
    }
    return {key: value for key, value in data.items() if value is not None}


def _variable(column: ColumnInfo) -> dict[str, Any]:
    data = {
        "@type": "PropertyValue",
        "name": column.name,
        "description": column.about,
        "unitText": column.unit or None,
        "minValue": column.low,
        "maxValue": column.high,
    }
    return {key: value for key, value in data.items() if value is not None}


def _materials(study: Study) -> Iterator[tuple[str, str]]:
    for name, text in (
        ("welcome", study.welcome),
        ("consent", study.consent.text or written_consent(study)),
        ("instructions", study.instructions),
        ("briefing", study.briefing or written_briefing(study)),
        ("debriefing", study.debriefing),
    ):
        versions = text if isinstance(text, dict) else {"": text}
        for language, words in versions.items():
            if words:
                yield "-".join(filter(None, (name, language))), words + "\n"


def _readme(outcomes: Outcomes, tables: Sequence[DataTable], left_out: Sequence[str]) -> str:
    lines = [
        f"# {outcomes.study.name}",
        "",
        first_version(outcomes.study.question),
        "",
        f"State: {outcomes.state.value}. Each row of the trials is a unique pair of a subject and a trial.",
        "Times are in milliseconds; empty cells are not known; 0 and 1 stand for no and yes.",
        "",
        "In the trials, `analysed_score` is the score as the analysis has it: 0 where somebody gave up, left, ran out",
        "of time or skipped the item without an answer. `counted` says whether the trial counts as planned, and",
        "`not_counted_because` why not. `score` is empty where nothing was handed in, so its mean is another one.",
        "",
        "`python analysis/figures.py` prints the figures of the report from the tables. It needs numpy, pandas",
        "(2.1 or later) and scipy.",
        "",
        *(f"- {table.name}: {len(table.rows)} rows" for table in tables),
    ]
    if left_out:
        lines += ["", "Left out:", "", *(f"- {sentence}" for sentence in left_out)]
    return "\n".join(lines) + "\n"


def _codebook(path: Path, tables: Sequence[DataTable]) -> Path:
    from spatial_workbench.engine.evaluation.export import write_rows

    path.parent.mkdir(parents=True, exist_ok=True)
    rows = [
        [table.name, column.name, column.about, column.unit, column.low, column.high]
        for table in tables
        for column in table.columns
    ]
    write_rows(path, ["table", "column", "description", "unit", "least", "greatest"], rows)
    return path


# Checking --------------------------------------------------------------------------------------------------------


def check_psychds(folder: Path) -> list[str]:
    """The reasons why a folder is no Psych-DS dataset, a sentence each; empty if it is one."""
    try:
        description = json.loads((folder / DESCRIPTION).read_text("utf-8"))
    except OSError:
        return [f"{DESCRIPTION} is missing."]
    except ValueError as error:
        return [f"{DESCRIPTION} is not JSON: {error}."]
    if not isinstance(description, dict):
        return [f"{DESCRIPTION} is not an object."]
    return [*_check_description(description), *_check_data(folder, description)]


def _check_description(description: dict[str, Any]) -> Iterator[str]:
    for field in _FIELDS:
        if not description.get(field):
            yield f"{DESCRIPTION}: “{field}” is missing."
    if str(description.get("@context", "")).rstrip("/") != _CONTEXT.rstrip("/"):
        yield f"{DESCRIPTION}: “@context” is not {_CONTEXT}."
    if description.get("@type") != _KIND:
        yield f"{DESCRIPTION}: “@type” is not {_KIND}."


def _check_data(folder: Path, description: dict[str, Any]) -> Iterator[str]:
    listed = description.get("variableMeasured") or []
    known = {entry.get("name") if isinstance(entry, dict) else entry for entry in listed}
    files = sorted((folder / "data").rglob("*.csv"))
    if not any(_NAME.fullmatch(path.name) for path in files):
        yield "There is no data file: data/….csv whose name ends with “_data.csv”."
    for path in files:
        yield from _check_name(path)
        yield from _check_columns(path, known)


def _check_name(path: Path) -> Iterator[str]:
    if not _NAME.fullmatch(path.name):
        yield f"{path.name}: the name is not made of keyword-value pairs and “_data.csv”."
        return
    keywords = [part.partition("-")[0] for part in path.name.removesuffix("_data.csv").split("_")]
    for keyword in keywords:
        if keyword not in _KEYWORDS:
            yield f"{path.name}: “{keyword}” is not an official keyword."
    if len(set(keywords)) < len(keywords):
        yield f"{path.name}: a keyword occurs twice."


def _check_columns(path: Path, known: set[Any]) -> Iterator[str]:
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file)
        header = next(rows, [])
        for column in header:
            if column not in known:
                yield f"{path.name}: the column “{column}” is not among “variableMeasured”."
        seen = set()
        for row in rows:
            if len(row) != len(header):
                yield f"{path.name}: line {rows.line_num} has {len(row)} cells instead of {len(header)}."
            if header[:1] == ["row_id"] and row and (row[0] in seen or seen.add(row[0])):  # type: ignore[func-returns-value]
                yield f"{path.name}: the row_id {row[0]} occurs twice."
