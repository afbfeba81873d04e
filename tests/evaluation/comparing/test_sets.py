"""Any two sets of attempts can be compared: runs, filters, numbers, and the same attempts under two verifiers."""

import pytest

from spatial_workbench.engine.core import Verdict, resolve
from spatial_workbench.engine.evaluation.comparing.comparison import NothingToCompare
from spatial_workbench.engine.evaluation.comparing.sets import AttemptSet, UnknownSet, set_of_run, written_set
from spatial_workbench.engine.evaluation.results.comparisons import comparison_section
from spatial_workbench.engine.store import Actor, Project, RunFilter


@pytest.fixture
def project(tmp_path):
    with Project.create(tmp_path / "sets.workbench") as opened:
        yield opened


def add(project, number, name="oak", **scores):
    """Adds an attempt with a verdict for each verifier, such as default_1=0.5; gives its number."""
    address = f"shikaku:{number}"
    attempt = project.attempts.add(resolve(address)[1], "{}", Actor.MODEL, name, None, ())
    for judge, score in scores.items():
        verifier, _, version = judge.partition("_")
        verdict = Verdict(instance=address, verifier=verifier, version=version, score=score, passed=score == 1)
        project.attempts.add_verdicts(attempt, [verdict], 0.01)
    return attempt


def compare(project, first, second):
    return comparison_section(project, written_set(first), written_set(second)).tables[0]


def all_row(table):
    """Subtasks and both means, for all subtasks."""
    row = table.rows[0]
    return row[1], row[3], row[4]


def notes(table):
    return [note.text for note in table.notes]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("gpt-5.2 (tools)", set_of_run("gpt-5.2 (tools)")),
        ("a=b c", set_of_run("a=b c")),
        ("batch=3 tools=yes", AttemptSet("batch=3 tools=yes", chosen=RunFilter(batch=3, tools=True))),
        ("task=shikaku,maze_3d", AttemptSet("task=shikaku,maze_3d", chosen=RunFilter(tasks=("shikaku", "maze_3d")))),
        (
            'run="a b" verifier=published@2',
            AttemptSet('run="a b" verifier=published@2', "a b", None, None, "published", "2"),
        ),
        ("attempts=3,1-2", AttemptSet("attempts=3,1-2", attempts=(1, 2, 3))),
        ("until=2026-01-31", AttemptSet("until=2026-01-31", chosen=RunFilter(until="2026-01-31T24"))),
        ("score-min=0.5", AttemptSet("score-min=0.5", chosen=RunFilter(score_min=0.5))),
    ],
)
def test_a_set_is_written_as_a_run_or_as_fields(text, found):
    assert written_set(text) == found


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("colour=red", "There is no field “colour”"),
        ("tools=maybe", "“tools” is yes or no"),
        ("batch=three", "“three” cannot be a value of batch"),
        ("attempts=1-x", "“1-x” is no number"),
        ("run=oak batch=1", "A run is a set of its own"),
    ],
)
def test_what_is_no_set_is_refused_with_the_reason(text, reason):
    with pytest.raises(UnknownSet, match=reason):
        written_set(text)


def test_two_versions_of_a_verifier_are_compared_on_the_attempts_that_both_judged(project):
    for number, (old, new) in enumerate([(1, 0), (1, 1), (0, 1), (0.5, 1)]):
        add(project, number, default_1=old, default_2=new)
    add(project, 4, default_2=1)
    # The first attempt at subtask 0 was judged by both; a second one, by the new version alone, is left out.
    add(project, 0, default_2=1)
    table = compare(project, "verifier=default@1", "verifier=default@2")
    assert all_row(table) == (4, (1 + 1 + 0 + 0.5) / 4, (0 + 1 + 1 + 1) / 4)
    assert "2 attempts that only one of the verifiers has judged are left out." in notes(table)


def test_two_verifiers_are_compared_without_what_people_set(project):
    for number in range(3):
        attempt = add(project, number, default_1=0, published_1=1)
        project.judgements.override_score(attempt, 0.5, False, "half", "Ada")
    assert all_row(compare(project, "run=oak verifier=published", "run=oak verifier=default")) == (3, 1, 0)
    assert all_row(compare(project, "run=oak verifier=published", "oak")) == (3, 1, 0.5)


def test_several_attempts_at_a_subtask_are_averaged_first(project):
    mine = [add(project, 0, default_1=score) for score in (1, 0)] + [add(project, 1, default_1=1)]
    others = [add(project, number, name="elm", default_1=0.25) for number in (0, 1)]
    first, second = (f"attempts={','.join(map(str, numbers))}" for numbers in (mine, others))
    assert all_row(compare(project, first, second)) == (2, (0.5 + 1) / 2, 0.25)


def test_attempts_in_both_sets_are_counted(project):
    for number in range(3):
        add(project, number, default_1=1)
    assert "2 attempts are in both sets." in notes(compare(project, "attempts=1-2", "model=oak"))


def test_attempts_of_another_version_are_left_out_if_no_verifier_is_named(project):
    for number in range(3):
        add(project, number, default_1=0)
        add(project, number, name="elm", default_2=1)
    add(project, 0, default_2=1)
    table = compare(project, "model=oak", "model=elm")
    assert all_row(table) == (1, 1, 1)
    assert any(
        note.startswith("shikaku: 3 attempts judged by default, version 1 are left out") for note in notes(table)
    )


@pytest.mark.parametrize(
    ("sets", "reason"),
    [
        (("oak", "run=oak"), "Both sets are the same"),
        (("oak", "elm"), "There is no run “elm”; there are oak"),
        (("oak", "batch=7"), "No attempt is in “batch=7”"),
        (("oak", "verifier=default@9"), "default@9 has judged no attempt; there are verdicts of default@1"),
    ],
)
def test_what_cannot_be_compared_is_refused_with_the_reason(project, sets, reason):
    add(project, 0, default_1=1)
    with pytest.raises(NothingToCompare, match=reason):
        compare(project, *sets)
