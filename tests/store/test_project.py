"""A project keeps what was done, whatever happens to the process, and refuses files that it must not touch."""

import json
import multiprocessing
import sqlite3
import subprocess
import sys
import time

import pytest
from sqlite_utils import Database

from spatial_workbench.engine.core import Aid, Check, Figure, Instance, Problem, Verdict
from spatial_workbench.engine.core.formats.patch import diff
from spatial_workbench.engine.core.reading.how_read import HowRead
from spatial_workbench.engine.core.verdict import READABLE
from spatial_workbench.engine.store import Actor, Project, ProjectError, ProjectProblem, RemarkKind, pack, unpack
from spatial_workbench.engine.store.inspection import APPLICATION_ID, SCHEMA
from spatial_workbench.engine.store.schema import migrations

INSTANCE = Instance.published("lego_hemisphere", 0, {"inner_mm": 40, "outer_mm": 70})


def verdict(score: float, verifier: str = "default") -> Verdict:
    checks = (Check.of("no overlap", [Problem("Brick 1 overlaps brick 2", ["brick 1", "brick 2"])]),)
    return Verdict(
        instance=INSTANCE.address,
        verifier=verifier,
        version="1",
        score=score,
        passed=score == 1,
        checks=checks,
        figures=(Figure("raw", 0.8),),
    )


@pytest.fixture
def project(tmp_path):
    with Project.create(tmp_path / "work.workbench") as opened:
        yield opened


def reopened(project):
    return Project.open(project.path)


def test_a_draft_is_found_again_with_all_its_edits(project):
    project.drafts.begin(INSTANCE, {"bricks": []})
    project.drafts.add_edit(INSTANCE.address, "Place brick", diff({"bricks": []}, {"bricks": [1]}))
    project.drafts.add_edit(INSTANCE.address, "Place brick", diff({"bricks": [1]}, {"bricks": [1, 2]}))
    with reopened(project) as again:
        draft = again.drafts.get(INSTANCE.address)
    assert (draft.answer, draft.edit_count) == ({"bricks": [1, 2]}, 2)


def test_a_long_history_gives_the_same_draft_as_its_snapshot(project):
    project.drafts.begin(INSTANCE, {"bricks": []})
    for n in range(450):
        project.drafts.add_edit(INSTANCE.address, "Place brick", [[["bricks"], n, [], [n]]])
    draft = project.drafts.get(INSTANCE.address)
    assert draft.answer == {"bricks": list(range(450))}
    assert draft.edit_count == 450


def test_a_new_draft_starts_a_new_history_and_keeps_the_old_edits(project):
    project.drafts.begin(INSTANCE, {"bricks": []})
    project.drafts.add_edit(INSTANCE.address, "Place brick", [[["bricks"], 0, [], [1]]])
    project.drafts.begin(INSTANCE, {"bricks": []})
    assert project.drafts.get(INSTANCE.address).edit_count == 0
    assert len(project.drafts.edits(INSTANCE.address)) == 1


def test_the_clock_of_a_person_adds_up_active_time_with_its_parts(project):
    project.drafts.add_seconds(INSTANCE, 2.5, person="Ada")
    project.drafts.add_seconds(INSTANCE, 1.5, away_s=7.0, person="Ada", idle_s=61.0)
    project.drafts.add_seconds(INSTANCE, 90.0, person="Ben")
    clock = project.drafts.clock(INSTANCE.address, "Ada")
    assert (clock.active_s, clock.idle_s, clock.away_s) == (4.0, 61.0, 7.0)


def test_an_attempt_counts_the_time_since_the_last_one_and_in_all(project):
    project.drafts.add_seconds(INSTANCE, 60.0, away_s=5.0, person="Ada", idle_s=70.0)
    submit(project, "Ada")
    project.drafts.add_seconds(INSTANCE, 40.0, away_s=1.0, person="Ada", idle_s=80.0)
    second = project.attempts.get(submit(project, "Ada"))
    assert (second.seconds, second.idle_s, second.away_s) == (40.0, 80.0, 1.0)
    assert (second.total_s, second.total_idle_s, second.total_away_s) == (100.0, 150.0, 6.0)


