"""The deviations that the planner takes from a pilot."""

import math

import numpy as np
import pytest

from spatial_workbench.engine.evaluation.piloting import pilot_spread
from spatial_workbench.engine.store import Project
from spatial_workbench.engine.studies.analysis.statistics import variance_parts
from tests.store.studying import WRONG, document, results, session

STUDY = document()
ANSWERS = {"P001H": [], "P002Q": [WRONG], "P003X": [WRONG, None], "P004F": []}
"""What people of the pilot answer first; the rest is right."""


@pytest.fixture
def piloted(tmp_path):
    """A project with a pilot, and its scores by the order in which people had the items."""
    path = tmp_path / "p.workbench"
    folder = tmp_path / "results"
    folder.mkdir()
    with Project.create(path) as project:
        project.studies.add(STUDY)
        bundle, _ = project.places.add_bundle(STUDY.id, phase="pilot")
        records = [session(bundle, code, answers) for code, answers in ANSWERS.items()]
        project.merging.merge([results(folder, bundle, record) for record in records])
    return path, records


@pytest.mark.slow
def test_the_deviations_of_a_pilot_are_those_of_its_scores(piloted):
    path, records = piloted
    found = pilot_spread(path, STUDY.id, workers=1)
    scores = np.array(
        [[0.0 if a in (WRONG, None) else 1.0 for a in (*answers, "", "")[:2]] for answers in ANSWERS.values()]
    )
    order = [[trial.item for trial in record.trials] for record in records]
    table = np.array([[row[own.index(item)] for item in ("m0", "m1")] for row, own in zip(scores, order, strict=True)])
    parts = variance_parts(table)
    assert (found.people, found.trials, found.mean) == (4, 8, pytest.approx(table.mean()))
    assert (found.sd_people, found.sd_rest) == pytest.approx((math.sqrt(parts.people), math.sqrt(parts.rest)))


@pytest.mark.slow
def test_judging_a_pilot_stores_nothing(piloted):
    path, _ = piloted
    pilot_spread(path, STUDY.id, workers=1)
    with Project.open(path) as project:
        assert project.database.row("SELECT count(*) AS n FROM attempts")["n"] == 0


def test_main_sessions_are_no_pilot(tmp_path):
    path = tmp_path / "p.workbench"
    with Project.create(path) as project:
        project.studies.add(STUDY)
    assert pilot_spread(path, STUDY.id, workers=1) is None
