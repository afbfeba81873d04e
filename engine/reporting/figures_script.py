"""The script of a Psych-DS folder that prints the report's figures from the data, and the settings that it reads."""

from __future__ import annotations

from typing import Any

from spatial_workbench.engine.core.shipped import resource
from spatial_workbench.engine.reporting.study_report import flow_counts
from spatial_workbench.engine.reporting.study_sharing import tells_of_others
from spatial_workbench.engine.reporting.study_tables import first_version
from spatial_workbench.engine.studies.analysis.counting import main_instances
from spatial_workbench.engine.studies.analysis.figures import scopes
from spatial_workbench.engine.studies.analysis.outcomes import Outcomes, StudyState
from spatial_workbench.engine.studies.analysis.rules import rules_of
from spatial_workbench.engine.studies.planning.document import StudyResponse
from spatial_workbench.engine.studies.planning.orders import Order


def figures_script() -> str:
    """The text of the script, which needs numpy, pandas and scipy, but nothing of the workbench."""
    return resource("studies", "figures.py").read_text("utf-8")


def script_settings(outcomes: Outcomes, is_public: bool) -> dict[str, Any]:
    """What the script cannot read from the tables, as JSON data: the plan's settings for figures, scopes and rules.

    Unless `is_public`, it also holds the counts of people and the texts of the study's questions.
    """
    study = outcomes.study
    settings = [] if study.setting == "desk" else [setting.value for setting in study.settings]
    excluding = [name for name, rule in rules_of(study).items() if rule.response is StudyResponse.EXCLUDE]
    return {
        "seed": study.analysis.seed,
        "draws": study.analysis.draws,
        "level": study.analysis.level,
        "conditions": list(study.conditions),
        "settings": settings,
        "assignment": study.assignment,
        "score_of": study.limits.score_of,
        "submissions": study.limits.submissions,
        "orders_are_fixed": all(block.order is Order.FIXED for block in study.blocks),
        "items": {item.id: item.address for item in main_instances(study)},
        "scopes": [
            {"kind": scope.kind, "title": scope.title, "items": [item.id for item in scope.items]}
            for scope in scopes(study)
        ],
        "rules": excluding,
        "has_later_exclusions": bool(outcomes.post_hoc),
        "is_open": outcomes.state is StudyState.UNSEALED,
        "is_public": is_public,
        "tells_of_others": tells_of_others(outcomes),
        **({} if is_public else _of_all_people(outcomes)),
    }


def _of_all_people(outcomes: Outcomes) -> dict[str, Any]:
    """What public data leave out: how many people there were at each stage, and what they were asked."""
    asked = outcomes.study.covariates
    questions = [{"key": covariate.key, "ask": first_version(covariate.ask)} for covariate in asked]
    return {"counts": flow_counts(outcomes), "questions": questions}
