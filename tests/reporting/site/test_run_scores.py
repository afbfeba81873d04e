"""The scores from which a reader's browser compares any two runs."""

import json

from spatial_workbench.engine.core import resolve
from spatial_workbench.engine.reporting.site.choice import SiteChoice
from spatial_workbench.engine.reporting.site.contents import site_contents
from spatial_workbench.engine.reporting.site.run_scores import run_scores
from spatial_workbench.engine.store import Actor, Asked, Project


def add(project, address, name, is_right, repeat=0):
    task, instance = resolve(address)
    answer = task.format(task.solve(instance)) if is_right else json.dumps({"rectangles": []})
    verdict = task.verify(instance, answer)
    return project.attempts.add(instance, answer, Actor.MODEL, name, 1.0, (verdict,), asked=Asked(repeat=repeat))


def test_repeats_are_averaged_and_the_best_run_comes_first(tmp_path):
    with Project.create(tmp_path / "runs.workbench") as project:
        first = add(project, "shikaku:0", "aspen", True)
        add(project, "shikaku:0", "aspen", False, repeat=1)
        right = [add(project, f"shikaku:{k}", "birch", True) for k in (0, 2)]
        data = run_scores(site_contents(project, SiteChoice()))
    assert data["subtasks"] == [[0, ":0", 0], [0, ":2", 1]]
    assert [run["title"] for run in data["runs"]] == ["birch", "aspen"]
    assert data["runs"][0]["scores"] == [[0, 1.0, 1, right[0]], [1, 1.0, 1, right[1]]]
    assert data["runs"][1]["scores"] == [[0, 0.5, 0, first]]
