"""What a project keeps about puzzles."""

import sqlite3
from datetime import UTC, datetime, timedelta

import pytest
from sqlite_utils import Database

from spatial_workbench.engine.core import resolve
from spatial_workbench.engine.evaluation.export import export_runs
from spatial_workbench.engine.evaluation.planning.starting import import_file
from spatial_workbench.engine.store import Actor, JudgementSource, Project, ProjectError, PuzzleEvent, StepJudge
from spatial_workbench.engine.store.inspection import APPLICATION_ID
from spatial_workbench.engine.store.schema import migrations
from spatial_workbench.engine.store.step_judges import judge_titles

STEPS = '[{"correct": true, "explanation": "It is there.", "decided_by": "judge"}]'


def event(number, puzzle_set="hunt"):
    return PuzzleEvent(
        id=f"e{number}",
        puzzle_set=puzzle_set,
        folder="Neon",
        version="v",
        at=datetime(2026, 1, 1, 12, 0, number, tzinfo=UTC),
        person="Ada",
        kind="checked",
        event='{"kind": "checked"}',
    )


@pytest.fixture
def project(tmp_path):
    with Project.create(tmp_path / "a.workbench") as opened:
        yield opened


@pytest.fixture
def attempt(project):
    """An attempt at a puzzle with one judgement of its steps."""
    number = project.attempts.add(resolve("puzzle_hunt:0")[1], "Answer: ANCHOR", Actor.MODEL, "birch")
    project.puzzles.add_step_judgement(number, StepJudge(source=JudgementSource.JUDGE, name="oak"), STEPS, "v1")
    return number


def test_an_event_is_stored_once_however_often_it_is_added(project):
    assert project.puzzles.add_events([event(1), event(2)]) == 2
    assert project.puzzles.add_events([event(2), event(3), event(3)]) == 1
    assert [stored.id for stored in project.puzzles.events()] == ["e1", "e2", "e3"]


def test_events_come_in_the_order_of_time_and_by_set(project):
    project.puzzles.add_events([event(3), event(1), event(2, "other")])
    assert project.puzzles.events("hunt") == [event(1), event(3)]
    assert project.puzzles.reviewed_sets() == ["hunt", "other"]


def test_judgements_of_steps_are_added_and_never_replaced(project, attempt):
    project.puzzles.add_step_judgement(
        attempt, StepJudge(source=JudgementSource.JUDGE, name="oak"), "[]", "v1", "The model did not answer."
    )
    assert [(judged.who, judged.steps, judged.note) for judged in project.puzzles.step_judgements(attempt)] == [
        ("oak", STEPS, ""),
        ("oak", "[]", "The model did not answer."),
    ]


def test_judges_of_one_name_are_two_judges_if_they_are_set_up_differently(project, attempt):
    other = StepJudge(source=JudgementSource.JUDGE, name="oak", setup='{"endpoint": "http://b"}')
    project.puzzles.add_step_judgement(attempt, other, STEPS, "v1")
    assert list(project.puzzles.step_judges().values()) == [1, 1]
    assert project.puzzles.step_judgements(attempt)[-1].judge == other


def test_judgements_of_an_older_project_keep_a_judge_whose_settings_are_not_recorded(tmp_path):
    path = tmp_path / "old.workbench"
    connection = sqlite3.connect(path)
    migrations.apply(Database(connection), stop_before="schema_21")
    connection.executescript(f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = 20;")
    connection.executescript(
        "INSERT INTO instances (address, task, number, parameters) VALUES ('puzzle_hunt:0', 'puzzle_hunt', 0, '{}');"
        "INSERT INTO attempts (id, address, task, actor, actor_name, answer, submitted_at, edit_count)"
        " VALUES (1, 'puzzle_hunt:0', 'puzzle_hunt', 'model', 'birch', 'x', '2026-01-01T12:00:00.000+00:00', 0);"
        f"INSERT INTO step_judgements VALUES (1, 1, 'judge', 'oak', '{STEPS}', 'v1', '',"
        " '2026-01-01T12:00:00.000+00:00');"
    )
    connection.commit()
    connection.close()
    with Project.open(path) as opened:
        (before,) = opened.puzzles.step_judges()
        now = StepJudge(source=JudgementSource.JUDGE, name="oak", setup='{"endpoint": "http://a"}')
        opened.puzzles.add_step_judgement(1, now, STEPS, "v1")
        assert list(judge_titles(opened.puzzles.step_judges()).values()) == [
            "oak (a)",
            "oak (endpoint and settings not recorded)",
        ]
    assert before == StepJudge(source=JudgementSource.JUDGE, name="oak")


def test_a_judges_answer_is_kept_by_its_key(project):
    project.puzzles.keep_judge_answer("k", "yes")
    assert (project.puzzles.judge_answer("k"), project.puzzles.judge_answer("other")) == ("yes", None)


def test_judged_steps_survive_export_and_import(project, attempt, tmp_path):
    setup = '{"endpoint": "http://b", "temperature": 0.5}'
    other = StepJudge(source=JudgementSource.JUDGE, name="oak", setup=setup)
    project.puzzles.add_step_judgement(attempt, other, STEPS, "v1")
    export_runs(project, tmp_path / "out.jsonl", "jsonl")
    with Project.create(tmp_path / "b.workbench") as other:
        import_file(other, tmp_path / "out.jsonl")
        assert other.puzzles.step_judgements() == project.puzzles.step_judgements()


def test_an_older_project_gets_the_tables_of_puzzles(tmp_path):
    path = tmp_path / "old.workbench"
    connection = sqlite3.connect(path)
    migrations.apply(Database(connection), stop_before="schema_6")
    connection.executescript(f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = 5;")
    connection.close()
    with Project.open(path) as opened:
        assert opened.puzzles.add_events([event(1)]) == 1
    assert not migrations.pending(Database(sqlite3.connect(path)))


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("UPDATE step_judgements SET source = 'oracle'", "“source” holds a word"),
        ("UPDATE step_judgements SET steps = '['", "“steps” holds something that is not JSON"),
        ("UPDATE step_judgements SET setup = ''", "“setup” holds something that is not JSON"),
        ("UPDATE step_judgements SET attempt = 77", "“step_judgements” belongs to nothing"),
        ("UPDATE puzzle_events SET event = '{'", "“event” holds something that is not JSON"),
        ("UPDATE puzzle_events SET at = 'noon'", "“at” holds something that is not a time"),
        ("UPDATE puzzle_events SET folder = replace(hex(zeroblob(50000)), '0', 'x')", "far too long"),
    ],
)
def test_a_strangers_file_with_other_values_is_refused(project, attempt, statement, words):
    project.puzzles.add_events([event(1)])
    project.close()
    connection = sqlite3.connect(project.path)
    connection.execute(statement)
    connection.commit()
    connection.close()
    with pytest.raises(ProjectError, match=words):
        Project.open(project.path)


def test_the_answer_of_a_judge_may_be_too_old_and_can_be_forgotten(project):
    project.puzzles.keep_judge_answer("key", "yes")
    now = datetime.now(UTC)
    assert project.puzzles.judge_answer("key", now - timedelta(minutes=1)) == "yes"
    assert project.puzzles.judge_answer("key", now + timedelta(minutes=1)) is None
    project.puzzles.forget_judge_answers(["key", "other"])
    assert project.puzzles.judge_answer("key") is None
