"""Project files of strangers: what this program did not make is refused by name, and nothing in them is changed."""

import sqlite3

import pytest

from spatial_workbench.app.commands.main import main
from spatial_workbench.engine.core import Verdict, resolve
from spatial_workbench.engine.store import Actor, Project, ProjectError, ProjectProblem, Transcript, inspection
from tests.sweeps import some

ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n"
COMMANDS = (
    *(("batches",), ("runs",), ("runs", "--text", "word"), ("runs", "--json"), ("verify-again",)),
    *(("export", "--format", kind, "-o", "{folder}/out") for kind in ("jsonl", "csv", "inspect")),
    *(("report", "-o", "{folder}/out.html"), ("resume", "7")),
)
SPOILINGS = [
    "UPDATE attempts SET answer = CAST(x'ff41' AS TEXT)",
    "UPDATE facts SET who = CAST(x'ff41' AS TEXT)",
    "UPDATE replies SET text = CAST(x'ff41' AS TEXT)",
    "UPDATE verdicts SET verdict = 'no JSON'",
    """UPDATE verdicts SET verdict = '{"score": NaN}'""",
    "UPDATE transcripts SET record = '[]'",
    "UPDATE transcripts SET record = '{'",
    "UPDATE tries SET record = '{'",
    "UPDATE replies SET record = '7'",
    "UPDATE batches SET plan = '{}'",
    "UPDATE batches SET plan = '[]'",
    "UPDATE facts SET address = 'nothing:7', task = 'nothing'",
    "UPDATE facts SET prompt = 99, item = 99, batch = 99",
    "UPDATE facts SET passed = 1000, tools = -7, repeat = 9223372036854775807, output_tokens = 9223372036854775807",
    f"UPDATE facts SET address = 'shikaku:{'9' * 400}'",
    "UPDATE items SET lead = 99, address = 'nothing'",
    "UPDATE items SET state = 'waiting', attempt = NULL, address = 'nothing:1'",
    "INSERT INTO labels (attempt, status, label, record, at) VALUES (1, 'ok', 'x', '{', '2026-01-01')",
    "UPDATE facts SET attempt = 99",
    "DELETE FROM replies",
    "UPDATE words_data SET block = x'00'",
]


@pytest.fixture
def path(tmp_path):
    """A project with a batch, an answered question and an attempt."""
    with Project.create(tmp_path / "a.workbench") as project:
        plan = '{"name": "b", "contenders": [{"settings": {"name": "m"}}], "addresses": ["shikaku:0"]}'
        batch = project.batches.add("b", plan, [(0, "shikaku:0", "shikaku", 0, None)])
        item = project.items.of_batch(batch)[0].number
        project.items.add_try(item, "{}")
        project.items.add_reply(item, 0, "prompt", "{}", None, "{}")
        instance = resolve("shikaku:0")[1]
        judged = (Verdict(instance="shikaku:0", verifier="default", version="1", score=0.5, passed=False),)
        seen = Transcript(kind="cube", record="{}")
        project.items.finish(item, project.attempts.add(instance, "{}", Actor.MODEL, "m", 1.0, judged, seen))
        project.drafts.begin(instance, {})
        project.drafts.add_edit("shikaku:0", "Move", [])
        project.compact()
    return tmp_path / "a.workbench"


def spoil(path, *statements):
    connection = sqlite3.connect(path, isolation_level=None)
    for statement in ("PRAGMA writable_schema = ON", *statements):
        connection.execute(statement)
    connection.close()


def refusal(path):
    before = path.read_bytes()
    with pytest.raises(ProjectError) as caught:
        Project.open(path)
    assert path.read_bytes() == before
    assert caught.value.problem is ProjectProblem.CORRUPT
    return str(caught.value)


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        (f"CREATE VIEW more AS {ENDLESS}", "holds the view “more”"),
        ("CREATE TABLE more (x)", "holds the table “more”"),
        ("CREATE INDEX more ON facts (abs(score))", "holds the index “more”"),
        (
            "CREATE TRIGGER more AFTER INSERT ON attempts BEGIN DELETE FROM verdicts; END",
            "holds the trigger “more”",
        ),
        ("DROP TABLE facts", "table “facts” is missing"),
        ("DROP INDEX idx_verdicts_attempt_verifier", "index “idx_verdicts_attempt_verifier” is missing"),
        ("ALTER TABLE facts RENAME COLUMN score TO points", "table “facts” has other columns"),
        ("ALTER TABLE facts ADD COLUMN more INTEGER", "table “facts” has other columns"),
        ("ALTER TABLE facts ADD COLUMN more AS (1) VIRTUAL", "table “facts” has other columns"),
    ],
)
def test_a_file_with_other_tables_is_refused(path, statement, words):
    spoil(path, statement)
    assert words in refusal(path)


