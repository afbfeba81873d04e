"""What was exported as JSON lines comes back as it was, and files of strangers do no harm."""

import json

import pytest

from spatial_workbench.engine.core import Cancelled, Check, Problem, Verdict, resolve
from spatial_workbench.engine.core.solving.aids import Aid
from spatial_workbench.engine.evaluation.collect import scored
from spatial_workbench.engine.evaluation.export import export_runs
from spatial_workbench.engine.evaluation.importing.json_lines import AlreadyThere, CannotRestore, is_export, restore
from spatial_workbench.engine.evaluation.planning.plan import BatchPlan, Contender, select
from spatial_workbench.engine.models import ModelSettings
from spatial_workbench.engine.models.recorded import read_answers
from spatial_workbench.engine.store import Actor, Asked, BatchState, ItemState, Project, RunFilter
from tests.evaluation.conftest import oracle, run, store
from tests.models.conftest import ScriptedReply
from tools.studio.quickstart import add_recorded_run


def verdict(address, score, name="default"):
    check = Check.of("held", [] if score == 1 else [Problem("brick 17 floats", ["brick:17"])])
    return Verdict(instance=address, verifier=name, version="2", score=score, passed=score == 1, checks=(check,))


def add_people(project):
    """Attempts by hand, one of them without a name, with a score that was put in place and withdrawn, and rulings."""
    address = "shikaku@7?width=5"
    instance = resolve(address)[1]
    given = verdict(address, 0.0), verdict(address, 1.0, "crosscheck")
    project.drafts.add_aid(instance, "Show the key", Aid.SOLVING, 2.5, "Ada")
    for name in ("Ada", "Ada", ""):
        project.drafts.add_seconds(instance, 3.5, 0.25, name, idle_s=0.5)
        project.attempts.add(
            instance, "{}", Actor.PERSON, name, verdicts=given, clock=project.drafts.clock(address, name)
        )
        number = project.attempts.add(instance, '{"rectangles": [[0, 0, "ü", 1]]}', Actor.PERSON, name, 3.5, given)
        project.judgements.override_score(number, 0.5, False, "half right", "Bo")
    project.judgements.withdraw_override(number)
    project.judgements.override_score(number, 1.0, True, "it stands", "")
    project.judgements.rule(number, "default", "crosscheck", "neither", "both count wrongly", "Bo")
    project.judgements.rule(number, "default", "crosscheck", "crosscheck", "", "Bo")
    project.attempts.add_verdicts(number, [verdict(address, 0.25)])
    project.attempts.add(instance, "", Actor.IMPORT, "from elsewhere")
    project.attempts.add(instance, "{}", Actor.REFERENCE, "reference", 0.25, given)


def add_batches(project, server):
    """A batch that is done but for an error, one that shares answers and has tools, one that was never begun."""
    server.answers.append(oracle(wrong=["shikaku:1"])(["shikaku:0", "shikaku:1"]))
    settings = ModelSettings(
        name="tiny", model="tiny", base_url=server.url, max_output_tokens=4096, timeout_s=10, max_wait_s=0
    )
    asked = Contender(settings=settings)
    first, plan = store(
        project, BatchPlan(name="first", contenders=(asked,), addresses=select("shikaku:0,shikaku:1"), repeats=2)
    )
    run(project, first, plan)
    server.answers.clear()
    server.answers.append(ScriptedReply([b'{"error": {"message": "no such field"}}'], status=400))
    failing, plan = store(project, BatchPlan(name="failing", contenders=(asked,), addresses=select("shikaku:2")))
    run(project, failing, plan)
    wrong = next(row.number for row in project.runs.select() if row.address == "shikaku:1")
    project.judgements.add_label(wrong, "ok", "Evasion / Forfeit", '{"confidence": 0.9}')
    project.judgements.add_label(wrong, "failed", None, "{}")
    reference = Contender(settings=ModelSettings(name="reference", provider="reference"))
    tooled = Contender(settings=settings.model_copy(update={"name": "with tools", "tools": True}))
    add_shared_answer(project, BatchPlan(name="shared", contenders=(tooled,), addresses=select("interlocking_parts")))
    waiting, _ = store(project, BatchPlan(name="waiting", contenders=(reference, asked), addresses=select("shikaku")))
    project.items.fail(project.items.of_batch(waiting)[3].lead, ItemState.NOT_ASKED, "early fail", "Others went badly.")
    project.batches.set_state(waiting, BatchState.PAUSED, "somebody paused it")


