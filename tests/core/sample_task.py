"""A tiny task for tests of the contracts: put a point into the square from 0 to the instance's size."""

from typing import Annotated, Any

from pydantic import Field

from spatial_workbench.engine.core import (
    Bucket,
    CheckList,
    Figure,
    Instance,
    Number,
    Outcome,
    Problem,
    Prompt,
    ReasonedAnswer,
    Scene,
    Task,
    at_most,
    verifier,
)
from spatial_workbench.engine.core.contract import Difficulty

Pair = Annotated[tuple[Number, Number], Field(strict=False)]


class Points(ReasonedAnswer):
    points: Annotated[tuple[Pair, ...], at_most(100, "points")] = Field(description="x, y of each")


class SquareDifficulty(Difficulty):
    size: int = Field(4, ge=1, le=100, description="Side of the square")


checks = CheckList()


@checks.step("at least one point")
def _some(size, answer):
    if not answer.points:
        yield Problem("There is no point")


@checks.step("inside the square")
def _inside(size, answer):
    for i, (x, y) in enumerate(answer.points):
        if not (0 <= x <= size and 0 <= y <= size):
            yield Problem(f"Point {i} is outside", [f"point {i}"])


@checks.step("above the diagonal")
def _above(size, answer):
    for i, (x, y) in enumerate(answer.points):
        if y < x:
            yield Problem(f"Point {i} is below the diagonal", [f"point {i}"])


class SampleTask(Task[Points]):
    id = "sample"
    title = "Sample"
    summary = "Put points into a square."
    bucket = Bucket.CONSTRUCTIVE
    answer_type = Points
    difficulty = SquareDifficulty

    def instances(self):
        return [Instance.published(self.id, n, {"size": size}) for n, size in enumerate((2, 4))]

    def generate(self, seed, **difficulty: Any):
        size = self.difficulty_of(difficulty).size
        return Instance.generated(self.id, seed, {"size": size}, difficulty)

    def caption(self, instance):
        return f"side {instance.parameters['size']}"

    def prompt(self, instance):
        return Prompt(f"Side {instance.parameters['size']}.")

    def empty(self, instance):
        return Points(points=())

    @verifier("default", "1", "all rules")
    def _default(self, instance, answer, progress):
        progress(0, 1)
        rows = checks.run(instance.parameters["size"], answer)
        passed = all(row.state == "passed" for row in rows)
        return Outcome(float(passed), rows, [Figure("points", len(answer.points))])

    @verifier("published", "1", "forgets the diagonal")
    def _published(self, instance, answer, progress):
        rows = checks.run(instance.parameters["size"], answer)[:2]
        return Outcome(float(all(row.state == "passed" for row in rows)), rows)

    def _crosscheck(self, instance, answer, progress):
        good = bool(answer.points) and all(0 <= x <= y <= instance.parameters["size"] for x, y in answer.points)
        return Outcome(float(good), [])

    def solve(self, instance, progress=lambda *_: None):
        return Points(points=((0.0, 1.0),))

    def scene(self, instance, answer=None, verdict=None):
        return Scene(items=(), flat=True)
