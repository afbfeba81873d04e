"""Sketches over the pages of puzzles, in a project."""

from engine.core import task
from engine.store import Actor, Project

PUZZLE = task("puzzle_hunt").instances()[0]
LAYER = '{"page": "content.png", "size": [10, 10]}'


def test_a_sketch_is_kept_with_the_draft_of_its_person(tmp_path):
    with Project.create(tmp_path / "a.workbench") as project:
        project.put_sketch(PUZZLE, "content.png", LAYER, "Ada")
        assert project.sketches(PUZZLE.address, "Ada") == {"content.png": LAYER}
        assert project.sketches(PUZZLE.address, "Ben") == {}


def test_an_attempt_keeps_the_sketch_as_it_was(tmp_path):
    with Project.create(tmp_path / "a.workbench") as project:
        project.put_sketch(PUZZLE, "content.png", LAYER, "Ada")
        number = project.add_attempt(PUZZLE, "Answer: A", Actor.PERSON, "Ada")
        project.put_sketch(PUZZLE, "content.png", "{}", "Ada")
        assert project.sketches(PUZZLE.address, "Ada", number) == {"content.png": LAYER}
