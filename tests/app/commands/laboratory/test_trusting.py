"""How far verifiers can be trusted, on the command line: calibration."""

import json

import pytest

from spatial_workbench.app.commands.main import main
from spatial_workbench.engine.core import Verdict
from spatial_workbench.engine.core.registry import task
from spatial_workbench.engine.store import Actor, Project


@pytest.fixture
def run(capsys):
    def command(*words):
        code = main([str(word) for word in words])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return command


def test_switches_are_told_beside_the_rules_with_what_is_left_out(run):
    code, out, _ = run("verifiers", "calibrate", "two_segments,shikaku")
    assert code == 0
    assert "two_segments grid: default accepts coordinates off the grid by up to 0.0005; rules: 0.0005" in out
    assert "2 tolerances, 6 switches looked for: 6 as the rules." in out
    assert "shikaku: not calibrated: everything: Answers are whole numbers" in out


@pytest.mark.slow
def test_a_switch_elsewhere_is_told_by_the_exit_code(run):
    code, out, _ = run("verifiers", "calibrate", "tetrahedra_shadow", "--json")
    rows = {(row["tolerance"], row["verifier"]): row for row in json.loads(out)["calibrations"]}
    assert code == 1
    assert rows["depth", "published"]["outcome"] == "stricter"
    assert rows["depth", "default"]["accepted"] == pytest.approx(1e-6, abs=1e-11)


def test_the_table_is_written_as_a_file(run, tmp_path):
    path = tmp_path / "table.csv"
    run("verifiers", "calibrate", "two_segments", "-o", path)
    assert path.read_text().startswith("Tolerance,Task,Verifier,Rules")


@pytest.mark.slow
def test_a_report_with_the_chart_is_written(run, tmp_path):
    path = tmp_path / "report.html"
    run("verifiers", "calibrate", "two_segments", "-o", path)
    assert "Switches beside the rules" in path.read_text()


def test_an_unknown_task_is_refused(run):
    code, _, err = run("verifiers", "calibrate", "nothing")
    assert (code, "There is no task “nothing”" in err) == (2, True)


@pytest.mark.slow
def test_what_another_version_changes_is_told_and_not_stored(run, tmp_path):
    path = tmp_path / "work.workbench"
    judged = task("shikaku")
    instance = judged.instances()[0]
    old = Verdict(instance=instance.address, verifier="default", version="0", score=0.0, passed=False)
    with Project.create(path) as project:
        project.attempts.add(instance, judged.format(judged.solve(instance)), Actor.MODEL, "ash", verdicts=(old,))
    for _ in range(2):
        code, out, _ = run("verify-again", path, "--diff")
        assert code == 1
        assert "1  shikaku:0  default  0.00  1.00  now passes" in out
        assert "Nothing is stored yet." in out
    report = tmp_path / "changes.csv"
    run("verify-again", path, "--diff", "-o", report)
    assert report.read_text().startswith("Task,Verifier,Versions")
    run("verify-again", path)
    assert run("verify-again", path, "--diff")[0] == 0


def test_options_of_the_comparison_alone_are_refused(run, tmp_path):
    path = tmp_path / "work.workbench"
    Project.create(path).close()
    code, _, err = run("verify-again", path, "--with", "theirs")
    assert (code, "belong to --diff" in err) == (2, True)


def test_agreement_is_over_chosen_attempts(run, tmp_path):
    path = tmp_path / "work.workbench"
    instance = task("shikaku").instances()[0]
    with Project.create(path) as project:
        for _ in range(3):
            verdicts = [
                Verdict(instance="shikaku:0", verifier=name, version="1", score=1, passed=True, checks=())
                for name in ("default", "own:theirs")
            ]
            project.attempts.add(instance, "{}", Actor.MODEL, "ash", verdicts=tuple(verdicts))
    assert json.loads(run("verifiers", "agreement", path, "--json")[1])[0]["count"] == 3
    chosen = run("verifiers", "agreement", path, "--json", "--attempt", 1, "--attempt", 3)[1]
    assert json.loads(chosen)[0]["count"] == 2
    assert json.loads(run("verifiers", "agreement", path, "--json", "--batch", 1)[1]) == []
