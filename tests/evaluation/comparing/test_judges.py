"""Scores of different verifiers, or of several versions of one, are never put into one ranking."""

from dataclasses import replace

import pytest

from spatial_workbench.engine.core import Verdict, resolve
from spatial_workbench.engine.evaluation.comparing.judges import ScoreJudge, ScoreJudges, score_judges, with_one_judge
from spatial_workbench.engine.evaluation.results.contents import chosen_records, leaderboard_sections
from spatial_workbench.engine.evaluation.scored import Scored
from spatial_workbench.engine.store import Actor, Project


@pytest.fixture
def project(tmp_path):
    with Project.create(tmp_path / "judges.workbench") as opened:
        yield opened


def add(project, number, version, name="oak", score=1.0, **others):
    address = f"shikaku:{number}"
    verdicts = tuple(
        Verdict(instance=address, verifier=verifier, version=of, score=value, passed=value == 1)
        for verifier, (of, value) in {"default": (version, score), **others}.items()
    )
    return project.attempts.add(resolve(address)[1], "{}", Actor.MODEL, name, None, verdicts)


def test_the_judge_of_a_score_is_the_verifier_that_was_asked_for_or_else_the_default(project):
    first = add(project, 0, "1")
    second = add(project, 1, "2", published=("7", 0.0))
    judges = score_judges(project, "published")
    titles = dict(zip(judges.attempts.tolist(), judges.titles.texts(), strict=True))
    assert titles == {first: "default, version 1", second: "published, version 7"}


def test_what_an_older_version_judged_is_left_out_and_told(project):
    for number in range(4):
        add(project, number, "1", name="elm")
        add(project, number, "2")
    board, _ = leaderboard_sections(project, chosen_records(project))
    by_title = {line.title: line for line in board.tables[0].lines}
    assert [heading.title for heading in board.tables[0].headings][5] == "Unjudged"
    assert (by_title["elm"].cells[5].text, by_title["oak"].cells[5].text) == ("4", "0")
    told = "shikaku: 4 attempts judged by default, version 1 are left out, since default, version 2 counts."
    assert any(note.text.startswith(told) for note in board.tables[0].notes)


def test_a_score_that_a_person_set_counts_for_every_judge():
    items = [Scored(task="t", address=f"t:{n}", number=n, model="m", score=1.0, attempt=n) for n in (1, 2)]
    judges = ScoreJudges.of({1: ScoreJudge("default", "1", 1), 2: ScoreJudge("default", "2", 2)}, "default")
    kept, sentences = with_one_judge([replace(items[0], override="by Ada"), items[1]], judges)
    assert ([item.score for item in kept], sentences) == ([1.0, 1.0], ())


def test_the_verifier_that_was_asked_for_goes_before_a_newer_verdict_of_another():
    items = [Scored(task="t", address=f"t:{n}", number=n, model="m", score=1.0, attempt=n) for n in (1, 2)]
    judges = ScoreJudges.of({1: ScoreJudge("published", "1", 1), 2: ScoreJudge("default", "2", 2)}, "published")
    kept, _ = with_one_judge(items, judges)
    assert [item.score for item in kept] == [1.0, None]