def submit(project, person):
    clock = project.drafts.clock(INSTANCE.address, person)
    return project.attempts.add(INSTANCE, "{}", Actor.PERSON, person, clock=clock, verdicts=(verdict(1.0),))


def test_a_second_person_begins_with_an_empty_draft_and_clock(project):
    project.drafts.begin(INSTANCE, {"bricks": [1]}, "Ada")
    project.drafts.add_edit(INSTANCE.address, "Place brick", [[["bricks"], 1, [], [2]]], "Ada")
    project.drafts.add_seconds(INSTANCE, 60.0, person="Ada")
    number = project.attempts.get(submit(project, "Ben"))
    assert project.drafts.get(INSTANCE.address, "Ben") is None
    assert (number.edit_count, number.seconds) == (0, 0.0)


def test_a_persons_attempt_carries_every_aid_that_they_used_in_order(project):
    project.drafts.add_aid(INSTANCE, "Cross-check", Aid.JUDGING, 3.0, "Ada")
    project.drafts.add_aid(INSTANCE, "Load reference solution", Aid.SOLVING, 9.0, "Ada")
    project.drafts.add_aid(INSTANCE, "Hint", Aid.SOLVING, 1.0, "Ben")
    attempt = project.attempts.get(submit(project, "Ada"))
    assert [(use.name, use.seconds) for use in attempt.aids] == [("Cross-check", 3.0), ("Load reference solution", 9.0)]
    assert attempt.solving_aids == 1


def test_an_attempt_with_a_solving_aid_does_not_count_as_solved(project):
    project.drafts.add_aid(INSTANCE, "Load reference solution", Aid.SOLVING, 9.0, "Ada")
    submit(project, "Ada")
    progress = project.attempts.progress()["lego_hemisphere"]
    assert (progress.solved, progress.solved_with_help) == (frozenset(), {INSTANCE.address})
    assert progress.best_person is None


def test_an_older_project_gives_its_draft_and_clock_to_whoever_submitted_from_it(tmp_path):
    path = tmp_path / "old.workbench"
    make_schema_3(path)
    with Project.open(path) as project:
        assert project.drafts.get(INSTANCE.address, "Ada").answer == {"bricks": [1, 2]}
        assert project.drafts.clock(INSTANCE.address, "Ada").active_s == 318.0
        assert project.drafts.clock(INSTANCE.address, "Ada").idle_s == 0.0
        assert [edit.label for edit in project.attempts.edits(1)] == ["Place brick"]


def make_schema_3(path):
    """A project as version 3 left it: Ada submitted after one edit and went on."""
    connection = sqlite3.connect(path)
    migrations.apply(Database(connection), stop_before="schema_4")
    connection.executescript(
        f"""
        PRAGMA application_id = {APPLICATION_ID};
        PRAGMA user_version = 3;
        INSERT INTO instances VALUES ('{INSTANCE.address}', 'lego_hemisphere', 0, NULL, '{INSTANCE.parameters_json}');
        INSERT INTO drafts VALUES ('{INSTANCE.address}', '{{"bricks": []}}', 0, 0, 318.0, '2026-01-01T00:00:00+00:00');
        INSERT INTO edits VALUES
          (1, '{INSTANCE.address}', 'Place brick', '[[["bricks"], 0, [], [1]]]', '2026-01-01T00:00:00+00:00'),
          (2, '{INSTANCE.address}', 'Place brick', '[[["bricks"], 1, [], [2]]]', '2026-01-01T00:00:00+00:00');
        INSERT INTO attempts VALUES (1, '{INSTANCE.address}', 'lego_hemisphere', 'person', 'Ada', '{{"bricks": [1]}}',
          '2026-01-01T00:00:00+00:00', 200.0, 0, 1, 1);
        """
    )
    connection.close()