def add_shared_answer(project, plan):
    """A batch whose items share an answer that a verifier crashed on."""
    batch, _ = store(project, plan)
    lead = project.items.of_batch(batch)[0].number
    project.items.add_try(lead, '{"number": 1, "message": "slow"}', seconds=1.5, error="timeout")
    project.items.add_reply(lead, 0, "What?", "{}", "Hm.", '{"finish_reason": "stop"}')
    project.items.fail(lead, ItemState.CRASHED, "verifier crashed", "It died.")


@pytest.fixture
def full(project, server, no_pauses):
    """A project with everything in it."""
    add_batches(project, server)
    add_people(project)
    add_recorded_run(project)
    return project


@pytest.fixture
def small(project):
    """A project with an attempt of a batch."""
    asked = Contender(settings=ModelSettings(name="tiny", model="tiny", provider="recorded"))
    batch, _ = store(project, BatchPlan(name="small", contenders=(asked,), addresses=("shikaku:0",)))
    project.items.add_reply(1, 0, "What?", "{}", None, "{}")
    instance = resolve("shikaku:0")[1]
    given = (verdict("shikaku:0", 0.0),)
    project.items.finish(
        1, project.attempts.add(instance, "{}", Actor.MODEL, "tiny", 1.0, given, asked=Asked(batch=batch))
    )
    return project


@pytest.fixture
def other(tmp_path):
    with Project.create(tmp_path / "other.workbench") as opened:
        yield opened


@pytest.mark.parametrize("batches", [None, [2, 3], [1]])
def test_what_is_imported_into_an_empty_project_is_exported_with_the_same_bytes(full, other, tmp_path, batches):
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    export_runs(full, first, "jsonl", batches)
    restore(other, first)
    export_runs(other, second, "jsonl")
    assert second.read_bytes() == first.read_bytes()


def test_everything_that_results_are_made_of_comes_back(full, other, tmp_path):
    export_runs(full, tmp_path / "all.jsonl", "jsonl")
    restore(other, tmp_path / "all.jsonl")
    assert scored(other) == scored(full)
    assert list(other.runs.select()) == list(full.runs.select())
    assert [(row.counts, row.tries, row.tokens) for row in other.batches.all()] == [
        (row.counts, row.tries, row.tokens) for row in full.batches.all()
    ]
    assert other.judgements.differences() == full.judgements.differences()


def test_what_a_person_had_seen_counts_for_their_next_attempt(full, other, tmp_path):
    export_runs(full, tmp_path / "all.jsonl", "jsonl")
    restore(other, tmp_path / "all.jsonl")
    address = "shikaku@7?width=5"
    assert other.drafts.aids(address, "Ada") == full.drafts.aids(address, "Ada") != ()
    assert {row.solving_aids for row in other.runs.select(RunFilter(who=("Ada",)))} == {1}


def test_what_was_said_in_restored_attempts_is_found_by_its_words(full, other, tmp_path):
    export_runs(full, tmp_path / "all.jsonl", "jsonl")
    restore(other, tmp_path / "all.jsonl")
    for words in ("know", "rectangles", "cube", "Ada"):
        assert other.runs.numbers(RunFilter(text=words)) == full.runs.numbers(RunFilter(text=words))


def test_attempts_that_are_there_are_stored_again_only_where_that_is_wanted(full, tmp_path):
    count = full.runs.count()
    export_runs(full, tmp_path / "all.jsonl", "jsonl")
    with pytest.raises(AlreadyThere, match=f"All {count} answers"):
        restore(full, tmp_path / "all.jsonl")
    assert full.runs.count() == count
    restore(full, tmp_path / "all.jsonl", again=True)
    assert full.runs.count() == 2 * count


