"""Sketches over the pages of puzzles, in a project."""

from spatial_workbench.engine.core import task
from spatial_workbench.engine.evaluation.export import export_runs
from spatial_workbench.engine.evaluation.planning.starting import import_file
from spatial_workbench.engine.store import Actor, Project

PUZZLE = task("puzzle_hunt").instances()[0]
LAYER = '{"page": "content.png", "size": [10, 10]}'


def test_a_sketch_is_kept_with_the_draft_of_its_person(tmp_path):
    with Project.create(tmp_path / "a.workbench") as project:
        project.drafts.store_sketch(PUZZLE, "content.png", LAYER, "Ada")
        assert project.drafts.sketches(PUZZLE.address, "Ada") == {"content.png": LAYER}
        assert project.drafts.sketches(PUZZLE.address, "Ben") == {}


def test_an_attempt_keeps_the_sketch_as_it_was(tmp_path):
    with Project.create(tmp_path / "a.workbench") as project:
        project.drafts.store_sketch(PUZZLE, "content.png", LAYER, "Ada")
        number = project.attempts.add(PUZZLE, "Answer: A", Actor.PERSON, "Ada")
        project.drafts.store_sketch(PUZZLE, "content.png", "{}", "Ada")
        assert project.drafts.sketches(PUZZLE.address, "Ada", number) == {"content.png": LAYER}


def test_sketches_survive_export_and_import(tmp_path):
    with Project.create(tmp_path / "a.workbench") as project, Project.create(tmp_path / "b.workbench") as other:
        project.drafts.store_sketch(PUZZLE, "content.png", LAYER, "Ada")
        number = project.attempts.add(PUZZLE, "Answer: A", Actor.PERSON, "Ada")
        export_runs(project, tmp_path / "out.jsonl", "jsonl")
        import_file(other, tmp_path / "out.jsonl")
        assert other.attempts.sketches(number) == {"content.png": LAYER}
