"""Text against hands in a project: models asked both ways, and studies with conditions of both kinds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from spatial_workbench.engine.evaluation.columns import columns_of
from spatial_workbench.engine.evaluation.comparing.text_and_hands import (
    TextAndHands,
    models_with_hands,
    text_and_hands_table,
)
from spatial_workbench.engine.evaluation.results.tables import Table
from spatial_workbench.engine.evaluation.scored import Scored
from spatial_workbench.engine.evaluation.study_results import opened_studies, run_name
from spatial_workbench.engine.studies.analysis.figures import cells_of

if TYPE_CHECKING:
    from spatial_workbench.engine.store import Project

_BY_EDITOR = "editor"


def hands_table(project: Project, records: Sequence[Scored]) -> Table | None:
    """A line for each model and each study that answered the same subtasks both ways; None if there is none."""
    return text_and_hands_table([*models_with_hands(records), *_studies(project, records)])


def _studies(project: Project, records: Sequence[Scored]) -> Iterator[TextAndHands]:
    """The people of each study in a condition in which they type, beside those who have the editor."""
    records = columns_of(records)
    runs = records.at(records.text("study").holds(bool)).split("model")
    for outcomes in opened_studies(project) if runs else ():
        conditions = outcomes.study.conditions
        items: dict[str, Sequence[Scored]] = {
            name: runs.get(run_name(outcomes, name, cells_of(outcomes, name).people), ()) for name in conditions
        }
        typed = [name for name in conditions if conditions[name].answer != _BY_EDITOR and items[name]]
        built = [name for name in conditions if conditions[name].answer == _BY_EDITOR and items[name]]
        for text in typed:
            for hands in built:
                title = f"people · {outcomes.study.name}"
                yield TextAndHands(title, f"{hands}, beside {text}", items[text], items[hands])
