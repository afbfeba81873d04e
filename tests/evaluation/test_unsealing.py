"""Opening outcomes: every submission is judged like the answers of models, and only then is a score anywhere."""

import json

import pytest

from spatial_workbench.engine.core import Verdict
from spatial_workbench.engine.evaluation.export import export_runs
from spatial_workbench.engine.evaluation.planning.starting import import_file
from spatial_workbench.engine.evaluation.unsealing import unseal
from spatial_workbench.engine.store import Actor, Project, RunFilter
from spatial_workbench.engine.store.studies.records import StudyError
from spatial_workbench.engine.studies.planning.freezing import sharing
from spatial_workbench.engine.studies.sessions.schema import Submission
from tests.store.studying import ITEMS, WRONG, document, results, session
from tests.studies.sittings import SECRET

STUDY = document()


@pytest.fixture
def closed(tmp_path):
    """A closed study of three people: one solved both loops, one gave up the first, one answered nonsense."""
    with Project.create(tmp_path / "humans.workbench") as project:
        project.studies.add(STUDY)
        bundle, _ = project.places.add_bundle(STUDY.id, passphrase=SECRET)
        (tmp_path / "results").mkdir()
        answers = {"P001H": (), "P002Q": (None,), "P003X": ("nonsense", WRONG)}
        files = [results(tmp_path / "results", bundle, session(bundle, code, given)) for code, given in answers.items()]
        project.merging.merge(files)
        project.exclusions.close_study(STUDY.id, STUDY.name)
        yield project


@pytest.mark.slow
def test_every_submission_becomes_an_attempt_with_all_verdicts(closed):
    done = unseal(closed.path, STUDY.id, SECRET, workers=1)
    rows = list(closed.runs.select(RunFilter(study=STUDY.id)))
    assert (done.judged, done.failures, len(rows)) == (5, (), 5)
    assert {row.actor_name for row in rows} == {"P001H", "P002Q", "P003X"}
    assert all(row.actor is Actor.PERSON and row.seconds == 60 for row in rows)
    assert {verdict.verifier for verdict in closed.attempts.get(rows[0].number).verdicts} >= {"default", "crosscheck"}
    judged = closed.outcomes.of(STUDY.id).judged
    assert judged["p001h-1", 0, 1].score == judged["p001h-1", 1, 1].score == judged["p002q-1", 1, 1].score == 1
    assert (judged["p003x-1", 0, 1].score, judged["p003x-1", 0, 1].is_readable) == (0, False)
    assert ("p002q-1", 0, 1) not in judged
    assert [look.is_before_exclusions for look in closed.study_log.looks(STUDY.id)] == [False]
    assert closed.attempts.progress()["hamiltonian_loop"].best_person == 1
    origin = closed.outcomes.origins([row.number for row in rows])[rows[0].number]
    assert (origin.study, origin.condition, origin.phase, origin.counts) == (STUDY.id, "only", "main", True)


@pytest.mark.slow
def test_opening_again_judges_nothing_twice_and_adds_no_look(closed):
    unseal(closed.path, STUDY.id, SECRET, workers=1)
    assert unseal(closed.path, STUDY.id, SECRET, workers=1).judged == 0
    assert (closed.runs.count(), len(closed.study_log.looks(STUDY.id))) == (5, 1)


@pytest.mark.slow
def test_an_interrupted_opening_goes_on(closed):
    closed.outcomes.unseal(STUDY.id, SECRET)
    first, *rest = closed.outcomes.submissions_to_judge(STUDY.id)
    closed.outcomes.add_judged(STUDY.id, first, first.answer, {first.address: [verdict(first.address, 1.0)]})
    assert unseal(closed.path, STUDY.id, SECRET, workers=1).judged == len(rest)


def verdict(address, score):
    return Verdict(instance=address, verifier="default", version="1", score=score, passed=score == 1)


def test_a_draft_under_the_name_of_a_code_is_left_alone(closed):
    from spatial_workbench.engine.core import resolve

    _, instance = resolve(ITEMS[0])
    closed.drafts.begin(instance, {}, "P001H")
    closed.drafts.add_edit(ITEMS[0], "Draw", [], "P001H")
    closed.outcomes.unseal(STUDY.id, SECRET)
    for entry in closed.outcomes.submissions_to_judge(STUDY.id):
        closed.outcomes.add_judged(STUDY.id, entry, entry.answer, {entry.address: [verdict(entry.address, 1.0)]})
    assert {row.edit_count for row in closed.runs.select()} == {0}


@pytest.mark.parametrize(("score_of", "number"), [("first", 1), ("last", 3), ("best", 2)])
def test_the_submission_that_counts_is_the_first_the_last_or_the_best(tmp_path, score_of, number):
    study = document(limits={"submissions": 3, "score_of": score_of})
    with Project.create(tmp_path / "humans.workbench") as project:
        project.studies.add(study)
        bundle, _ = project.places.add_bundle(study.id, passphrase=SECRET)
        record = session(bundle, "P001H")
        thrice = tuple(Submission(number=n, active_ms=n, answer=str(n)) for n in (1, 2, 3))
        first = record.trials[0].model_copy(update={"submissions": thrice})
        (tmp_path / "results").mkdir()
        file = results(tmp_path / "results", bundle, record.model_copy(update={"trials": (first,)}))
        project.merging.merge([file])
        project.exclusions.close_study(study.id, study.name)
        project.outcomes.unseal(study.id, SECRET)
        for entry, score in zip(project.outcomes.submissions_to_judge(study.id), (0.2, 0.8, 0.5), strict=True):
            project.outcomes.add_judged(study.id, entry, entry.answer, {entry.address: [verdict(entry.address, score)]})
        project.outcomes.settle_counts(study.id)
        origins = project.outcomes.origins(project.runs.numbers(RunFilter())).values()
        assert [origin.submission for origin in origins if origin.counts] == [number]


