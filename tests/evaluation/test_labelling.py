"""Which attempts the judge of failure modes is asked about."""

from spatial_workbench.engine.core import resolve
from spatial_workbench.engine.evaluation.labelling import estimate_labelling
from spatial_workbench.engine.store import Actor, Project


def test_an_attempt_that_no_verifier_judged_is_no_work_for_the_judge(tmp_path):
    task, instance = resolve("two_segments:0")
    wrong = '{"segments": [[[0, 0], [1, 1]], [[0, 0], [1, 1]]]}'
    with Project.create(tmp_path / "work.workbench") as project:
        project.attempts.add(instance, wrong, Actor.MODEL, "birch", verdicts=(task.verify(instance, wrong),))
        unjudged = project.attempts.add(instance, wrong, Actor.MODEL, "birch")
        project.judgements.override_score(unjudged, 0.2, False, "seen by hand", "Ada")
        assert estimate_labelling(project).attempts == 1
