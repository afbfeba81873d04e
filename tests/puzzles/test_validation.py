"""Every code of the checks, by a puzzle that fails it and one that does not."""

from dataclasses import replace

import pytest

from spatial_workbench.engine.puzzles.annotation.validation import RULES, Files, PuzzleLevel, findings, look_at
from spatial_workbench.engine.puzzles.annotation.vocabulary import PuzzleAction, action_of
from spatial_workbench.engine.puzzles.puzzle import Misread, Puzzle, PuzzleStep
from spatial_workbench.engine.puzzles.sets.originals import original

GOOD = original("Harbour_Clocks").puzzle
FILES = Files("Harbour_Clocks", {"content.png": ""}, {"figure_1.png": ""})
LAST = GOOD.reasoning[-1]


def steps(*explanations):
    return {"reasoning": (*(PuzzleStep(text) for text in explanations), LAST)}


FAILING = {
    "P_TITLE": [{"title": " "}],
    "P_SOLUTION": [{"solution": "\t"}],
    "P_DIFFICULTY": [{"difficulty": "tough"}, {"difficulty": ""}],
    "P_MODALITY": [{"modality": ()}, {"modality": ("visual", "Visual")}, {"modality": ("sound",)}],
    "P_SKILLS": [{"skills": ()}, {"skills": ("logic", "logic")}, {"skills": ("magic",)}],
    "P_CONTENT": [
        {"pages": {}},
        {"pages": {"content_2.png": ""}},
        {"pages": {"content.png": "content.png is damaged"}},
    ],
    "P_STEPS": [{"reasoning": ()}, {"reasoning": (PuzzleStep(" "), LAST)}],
    "P_FIGURE": [
        {"reasoning": (replace(LAST, figure="../figure_1.png"),)},
        {"reasoning": (replace(LAST, figure="picture.png"),)},
        {"reasoning": (replace(LAST, figure="figure_7.png"),)},
        {"figures": {"figure_1.png": "figure_1.png is damaged"}},
    ],
    "P_MULTI": [{"solution": "ANCHOR/HARBOR"}, {"solution": "anchor or harbor"}, {"solution": "ANCHOR; HARBOR"}],
    "P_NUMBERING": [
        {
            "reasoning": (replace(LAST, figure="figure_2.png"), replace(LAST, figure="figure_1.png")),
            "figures": {"figure_1.png": "", "figure_2.png": ""},
        }
    ],
    "P_ORPHAN": [{"figures": {"figure_1.png": "", "figure_2.png": ""}}],
    "P_ACTION": [steps("Somehow the letters become words in the end.")],
    "P_ATOMIC": [
        steps("Extraction: " + "very " * 60 + "long."),
        steps("Extraction: read the letters from the dials then sort them by waves."),
    ],
    "P_OUTCOME": [steps("Extraction: read letters.")],
    "P_LAST": [{"reasoning": (PuzzleStep("Manipulation: sort the letters by their number of waves."),)}],
    "P_LEAK": [{"flavor_text": "Drop the anchor here."}, {"title": "An Anchor"}],
    "P_FOLDER": [{"folder": "Harbor_Clocks"}],
    "P_SOURCE": [{"source": "a friend"}, {"source": ""}],
    "P_VISUAL": [steps("Sketching: draw a line through all the dials, which gives a wave.")],
    "P_SPELLING": [{"modality": ("Visual",)}, {"skills": ("Tool use",)}, {"difficulty": "Easy"}],
}


def codes(change):
    files = replace(FILES, **{name: change[name] for name in ("pages", "figures", "folder") if name in change})
    fields = {name: value for name, value in change.items() if name not in ("pages", "figures", "folder")}
    return [finding.code for finding in findings(replace(GOOD, **fields), files)]


def test_every_rule_has_a_failing_puzzle():
    assert set(FAILING) == set(RULES)


@pytest.mark.parametrize(
    ("code", "change"), [(code, change) for code, changes in FAILING.items() for change in changes]
)
def test_a_rule_that_is_broken_is_named(code, change):
    assert code in codes(change)


def test_a_good_puzzle_has_no_findings():
    assert findings(GOOD, FILES) == ()


def test_errors_come_before_warnings():
    levels = [finding.level for finding in findings(replace(GOOD, source="", title=""), FILES)]
    assert levels == sorted(levels, key=lambda level: level is PuzzleLevel.WARNING)


def test_a_field_that_could_not_be_read_is_not_reported_twice():
    misread = (Misread(("title",), "title must be text"),)
    found = findings(replace(GOOD, title=""), FILES, misread)
    assert [finding.code for finding in found] == ["P_JSON"]


def test_the_pictures_of_a_folder_are_looked_at(puzzles):
    folder = puzzles.folder("Harbour_Clocks")
    assert findings(folder.read().puzzle, look_at(folder)) == ()
    (folder.path / "content.png").write_bytes(b"no picture")
    (finding,) = findings(folder.read().puzzle, look_at(folder))
    assert (finding.code, finding.message) == ("P_CONTENT", "content.png is not a PNG picture")


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("Pattern discovery: each dial", PuzzleAction.DISCOVERY),
        ("We notice that", PuzzleAction.DISCOVERY),
        ("Trace the route", PuzzleAction.SKETCHING),
        ("Decoding the letters", None),
        ("Decoded: the letters", PuzzleAction.MANIPULATION),
        ("Combining / chaining: join", PuzzleAction.COMBINING),
        ("Reading the letters", PuzzleAction.EXTRACTION),
        ("The letters are: read them", None),
    ],
)
def test_the_action_is_told_by_its_first_words(text, action):
    assert action_of(text) is action


def test_a_page_that_is_a_link_is_said_to_be_one(puzzles, tmp_path):
    folder = puzzles.folder("Harbour_Clocks")
    (folder.path / "content.png").rename(tmp_path / "elsewhere.png")
    (folder.path / "content.png").symlink_to(tmp_path / "elsewhere.png")
    (found,) = (f for f in findings(GOOD, look_at(folder)) if f.code == "P_CONTENT")
    assert found.message == "Harbour_Clocks: content.png is a link; links are not followed"


def test_a_figure_without_a_number_is_read_like_the_first_one():
    puzzle = Puzzle(reasoning=(replace(LAST, figure="figure.png"),))
    files = Files("Neon", figures={"figure.png": ""})
    codes = [finding.code for finding in findings(puzzle, files)]
    assert "P_FIGURE" not in codes
    assert "P_NUMBERING" in codes