def test_an_attempt_keeps_its_answer_every_verdict_and_the_edits_that_led_to_it(project):
    project.drafts.begin(INSTANCE, {"bricks": []}, "Ada")
    project.drafts.add_edit(INSTANCE.address, "Place brick", [[["bricks"], 0, [], [1]]], "Ada")
    number = project.attempts.add(INSTANCE, '{"bricks": [1]}', Actor.PERSON, "Ada", 12.0, (verdict(1.0),))
    project.attempts.add_verdicts(number, [verdict(0.5, "crosscheck")])
    attempt = project.attempts.get(number)
    assert attempt.answer == '{"bricks": [1]}'
    assert [v.verifier for v in attempt.verdicts] == ["default", "crosscheck"]
    assert attempt.verdicts[0] == verdict(1.0)
    assert [edit.label for edit in project.attempts.edits(number)] == ["Place brick"]


def test_the_parameters_of_generated_instances_are_those_that_were_stored(project):
    made = Instance.generated("lego_hemisphere", 7, {"inner_mm": 41, "outer_mm": 70})
    published, generated = (project.attempts.add(each, "{}", Actor.IMPORT) for each in (INSTANCE, made))
    assert project.attempts.generated_parameters([published, generated]) == {generated: made.parameters_json}


def test_the_newest_verdict_of_a_verifier_counts_and_the_older_one_is_kept(project):
    number = project.attempts.add(INSTANCE, "{}", Actor.IMPORT, verdicts=(verdict(0.2),))
    project.attempts.add_verdicts(number, [verdict(0.7)])
    assert [v.score for v in project.attempts.get(number).verdicts] == [0.7]
    assert [v.score for _, v in project.attempts.verdict_history(number)] == [0.2, 0.7]


def test_progress_counts_solved_instances_and_the_best_scores(project):
    project.attempts.add(INSTANCE, "{}", Actor.PERSON, verdicts=(verdict(1.0),))
    project.attempts.add(INSTANCE, "{}", Actor.MODEL, "model-x", verdicts=(verdict(0.4),))
    progress = project.attempts.progress()["lego_hemisphere"]
    assert progress.solved == {"lego_hemisphere:0"}
    assert (progress.best_person, progress.best_model) == (1.0, 0.4)


def test_the_reference_solution_solves_nothing_for_a_person(project):
    project.attempts.add(INSTANCE, "{}", Actor.REFERENCE, verdicts=(verdict(1.0),))
    assert project.attempts.progress()["lego_hemisphere"].solved == frozenset()


def test_a_copy_holds_everything_also_what_is_still_in_the_journal(project, tmp_path):
    project.drafts.begin(INSTANCE, {"bricks": [7]})
    project.save_copy(tmp_path / "copy.workbench")
    with Project.open(tmp_path / "copy.workbench") as copy:
        assert copy.drafts.get(INSTANCE.address).answer == {"bricks": [7]}


def test_changes_by_others_are_noticed(project):
    before = project.change_count
    with reopened(project) as other:
        other.drafts.begin(INSTANCE, {})
    assert project.change_count != before


def test_a_project_that_another_program_only_looks_at_is_not_changed(project):
    before = project.change_count
    with Project.open(project.path) as other:
        other.batches.all()
    assert project.change_count == before


def test_creating_never_replaces_a_file(project):
    with pytest.raises(ProjectError) as error:
        Project.create(project.path)
    assert error.value.problem is ProjectProblem.EXISTS


def newer(path):
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = DELETE")
    connection.execute(f"PRAGMA user_version = {SCHEMA + 1}")
    connection.close()


def corrupt(path):
    sqlite3.connect(path).execute("PRAGMA journal_mode = DELETE")
    data = bytearray(path.read_bytes())
    data[200:] = b"\xff" * (len(data) - 200)
    path.write_bytes(data)


def foreign(path):
    path.unlink()
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE notes (text)")
    connection.close()


def no_database(path):
    path.write_text("a letter to my aunt " * 100)


def empty(path):
    path.write_bytes(b"")


