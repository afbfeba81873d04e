"""Three people in three windows annotate, review, dispute, settle and export a set of ten puzzles."""

import json

import pytest
from PySide6.QtCore import QSettings

from spatial_workbench.engine.evaluation.puzzles.reviews import reviews_in
from spatial_workbench.engine.puzzles.annotation.review import ReviewState
from spatial_workbench.engine.puzzles.sets.known_sets import forget_set, known_sets
from spatial_workbench.engine.store import Project
from tests.app.puzzles.team import PEOPLE, folder_of, make_set, open_desk, work_through


@pytest.fixture
def desks(qtbot, qapp, tmp_path):
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(tmp_path / "settings"))
    source = make_set(tmp_path / "source" / "hunt")
    opened = [open_desk(person, tmp_path, source, qtbot, qapp) for person in PEOPLE]
    yield opened
    for desk in opened:
        desk.window.close()
        desk.window.deleteLater()
    for name in known_sets():
        forget_set(name)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_three_people_in_three_windows_annotate_review_dispute_settle_and_export(desks, tmp_path):
    target = tmp_path / "out"
    work_through(desks, target)
    found = [stored_reviews(desk) for desk in desks]
    assert found[0] == found[1] == found[2]
    reviews = found[0]
    assert {review.state for review in reviews.values()} == {ReviewState.VERIFIED}
    assert len(reviews) == 10
    assert reviews[folder_of("NORTH")].settled_by == ("Ben", "Cleo")
    assert reviews[folder_of("WREN")].adjudicated.person == "Cleo"
    assert len(reviews[folder_of("TEA")].decisions) == 2
    lines = [(target / name).read_text("utf-8").splitlines() for name in ("train_reasoning.jsonl", "test.jsonl")]
    rows = {json.loads(line)["id"]: line for part in lines for line in part}
    assert len(rows) == 10
    assert ", three in all" in rows[folder_of("TEA")]
    # The step that was rejected is gone, and so for everybody.
    for desk in desks:
        assert len(desk.puzzles.folder(folder_of("NORTH")).read().puzzle.reasoning) == 1
    versions = [{name: desk.puzzles.folder(name).version() for name in desk.puzzles.names()} for desk in desks]
    assert versions[0] == versions[1] == versions[2]


def stored_reviews(desk):
    with Project.open(desk.project) as project:
        (name,) = project.puzzles.reviewed_sets()
        return reviews_in(project, name)
