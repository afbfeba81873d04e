"""Projects as programs read them: rows for a table, stored verdicts, and nothing that changes the file."""

import json
from datetime import datetime

import pandas
import pytest

import spatial_workbench as sw
from spatial_workbench.app.studio import drawing
from spatial_workbench.engine.core.drawer import CannotDraw
from spatial_workbench.engine.evaluation.export.table import HEADER
from spatial_workbench.engine.store import Actor
from spatial_workbench.engine.store import Project as StoredProject

BESIDE = {"title", "family", "bucket", "model", "batch_name", "their_score"}
EVIL = "<b>Ada</b>"


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """A project with two attempts of the reference, two of a function, and one of a person that is not judged yet."""
    path = tmp_path_factory.mktemp("project") / "runs.workbench"
    sw.evaluate("reference", "shikaku:0-1", project=path, name="good", workers=1)
    sw.evaluate(lambda prompt: "[]", "shikaku:0,two_segments:0", project=path, name="bad", workers=1)
    with StoredProject.open(path) as stored:
        stored.attempts.add(sw.instance("shikaku:0"), "{}", Actor.PERSON, EVIL)
    return path


@pytest.fixture
def project(path):
    with sw.Project.open(path) as opened:
        yield opened


@pytest.fixture
def no_window(monkeypatch):
    class Nothing:
        def picture(self, *given, **more):
            raise CannotDraw("The window, and every picture, needs the extra <window>.")

    monkeypatch.setattr(drawing, "drawer", Nothing)


@pytest.mark.slow
def test_each_attempt_is_a_flat_row_of_plain_values(project):
    rows = project.attempts()
    assert len(rows) == 5
    assert len({tuple(row) for row in rows}) == 1
    plain = (str, int, float, bool, datetime, type(None))
    assert {type(value) for row in rows for value in row.values()} <= set(plain)


def test_columns_are_called_as_in_an_export(project):
    assert set(project.attempts()[0]) - BESIDE <= set(HEADER)


def test_a_row_says_who_did_what_with_which_result(project):
    first, *_, last = project.attempts()
    wanted = {"address": "shikaku:0", "title": "Shikaku rectangles", "family": "scbench", "passed": True, "score": 1.0}
    assert wanted.items() <= first.items()
    assert first["how_read"] == "as it is"
    assert (first["batch"], first["batch_name"]) == (1, "good")
    assert {"actor": "person", "actor_name": EVIL, "model": None, "score": None, "passed": None}.items() <= last.items()


def test_rows_make_a_table_with_useful_types(project):
    frame = pandas.DataFrame(project.attempts())
    assert frame["score"].dtype == float
    assert str(frame["submitted_at"].dtype).startswith("datetime64[")
    assert frame.groupby("actor_name")["score"].mean()["bad"] == 0


def test_rows_can_be_limited_to_tasks_and_names(project):
    assert [row["task"] for row in project.attempts(tasks="two_segments")] == ["two_segments"]
    assert len(project.attempts(who=["bad", EVIL])) == 3
    assert len(project.attempts(tasks=["shikaku"], who="bad")) == 1


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (
            {"tasks": "shikuku"},
            "no attempts at a task “shikuku”; did you mean “shikaku”? There are shikaku, two_segments.",
        ),
        ({"who": "badd"}, "no attempts of “badd”; did you mean “bad”? There are "),
    ],
)
def test_names_without_attempts_are_named_with_those_that_have_some(project, given, words):
    with pytest.raises(KeyError) as raised:
        project.attempts(**given)
    assert words in str(raised.value)


def test_a_project_without_attempts_has_no_rows(tmp_path):
    StoredProject.create(tmp_path / "empty.workbench").close()
    with sw.Project.open(tmp_path / "empty.workbench") as empty:
        assert empty.attempts() == []
        assert "0 attempts" in empty._repr_html_()
        with pytest.raises(KeyError, match="There are no attempts"):
            empty.attempts(who="Ada")


def test_a_stored_answer_comes_with_its_verdict(project):
    row = project.attempts(who="bad", tasks="shikaku")[0]
    judged = project.judged(row["attempt"])
    assert (judged.text, judged.score, judged.verdict.verifier) == ("[]", 0.0, "default")
    assert project.judged(1, "crosscheck").verdict.verifier == "crosscheck"


@pytest.mark.parametrize(
    ("attempt", "verifier", "words"),
    [
        (99, "default", "Attempt 99 is not in this project"),
        (1, "defualt", "has no verdict of “defualt”; did you mean “default”? It was judged by default"),
        (5, "default", "It has not been judged"),
    ],
)
def test_an_unknown_attempt_or_verifier_is_named(project, attempt, verifier, words):
    with pytest.raises(KeyError) as raised:
        project.judged(attempt, verifier)
    assert words in str(raised.value)


def test_nothing_public_changes_a_project():
    public = {name for name in vars(sw.Project) if not name.startswith("_")}
    assert public == {"open", "path", "attempts", "judged", "close"}


def test_a_notebook_shows_runs_and_the_newest_judged_attempt(project):
    html = project._repr_html_()
    assert "runs.workbench: 5 attempts" in html
    newest = next(row for row in reversed(project.attempts()) if row["how_read"] in ("as it is", "mended"))
    assert f"Attempt {newest['attempt']}, by {newest['actor_name']}: {newest['address']}" in html
    assert "data:image/png;base64," in html
    assert EVIL not in html
    assert "&lt;b&gt;Ada&lt;/b&gt;" in html


def test_without_the_parts_of_the_window_a_notebook_shows_everything_else_and_says_why(project, no_window):
    judged = sw.verify("shikaku:0", sw.solve("shikaku:0"))
    for shown in (project, judged, sw.scene("shikaku:0")):
        html = shown._repr_html_()
        assert "<img" not in html
        assert "needs the extra &lt;window&gt;" in html
    assert judged._repr_png_() is None
    with pytest.raises(CannotDraw):
        judged.picture()


def test_a_scene_is_shown_as_a_picture():
    shown = sw.scene("shikaku:0", sw.task("shikaku").format(sw.solve("shikaku:0")))
    assert shown._repr_png_().startswith(b"\x89PNG")
    assert 'alt="shikaku:0"' in shown._repr_html_()
    assert shown.picture((80, 60), "dark") != shown.picture((80, 60), "light")


def test_rows_of_a_task_that_this_version_does_not_know_are_there_without_its_title(tmp_path):
    with StoredProject.create(tmp_path / "p.workbench") as stored:
        stored.attempts.add(sw.Instance.published("gone", 0, {}), "{}", Actor.MODEL, "m")
    with sw.Project.open(tmp_path / "p.workbench") as opened:
        (row,) = opened.attempts()
        assert (row["task"], row["title"], row["model"]) == ("gone", None, "m")
        assert "gone" in opened._repr_html_()
        json.dumps(row, default=str)
