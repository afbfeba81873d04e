"""Steps of an annotation, made, moved, split and merged as plain data."""

from spatial_workbench.app.puzzles.annotation import step_editing as editing
from spatial_workbench.engine.puzzles.puzzle import PuzzleStep

STEPS = (
    PuzzleStep("Extraction: read the dials", "figure_1.png"),
    PuzzleStep("Sketching: trace the wall", None, {"author": "A"}),
    PuzzleStep("no action yet"),
)


def texts(steps):
    return [step.explanation for step in steps]


def test_both_parts_of_a_split_step_begin_with_its_action():
    first, second, *_ = editing.split(STEPS, 0, len("read"))
    assert texts((first, second)) == ["Extraction: read", "Extraction: the dials"]
    assert (first.figure, second.figure) == ("figure_1.png", None)


def test_a_part_that_begins_with_an_action_of_its_own_keeps_it():
    steps = (PuzzleStep("Extraction: read Sketching: trace"),)
    assert texts(editing.split(steps, 0, len("read"))) == ["Extraction: read", "Sketching: trace"]


def test_a_merged_step_has_one_action_and_what_either_step_had_besides():
    whole, rest = editing.merged(STEPS, 0)
    assert whole == PuzzleStep("Extraction: read the dials trace the wall", "figure_1.png", {"author": "A"})
    assert rest == STEPS[2]


def test_moving_a_step_keeps_the_order_of_the_others():
    assert editing.moved(STEPS, 0, 2) == (STEPS[1], STEPS[2], STEPS[0])
    assert editing.moved(STEPS, 2, 0) == (STEPS[2], STEPS[0], STEPS[1])


def test_a_figure_is_set_and_removed():
    steps = editing.with_figure(STEPS, 1, "figure_2.png")
    assert steps[1].figure == "figure_2.png"
    assert editing.with_figure(steps, 1, None) == STEPS


def test_an_explanation_is_split_into_its_action_and_the_rest():
    assert editing.parts_of("Extraction:  read") == ("Extraction:  ", "read")
    assert editing.parts_of("Harbour: read") == ("", "Harbour: read")
