"""Half-subdivision neighbours: which leaves of a halved square or cube touch a target (SCBench, bucket Axiomatic, q54).

Answer    the labels of all leaves that share a face (3D) or a piece of an edge (2D) with the target
Rules     a label is a string of bits; bit d chooses the lower (0) or upper (1) half along the axis that the cycle names
          for depth d; contact at an edge or a corner only does not count
Score     1 if the set is right, else 0

The rules in full: docs/tasks/half_subdivision.md.

    commands   what can be done to a list of cells by editors, agents and other programs
    drawing    the whole square in the plane; in space the target and what lies around it, drawn apart
    prompt     what a solver is told
    tree       trees that halve a square or a cube again and again along a cycle of axes
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from spatial_workbench.engine.core import (
    Aid,
    Answer,
    AnswerError,
    Bucket,
    CheckList,
    Difficulty,
    Family,
    Figure,
    Instance,
    InstanceError,
    LiveRule,
    Outcome,
    Problem,
    Progress,
    Prompt,
    Scene,
    Task,
    Verdict,
    at_most,
    silent,
    verifier,
)
from spatial_workbench.engine.core.acting.commands import HasCommands, TaskCommand
from spatial_workbench.engine.core.checks import all_passed
from spatial_workbench.engine.core.formats.jsontext import Path
from spatial_workbench.engine.core.scene import Boxes
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.half_subdivision.drawing import draw
from spatial_workbench.engine.tasks.half_subdivision.prompt import prompt_text
from spatial_workbench.engine.tasks.half_subdivision.tree import Tree, probed_neighbours

MAX_LABELS = 4096
MAX_LEAVES = 2000
MAX_DRAWS = 200
MIN_NEIGHBOURS = 4
"""A generated target has at least this many neighbours, at two or more depths."""


class Neighbours(Answer):
    """The labels of the neighbours."""

    neighbors: Annotated[tuple[str, ...], at_most(MAX_LABELS, "neighbors")] = Field(
        description="Labels of all neighbouring leaves, as strings of 0 and 1, each once, in any order",
        json_schema_extra={"items": {"type": "string", "pattern": "^[01]*$"}},
    )

    @classmethod
    def prepare(cls, data: Any, warn: Callable[[str], None]) -> Any:
        """Strips blanks, and refuses anything but labels."""
        labels = data.get("neighbors") if isinstance(data, dict) else None
        if not isinstance(labels, list | tuple) or len(labels) > MAX_LABELS:
            return data
        for k, label in enumerate(labels):
            if not isinstance(label, str) or set(label.strip()) - {"0", "1"}:
                raise AnswerError(f"neighbors[{k}]: a string of 0 and 1 is expected", ("neighbors", k))
        return {**data, "neighbors": [label.strip() for label in labels]}

    @classmethod
    def explain(cls, path: Path, kind: str, message: str) -> str | None:
        return "neighbors: a list of labels is expected" if path == ("neighbors",) and kind != "value_error" else None


class SubdivisionDifficulty(Difficulty):
    """What a new subdivision is like: larger trees and odd cycles are harder."""

    dimension: Literal[2, 3] = Field(3, description="A square or a cube")
    cycle: str = Field("", max_length=24, description="Axis halved at depth 0, 1, 2, ..., such as xyz; empty: drawn")
    min_depth: int = Field(5, ge=0, le=12, description="No leaf above this depth")
    max_depth: int = Field(8, ge=1, le=12, description="No leaf below this depth")
    split_prob: float = Field(0.6, ge=0, le=1, description="How likely a cell between the two depths is halved")
    rendering: Literal["tree", "list"] = Field("tree", description="How the prompt shows the leaves")


checks = CheckList()


@checks.step("no label twice")
def _once(tree: Tree, answer: Neighbours) -> Iterator[Problem]:
    first: dict[str, int] = {}
    for k, label in enumerate(answer.neighbors):
        if label in first:
            yield Problem(f"neighbors[{k}] repeats neighbors[{first[label]}]", [f"cell {label}"])
        first.setdefault(label, k)


@checks.step("every label is a leaf")
def _leaves(tree: Tree, answer: Neighbours) -> Iterator[Problem]:
    for label in answer.neighbors:
        if label in tree.inner:
            yield Problem(f"{label or 'the root'} is split further; name its leaves", [f"cell {label}"])
        elif label not in tree.index:
            leaf = next(label[:d] for d in range(len(label)) if label[:d] in tree.index)
            yield Problem(f"{label} does not exist; {leaf or 'the root'} is a leaf", [f"cell {leaf}"])


@checks.step("exactly the neighbours")
def _equal(tree: Tree, answer: Neighbours) -> Iterator[Problem]:
    for label in answer.neighbors:
        if label == tree.target:
            yield Problem("The target is not its own neighbour", [f"cell {label}"])
        elif label not in tree.neighbours:
            yield Problem(f"Extra: {contact_words(tree, label)}", [f"cell {label}"])
    for label in tree.neighbours:
        if label not in answer.neighbors:
            yield Problem(f"Missing: {label}", [f"cell {label}"], is_omission=True)


class HalfSubdivision(HasCommands, Task[Neighbours]):
    """List the neighbours of a leaf in a halved square or cube."""

    id = "half_subdivision"
    title = "Half-subdivision"
    summary = "Name all cells that touch a target cell in a square or cube that is halved again and again."
    family = Family.SCBENCH
    bucket = Bucket.AXIOMATIC
    has_one_answer = True
    live = LiveRule.of_form(
        "no label twice",
        "every label is a leaf",
        why="The answer is a set. "
        "If wrong entries were marked, listing all cells and removing those would give the key.",
    )
    answer_type = Neighbours
    difficulty = SubdivisionDifficulty

    def parameters_of(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        """The tree and its target; the published prompt shows the leaves as a tree."""
        return {name: row[name] for name in ("dimension", "cycle", "preorder", "target")} | {"rendering": "tree"}

    def draw(self, rng: np.random.Generator, difficulty: SubdivisionDifficulty) -> Mapping[str, Any]:
        """A tree and a target.

        Raises:
            InstanceError: axes that the dimension does not have, depths the wrong way round, or no fitting target.
        """
        axes = "xyz"[: difficulty.dimension]
        if set(difficulty.cycle) - set(axes):
            raise InstanceError(f"cycle: '{difficulty.cycle}' names an axis that is not one of {', '.join(axes)}")
        if difficulty.min_depth > difficulty.max_depth:
            raise InstanceError(f"min_depth: {difficulty.min_depth} is above max_depth, {difficulty.max_depth}")
        return _draw(rng, difficulty)

    def caption(self, instance: Instance) -> str:
        tree = tree_of(instance)
        return f"{tree.dimension}D · {tree.cycle} · {counted(len(tree.leaves), 'leaf', 'leaves')}"

    def prompt(self, instance: Instance) -> Prompt:
        return Prompt(prompt_text(tree_of(instance), instance.parameters["rendering"]))

    def empty(self, instance: Instance) -> Neighbours:
        return Neighbours(neighbors=())

    def commands(self) -> Sequence[TaskCommand]:
        from spatial_workbench.engine.tasks.half_subdivision.commands import commands

        return commands

    def sight(self, instance: Instance, answer: Neighbours, aids: Collection[Aid]) -> Scene:
        """All cells; which ones are around the target in space is a solving aid."""
        return draw(tree_of(instance), answer.neighbors, whole=True)

    @verifier("default", "1", "Boxes in whole numbers: touching on one axis, overlapping on the others")
    def _default(self, instance: Instance, answer: Neighbours, progress: Progress) -> Outcome:
        tree = tree_of(instance)
        rows = checks.run(tree, answer)
        correct = len(set(answer.neighbors) & set(tree.neighbours))
        covered = [Figure(f"{face} face covered", round(100 * share, 1), "%") for face, share in _faces(tree, answer)]
        tally = Figure("neighbours found", f"{correct}/{len(tree.neighbours)}", is_of_key=True)
        return Outcome(float(all_passed(rows)), rows, [tally, *covered])

    def _crosscheck(self, instance: Instance, answer: Neighbours, progress: Progress) -> Outcome:
        tree = tree_of(instance)
        progress(0, 1, "probing points outside the faces")
        named = sorted(answer.neighbors)
        return Outcome(float(named == list(probed_neighbours(tree))), [])

    def solve(self, instance: Instance, progress: Progress = silent) -> Neighbours:
        """All leaves compared with the target."""
        return Neighbours(neighbors=tree_of(instance).neighbours)

    def scene(self, instance: Instance, answer: Neighbours | None = None, verdict: Verdict | None = None) -> Scene:
        """The cells in the plane; in space the target with the cells around it, drawn apart."""
        return draw(tree_of(instance), answer.neighbors if answer else ())

    def thumbnail(self) -> Scene:
        """A cube of its own, with the cells around the target: a published instance would show its key."""
        instance = self.generate(1, dimension=3)
        scene = self.scene(instance, self.solve(instance))
        # The edges of the whole cube would leave a speck of the cells.
        return replace(scene, items=[item for item in scene.items if isinstance(item, Boxes)])


@lru_cache(maxsize=64)
def tree_of(instance: Instance) -> Tree:
    """The tree of an instance."""
    return Tree.of(instance.parameters)


def contact_words(tree: Tree, label: str) -> str:
    """How a leaf that is not a neighbour lies relative to the target, in a sentence that begins with its label."""
    if label in tree.around:
        return f"{label} touches the target only at an edge or a corner"
    return f"{label} does not touch the target"


def _faces(tree: Tree, answer: Neighbours) -> list[tuple[str, float]]:
    return list(tree.covered(tuple(dict.fromkeys(answer.neighbors))).items())


def _draw(rng: np.random.Generator, difficulty: SubdivisionDifficulty) -> dict[str, Any]:
    """Draws trees until one has a target with enough neighbours of several sizes."""
    axes = list("xyz"[: difficulty.dimension])
    for _ in range(MAX_DRAWS):
        cycle = difficulty.cycle or "".join(rng.permutation(axes + list(rng.choice(axes, size=rng.integers(0, 3)))))
        preorder = _grow(rng, difficulty, 0)
        if preorder.count("0") > MAX_LEAVES:
            raise InstanceError(f"max_depth: such a tree has more than {MAX_LEAVES} leaves")
        leaves = Tree(difficulty.dimension, cycle, preorder, "").leaves
        target = leaves[int(rng.integers(len(leaves)))]
        tree = Tree(difficulty.dimension, cycle, preorder, target)
        depths = {len(label) for label in tree.neighbours}
        if len(tree.neighbours) >= MIN_NEIGHBOURS and len(depths) >= 2:
            parameters = {"dimension": tree.dimension, "cycle": cycle, "preorder": preorder, "target": target}
            return parameters | {"rendering": difficulty.rendering}
    raise InstanceError(f"split_prob: no target has {MIN_NEIGHBOURS} neighbours of two depths here")


def _grow(rng: np.random.Generator, difficulty: SubdivisionDifficulty, depth: int) -> str:
    if depth >= difficulty.max_depth or (depth >= difficulty.min_depth and rng.random() >= difficulty.split_prob):
        return "0"
    return "1" + _grow(rng, difficulty, depth + 1) + _grow(rng, difficulty, depth + 1)