def test_outcomes_of_an_open_collection_are_not_judged(tmp_path):
    with Project.create(tmp_path / "humans.workbench") as project:
        project.studies.add(STUDY)
        project.studies.freeze(STUDY.id, SECRET)
    with pytest.raises(StudyError, match="Close the collection first"):
        unseal(tmp_path / "humans.workbench", STUDY.id, SECRET)


def test_instances_that_share_an_answer_are_judged_together():
    addresses = sharing("interlocking_parts:0")
    assert len(addresses) == 9
    assert "interlocking_parts:0" in addresses
    assert sharing(ITEMS[0]) == [ITEMS[0]]


@pytest.mark.slow
def test_a_submission_is_an_attempt_at_each_instance_that_shares_its_answer(tmp_path, monkeypatch):
    study = document(blocks=[{"id": "a", "order": "fixed", "items": [{"id": "m0", "address": ITEMS[0]}]}])
    with Project.create(tmp_path / "humans.workbench") as project:
        project.studies.add(study)
        bundle, _ = project.places.add_bundle(study.id, passphrase=SECRET)
        (tmp_path / "results").mkdir()
        project.merging.merge([results(tmp_path / "results", bundle, session(bundle, "P001H"))])
        project.exclusions.close_study(study.id, study.name)
        monkeypatch.setattr("spatial_workbench.engine.evaluation.unsealing.sharing", lambda address: list(ITEMS))
        unseal(project.path, study.id, SECRET, workers=1)
        ((_, judged),) = project.outcomes.judged(study.id).items()
        assert sorted(row.address for row in project.runs.select()) == sorted(ITEMS)
        assert (judged.score, judged.passed) == (0.5, False)


@pytest.mark.slow
def test_another_version_of_a_verifier_is_told(closed, monkeypatch):
    changed = closed.studies.versions(STUDY.id)[0].frozen
    other = [material.model_copy(update={"version": "0.0"}) for material in changed.materials]
    text = changed.model_copy(update={"materials": tuple(other)}).model_dump_json()
    closed.database.execute("UPDATE study_versions SET frozen = ?", text)
    first, _ = unseal(closed.path, STUDY.id, SECRET, workers=1).warnings
    assert first.startswith(f"{ITEMS[0]} was frozen with version 0.0 of its verifier, and is judged by version ")


@pytest.mark.slow
def test_withdrawal_after_opening_deletes_the_attempts_too(closed):
    unseal(closed.path, STUDY.id, SECRET, workers=1)
    number = next(row.number for row in closed.runs.select() if row.actor_name == "P001H")
    closed.judgements.override_score(number, 0.5, False, "SECRET-REASON", "Ada")
    done = closed.withdrawals.withdraw(STUDY.id, "P001H")
    content = b"".join(path.read_bytes() for path in closed.path.parent.glob("humans.workbench*"))
    assert (done.attempts, b"SECRET-REASON" in content) == (2, False)
    assert {row.actor_name for row in closed.runs.select()} == {"P002Q", "P003X"}
    assert closed.runs.numbers(RunFilter(text="P001H")) == []
    assert closed.runs.numbers(RunFilter(text="P003X")) != []


def test_exclusions_can_be_fixed_after_an_early_look_and_the_log_says_so(tmp_path):
    with Project.create(tmp_path / "humans.workbench") as project:
        project.studies.add(STUDY)
        project.studies.freeze(STUDY.id, SECRET)
        project.outcomes.unseal(STUDY.id, SECRET, before_exclusions=True)
        project.exclusions.close_study(STUDY.id, STUDY.name)
        assert project.studies.state(STUDY.id) == "unsealed"
        assert "after outcomes were seen" in project.study_log.notes(STUDY.id)[-1].text


def test_the_words_of_what_was_deleted_are_gone_from_the_index(closed):
    closed.outcomes.unseal(STUDY.id, SECRET)
    entry = closed.outcomes.submissions_to_judge(STUDY.id)[0]
    closed.outcomes.add_judged(STUDY.id, entry, "xylophonequartz", {entry.address: [verdict(entry.address, 1.0)]})
    assert len(closed.runs.numbers(RunFilter(text="xylophonequartz"))) == 1
    closed.withdrawals.withdraw(STUDY.id, entry.code)
    content = b"".join(path.read_bytes() for path in closed.path.parent.glob("humans.workbench*"))
    assert b"xylophone" not in content


@pytest.mark.slow
def test_exported_attempts_say_which_study_person_and_trial_they_came_of(closed, tmp_path):
    unseal(closed.path, STUDY.id, SECRET, workers=1)
    export_runs(closed, tmp_path / "out.jsonl", "jsonl")
    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()[1:]]
    first = next(line for line in lines if line["participant"] == "P001H" and line["position"] == 0)
    assert (first["study"], first["condition"], first["phase"]) == (STUDY.id, "only", "main")
    assert first["trial"] in {"m0", "m1"}
    with Project.create(tmp_path / "other.workbench") as other:
        import_file(other, tmp_path / "out.jsonl")
        assert other.runs.count() == 5
