"""Scores by verifiers of somebody else's: each by itself, beside the others over the same attempts, and never mixed."""

import pytest

from spatial_workbench.engine.core import Verdict, resolve
from spatial_workbench.engine.evaluation.results.contents import ResultsChoice, read
from spatial_workbench.engine.store import Actor, Project
from tests.evaluation.test_results import cell, section

OWN = "own:theirs"


def verdict(verifier, score, version="1"):
    return Verdict(instance="x:0", verifier=verifier, version=version, score=score, passed=score == 1)


def add(project, number, name="m", **scores):
    """An attempt at Two segments with a verdict of each verifier that is named."""
    verdicts = tuple(verdict(verifier, score) for verifier, score in scores.items())
    return project.attempts.add(resolve(f"two_segments:{number}")[1], "{}", Actor.MODEL, name, None, verdicts)


@pytest.fixture
def project(tmp_path):
    """1: both judged it, and say 1 and 0. 2: only the default did, 1. 3: of another run, 0 and 1."""
    with Project.create(tmp_path / "results.workbench") as opened:
        add(opened, 1, default=1.0, **{OWN: 0.0})
        add(opened, 2, default=1.0)
        add(opened, 1, "n", default=0.0, **{OWN: 1.0})
        yield opened


def by_own(project, verifier=OWN, **rest):
    return read(project, ResultsChoice(verifier=verifier, **rest))


def score(results, run="m"):
    return cell(section(results, "scores").tables[0], "Two segments", run)


def test_only_what_it_has_judged_counts_and_what_is_left_out_is_counted(project):
    results = by_own(project)
    assert results.attempts == 2
    assert (score(results).text, score(results, "n").text) == ("0.0", "100.0")
    assert results.remarks == (f"1 attempt that {OWN} has not judged is left out.",)


def test_the_newest_version_counts_and_another_one_only_when_it_is_named(project):
    project.attempts.add_verdicts(3, [verdict(OWN, 0.5, "2")], 0.01)
    results = by_own(project)
    assert (results.attempts, score(results, "n").text) == (1, "50.0")
    assert score(by_own(project, f"{OWN}@1"), "n").text == "100.0"


def test_what_people_set_is_no_score_of_its(project):
    project.judgements.override_score(1, 0.25, False, "seen by hand", "Ada")
    results = by_own(project)
    assert score(results).text == "0.0"
    assert "1 override does not count." in results.remarks


def test_other_tasks_have_no_row_of_errors(project):
    assert section(by_own(project), "scores").tables[0].lines
    assert by_own(project, errors_are_zero=True).runs == ("m", "n")


def test_the_notes_say_who_judged(project):
    notes = [note.text for note in section(by_own(project), "scores").tables[0].notes]
    assert f"Our runs are judged by {OWN} alone, the published ones by theirs." in notes


def test_the_leaderboard_is_of_its_scores_alone(project):
    assert cell(section(by_own(project), "leaderboard").tables[0], "n", "Score").text.startswith("100.0")


def test_verifiers_stand_beside_each_other_over_the_same_attempts(project):
    (table,) = section(read(project), "verifiers").tables
    assert [heading.title for heading in table.headings] == ["default", OWN]
    assert [(line.title, [cell.text for cell in line.cells]) for line in table.lines] == [
        ("m", ["100.0", "0.0"]),
        ("n", ["0.0", "100.0"]),
        ("All runs", ["50.0", "50.0"]),
    ]
    assert table.lines[0].cells[0].detail == "1/1 pass"
    assert [note.text for note in table.notes] == [
        f"{OWN} counts in its newest version, 1.",
        "1 attempt that not all of these have judged is left out.",
    ]


def test_whose_scores_count_elsewhere_changes_nothing_in_the_columns(project):
    assert section(by_own(project), "verifiers") == section(read(project), "verifiers")


def test_without_such_a_verifier_there_is_no_section(tmp_path):
    with Project.create(tmp_path / "plain.workbench") as project:
        add(project, 1, default=1.0, published=0.0)
        assert "verifiers" not in [part.id for part in read(project).sections]
