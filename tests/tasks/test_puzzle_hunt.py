"""Puzzle hunt: verdicts, prompts, and sets that a person added."""

import pytest

from spatial_workbench.engine.core import InstanceError, State, resolve, task
from spatial_workbench.engine.evaluation.planning.plan import select
from spatial_workbench.engine.puzzles.sets import known_sets
from spatial_workbench.engine.puzzles.sets.originals import originals
from spatial_workbench.engine.puzzles.sets.storing import Change, save

HUNT = task("puzzle_hunt")
ANCHOR, *_ = HUNT.instances()


def judge(text, verifier="default"):
    return HUNT.verify(ANCHOR, text, verifier)


@pytest.fixture
def added(tmp_path, monkeypatch):
    """A set called "hunt" with two puzzles."""
    monkeypatch.setattr(known_sets, "_file", lambda: tmp_path / "puzzle_sets.json")
    from spatial_workbench.engine.puzzles.sets.folders import PuzzleSet

    puzzles = PuzzleSet(tmp_path / "hunt")
    puzzles.path.mkdir()
    for puzzle in originals()[2:4]:
        save(puzzles, puzzle.folder, Change(writes=puzzle.files()))
    known_sets.add_set(puzzles.path, "hunt")
    return puzzles


def test_the_six_originals_are_the_instances():
    assert [HUNT.caption(instance) for instance in HUNT.instances()][:2] == ["Harbour Clocks", "Supper Without a Lamp"]
    assert len(HUNT.instances()) == 6


@pytest.mark.parametrize("instance", HUNT.instances(), ids=str)
def test_the_annotated_steps_score_1_by_every_verifier(instance):
    assert [verdict.score for verdict in HUNT.verify_all(instance, HUNT.solve(instance))] == [1, 1, 1]


@pytest.mark.parametrize("instance", HUNT.instances(), ids=str)
def test_nothing_of_the_annotation_reaches_a_prompt(instance):
    puzzle = next(p.puzzle for p in originals() if p.folder == instance.parameters["puzzle"])
    text = HUNT.prompt(instance).whole_text
    assert puzzle.solution not in text.upper().replace("ANSWER", "")
    assert not any(step.explanation[:40] in text for step in puzzle.reasoning)
    assert puzzle.title in text
    assert len(HUNT.prompt(instance).pictures) == 1


@pytest.mark.parametrize(
    ("text", "default", "published"),
    [
        ("Answer: anchor", 1, 0),
        ("ANCHOR, HARBOR or DOCK?\nAnswer: HARBOR", 0, 1),
        ("The answer is ANCHOR", 1, 1),
        ("It may be ANCHOR", 0, 1),
        ("Answer: The Anchor.", 1, 0),
        ("", 0, 0),
    ],
)
def test_an_answer_is_extracted_and_compared(text, default, published):
    assert judge(text).score == default
    assert judge(text, "published").score == published
    assert HUNT.crosscheck(ANCHOR, text).score == default


@pytest.mark.parametrize("text", ["Answer: ANCHOR", "Answer: HARBOR"])
def test_while_somebody_works_the_verdict_does_not_tell_whether_the_answer_is_right(text):
    shown = HUNT.live.restricted(judge(text))
    assert (shown.score, shown.passed, shown.is_of_form) == (0.0, False, True)
    assert [check.state for check in shown.checks] == [State.PASSED, State.PASSED]


def test_an_answer_may_be_long_but_not_without_end():
    assert judge("Answer: ANCHOR\n" + "x" * 399_000).score == 1
    assert "longer than 400,000" in judge("x" * 400_001).checks[0].message


def test_an_added_puzzle_is_addressed_by_set_and_folder(added):
    chosen, instance = resolve("puzzle_hunt:hunt/Five_Small_Gardens")
    assert instance.address == "puzzle_hunt:hunt/Five_Small_Gardens"
    assert chosen.verify(instance, "Answer: music").passed
    assert chosen.caption(instance) == "Five Small Gardens"


def test_a_whole_set_is_selected_by_its_name(added):
    both = ("puzzle_hunt:hunt/Five_Small_Gardens", "puzzle_hunt:hunt/Switch_Off_the_Bulb")
    assert select("puzzle_hunt:hunt") == both
    assert select("puzzle_hunt:hunt/Five_Small_Gardens, puzzle_hunt:0") == (both[0], "puzzle_hunt:0")


def test_special_characters_in_a_folders_name_are_escaped(added):
    (added.path / "Five_Small_Gardens").rename(added.path / "What's Up, Doc")
    named, _ = HUNT.named()
    assert resolve(f"puzzle_hunt:{select('puzzle_hunt:hunt')[1].partition(':')[2]}")[1].parameters["set"] == "hunt"
    assert {name.caption for name in HUNT.named()} >= {"What's Up, Doc"}
    assert named.collection == "hunt"


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("puzzle_hunt:elsewhere/Neon", "no set of puzzles called “elsewhere”"),
        ("puzzle_hunt:hunt/Neon", "no puzzle “Neon” in hunt"),
        ("puzzle_hunt:hunt/..%2Fsecret", "no puzzle"),
        ("puzzle_hunt:hunt", "does not name a puzzle"),
        ("puzzle_hunt:9", "instances 0 to 5"),
        ("shikaku:hunt/Neon", "is not a number"),
        ("puzzle_hunt@3", "not generated"),
    ],
)
def test_an_address_that_names_nothing_is_refused_with_the_reason(added, address, reason):
    with pytest.raises(InstanceError, match=reason):
        resolve(address)


def test_a_puzzle_that_changes_is_another_version(added):
    _, before = resolve("puzzle_hunt:hunt/Five_Small_Gardens")
    save(added, "Five_Small_Gardens", Change(writes={"metadata.json": b"{}"}))
    _, after = resolve("puzzle_hunt:hunt/Five_Small_Gardens")
    assert before.parameters["version"] != after.parameters["version"]
