"""Two people annotate a puzzle on their own, and a third makes one annotation of both."""

from dataclasses import replace

import pytest

from spatial_workbench.engine.evaluation.puzzles.double import adjudicate, ask_two, hand_in, own_copy
from spatial_workbench.engine.evaluation.puzzles.reviews import apply_results, log_name, merge_review, reviews_in
from spatial_workbench.engine.puzzles.annotation.adjudicating import PairTaken, taken_steps
from spatial_workbench.engine.puzzles.annotation.annotating import PuzzleFigure, opened, save_annotation
from spatial_workbench.engine.puzzles.annotation.double import aligned_steps
from spatial_workbench.engine.puzzles.annotation.layers import PuzzleLayer, Rectangle, figure_of, write_layer
from spatial_workbench.engine.puzzles.annotation.review import ReviewError, ReviewState
from spatial_workbench.engine.puzzles.puzzle import PuzzleStep, read_metadata, write_metadata
from spatial_workbench.engine.puzzles.sets.folders import METADATA, PuzzleSet
from spatial_workbench.engine.puzzles.sets.originals import originals
from spatial_workbench.engine.puzzles.sets.storing import Change, save
from spatial_workbench.engine.store import Project

NAME = "One_New_Leaf"
FIRST = "Pattern discovery: each pot has one letter more than the one before it."
LAST = "Extraction: read the new letters in order, which gives STEM."
OTHER = "Manipulation: sort the pots by their number of letters, which gives five words."


@pytest.fixture
def project(tmp_path):
    with Project.create(tmp_path / "a.workbench") as project:
        yield project


def bare_set(folder):
    puzzles = PuzzleSet(folder)
    folder.mkdir()
    original = next(puzzle for puzzle in originals() if puzzle.folder == NAME)
    bare = replace(original.puzzle, reasoning=(), difficulty="", modality=(), skills=())
    pages = {name: content for name, content in original.files().items() if name.startswith("content")}
    save(puzzles, NAME, Change(writes={METADATA: write_metadata(bare).encode(), **pages}))
    return puzzles


@pytest.fixture
def puzzles(tmp_path):
    return bare_set(tmp_path / "hunt")


def write(puzzles, person, *texts, has_sketch=False):
    copy = own_copy(puzzles, NAME, person)
    annotation = opened(copy.folder(NAME))
    steps = [PuzzleStep(text) for text in texts]
    fresh = {}
    if has_sketch:
        steps[0] = replace(steps[0], figure="figure_1.png")
        layer = PuzzleLayer(page="content.png", size=(800, 600), shapes=[Rectangle(start=(10, 10), end=(90, 90))])
        png = figure_of(copy.folder(NAME).bytes_of("content.png"), layer)
        fresh = {"figure_1.png": PuzzleFigure(png, write_layer(layer))}
    tags = {"difficulty": "easy", "modality": ("text",), "skills": ("wordplay",)}
    puzzle = replace(annotation.puzzle, reasoning=tuple(steps), **tags)
    save_annotation(copy, NAME, replace(annotation, puzzle=puzzle, fresh=fresh))


def both_in(project, puzzles):
    assert ask_two(project, puzzles, [NAME], ("Ada", "Ben"), "Cleo") == ([NAME], [])
    write(puzzles, "Ada", FIRST, LAST, has_sketch=True)
    hand_in(project, puzzles, NAME, "Ada")
    write(puzzles, "Ben", FIRST, OTHER, LAST)
    return hand_in(project, puzzles, NAME, "Ben").review


def third_of(review):
    first, second = (read_metadata(review.annotations[name]).puzzle for name in review.pair)
    pairs = aligned_steps(first, second)
    steps = [step for pair in pairs for step in taken_steps(pair, first, second, PairTaken.SECOND)]
    values = {name: getattr(first, name) for name in ("solution", "difficulty", "modality", "skills")}
    return steps, values


def test_a_copy_of_ones_own_has_the_pages_and_no_annotation(puzzles):
    copy = own_copy(puzzles, NAME, "Ada")
    assert copy.folder(NAME).pages() == ("content.png",)
    assert copy.folder(NAME).read().puzzle.reasoning == ()
    assert copy.path != own_copy(puzzles, NAME, "Ben").path


