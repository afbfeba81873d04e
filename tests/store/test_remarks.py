"""Notes and labels of one's own on attempts."""

import pytest

from spatial_workbench.engine.core import Instance
from spatial_workbench.engine.store import Actor, Project, RemarkKind, RunFilter

DOME = Instance.published("lego_hemisphere", 0, {"inner_mm": 40, "outer_mm": 70})


@pytest.fixture
def project(tmp_path):
    """Three attempts of one model."""
    with Project.create(tmp_path / "p.workbench") as opened:
        for _ in range(3):
            opened.attempts.add(DOME, "{}", Actor.MODEL, "birch")
        yield opened


def rows(project):
    return [(row.tags, row.note) for row in project.runs.select()]


def test_a_label_is_added_once_with_who_and_when(project):
    project.remarks.add([1, 2], RemarkKind.TAG, "  look   again ", "Ada")
    project.remarks.add([1], RemarkKind.TAG, "look again", "Bo")
    (remark,) = project.remarks.of_attempt(1)
    assert (remark.text, remark.person, remark.withdrawn_at) == ("look again", "Ada", None)
    assert remark.at.tzinfo is not None
    assert rows(project) == [("look again", None), ("look again", None), (None, None)]


def test_labels_stand_in_the_order_of_the_alphabet_and_the_newest_note_is_shown(project):
    for label in ("Wrong key", "look again"):
        project.remarks.add([1], RemarkKind.TAG, label, "Ada")
    for note in ("first", "second"):
        project.remarks.add([1], RemarkKind.NOTE, note, "Ada")
    assert rows(project)[0] == ("look again, Wrong key", "second")


def test_what_is_withdrawn_stays_on_record_and_can_be_restored(project):
    numbers = project.remarks.add([1, 2], RemarkKind.NOTE, "odd", "Ada")
    project.remarks.withdraw(numbers)
    assert rows(project) == [(None, None)] * 3
    assert project.remarks.of_attempt(1)[0].withdrawn_at is not None
    project.remarks.restore(numbers)
    assert rows(project)[:2] == [(None, "odd"), (None, "odd")]


def test_attempts_are_found_by_labels_notes_and_their_words(project):
    project.remarks.add([1, 3], RemarkKind.TAG, "look again", "Ada")
    project.remarks.add([2], RemarkKind.NOTE, "Ask Emmy about the Ridge", "Ada")
    project.remarks.withdraw(project.remarks.standing([3], RemarkKind.TAG, "look again"))

    def found(**wanted):
        return project.runs.numbers(RunFilter(**wanted))

    assert found(tags=("look again", "unknown")) == [1]
    assert found(has_note=True) == [2]
    assert sorted(found(has_note=False)) == [1, 3]
    assert found(text="ridge emmy") == [2]
    assert found(text="AGAIN") == [1]
    assert project.runs.choices()["tags"] == ["look again"]


@pytest.mark.parametrize("text", ["", "  ", "x" * 61])
def test_a_label_has_words_and_not_too_many(project, text):
    with pytest.raises(ValueError, match="label"):
        project.remarks.add([1], RemarkKind.TAG, text, "Ada")


def test_remarks_go_with_an_attempt_that_is_erased(project):
    project.remarks.add([1], RemarkKind.NOTE, "odd", "Ada")
    project.attempts.erase([1])
    assert project.remarks.of_attempt(1) == []