def test_times_of_an_older_export_are_converted_and_today_s_are_taken_as_they_are(project, other, tmp_path):
    path = tmp_path / "a.jsonl"
    instance = resolve("shikaku:0")[1]
    project.drafts.add_seconds(instance, 60.0, away_s=5.0, person="Ada", idle_s=10.0)
    clock = project.drafts.clock(instance.address, "Ada")
    project.attempts.add(instance, "{}", Actor.PERSON, "Ada", clock=clock)
    project.attempts.add(instance, "{}", Actor.MODEL, "oak", 2.0)
    export_runs(project, path, "jsonl")
    restore(other, path)
    header, *lines = path.read_text().splitlines()
    older = json.dumps(json.loads(header) | {"version": 1})
    path.write_text("\n".join([older, *lines]))
    restore(other, path, again=True)
    times = [(row.seconds, row.idle_s, row.away_s, row.total_s) for row in other.runs.rows([1, 2, 3, 4])]
    assert times[:2] == [(60.0, 10.0, 5.0, 60.0), (2.0, None, None, None)]
    assert times[2:] == [(75.0, 10.0, 5.0, 75.0), (2.0, None, None, None)]


def test_certain_attempts_are_exported_and_come_back(full, other, tmp_path):
    by_people = full.runs.numbers(RunFilter(actor=Actor.PERSON))
    assert export_runs(full, tmp_path / "people.jsonl", "jsonl", attempts=by_people).count == 6
    assert restore(other, tmp_path / "people.jsonl").attempts == 6
    assert {row.actor for row in other.runs.select()} == {Actor.PERSON}


def test_an_attempt_in_a_project_with_others_gets_a_number_of_its_own(full, other, tmp_path):
    add_people(other)
    export_runs(full, tmp_path / "all.jsonl", "jsonl")
    restore(other, tmp_path / "all.jsonl", again=True)
    assert other.runs.count() == full.runs.count() + 8


def test_an_import_that_is_cancelled_stores_nothing(full, other, tmp_path):
    export_runs(full, tmp_path / "all.jsonl", "jsonl")

    def stop(done, total, text=""):
        if text == "Storing":
            raise Cancelled

    with pytest.raises(Cancelled):
        restore(other, tmp_path / "all.jsonl", progress=stop)
    assert (other.runs.count(), other.batches.all()) == (0, [])


@pytest.mark.parametrize("text", ["", "{}\n", '{"format": "other"}', "[1]", "\xff", '{"format": 7}', "[" * 100_000])
def test_other_files_are_no_exports(tmp_path, text):
    (tmp_path / "a.jsonl").write_text(text, encoding="latin-1")
    assert not is_export(tmp_path / "a.jsonl")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"attempt": None}, "an item is done if it has an attempt"),
        ({"attempt": "x"}, "attempt: "),
        ({"attempt": 2**70}, "number: "),
        ({"instance": "nothing:0"}, "nothing"),
        ({"batch": 9}, "the first line does not describe it"),
        ({"seconds": "inf"}, "seconds: "),
        ({"actor": "robot"}, "actor: "),
        ({"submitted_at": "yesterday"}, "submitted_at: "),
        ({"verdicts": [{"at": "2026-01-01"}]}, "instance: "),
        ({"overrides": [{"score": 7}]}, "score: "),
        ({"usage": {"output_tokens": -1}}, "usage.output_tokens: "),
        ({"transcript": {"steps": 5}, "transcript_kind": "cube"}, "Field|field|valid"),
    ],
)
def test_a_line_that_does_not_go_together_is_passed_over_by_name(small, other, tmp_path, change, words):
    header, line = exported_line(small, tmp_path)
    with pytest.raises(CannotRestore, match=f"Line 2: .*({words})"):
        restore(other, written(tmp_path, header, line | change))
    assert other.runs.count() == 0


