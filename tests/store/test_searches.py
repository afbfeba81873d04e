"""Searches are stored with how far they are and what they found."""

import sqlite3

import pytest

from spatial_workbench.engine.store import Project, ProjectError


@pytest.fixture
def project(tmp_path):
    with Project.create(tmp_path / "p.workbench") as project:
        yield project


def state(asked=10, lane=0):
    return {"task": "shikaku", "seed": 1, "lane": lane, "asked": asked, "seconds": 2.5}


def group(key="a", count=1):
    return {"key": key, "address": "shikaku:0", "count": count}


def joined(stored, new):
    return {**new, "count": stored["count"] + new["count"]}


def test_a_search_that_has_not_begun_has_no_state(project):
    assert project.searches.state("shikaku", 1, 0) is None


def test_the_last_state_counts(project):
    project.searches.store(state(10), [], joined)
    project.searches.store(state(30), [], joined)
    assert project.searches.state("shikaku", 1, 0)["asked"] == 30
    assert project.searches.asked("shikaku") == 30
    assert project.searches.tasks() == ["shikaku"]


def test_lanes_are_apart_and_add_up(project):
    project.searches.store(state(10), [], joined)
    project.searches.store(state(5, lane=1), [], joined)
    assert (project.searches.asked("shikaku"), project.searches.seconds("shikaku")) == (15, 5.0)


def test_groups_of_the_same_key_are_one(project):
    project.searches.store(state(), [group("a"), group("b")], joined)
    project.searches.store(state(), [group("a", 4)], joined)
    assert [(row["key"], row["count"]) for row in project.searches.groups("shikaku")] == [("a", 5), ("b", 1)]


def test_a_group_is_replaced_and_put_back(project):
    project.searches.store(state(), [group()], joined)
    before = project.searches.groups()[0]
    project.searches.replace(before["number"], {**before, "count": 9})
    assert project.searches.group(before["number"])["count"] == 9
    project.searches.replace(before["number"], before)
    assert project.searches.groups() == [before]


def test_searches_can_be_forgotten(project):
    project.searches.store(state(), [group()], joined)
    project.searches.forget(["shikaku"])
    assert (project.searches.groups(), project.searches.tasks()) == ([], [])


def test_a_project_with_a_broken_search_is_refused(tmp_path):
    path = tmp_path / "p.workbench"
    with Project.create(path) as project:
        project.searches.store(state(), [group()], joined)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE findings SET record = '{'")
    connection.close()
    with pytest.raises(ProjectError, match="not JSON"):
        Project.open(path)