def test_two_people_hand_in_and_a_third_makes_one_annotation_with_its_figures(project, puzzles):
    review = both_in(project, puzzles)
    assert review.state is ReviewState.ADJUDICATION
    third = adjudicate(project, puzzles, NAME, "Cleo", *third_of(review))
    assert (third.state, third.author) == (ReviewState.CHECKED, "Cleo")
    assert [step.source.value for step in third.adjudicated.steps] == ["both", "B", "both"]
    folder = puzzles.folder(NAME)
    written = folder.read().puzzle
    assert [step.explanation for step in written.reasoning] == [FIRST, OTHER, LAST]
    assert written.reasoning[0].figure == "figure_1.png"
    assert folder.figures() == ("figure_1.png",)
    assert third.version == folder.version()


def test_neither_of_the_two_makes_the_third(project, puzzles):
    review = both_in(project, puzzles)
    with pytest.raises(ReviewError, match="Ada is one of the two annotators"):
        adjudicate(project, puzzles, NAME, "Ada", *third_of(review))
    assert puzzles.folder(NAME).read().puzzle.reasoning == ()


def test_an_annotation_with_errors_is_not_handed_in(project, puzzles):
    ask_two(project, puzzles, [NAME], ("Ada", "Ben"), "Cleo")
    with pytest.raises(ReviewError, match=NAME):
        hand_in(project, puzzles, NAME, "Ada")


def test_who_was_not_asked_hands_nothing_in(project, puzzles):
    ask_two(project, puzzles, [NAME], ("Ada", "Ben"), "Cleo")
    write(puzzles, "Dora", FIRST, LAST)
    with pytest.raises(ReviewError, match="Dora was not asked"):
        hand_in(project, puzzles, NAME, "Dora")


def test_an_annotation_stays_once_both_are_there(project, puzzles):
    both_in(project, puzzles)
    with pytest.raises(ReviewError, match="Both annotations"):
        hand_in(project, puzzles, NAME, "Ada")


def test_the_third_annotation_is_written_on_another_computer_too(project, puzzles, tmp_path):
    adjudicate(project, puzzles, NAME, "Cleo", *third_of(both_in(project, puzzles)))
    (tmp_path / "elsewhere").mkdir()
    there = bare_set(tmp_path / "elsewhere" / "hunt")
    with Project.create(tmp_path / "b.workbench") as other:
        merge_review(other, project.path)
        assert apply_results(other, there) == ([NAME], [])
        assert apply_results(other, there) == ([], [])
    assert there.folder(NAME).version() == puzzles.folder(NAME).version()


def test_what_somebody_wrote_elsewhere_is_not_overwritten(project, puzzles, tmp_path):
    adjudicate(project, puzzles, NAME, "Cleo", *third_of(both_in(project, puzzles)))
    (tmp_path / "elsewhere").mkdir()
    there = bare_set(tmp_path / "elsewhere" / "hunt")
    annotation = opened(there.folder(NAME))
    own = replace(annotation.puzzle, reasoning=(PuzzleStep("Extraction: my own words for it."),))
    save_annotation(there, NAME, replace(annotation, puzzle=own))
    with Project.create(tmp_path / "b.workbench") as other:
        merge_review(other, project.path)
        changed, refused = apply_results(other, there)
    assert (changed, len(refused)) == ([], 1)
    assert there.folder(NAME).read().puzzle == own


def test_a_merge_names_what_does_not_count(project, puzzles, tmp_path):
    ask_two(project, puzzles, [NAME], ("Ada", "Ben"), "Cleo")
    with Project.create(tmp_path / "b.workbench") as other:
        merge_review(other, project.path)
        write(puzzles, "Ada", FIRST, LAST)
        hand_in(project, puzzles, NAME, "Ada")
        write(puzzles, "Ben", FIRST, LAST)
        hand_in(project, puzzles, NAME, "Ben")
        hand_in(other, puzzles, NAME, "Ben")
        outcome = merge_review(other, project.path)
        assert (outcome.new, outcome.known) == (2, 1)
        assert len(outcome.conflicts) == 1
        assert "“annotated” by Ben" in outcome.conflicts[0]
        assert merge_review(other, project.path).conflicts == ()
        assert reviews_in(other, log_name(puzzles))[NAME].state is ReviewState.ADJUDICATION
