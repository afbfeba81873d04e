"""Deciding on the command line: exclusions, closing, open outcomes."""

from spatial_workbench.app.commands.plumbing import BAD_INPUT, PASSED
from spatial_workbench.engine.store import Project
from tests.app.commands.leading.led_study import STUDY, printed_by
from tests.app.test_cli import run
from tests.store.studying import results, session


def test_collection_is_not_closed_while_a_conflict_is_open(capsys, project, merged, tmp_path):
    results(tmp_path / "results", merged, session(merged, "P001H"), 3, mark="other")
    run(capsys, "study", "merge", project, str(tmp_path / "results"))
    name = ("--name", STUDY.name, "--yes")
    code, _, error = run(capsys, "study", "close", project, STUDY.id, *name)
    assert (code, "P001H" in error) == (BAD_INPUT, True)
    (conflict,) = printed_by(capsys, "settle", project, STUDY.id)
    reason = ("--reason", "The other came from a copy of the machine")
    printed_by(capsys, "settle", project, STUDY.id, "--session", conflict["session"], "--state", "1", *reason)
    assert run(capsys, "study", "close", project, STUDY.id, *name)[0] == PASSED


def test_the_whole_life_of_a_study(capsys, project, merged, tmp_path):
    reason = ("--reason", "Was interrupted by a fire alarm")
    run(capsys, "study", "exclude", project, STUDY.id, "P003X", *reason, "--item", "m1")
    assert run(capsys, "study", "unseal", project, STUDY.id, "--yes")[0] == BAD_INPUT
    assert run(capsys, "study", "close", project, STUDY.id)[0] == BAD_INPUT
    closed = printed_by(capsys, "close", project, STUDY.id, "--name", STUDY.name)
    assert ("by_hand", "P003X") in [(entry["rule"], entry["code"]) for entry in closed["entries"]]
    code, _, err = run(capsys, "study", "unseal", project, STUDY.id)
    assert (code, "No results were merged for P004F" in err) == (BAD_INPUT, True)
    code, _, err = run(capsys, "study", "unseal", project, STUDY.id, "--yes")
    assert (code, "--passphrase-file FILE" in err) == (BAD_INPUT, True)
    opening = ("--yes", "--workers", "1", "--passphrase-file", str(tmp_path / "secret"))
    assert printed_by(capsys, "unseal", project, STUDY.id, *opening)["judged"] == 6
    assert printed_by(capsys, "exclude", project, STUDY.id, "P001H", *reason)["kind"] == "post-hoc"
    with Project.open(project) as opened:
        outcomes = opened.outcomes.of(STUDY.id)
    assert {judged.score for judged in outcomes.judged.values()} == {1.0}
    assert (outcomes.counts.started, len(outcomes.post_hoc)) == (3, 1)
