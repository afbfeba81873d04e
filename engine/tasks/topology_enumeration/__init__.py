"""Topology enumeration: which corner labels force classes to meet in a square (SCBench, bucket Axiomatic, task q51).

Answer    4-tuples of labels in the instance's order of corners; names of classes do not matter
Rules     two classes meet somewhere inside, three at one point strictly inside, whatever the curves are; along a side
          the class changes at most once, and every region contains a corner
Score     1 if exactly the qualifying patterns are listed, each once, else 0

The rules in full: docs/tasks/topology_enumeration.md.

    commands    what can be done to a list of patterns by editors, agents and other programs
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from spatial_workbench.engine.core import (
    Answer,
    AnswerError,
    Bucket,
    CheckList,
    Difficulty,
    Family,
    Figure,
    Instance,
    Integer,
    LiveRule,
    NamesWhatItAsks,
    Outcome,
    Problem,
    Progress,
    Prompt,
    Scene,
    State,
    Task,
    Verdict,
    at_most,
    silent,
    verifier,
)
from spatial_workbench.engine.core.acting.commands import HasCommands, TaskCommand
from spatial_workbench.engine.core.checks import Check, all_passed
from spatial_workbench.engine.core.formats.jsontext import Path
from spatial_workbench.engine.core.scene import Item, Label
from spatial_workbench.engine.tasks.labelled_squares.corner_lists import ANY, SHORT, order_field, parse_order
from spatial_workbench.engine.tasks.labelled_squares.drawing import SIDE, draw_square, places
from spatial_workbench.engine.tasks.labelled_squares.square import (
    CASES,
    CORNERS,
    Labels,
    always_meet,
    canonical,
    forces_meeting,
    read,
    walk_of,
)

MAX_CONFIGS = 256
Pattern = Annotated[tuple[Integer, ...], Field(strict=False, min_length=4, max_length=4)]


class Configs(Answer):
    """The corner labellings that force the classes to meet."""

    configs: Annotated[tuple[Pattern, ...], at_most(MAX_CONFIGS, "configs")] = Field(
        description="4-tuples of labels 0, 1, 2, ... in the given order of corners, each pattern once"
    )

    @classmethod
    def prepare(cls, data: Any, warn: Callable[[str], None]) -> Any:
        """Refuses anything but a list of 4-tuples."""
        configs = data.get("configs") if isinstance(data, dict) else None
        if not isinstance(configs, list | tuple):
            raise AnswerError("configs: a list of 4-tuples is expected", ("configs",))
        for k, entry in enumerate(configs[:MAX_CONFIGS]):
            if isinstance(entry, list | tuple) and len(entry) != 4:
                raise AnswerError(f"configs[{k}]: 4 labels expected, got {len(entry)}", ("configs", k))
        return data

    @classmethod
    def explain(cls, path: Path, kind: str, message: str) -> str | None:
        if len(path) == 3:
            return f"configs[{path[1]}][{path[2]}]: not an integer"
        return "configs: a list of 4-tuples is expected" if len(path) == 2 else None


@dataclass(frozen=True)
class TopologyBoard:
    """The question: how many classes meet, and in which order corners are read."""

    classes: int
    order: tuple[int, ...]
    states_assumptions: bool = False

    @property
    def key(self) -> list[Labels]:
        """The qualifying patterns, canonical in reading order, sorted."""
        return self.patterns(forces_meeting)

    def patterns(self, qualifies: Callable[[Labels, int], bool]) -> list[Labels]:
        """The patterns of which this holds, canonical in reading order, sorted."""
        return sorted(canonical(read(walk, self.order)) for walk in CASES if qualifies(walk, self.classes))

    def walk(self, config: Sequence[int]) -> Labels:
        """A configuration's labels in walk order."""
        return walk_of(config, self.order)


class TopologyDifficulty(Difficulty):
    """What a new instance asks."""

    n_classes: Literal["any", 2, 3] = Field("any", description="How many classes have to meet; any: drawn")
    corner_order: str = order_field()
    states_assumptions: bool = Field(
        True, description="Whether the prompt says what the published one leaves open: sides change once, no islands"
    )


LITERAL = (
    "By the letter of the prompt this answer is right. The key also assumes that the class changes at most once along "
    "a side, and that every region contains a corner"
)
"""Warning about an answer that only the literal reading accepts."""

checks = CheckList()


@checks.step("at least one configuration")
def _some(board: TopologyBoard, key: list[Labels], answer: Configs) -> Iterator[Problem]:
    if not answer.configs:
        yield Problem("No configuration listed")


@checks.step("labels are 0 to n - 1")
def _labels(board: TopologyBoard, key: list[Labels], answer: Configs) -> Iterator[Problem]:
    used = {label for config in answer.configs for label in config}
    if used != set(range(board.classes)):
        labels = ", ".join(map(str, sorted(used)))
        yield Problem(f"Labels must be 0..{board.classes - 1} after relabelling; the answer uses {labels}")