def read_only(path):
    path.chmod(0o444)


@pytest.mark.parametrize(
    ("spoil", "problem", "words"),
    [
        (newer, ProjectProblem.NEWER, f"newer version (schema {SCHEMA + 1}, this one reads up to {SCHEMA})"),
        (corrupt, ProjectProblem.CORRUPT, "damaged"),
        (foreign, ProjectProblem.FOREIGN, "another program"),
        (no_database, ProjectProblem.FOREIGN, "not a project"),
        (empty, ProjectProblem.FOREIGN, "not a project"),
        (read_only, ProjectProblem.READ_ONLY, "Save a copy"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_with_the_reason_and_never_changed(tmp_path, spoil, problem, words):
    path = tmp_path / "work.workbench"
    Project.create(path).close()
    spoil(path)
    before = path.read_bytes()
    with pytest.raises(ProjectError) as error:
        Project.open(path)
    assert error.value.problem is problem
    assert words in str(error.value)
    assert path.read_bytes() == before


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(ProjectError, match="There is no file"):
        Project.open(tmp_path / "nothing.workbench")


def edit_until_killed(path, ready):
    with Project.open(path) as project:
        for n in range(100_000):
            project.drafts.add_edit(INSTANCE.address, "Place brick", [[["bricks"], n, [], [n]]])
            ready.value = n + 1


@pytest.mark.slow
def test_a_killed_process_loses_at_most_the_edit_in_flight(project):
    project.drafts.begin(INSTANCE, {"bricks": []})
    context = multiprocessing.get_context("spawn")
    acknowledged = context.Value("i", 0)
    writer = context.Process(target=edit_until_killed, args=(project.path, acknowledged))
    writer.start()
    while acknowledged.value < 50 and writer.is_alive():
        time.sleep(0.01)
    writer.kill()
    writer.join()
    bricks = project.drafts.get(INSTANCE.address).answer["bricks"]
    assert bricks == list(range(len(bricks)))
    assert acknowledged.value <= len(bricks) <= acknowledged.value + 1


def add_attempts(path, count):
    with Project.open(path) as project:
        for n in range(count):
            project.attempts.add(INSTANCE, json.dumps({"n": n}), Actor.IMPORT, verdicts=(verdict(0.5),))


@pytest.mark.slow
def test_two_processes_may_write_at_the_same_time(project):
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=add_attempts, args=(project.path, 100)) for _ in range(2)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [writer.exitcode for writer in writers] == [0, 0]
    assert len(project.attempts.newest()) == 200


def test_an_older_projects_machines_get_their_metres_from_the_stored_verdicts(tmp_path):
    path = tmp_path / "old.workbench"
    make_schema_4(path, {"machine_throw": ({"R": 250.0, "distance": 25.3}, {"R": 0.0, "distance": 9.0}, {"R": 1.0})})
    with Project.open(path) as project:
        assert [row.measured for row in project.attempts.newest()] == [None, 0.0, 25.3]


def test_an_older_projects_target_levels_keep_their_score(tmp_path):
    path = tmp_path / "old.workbench"
    make_schema_4(path, {"machine_throw": ({"R": 1.0, "distance": 25.3, "targets hit": 1.0},)})
    with Project.open(path) as project:
        assert [row.measured for row in project.attempts.newest()] == [None]


def make_schema_4(path, figures):
    """A project as version 4 left it: attempts at tasks, each with the figures of its verdict."""
    connection = sqlite3.connect(path)
    migrations.apply(Database(connection), stop_before="schema_5")
    at = "2026-01-01T00:00:00+00:00"
    rows = [(task, values) for task, group in figures.items() for values in group]
    for number, (task, values) in enumerate(rows, 1):
        verdict = json.dumps({"figures": [{"name": name, "value": value} for name, value in values.items()]})
        connection.execute("INSERT OR IGNORE INTO instances VALUES (?, ?, 1, NULL, '{}')", (f"{task}:1", task))
        connection.execute(
            "INSERT INTO attempts (id, address, task, actor, answer, submitted_at) VALUES (?, ?, ?, 'model', '{}', ?)",
            (number, f"{task}:1", task, at),
        )
        connection.execute(
            "INSERT INTO facts (attempt, address, task, actor, who, submitted_at, edit_count)"
            " VALUES (?, ?, ?, 'model', 'birch', ?, 0)",
            (number, f"{task}:1", task, at),
        )
        connection.execute(
            "INSERT INTO verdicts (attempt, verifier, version, score, passed, verdict, at)"
            " VALUES (?, 'default', '1', 0.5, 1, ?, ?)",
            (number, verdict, at),
        )
    connection.executescript(f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = 4;")
    connection.close()


WRITER = """
import sys
from spatial_workbench.engine.store import Project
with Project.open(sys.argv[1]) as project:
    project.batches.add("theirs", "{}", [])
"""


@pytest.mark.slow
def test_opening_a_project_twice_keeps_the_locks_of_the_first(tmp_path):
    path = tmp_path / "a.workbench"
    with Project.create(path) as first:
        Project.open(path).close()
        subprocess.run([sys.executable, "-c", WRITER, str(path)], check=True)
        # Whoever closes a database last takes its journal away; the other process was not the last.
        assert path.with_name(f"{path.name}-wal").exists()
        assert [batch.name for batch in first.batches.all()] == ["theirs"]


def test_in_older_projects_idle_time_and_time_away_become_parts_of_active_time(tmp_path):
    path = tmp_path / "old.workbench"
    connection = sqlite3.connect(path)
    migrations.apply(Database(connection), stop_before="schema_13")
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute("PRAGMA user_version = 12")
    where = (INSTANCE.address, INSTANCE.task, INSTANCE.parameters_json)
    connection.execute("INSERT INTO instances (address, task, number, parameters) VALUES (?, ?, 0, ?)", where)
    connection.execute(
        "INSERT INTO clocks (address, person, active_s, idle_s, away_s, credited_active_s, credited_idle_s,"
        " credited_away_s) VALUES (?, 'Ada', 100, 150, 6, 60, 70, 5)",
        (INSTANCE.address,),
    )
    times = {"1": (60, 70, 5, 60, 70, 5), "2": (12.5, None, None, None, None, None)}
    for number, values in times.items():
        connection.execute(
            "INSERT INTO attempts (id, address, task, submitted_at, actor, actor_name, answer, aids, seconds, idle_s,"
            " away_s, total_s, total_idle_s, total_away_s)"
            " VALUES (?, ?, ?, '2026-01-01T00:00:00+00:00', 'person', 'Ada', '', '[]', ?, ?, ?, ?, ?, ?)",
            (number, *where[:2], *values),
        )
        connection.execute(
            "INSERT INTO facts (attempt, address, task, submitted_at, actor, who, edit_count, has_transcript,"
            " is_overridden, seconds, idle_s, away_s, total_s, total_idle_s, total_away_s)"
            " VALUES (?, ?, ?, '2026-01-01T00:00:00+00:00', 'person', 'Ada', 0, 0, 0, ?, ?, ?, ?, ?, ?)",
            (number, *where[:2], *values),
        )
    connection.commit()
    connection.close()
    with Project.open(path) as project:
        clock = project.drafts.clock(INSTANCE.address, "Ada")
        measured = project.attempts.get(1)
        unmeasured = project.attempts.get(2)
    assert (clock.active_s, clock.idle_s, clock.away_s) == (256, 150, 6)
    assert clock.effort.seconds == 256 - 135
    assert (measured.seconds, measured.idle_s, measured.away_s, measured.total_s) == (135, 70, 5, 135)
    assert (unmeasured.seconds, unmeasured.total_s) == (12.5, None)


def test_of_older_verdicts_it_is_known_which_answers_could_not_be_read(tmp_path):
    path = tmp_path / "old.workbench"
    make_schema_10(path)
    with Project.open(path) as project:
        assert [row.how_read for row in project.runs.rows([1, 2, 3, 4])] == [
            None,
            HowRead.UNREADABLE,
            HowRead.TRUNCATED,
            HowRead.NO_ANSWER,
        ]


def make_schema_10(path, newest=10):
    """A project as an earlier version left it: an answer that was read, and three that were not, one cut off."""
    connection = sqlite3.connect(path)
    migrations.apply(Database(connection), stop_before=f"schema_{newest + 1}")
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {newest}")
    where = (INSTANCE.address, INSTANCE.task, INSTANCE.parameters_json)
    connection.execute("INSERT INTO instances (address, task, number, parameters) VALUES (?, ?, 0, ?)", where)
    told = (("held", "", None), (READABLE, "bricks is missing", "stop"), (READABLE, "not JSON", "length"))
    told += ((READABLE, "The answer is empty", None),)
    at = "2026-01-01T00:00:00+00:00"
    for number, (check, message, finish_reason) in enumerate(told, 1):
        checks = (Check(name=check, state="failed", message=message, problems=(), problem_count=1),)
        verdict = Verdict(
            instance=INSTANCE.address, verifier="default", version="1", score=0, passed=False, checks=checks
        )
        old = verdict.model_dump_json(exclude={"how_read", "mending"})
        of_attempt = (number, INSTANCE.address, INSTANCE.task, at)
        connection.execute(
            "INSERT INTO attempts (id, address, task, submitted_at, actor, actor_name, answer)"
            " VALUES (?, ?, ?, ?, 'model', 'birch', '{}')",
            of_attempt,
        )
        connection.execute(
            "INSERT INTO facts (attempt, address, task, submitted_at, actor, who, finish_reason, edit_count,"
            " has_transcript, is_overridden, disagrees, score, passed)"
            " VALUES (?, ?, ?, ?, 'model', 'birch', ?, 0, 0, 0, 0, 0, 0)",
            (*of_attempt, finish_reason),
        )
        connection.execute(
            "INSERT INTO verdicts (attempt, verifier, version, score, passed, verdict, at)"
            " VALUES (?, 'default', '1', 0, 0, ?, ?)",
            (number, old, at),
        )
    connection.commit()
    connection.close()


def test_of_older_attempts_the_end_and_the_failed_check_are_known(tmp_path):
    path = tmp_path / "old.workbench"
    make_schema_10(path, newest=17)
    connection = sqlite3.connect(path)
    record = '{"end": "step_limit", "steps": []}'
    connection.execute("INSERT INTO transcripts (attempt, kind, record) VALUES (2, 'cube', ?)", (record,))
    connection.commit()
    connection.close()
    with Project.open(path) as project:
        rows = project.runs.rows([1, 2, 3, 4])
        project.remarks.add([1], RemarkKind.TAG, "look again", "Ada")
    assert [row.failed_check for row in rows] == ["held", READABLE, READABLE, READABLE]
    assert [(row.run_end, row.cut_off) for row in rows] == [
        (None, None),
        ("step_limit", "steps"),
        (None, "output limit"),
        (None, None),
    ]
    with Project.open(path) as project:
        assert project.runs.rows([1])[0].tags == "look again"


def test_a_full_disk_is_told_as_such_and_keeps_what_was_stored(tmp_path):
    path = tmp_path / "work.workbench"
    with Project.create(path) as project:
        project.attempts.add(INSTANCE, "{}", Actor.PERSON, "Ada")
    with pytest.raises(ProjectError, match=r"The disk that holds “work\.workbench” is full") as caught:
        fill_disk(path)
    assert caught.value.problem is ProjectProblem.DISK_FULL
    with Project.open(path) as project:
        assert len(list(project.runs.select())) == 1


def fill_disk(path):
    """Stores more than the disk holds; SQLite's limit on pages stands in for the disk's."""
    with Project.open(path) as project:
        pages = project.database.row("PRAGMA page_count")[0]
        project.database.execute(f"PRAGMA max_page_count = {pages}")
        project.attempts.add(INSTANCE, "x" * 10_000_000, Actor.PERSON, "Ada")


def test_a_project_is_not_called_damaged_if_it_cannot_be_read_for_want_of_room(tmp_path, monkeypatch):
    path = tmp_path / "work.workbench"
    Project.create(path).close()
    monkeypatch.setattr("spatial_workbench.engine.store.inspection.is_disk_full", lambda path: True)
    monkeypatch.setattr("spatial_workbench.engine.store.inspection.wrong_tables", no_room)
    with pytest.raises(ProjectError, match="is full"):
        Project.open(path)


def no_room(connection, schema):
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR_SHMSIZE
    raise error


def test_a_project_that_could_not_be_made_leaves_no_file(tmp_path, monkeypatch):
    monkeypatch.setattr(Project, "_prepare", lambda self: no_room(None, None))
    with pytest.raises(ProjectError, match="cannot be written"):
        Project.create(tmp_path / "work.workbench")
    assert not (tmp_path / "work.workbench").exists()


def test_of_older_attempts_the_parameters_are_those_of_their_batches(tmp_path):
    path = tmp_path / "old.workbench"
    connection = sqlite3.connect(path)
    migrations.apply(Database(connection), stop_before="schema_16")
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute("PRAGMA user_version = 15")
    where = (INSTANCE.address, INSTANCE.task)
    connection.execute("INSERT INTO instances (address, task, number, parameters) VALUES (?, ?, 0, '{}')", where)
    asked = [{"settings": {"effort": "high", "temperature": 0.5}}, {"settings": {}}]
    connection.execute(
        "INSERT INTO batches (id, name, plan, state, created_at) VALUES (1, 'b', ?, 'finished', '2026-01-01')",
        (json.dumps({"contenders": asked}),),
    )
    connection.execute(
        "INSERT INTO batches (id, name, plan, state, created_at) VALUES (2, 'c', '[]', 'paused', '2026-01-01')"
    )
    for number, model in ((1, 0), (2, 1)):
        connection.execute(
            "INSERT INTO items (id, batch, model, address, task, repeat, state) VALUES (?, 1, ?, ?, ?, 0, 'done')",
            (number, model, *where),
        )
        connection.execute(
            "INSERT INTO attempts (id, address, task, submitted_at, actor, actor_name, answer)"
            " VALUES (?, ?, ?, '2026-01-01T00:00:00+00:00', 'model', 'm', '')",
            (number, *where),
        )
        connection.execute(
            "INSERT INTO facts (attempt, address, task, submitted_at, actor, who, edit_count, has_transcript,"
            " is_overridden, disagrees, differs, batch, item)"
            " VALUES (?, ?, ?, '2026-01-01T00:00:00+00:00', 'model', 'm', 0, 0, 0, 0, 0, 1, ?)",
            (number, *where, number),
        )
    connection.commit()
    connection.close()
    with Project.open(path) as project:
        first, second = project.runs.rows([1, 2])
    assert (first.effort, first.temperature, first.top_p, first.variant) == ("high", 0.5, None, None)
    assert (second.effort, second.temperature) == (None, None)


def test_a_project_of_yesterday_keeps_no_logs_of_inspect_and_can_keep_them_now(tmp_path):
    path = tmp_path / "old.workbench"
    make_schema_10(path, newest=18)
    with Project.open(path) as project:
        batch = project.batches.add("log", '{"contenders": [{}]}', [(0, INSTANCE.address, INSTANCE.task, 0, None)])
        item = project.items.of_batch(batch)[0].number
        before = project.inspect_logs.log(batch), project.inspect_logs.sample(item)
        project.inspect_logs.keep_log(batch, "id", pack("a log"))
        project.inspect_logs.keep_sample(item, pack("a sample"))
    with Project.open(path) as project:
        assert before == (None, None)
        assert unpack(project.inspect_logs.log(batch)) == "a log"
        assert unpack(project.inspect_logs.sample(item)) == "a sample"
        assert len(project.attempts.newest(INSTANCE.address)) == 4