@pytest.mark.parametrize("table", ["facts", "words", "attempts", "prompt_words"])
def test_a_view_in_the_place_of_a_table_is_refused(path, table):
    spoil(path, f"DROP TABLE {table}", f"CREATE VIEW {table} AS {ENDLESS}")
    assert "which does not belong to this program" in refusal(path)


def test_a_table_in_the_place_of_the_full_text_search_is_refused(path):
    spoil(path, "DROP TABLE words", "CREATE TABLE words (address, who, answer, reasoning, transcript)")
    assert "“words”" in refusal(path)


def test_a_check_that_the_tables_do_not_have_is_refused(path):
    spoil(path, "UPDATE sqlite_master SET sql = replace(sql, '\"score\" FLOAT', '\"score\" FLOAT CHECK (1)')")
    spoil(path, "UPDATE sqlite_master SET sql = replace(sql, '\"score\" REAL', '\"score\" REAL CHECK (1)')")
    assert "has other columns" in refusal(path)


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("UPDATE items SET state = 'exploded'", "“state” holds a word that is not one of"),
        ("UPDATE batches SET state = ''", "“state” holds a word that is not one of"),
        ("UPDATE facts SET actor = 'robot'", "“actor” holds a word"),
        ("UPDATE facts SET score = 'NaN'", "“score” holds a value of the wrong type"),
        ("UPDATE facts SET score = 9e999", "“score” holds a score that is not between 0 and 1"),
        ("UPDATE verdicts SET score = -1", "“score” holds a score"),
        ("UPDATE facts SET seconds = x'00'", "“seconds” holds a value of the wrong type"),
        ("UPDATE attempts SET answer = x'ff'", "“answer” holds a value of the wrong type"),
        ("UPDATE attempts SET submitted_at = 'yesterday'", "“submitted_at” holds something that is not a time"),
        ("UPDATE batches SET plan = '{'", "“plan” holds something that is not JSON"),
        ("UPDATE edits SET patch = '['", "“patch” holds something that is not JSON"),
        ("UPDATE batches SET name = replace(hex(zeroblob(50000)), '0', 'x')", "far too long"),
        ("UPDATE items SET model = 3", "batch 1 asks a model that its plan does not name"),
        ("UPDATE items SET batch = 77", "“items” belongs to nothing"),
        ("UPDATE verdicts SET attempt = 77", "“verdicts” belongs to nothing"),
        ("PRAGMA user_version = 0", "holds no tables"),
    ],
)
def test_a_file_with_values_that_this_program_never_writes_is_refused(path, statement, words):
    spoil(path, statement)
    assert words in refusal(path)


@pytest.mark.slow
@pytest.mark.parametrize("statement", some(SPOILINGS, 8))
def test_no_command_ends_in_a_traceback(path, tmp_path, capsys, monkeypatch, statement):
    monkeypatch.setattr("spatial_workbench.engine.evaluation.batch_process.start", lambda project, batch, drawer: False)
    spoil(path, statement)
    for name, *rest in COMMANDS:
        words = [word.format(folder=tmp_path) for word in rest]
        assert main([name, str(path), *words]) in (0, 1, 2)


def test_a_query_that_would_never_end_is_interrupted(path, monkeypatch):
    monkeypatch.setattr(inspection, "MAX_STEPS", 3_000_000)
    with Project.open(path) as project, pytest.raises(sqlite3.OperationalError, match="interrupted"):
        project.database.sqlite.execute(f"SELECT count(*) FROM ({ENDLESS})").fetchone()


def test_thousands_of_batches_are_listed(path, capsys):
    rows = ", ".join(f"({k}, 'b', '{{}}', 'finished', '', '2026-01-01')" for k in range(2, 3000))
    spoil(path, f"INSERT INTO batches (id, name, plan, state, note, created_at) VALUES {rows}")
    assert main(["batches", str(path)]) == 0
    assert capsys.readouterr().out.count("\n") >= 2999