@checks.step("no pattern twice")
def _once(board: TopologyBoard, key: list[Labels], answer: Configs) -> Iterator[Problem]:
    first: dict[Labels, int] = {}
    for k, config in enumerate(answer.configs):
        pattern = canonical(config)
        if pattern in first:
            m = first[pattern]
            yield Problem(
                f"configs[{k}] repeats configs[{m}] (both are {spell(pattern)})", [f"config {m}", f"config {k}"]
            )
        first.setdefault(pattern, k)


@checks.step("exactly the qualifying patterns")
def _equal(board: TopologyBoard, key: list[Labels], answer: Configs) -> Iterator[Problem]:
    given = [canonical(config) for config in answer.configs]
    for k, pattern in enumerate(given):
        if pattern not in key:
            yield Problem(f"Extra: {spell(pattern)}", [f"config {k}"])
    for pattern in key:
        if pattern not in given:
            yield Problem(f"Missing: {spell(pattern)}", [f"missing {spell(pattern)}"], is_omission=True)


class TopologyEnumeration(HasCommands, NamesWhatItAsks, Task[Configs]):
    """List the corner labellings of a square that force classes to meet inside."""

    title = "Topology enumeration"
    summary = "List every way to label a square's corners that forces the classes to meet inside."
    family = Family.SCBENCH
    bucket = Bucket.AXIOMATIC
    has_one_answer = True
    live = LiveRule.of_form(
        "at least one configuration",
        "no pattern twice",
        why="The answer is a subset of fifteen patterns. "
        "If wrong patterns were marked, listing all and removing those would give the key.",
    )
    answer_type = Configs
    difficulty = TopologyDifficulty

    def parameters_of(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        """The published wording does not state the assumptions."""
        return _parameters(row["n_classes"], row["corner_order"], False)

    def draw(self, rng: np.random.Generator, difficulty: TopologyDifficulty) -> Mapping[str, Any]:
        """One of 48 questions: classes and order are drawn where they are not given."""
        classes = int(rng.integers(2, 4))
        order = tuple(rng.permutation(4).tolist())
        if difficulty.n_classes != ANY:
            classes = int(difficulty.n_classes)
        if difficulty.corner_order != ANY:
            order = parse_order(difficulty.corner_order)
        return _parameters(classes, order, difficulty.states_assumptions)

    def caption(self, instance: Instance) -> str:
        board = board_of(instance)
        return f"{board.classes} classes · {' '.join(SHORT[corner] for corner in board.order)}"

    def prompt(self, instance: Instance) -> Prompt:
        """The question, with or without the assumptions that the published wording leaves open."""
        return Prompt(_prompt(board_of(instance)))

    def question_key(self, instance: Instance) -> str:
        """The question is the same with or without the assumptions."""
        board = board_of(instance)
        return f"{board.classes} classes, corners {board.order}"

    def what_is_asked(self, instance: Instance) -> Mapping[str, Any]:
        """As `question_key`: the assumptions are other words for the same question."""
        board = board_of(instance)
        return {"classes": board.classes, "corners": list(board.order)}

    def empty(self, instance: Instance) -> Configs:
        return Configs(configs=())

    def commands(self) -> Sequence[TaskCommand]:
        from spatial_workbench.engine.tasks.topology_enumeration.commands import commands

        return commands

    @verifier("default", "1", "Sides change class at most once and there are no islands, as the published key implies")
    def _default(self, instance: Instance, answer: Configs, progress: Progress) -> Outcome:
        board = board_of(instance)
        outcome = _judge(board, board.key, answer)
        is_literal = not (outcome.score or board.states_assumptions or list(_unlike_literal(board, answer)))
        return replace(outcome, warnings=[LITERAL]) if is_literal else outcome

    @verifier("published", "1", "The published comparison: as many entries as the key, its labels, equal sets")
    def _as_published(self, instance: Instance, answer: Configs, progress: Progress) -> Outcome:
        board = board_of(instance)
        given = [canonical(config) for config in answer.configs]
        same_labels = {label for config in answer.configs for label in config} == set(range(board.classes))
        equal = len(given) == len(board.key) and same_labels and sorted(given) == board.key
        problems = [] if equal else [Problem("The answer differs from the published key")]
        return Outcome(float(equal), [Check.of("equal to the published key", problems)])

    @verifier("literal", "1", "The published wording to the letter, without assumptions: curves may do anything")
    def _literal(self, instance: Instance, answer: Configs, progress: Progress) -> Outcome:
        row = Check.of("equal to the literal reading", _unlike_literal(board_of(instance), answer))
        return Outcome(float(row.state is State.PASSED), [row])

    def _crosscheck(self, instance: Instance, answer: Configs, progress: Progress) -> Outcome:
        board = board_of(instance)
        progress(0, 1, "colouring grids")
        return _judge(board, board.patterns(always_meet), answer)

    def solve(self, instance: Instance, progress: Progress = silent) -> Configs:
        """The qualifying patterns in lexicographic order."""
        return Configs(configs=tuple(board_of(instance).key))

    def scene(self, instance: Instance, answer: Configs | None = None, verdict: Verdict | None = None) -> Scene:
        """A tile for each listed configuration, and for each that the verdict misses."""
        board = board_of(instance)
        wrong = set(verdict.failed_elements) if verdict else set()
        tiles = [(f"config {k}", config) for k, config in enumerate(answer.configs if answer else ())]
        tiles += [
            (name, tuple(int(c) for c in name.split()[1])) for name in sorted(wrong) if name.startswith("missing")
        ]
        shown = tiles or [("example", (0, 0, 0, 0))]
        items: list[Item] = []
        for (name, config), place in zip(shown, places(len(shown)), strict=True):
            missing = name.startswith("missing")
            role = "failed" if name in wrong else "line"
            items += draw_square(name, place, board.walk(config), board.order, role)
            text = (
                "the order of corners"
                if name == "example"
                else f"missing {spell(config)}"
                if missing
                else spell(config)
            )
            items.append(
                Label(
                    id=f"{name} text",
                    position=(float(place[0] + SIDE / 2), float(place[1] + SIDE / 2)),
                    text=text,
                    color="failed" if name in wrong else "secondary",
                )
            )
        return Scene(items=items, flat=True, axes=("", "", ""))

    def thumbnail(self) -> Scene:
        """Patterns of its own, solved: a published instance would show its key."""
        instance = self.generate(2)
        return self.scene(instance, self.solve(instance))


def board_of(instance: Instance) -> TopologyBoard:
    """What an instance asks."""
    parameters = instance.parameters
    return TopologyBoard(parameters["n_classes"], tuple(parameters["corner_order"]), parameters["states_assumptions"])


def spell(config: Sequence[int]) -> str:
    """A configuration as one word: 0112."""
    return "".join(map(str, config))


def _read_word(name: str) -> Labels:
    """The configuration in a name such as "missing 0112"."""
    return tuple(int(letter) for letter in name.split()[1])


def _unlike_literal(board: TopologyBoard, answer: Configs) -> Iterator[Problem]:
    """How an answer differs from the literal reading of the published wording, without assumptions."""
    # A square of one class may contain an island, and a strip of one class may separate any two others.
    key = sorted([*board.key, (0, 0, 0, 0)]) if board.classes == 2 else []
    given = list(map(canonical, answer.configs))
    for k, pattern in enumerate(given):
        if pattern not in key:
            yield Problem(f"Extra: {spell(pattern)}", [f"config {k}"])
    for pattern in key:
        if pattern not in given:
            yield Problem(f"Missing: {spell(pattern)}", is_omission=True)
    for pattern, count in Counter(given).items():
        if count > 1:
            yield Problem(f"{spell(pattern)} is listed {count} times")


def _judge(board: TopologyBoard, key: list[Labels], answer: Configs) -> Outcome:
    rows = checks.run(board, key, answer)
    correct = len({canonical(config) for config in answer.configs} & set(key))
    counted = Figure("qualifying patterns found", f"{correct}/{len(key)}", is_of_key=True)
    return Outcome(float(all_passed(rows)), rows, [counted])


def _parameters(classes: int, order: Sequence[int], states_assumptions: bool) -> dict[str, Any]:
    return {"n_classes": classes, "corner_order": list(order), "states_assumptions": states_assumptions}


_ASSUMPTIONS = """
- Along a side the class changes at most once.
- There are no islands: every region of a class contains a corner."""


def _prompt(board: TopologyBoard) -> str:
    where = "somewhere inside the square" if board.classes == 2 else "at one point strictly inside the square"
    return f"""The corners of a unit square carry class labels 0, 1, 2, ...; equal labels are the same class. Inside, \
the classes are separated by arbitrary continuous curves; only the labels of the corners are seen.

Rules
- Exactly {board.classes} classes occur anywhere in or on the square.{_ASSUMPTIONS if board.states_assumptions else ""}
- A labelling of the corners is sufficient if it forces {board.classes} classes to meet {where}, whatever the curves \
are.

Write a labelling as four labels in this order of corners: {", ".join(CORNERS[corner] for corner in board.order)}.
Labels are named by first occurrence: reading from the left, the first label is 0, the next new one 1, and so on. \
Labellings that differ only in names count once.

List every sufficient labelling, each once, in any order.
Answer with JSON: {{"configs": [[0, 0, 1, 1], ...]}} (the example shows the form only).
"""
