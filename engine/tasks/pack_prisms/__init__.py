"""Pack rectangular prisms: place a given set of boxes in the smallest box around them (SCBench B.11, Constructive).

Answer    for every box its lowest and highest corner, whole numbers
Score     volume of the boxes / volume of their bounding box; where no perfect packing exists 0.95 of it is full marks

The rules in full: docs/tasks/pack_prisms.md.

    commands     what can be done to a packing by editors, agents and other programs
    drawing      packings as scenes
    editing      moves of an editor on packings: orientations, snapping, dropping, turning a group
    generator    new orders: a box cut into lattices if a perfect packing is required, else random sizes and a search
    kernels      compiled loops of the container search
    packing      a packing in numbers: the required boxes, and measurements of placed ones
    search       packings by search: a random shaft, boxes from large to small at its corners, the best of many tries
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from spatial_workbench.engine.core import (
    Answer,
    AnswerPart,
    Body,
    Bucket,
    CannotRepresent,
    CheckList,
    Family,
    Figure,
    Instance,
    LiveRule,
    MakesFilm,
    Outcome,
    Problem,
    Progress,
    Prompt,
    ReadsBodies,
    Scene,
    Task,
    Verdict,
    WholeNumber,
    at_most,
    silent,
    verifier,
)
from spatial_workbench.engine.core.acting.commands import HasCommands, TaskCommand
from spatial_workbench.engine.core.checks import all_passed
from spatial_workbench.engine.core.formats.jsontext import Path
from spatial_workbench.engine.core.words import counted, score_words
from spatial_workbench.engine.tasks.pack_prisms.drawing import draw_joining, draw_packing
from spatial_workbench.engine.tasks.pack_prisms.generator import PackingDifficulty, draw_order
from spatial_workbench.engine.tasks.pack_prisms.packing import (
    Ints,
    PackingOrder,
    bounding_box,
    occupancy,
    overlapping_pairs,
    size_key,
)

MAX_BOXES = 1000
FARTHEST = 1_000_000
PUBLISHED_FULL_MARKS = 0.95
Corner = Annotated[
    tuple[Annotated[WholeNumber, Field(ge=-FARTHEST, le=FARTHEST)], ...],
    Field(strict=False, min_length=3, max_length=3),
]


class PlacedBox(AnswerPart):
    """Where a box lies."""

    XyzMin: Corner = Field(description="lowest corner: x, y, z")
    XyzMax: Corner = Field(description="highest corner: x, y, z")


class Packing(Answer):
    """Every box in its place."""

    boxes: Annotated[tuple[PlacedBox, ...], at_most(MAX_BOXES, "boxes")] = Field(
        description="one entry a box, any order"
    )

    @classmethod
    def of(cls, low: Ints, high: Ints) -> Packing:
        """An answer from corners (n, 3) each."""
        pairs = zip(low.tolist(), high.tolist(), strict=True)
        return cls(boxes=tuple(PlacedBox(XyzMin=tuple(a), XyzMax=tuple(b)) for a, b in pairs))

    @property
    def corners(self) -> tuple[Ints, Ints]:
        """Lowest and highest corners, (n, 3) each."""
        both = np.array([(box.XyzMin, box.XyzMax) for box in self.boxes], np.int64).reshape(-1, 2, 3)
        return both[:, 0], both[:, 1]

    @classmethod
    def prepare(cls, data: Any, warn: Callable[[str], None]) -> Any:
        """The answer with the most boxes counts if a list holds several."""
        if isinstance(data, list) and data and all(isinstance(container, dict) for container in data):
            sizes = [len(container["boxes"]) if isinstance(container.get("boxes"), list) else -1 for container in data]
            if max(sizes) >= 0:
                warn(f"{counted(len(data), 'answer was', 'answers were')} given; the one with most boxes counts")
                return data[sizes.index(max(sizes))]
        return data

    @classmethod
    def explain(cls, path: Path, kind: str, message: str) -> str | None:
        if len(path) >= 3 and kind != "missing":
            return f"boxes[{path[1]}].{path[2]}: three whole numbers up to ±{FARTHEST} expected"
        return None


checks = CheckList()


@checks.step("every box has a volume")
def _solid(order: PackingOrder, low: Ints, high: Ints) -> Iterator[Problem]:
    for i in np.flatnonzero((low >= high).any(axis=1)):
        axis = int(np.argmax(low[i] >= high[i]))
        ends = f"{low[i, axis]} to {high[i, axis]}"
        yield Problem(f"Box {i}: XyzMin is not below XyzMax in {'xyz'[axis]} ({ends})", [f"box {i}"])


@checks.step("exactly the boxes that are wanted")
def _multiset(order: PackingOrder, low: Ints, high: Ints) -> Iterator[Problem]:
    keys = size_key(low, high)
    given = Counter(keys)
    for size in sorted({*order.needed, *given}):
        needed = order.needed[size]
        count = given[size]
        if needed != count:
            which = [f"box {i}" for i, key in enumerate(keys) if key == size]
            yield Problem(f"{counted(count, 'box', 'boxes')} of {'×'.join(map(str, size))}, {needed} are wanted", which)


@checks.step("no two boxes overlap")
def _apart(order: PackingOrder, low: Ints, high: Ints) -> Iterator[Problem]:
    for i, j in overlapping_pairs(low, high):
        shared = np.minimum(high[i], high[j]) - np.maximum(low[i], low[j])
        size = "×".join(map(str, shared))
        yield Problem(f"Boxes {i} and {j} overlap by {size}", [f"box {i}", f"box {j}"])


class PackPrisms(HasCommands, MakesFilm, ReadsBodies, Task[Packing]):
    """Pack boxes into the smallest box."""

    id = "pack_prisms"
    title = "Pack rectangular prisms"
    summary = "Pack a given set of boxes so that the box around them is as small as possible."
    family = Family.SCBENCH
    bucket = Bucket.CONSTRUCTIVE
    live = LiveRule.faults(
        "The drawing shows overlaps and walls. "
        "A box without overlap may still be in the way of the best packing, and no check shows that."
    )
    answer_type = Packing
    hidden = frozenset({"best", "packing"})
    difficulty = PackingDifficulty

    def parameters_of(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        return {name: row[name] for name in ("classes", "perfect", "best")}

    def draw(self, rng: np.random.Generator, difficulty: PackingDifficulty) -> Mapping[str, Any]:
        """Other boxes, with a packing that has the efficiency to compare with."""
        return draw_order(rng, difficulty)

    def caption(self, instance: Instance) -> str:
        order = PackingOrder.of(instance.parameters)
        return f"{counted(order.boxes, 'box', 'boxes')} · {counted(len(order.classes), 'size')}"

    def prompt(self, instance: Instance) -> Prompt:
        return Prompt(_prompt(PackingOrder.of(instance.parameters)))

    def empty(self, instance: Instance) -> Packing:
        return Packing(boxes=())

    def commands(self) -> Sequence[TaskCommand]:
        from spatial_workbench.engine.tasks.pack_prisms.commands import commands

        return commands

    def put_in_place(self, answer: Packing) -> Packing:
        """Moved to the origin, as the prompt asks; what else the answer holds stays."""
        low, high = answer.corners
        if not len(low) or not low.min(axis=0).any():
            return answer
        corner = low.min(axis=0)
        return answer.model_copy(update={"boxes": Packing.of(low - corner, high - corner).boxes})

    @verifier("default", "1", "The rules; the bounding box is that of the placed boxes")
    def _default(self, instance: Instance, answer: Packing, progress: Progress) -> Outcome:
        order = PackingOrder.of(instance.parameters)
        low, high = answer.corners
        rows = checks.run(order, low, high)
        return _outcome(order, low, high, rows)

    @verifier("published", "1", "Volumes and counts, no negative corner, the box from the origin, 0.95 for subtask 2")
    def _published(self, instance: Instance, answer: Packing, progress: Progress) -> Outcome:
        order = PackingOrder.of(instance.parameters)
        low, high = answer.corners
        rows = published_checks.run(order, low, high)
        if not all_passed(rows):
            return Outcome.failed(rows)
        efficiency = order.volume / max(1, int(np.prod([int(side) for side in high.max(axis=0)])))
        is_strict = order.perfect and instance.number != 2
        score = efficiency if is_strict else min(1.0, efficiency / PUBLISHED_FULL_MARKS)
        cost = f"The boxes fill {score_words(efficiency)} of the box from the origin to their farthest corner"
        return Outcome(score, rows, [Figure("efficiency from the origin", round(efficiency, 6))], cost=cost)

    def _crosscheck(self, instance: Instance, answer: Packing, progress: Progress) -> Outcome:
        order = PackingOrder.of(instance.parameters)
        low, high = answer.corners
        needed = sorted(sorted(box_class.sides) for box_class in order.classes for _ in range(box_class.count))
        given = sorted(sorted(row) for row in (high - low).tolist())
        if needed != given:
            return Outcome.failed([])
        count, lines = occupancy(low, high)
        progress(1, 2, "adding up cells")
        cells = np.einsum("i,j,k->ijk", *(np.diff(line).astype(float) for line in lines))
        whole = int(np.prod([int(line[-1] - line[0]) for line in lines]))
        if count.max(initial=0) > 1 or round(float(cells[count > 0].sum())) != order.volume:
            return Outcome.failed([])
        efficiency = order.volume / whole
        figures = [Figure("efficiency", round(efficiency, 6))]
        return Outcome(order.score(efficiency), [], figures, cost=_cost(efficiency))

    def solve(self, instance: Instance, progress: Progress = silent) -> Packing:
        """The best known packing."""
        if instance.number is not None:
            corners = self.published_rows()[instance.number]["packing"]
        else:
            corners = instance.parameters["packing"]
        both = np.array(corners, np.int64).reshape(-1, 2, 3)
        return Packing.of(both[:, 0], both[:, 1])

    def bodies(self, instance: Instance, answer: Packing) -> Sequence[Body]:
        low, high = answer.corners
        pairs = zip(low, high, strict=True)
        return [
            Body.box(f"box {i}", a.astype(float), b.astype(float)) for i, (a, b) in enumerate(pairs) if (a < b).all()
        ]

    def from_bodies(self, instance: Instance, bodies: Sequence[Body]) -> Packing:
        """A box for every body. Raises CannotRepresent for anything but boxes with whole-number corners."""
        corners = [_corners_of(body) for body in bodies]
        if len(corners) > MAX_BOXES:
            raise CannotRepresent(
                f"The file holds {counted(len(corners), 'box', 'boxes')}; at most {MAX_BOXES} are allowed"
            )
        both = np.array(corners, np.int64)
        return Packing.of(both[:, 0], both[:, 1])

    def scene(self, instance: Instance, answer: Packing | None = None, verdict: Verdict | None = None) -> Scene:
        order = PackingOrder.of(instance.parameters)
        low, high = answer.corners if answer else (np.zeros((0, 3), np.int64),) * 2
        return draw_packing(order, low, high)

    def film(self, instance: Instance, answer: Packing, progress: Progress = silent) -> Scene:
        """The boxes coming together from all sides."""
        return draw_joining(PackingOrder.of(instance.parameters), *answer.corners)

    def thumbnail(self) -> Scene:
        instance = self.instances()[5]
        return self.scene(instance, self.solve(instance))


published_checks = CheckList()


@published_checks.step("volumes add up")
def _published_volume(order: PackingOrder, low: Ints, high: Ints) -> Iterator[Problem]:
    total = sum(int(a) * int(b) * int(c) for a, b, c in high - low)
    if total != order.volume:
        yield Problem(f"The boxes have a volume of {total}, {order.volume} is wanted")


@published_checks.step("the count of each size")
def _published_counts(order: PackingOrder, low: Ints, high: Ints) -> Iterator[Problem]:
    given = Counter(size_key(low, high))
    for size, count in order.needed.items():
        if given[size] != count:
            yield Problem(f"{counted(given[size], 'box', 'boxes')} of {'×'.join(map(str, size))}, {count} are wanted")


published_checks.step("no two boxes overlap")(_apart)


@published_checks.step("no negative coordinate")
def _published_negative(order: PackingOrder, low: Ints, high: Ints) -> Iterator[Problem]:
    for i in np.flatnonzero((low < 0).any(axis=1)):
        yield Problem(f"Box {i} has a negative coordinate", [f"box {i}"])


def _outcome(order: PackingOrder, low: Ints, high: Ints, rows: list[Any]) -> Outcome:
    figures = [Figure("boxes", f"{len(low)}/{order.boxes}"), Figure("best known efficiency", order.best)]
    warnings = []
    if len(low) and (low < 0).any():
        warnings.append("There are negative coordinates; the published verifier gives 0 for them")
    if len(low):
        first, last, volume = bounding_box(low, high)
        sides = "×".join(str(b - a) for a, b in zip(first, last, strict=True))
        figures.append(Figure("box around them", sides))
    if not all_passed(rows):
        return Outcome.failed(rows, figures=figures, warnings=warnings)
    efficiency = order.volume / volume
    figures.append(Figure("efficiency", round(efficiency, 6)))
    if order.perfect and efficiency < 1:
        figures.append(Figure("score by the published rule", round(min(1.0, efficiency / PUBLISHED_FULL_MARKS), 6)))
    return Outcome(order.score(efficiency), rows, figures, warnings, cost=_cost(efficiency))


def _cost(efficiency: float) -> str:
    return f"The boxes fill {score_words(efficiency)} of the box around them"


def _corners_of(body: Body) -> Ints:
    """Lowest and highest corner, (2, 3), of a body that is a box."""
    ends = np.array([body.vertices.min(axis=0), body.vertices.max(axis=0)])
    whole = np.round(ends)
    at_corner = np.isclose(body.vertices[:, None, :], ends[None], atol=1e-4).any(axis=1).all(axis=1)
    if not at_corner.all() or len(body.vertices) > 8:
        hint = "; in STL boxes that touch run into each other: use OBJ, 3MF or glTF" if len(body.vertices) > 8 else ""
        raise CannotRepresent(f"“{body.name}” is not a box with its sides along the axes{hint}")
    if np.abs(ends - whole).max() > 1e-3 or np.abs(whole).max() > FARTHEST:
        raise CannotRepresent(f"“{body.name}” has corners that are not whole numbers")
    return whole.astype(np.int64)


def _prompt(order: PackingOrder) -> str:
    lines = "\n".join(f"- {box_class.count} of {' x '.join(map(str, box_class.sides))}" for box_class in order.classes)
    scale = (
        "The score is this ratio; a packing without any gap exists."
        if order.perfect
        else "A packing without any gap does not exist; a ratio of 0.95 gets the full score, and less in proportion."
    )
    return f"""Pack these {order.boxes} boxes (number of boxes, and their side lengths):
{lines}

Place all of them so that the box around them, with sides along the axes, is as small as possible.
- Each box lies with its sides along the axes; it may be turned by right angles in any way.
- Boxes do not overlap; they may touch.
- Every box of the list is placed exactly once; a packing that lacks a box, or has another one, scores 0.
- Corners are whole numbers; begin at 0 and use no negative ones.

What counts is the volume of the boxes, {order.volume}, divided by the volume of the box around them. {scale}

Answer with JSON: for each box its lowest and its highest corner, in any order:
{{"boxes": [{{"XyzMin": [0, 0, 0], "XyzMax": [5, 3, 2]}}, ...]}} (the example shows the form only).
"""
