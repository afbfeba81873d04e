"""The original puzzles: solvable from their pages alone, valid, drawn within their pages."""

import itertools
from collections import Counter

import numpy as np
import pytest

from spatial_workbench.engine.puzzles.annotation.layers import Area, Stroke, Text, text_width
from spatial_workbench.engine.puzzles.annotation.validation import Files, findings
from spatial_workbench.engine.puzzles.sets.originals import original, originals
from spatial_workbench.engine.puzzles.sets.originals.page import MARGIN
from spatial_workbench.engine.puzzles.sets.pages import picture_size
from tests.puzzles.annotation import decoders

NAMES = [puzzle.folder for puzzle in originals()]


def test_there_are_six():
    assert NAMES == [
        "Harbour_Clocks",
        "Supper_Without_a_Lamp",
        "Five_Small_Gardens",
        "Switch_Off_the_Bulb",
        "One_New_Leaf",
        "Packing_Room",
    ]


def test_the_dials_read_anchor_in_the_order_of_the_waves():
    assert decoders.dials(original("Harbour_Clocks").content) == "ANCHOR"


def test_the_braille_digits_count_to_lantern():
    answers = ["PLUM", "PASTA", "ONION", "CARROT", "CHEESE", "BREAD", "LEMON"]
    assert decoders.braille(original("Supper_Without_a_Lamp").content, answers) == "LANTERN"


@pytest.mark.parametrize("number", range(5))
def test_each_maze_is_a_tree_and_its_only_route_is_the_one_of_the_figure(number):
    puzzle = original("Five_Small_Gardens")
    maze = puzzle.content["mazes"][number]
    cells = maze["width"] * maze["height"]
    assert (decoders.passages(maze), len(decoders.reachable(maze))) == (cells - 1, cells)
    assert decoders.route(maze) == [tuple(cell) for cell in puzzle.key["routes"][number]]


def test_the_nonogram_has_a_single_solution_which_leaves_the_question():
    puzzle = original("Switch_Off_the_Bulb")
    (shaded,) = decoders.nonograms(puzzle.content)
    assert shaded.sum() == 44
    letters = np.array([list(row) for row in puzzle.content["letters"]])
    assert "".join(letters[~shaded]) == puzzle.key["phrase"].replace(" ", "")
    assert ["".join(".#"[int(cell)] for cell in row) for row in shaded] == puzzle.key["shaded"]


def test_each_word_on_the_pots_adds_a_letter_to_the_word_before():
    puzzle = original("One_New_Leaf")
    answers = puzzle.key["answers_in_shown_order"]
    assert [len(answer) for answer in answers] == [pot["length"] for pot in puzzle.content["pots"]]
    chain = sorted(answers, key=len)
    added = [Counter(b) - Counter(a) for a, b in itertools.pairwise(chain)]
    assert "".join("".join(letters.elements()) for letters in added) == "STEM"


def test_the_lids_of_the_folded_nets_read_parcel():
    puzzle = original("Packing_Room")
    assert "".join(decoders.lid(net) for net in puzzle.content["nets"]) == "PARCEL"
    assert (
        "".join(net[y][x] for net, (x, y) in zip(puzzle.content["nets"], puzzle.key["lids"], strict=True)) == "PARCEL"
    )


@pytest.mark.parametrize("name", NAMES)
def test_an_original_is_valid_without_errors_or_warnings(name):
    puzzle = original(name)
    files = Files(name, {"content.png": ""}, {"figure_1.png": ""} if puzzle.layer() else {})
    assert findings(puzzle.puzzle, files) == ()


@pytest.mark.parametrize("name", NAMES)
def test_a_page_has_the_size_that_the_data_state(name):
    puzzle = original(name)
    written = puzzle.files()
    assert picture_size(written["content.png"]) == puzzle.size
    assert ("figure_1.png" in written) == any(step.figure for step in puzzle.puzzle.reasoning)


@pytest.mark.parametrize("name", NAMES)
def test_everything_keeps_the_margin(name):
    puzzle = original(name)
    width, height = puzzle.size
    for shape in puzzle.shapes():
        for x0, y0, x1, y1 in [extent(shape)]:
            assert MARGIN <= x0 <= x1 <= width - MARGIN, shape
            assert MARGIN <= y0 <= y1 <= height - MARGIN, shape


def extent(shape):
    if isinstance(shape, Text):
        x, y = shape.position
        half = text_width(shape.text, shape.size) / 2
        centre = x if shape.anchor == "mm" else x + half
        return centre - half, y - shape.size / 2, centre + half, y + shape.size / 2
    points = shape.points if isinstance(shape, Stroke | Area) else (shape.start, shape.end)
    (x0, y0), (x1, y1) = np.min(points, axis=0), np.max(points, axis=0)
    return x0, y0, x1, y1


def test_the_geometry_of_the_pages_is_as_it_was():
    assert [puzzle.checksum()[:12] for puzzle in originals()] == CHECKSUMS


CHECKSUMS = ["1ee170c77dbc", "0bf0579a08b0", "fcf4a6296d86", "46ac292ac38c", "f467d3bd6f3f", "766bda79e86e"]
