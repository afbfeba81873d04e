"""Which attempts a judge is asked about, and how far each is judged."""

from datetime import timedelta

import pytest

from spatial_workbench.engine.core import InstanceError, resolve
from spatial_workbench.engine.evaluation.puzzles import candidates
from spatial_workbench.engine.evaluation.puzzles.candidates import (
    LineState,
    StepJudging,
    judge_of,
    judging_lines,
    rows_to_judge,
)
from spatial_workbench.engine.models import ModelSettings
from spatial_workbench.engine.puzzles import judging
from spatial_workbench.engine.puzzles.judging import STORED, StepVerdict
from spatial_workbench.engine.puzzles.sets.folders import PuzzleSet
from spatial_workbench.engine.puzzles.sets.originals import original
from spatial_workbench.engine.puzzles.sets.storing import Change, save
from spatial_workbench.engine.store import Actor, JudgementSource, Project, StepJudge
from spatial_workbench.engine.tasks.puzzle_hunt import source

OAK = ModelSettings(name="oak", base_url="http://a.example/v1", model="oak-7b")
INSTANCE = resolve("puzzle_hunt:5")[1]
VERSION = INSTANCE.parameters["version"]


@pytest.fixture
def project(tmp_path):
    with Project.create(tmp_path / "a.workbench") as opened:
        for text in ("one", "two", "three", "four"):
            opened.attempts.add(INSTANCE, text, Actor.MODEL, "birch")
        judge(opened, 1, "TTFF")
        judge(opened, 2, "", note="No answer")
        judge(opened, 3, "TTFF", version="earlier")
        yield opened


def judge(project, attempt, met, version=VERSION, note=""):
    steps = STORED.dump_json(tuple(StepVerdict(correct=mark == "T") for mark in met)).decode()
    project.puzzles.add_step_judgement(attempt, judge_of(OAK), steps, version, note)


def states(project, settings=OAK, together=False, **what):
    lines = judging_lines(project, judge_of(settings, together), StepJudging(together=together, **what))
    return [line.state for line in sorted(lines, key=lambda line: line.attempt)]


def to_judge(project, settings=OAK, **what):
    return sorted(row.number for row in rows_to_judge(project, judge_of(settings), StepJudging(**what)))


def test_what_is_not_judged_in_this_version_of_the_puzzle_is_judged(project):
    assert states(project) == [LineState.JUDGED, LineState.FAILED, LineState.JUDGED, LineState.WAITING]
    assert to_judge(project) == [2, 3, 4]


def test_a_line_says_what_the_judge_said_or_why_it_said_nothing(project):
    lines = {line.attempt: line for line in judging_lines(project, judge_of(OAK), StepJudging())}
    assert (lines[1].puzzle, lines[1].who, lines[1].judgement.score) == ("Packing Room", "birch", 0.5)
    assert (lines[2].judgement, lines[2].note) == (None, "No answer")


def test_another_way_of_asking_is_another_judge(project):
    assert states(project, together=True) == [LineState.WAITING] * 4
    assert judge_of(OAK, together=True).name == "oak (all steps at once)"


@pytest.mark.parametrize(
    "change", [{"base_url": "http://b.example/v1"}, {"model": "oak-70b"}, {"temperature": 0.5}, {"effort": "high"}]
)
def test_another_endpoint_or_setting_is_another_judge(project, change):
    other = OAK.changed(**change)
    assert states(project, other) == [LineState.WAITING] * 4
    assert to_judge(project, other) == [1, 2, 3, 4]


def test_another_wording_of_the_prompt_is_another_judge(monkeypatch):
    before = judge_of(OAK)
    monkeypatch.setattr(judging, "INSTRUCTION", judging.INSTRUCTION.replace("grade", "assess"))
    assert judge_of(OAK).key != before.key


def test_what_does_not_change_answers_does_not_make_another_judge():
    other = OAK.changed(timeout_s=5, max_tries=1, account="b", prices={"input_usd": 3}, limits={"parallel": 1})
    assert judge_of(other) == judge_of(OAK)


def test_a_judge_stored_by_an_earlier_version_is_not_taken_for_one_of_today(project):
    unknown = StepJudge(source=JudgementSource.JUDGE, name="oak")
    project.puzzles.add_step_judgement(4, unknown, project.puzzles.step_judgements(1)[0].steps, VERSION)
    assert to_judge(project) == [2, 3, 4]


def test_the_weights_of_an_offline_judge_are_named_without_their_folder():
    settings = ModelSettings(name="tiny", provider="offline", source="/home/ada/tiny.gguf")
    assert judge_of(settings).settings["model"] == "tiny.gguf"


def test_what_was_judged_or_could_not_be_since_judging_began_is_done(project):
    began = project.puzzles.step_judgements()[0].at
    later = project.puzzles.step_judgements()[-1].at + timedelta(seconds=1)
    assert to_judge(project, since=began) == [4]
    assert to_judge(project, since=later) == [2, 3, 4]
    assert to_judge(project, again=True, since=later) == [1, 2, 3, 4]
    assert states(project, again=True, since=later) == [LineState.WAITING] * 4


def test_only_chosen_attempts_are_listed(project):
    assert [line.attempt for line in judging_lines(project, judge_of(OAK), StepJudging(attempts=(2,)))] == [2]


def test_the_title_of_an_added_puzzle_is_read_without_its_pages(tmp_path, monkeypatch):
    puzzle = original("Harbour_Clocks")
    hunt = PuzzleSet(tmp_path / "hunt")
    hunt.path.mkdir()
    save(hunt, puzzle.folder, Change(writes=puzzle.files()))
    monkeypatch.setattr(source, "set_named", lambda name: hunt)
    assert candidates._title_of(f"puzzle_hunt:hunt/{puzzle.folder}") == "Harbour Clocks"
    assert candidates._title_of("puzzle_hunt:hunt/Other") == "puzzle_hunt:hunt/Other"


def test_a_puzzle_that_is_gone_is_named_by_its_address(project, monkeypatch):
    def gone(address):
        raise InstanceError("The set is gone")

    monkeypatch.setattr(candidates, "resolve", gone)
    assert {line.puzzle for line in judging_lines(project, judge_of(OAK), StepJudging())} == {"puzzle_hunt:5"}