@pytest.mark.parametrize(
    "change", [{"answer": "\ud800"}, {"more": {"x": 2**70}}, {"more": {"address": "shikaku:1", "id; DROP": 1}}]
)
def test_a_line_that_the_database_refuses_leaves_nothing(small, other, tmp_path, change):
    header, line = exported_line(small, tmp_path)
    try:
        restore(other, written(tmp_path, header, line | change))
    except CannotRestore:
        assert other.runs.count() == 0
    else:
        assert [row.address for row in other.runs.select()] == [line["instance"]]


@pytest.mark.parametrize("header", ['{"format": "spatial-workbench"}', '{"format": "spatial-workbench", "version": 3}'])
def test_an_export_of_another_version_is_refused(other, tmp_path, header):
    (tmp_path / "a.jsonl").write_text(header)
    with pytest.raises(CannotRestore, match=r"The first line .* version"):
        restore(other, tmp_path / "a.jsonl")


def exported_line(project, tmp_path):
    export_runs(project, tmp_path / "one.jsonl", "jsonl", attempts=[1])
    header, line = (json.loads(text) for text in (tmp_path / "one.jsonl").read_text("utf-8").splitlines())
    return header, line


def written(tmp_path, *data):
    path = tmp_path / "changed.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in data))
    return path


ODD = [10**30, 2**63, 1e300, -5, "\ud83d", None]
"""Numbers that no project can hold, half a character, and nothing."""


def _places(data, before=()):
    """The place of every value in plain data; of a list, that of its first entry."""
    if isinstance(data, dict | list) and data:
        entries = data.items() if isinstance(data, dict) else [(0, data[0])]
        for name, value in entries:
            yield from _places(value, (*before, name))
    else:
        yield before


def _changed(data, place, value):
    *way, last = place
    for name in way:
        data = data[name]
    data[last] = value


@pytest.mark.slow
@pytest.mark.parametrize("number", [0, 1])
def test_an_odd_value_anywhere_is_imported_or_refused_in_a_sentence(project, server, tmp_path, number):
    add_batches(project, server)
    export_runs(project, tmp_path / "a.jsonl", "jsonl")
    texts = (tmp_path / "a.jsonl").read_text().splitlines()[:2]
    places = list(_places(json.loads(texts[number])))
    refused = imported = 0
    with Project.create(tmp_path / "b.workbench") as other:
        for k, place in enumerate(places):
            lines = [json.loads(text) for text in texts]
            _changed(lines[number], place, ODD[k % len(ODD)])
            (tmp_path / "b.jsonl").write_text("\n".join(map(json.dumps, lines)))
            try:
                restore(other, tmp_path / "b.jsonl", again=True)
                imported += 1
            except CannotRestore:
                refused += 1
        export_runs(other, tmp_path / "c.jsonl", "jsonl")
    assert imported
    assert refused


def test_a_project_with_odd_numbers_of_an_earlier_version_is_exported(project, server, tmp_path):
    add_batches(project, server)
    with project.database.write_transaction():
        project.database.execute("UPDATE facts SET cost_usd = 9e999, seconds = 9e999")
        project.database.execute("UPDATE tries SET cost_usd = 9e999, seconds = -1")
        project.database.execute(
            "UPDATE replies SET record = json_set(record, '$.seconds', -1, '$.usage.output_tokens', 9e30)"
        )
    export_runs(project, tmp_path / "a.jsonl", "jsonl")
    line = json.loads((tmp_path / "a.jsonl").read_text().splitlines()[1])
    assert (line["cost_usd"], line["seconds"]) == (None, None)


def test_a_repeat_beyond_all_bounds_is_a_line_that_was_skipped(tmp_path):
    line = {"task": "shikaku", "instance": 0, "model": "oak", "text": "[]", "repeat": 10**30}
    (tmp_path / "a.jsonl").write_text(json.dumps(line))
    answers, problems = read_answers(tmp_path / "a.jsonl")
    assert answers == ()
    assert problems[0].message.startswith("repeat: ")
