"""Views of a project for other programs: one for each question that people ask, and what their columns mean.

They belong to the project file, so that any program that reads SQLite can use them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

_RUN = "who, actor, coalesce(tools, 0) AS tools"
_OF_RUN = "who, actor, coalesce(tools, 0)"


@dataclass(frozen=True)
class View:
    """A view: its name, what it answers, its SQL, and what its columns mean beyond their names, with units."""

    name: str
    about: str
    sql: str
    columns: dict[str, str] = field(default_factory=dict)
    units: dict[str, str] = field(default_factory=dict)


_SHARES = {"mean_score": "Of 0 to 1; the mean over instances of the mean over attempts"}

VIEWS = (
    View(
        "task_scores",
        "How good each run is at each task, the best first.",
        f"SELECT task, {_RUN}, count(*) AS instances, sum(attempts) AS attempts, avg(score) AS mean_score,"
        " avg(passed) AS pass_rate FROM ("
        f"SELECT task, {_RUN}, address, count(*) AS attempts, avg(score) AS score, avg(passed) AS passed FROM facts"
        f" WHERE score IS NOT NULL AND solving_aids = 0 GROUP BY task, {_OF_RUN}, address"
        f") GROUP BY task, {_OF_RUN} ORDER BY task, mean_score DESC",
        _SHARES | {"who": "Name of the model or the person", "tools": "Whether a model had tools"},
    ),
    View(
        "best_per_task",
        "The best run at each task; among equals, the one with more instances.",
        "SELECT * FROM (SELECT *, row_number() OVER"
        " (PARTITION BY task ORDER BY mean_score DESC, instances DESC) AS rank FROM task_scores) WHERE rank = 1",
        _SHARES,
    ),
    View(
        "disagreements",
        "Attempts that two verifiers judge differently; those of default and cross-check are open questions.",
        "SELECT d.attempt, f.address, f.task, f.who, d.first, d.first_score, d.second, d.second_score, d.by_check,"
        " d.second = 'crosscheck' AS is_question FROM differences d JOIN facts f ON f.attempt = d.attempt"
        " ORDER BY is_question DESC, d.attempt",
        {
            "by_check": "The first check that differs, or “score”",
            "is_question": "1: default and cross-check disagree; 0: the verifiers follow different rules",
        },
    ),
    View(
        "cost_per_model",
        "What each model cost, and what came of it.",
        f"SELECT {_RUN}, count(*) AS attempts, avg(score) AS mean_score, sum(passed) AS passed,"
        " sum(input_tokens) AS input_tokens, sum(output_tokens) AS output_tokens, sum(cost_usd) AS cost_usd,"
        " CASE WHEN sum(passed) > 0 THEN sum(cost_usd) / sum(passed) END AS usd_per_pass"
        f" FROM facts WHERE actor = 'model' GROUP BY {_OF_RUN} ORDER BY cost_usd DESC",
        {"cost_usd": "Empty where the price was not known", "usd_per_pass": "Cost divided by what passed"},
        {"cost_usd": "USD", "usd_per_pass": "USD", "input_tokens": "tokens", "output_tokens": "tokens"},
    ),
    View(
        "failure_modes",
        "How often each model failed in which way.",
        f"SELECT {_RUN}, label, count(*) AS attempts FROM facts WHERE label IS NOT NULL"
        f" GROUP BY {_OF_RUN}, label ORDER BY who, attempts DESC",
    ),
    View(
        "time_per_person",
        "How long people took, and what they solved; people of studies are known by their codes.",
        "SELECT who, task, count(*) AS attempts, sum(passed) AS passed, avg(seconds) AS mean_active_s,"
        " avg(idle_s) AS mean_idle_s, avg(away_s) AS mean_away_s, sum(solving_aids > 0) AS with_help FROM facts"
        " WHERE actor = 'person' GROUP BY who, task ORDER BY who, task",
        {"with_help": "Attempts after the use of aids that make a part of an answer"},
        {"mean_active_s": "s", "mean_idle_s": "s", "mean_away_s": "s"},
    ),
    View(
        "overrides_in_force",
        "Scores that a person replaced, with the reason.",
        "SELECT o.attempt, f.address, f.who, f.first_score, o.score, o.passed, o.person, o.reason, o.at"
        " FROM overrides o JOIN facts f ON f.attempt = o.attempt"
        " WHERE o.withdrawn_at IS NULL AND f.is_overridden ORDER BY o.at",
    ),
)


def create_views(execute: Any) -> None:
    """Creates all views; `execute` runs a statement."""
    for view in VIEWS:
        execute(f"CREATE VIEW {view.name} AS {view.sql}")


def metadata(project: str) -> dict[str, Any]:
    """What Datasette shows of a project: titles, what columns mean, and their units.

    Args:
        project: Name of the file without its suffix, under which Datasette opens it.
    """
    tables = {view.name: {"description": view.about, "columns": _described(view)} for view in VIEWS} | {
        name: {"hidden": True} for name in _INTERNAL
    }
    return {
        "title": f"{project}: runs of Spatial Workbench",
        "description": "Attempts with verdicts, scores and costs. The views answer what people ask most.",
        "databases": {project: {"tables": {name: _filled(table) for name, table in tables.items()}}},
    }


def _described(view: View) -> dict[str, str]:
    """What the columns mean, with their units in words: Datasette itself knows only those of physics."""
    names = dict.fromkeys((*view.columns, *view.units))
    parts = {name: (view.columns.get(name, ""), view.units.get(name, "")) for name in names}
    return {
        name: f"{about} ({unit})" if about and unit else about or f"In {unit}" for name, (about, unit) in parts.items()
    }


def _filled(table: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in table.items() if value}


_INTERNAL = ("words", "prompt_words", "_sqlite_migrations", "edits", "clocks", "sketches")
