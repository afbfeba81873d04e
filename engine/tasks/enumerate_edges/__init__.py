"""Enumerate edges: which sides of labelled squares are certain to be joined (SCBench, bucket Axiomatic, task q52).

Answer    for each square, in order, a sorted list of pairs [i, j] of side indices, i < j
Rules     a side is cut when its corners differ; where the topology inside is certain and no three classes meet, the two
          cut sides of each pair of classes are joined; elsewhere nothing is certain and the list is empty
Score     1 if every square is right, else 0

The rules in full: docs/tasks/enumerate_edges.md.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from spatial_workbench.engine.core import (
    Aid,
    Answer,
    Bucket,
    CheckList,
    Difficulty,
    Family,
    Figure,
    Instance,
    InstanceError,
    Integer,
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
from spatial_workbench.engine.core.scene import Item
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.labelled_squares.corner_lists import ANY, LabelledSquares, order_field
from spatial_workbench.engine.tasks.labelled_squares.drawing import (
    draw_interface,
    draw_side_badges,
    draw_square,
    places,
)
from spatial_workbench.engine.tasks.labelled_squares.square import (
    CASES,
    SIDES,
    Behaviour,
    Pair,
    behaviour,
    cut_sides,
    joined_by_colouring,
    joined_sides,
)

MAX_SQUARES, MAX_PAIRS = 256, 64
SHORT_SIDES = ("B", "R", "T", "L")
ALLOWED_CASES = tuple(i for i, walk in enumerate(CASES) if behaviour(walk) is not Behaviour.THREE)
"""The cases in which no three domains meet: all but 4, 10, 11 and 13."""

PairField = Annotated[tuple[Integer, ...], Field(strict=False, min_length=2, max_length=2)]
PairsField = Annotated[tuple[PairField, ...], at_most(MAX_PAIRS, "pairs")]


class Edges(Answer):
    """The joined sides of each square."""

    edges: Annotated[tuple[PairsField, ...], at_most(MAX_SQUARES, "squares")] = Field(
        description="One list a square, in order; each lists the joined sides as pairs [i, j] with i < j"
    )

    @classmethod
    def explain(cls, path: Path, kind: str, message: str) -> str | None:
        if len(path) == 2:
            return f"Square {path[1]}: {message if 'Too many' in message else 'a list of pairs is expected'}"
        if len(path) > 2:
            return f"Square {path[1]}, pair {path[2]}: two side indices expected"
        return None


@dataclass(frozen=True)
class Board:
    """The squares, and the order of the sides: side edge_order[i] has index i in the answer."""

    squares: LabelledSquares
    edge_order: tuple[int, ...]

    @property
    def keys(self) -> list[list[Pair]]:
        """The right answer of each square, in the answer's indices."""
        return [self.in_indices(joined_sides(walk)) for walk in self.squares.walks]

    def in_indices(self, pairs: Sequence[Pair]) -> list[Pair]:
        """Pairs of sides in the answer's indices, sorted."""
        index = {side: i for i, side in enumerate(self.edge_order)}
        indexed = [sorted((index[a], index[b])) for a, b in pairs]
        return sorted((a, b) for a, b in indexed)


class EdgesDifficulty(Difficulty):
    """What a new list of squares is like."""

    squares: int = Field(6, ge=1, le=12, description="How many squares")
    cases: str = Field(ANY, description="Cases of your own, such as 1 5 7; not 4, 10, 11, 13. any: drawn")
    corner_order: str = order_field()
    edge_order: str = Field(ANY, description="The sides that have the indices 0 to 3, such as B R T L; any: drawn")


checks = CheckList()


@checks.step("one list for each square")
def _count(board: Board, answer: Edges) -> Iterator[Problem]:
    expected = len(board.squares.walks)
    given = len(answer.edges)
    if expected != given:
        yield Problem(f"{counted(expected, 'square')} expected, {counted(given, 'answer')} given")


@checks.step("pairs are written as asked")
def _form(board: Board, answer: Edges) -> Iterator[Problem]:
    for k, pairs in enumerate(answer.edges):
        seen = set()
        for m, pair in enumerate(pairs):
            i, j = pair
            if not (0 <= i <= 3 and 0 <= j <= 3):
                yield _about(k, f"Square {k}, pair {m}: side index must be 0..3")
            elif i >= j:
                yield _about(k, f"Square {k}, pair {m}: write the smaller index first")
            elif pair in seen:
                yield _about(k, f"Square {k}: pair {i}-{j} is given twice")
            seen.add(pair)


@checks.step("every square is right")
def _right(board: Board, answer: Edges) -> Iterator[Problem]:
    for k, (key, pairs) in enumerate(zip(board.keys, answer.edges, strict=True)):
        given = {(pair[0], pair[1]) for pair in pairs}
        wrong = given - set(key)
        missing = set(key) - given
        if wrong:
            yield _about(k, f"Square {k}: {_names(wrong)} not certain to be joined")
        if missing:
            yield _about(k, f"Square {k}: {_names(missing)} missing", is_omission=True)


class EnumerateEdges(HasCommands, Task[Edges]):
    """List the sides of labelled squares that are certain to be joined by an interface."""

    title = "Enumerate edges"
    summary = "List which sides of squares with labelled corners are certain to be joined inside."
    family = Family.SCBENCH
    bucket = Bucket.AXIOMATIC
    has_one_answer = True
    live = LiveRule.of_form(
        "one list for each square",
        "pairs are written as asked",
        why="A square has six pairs of sides. "
        "If wrong pairs were marked, joining all and removing those would give the key.",
    )
    answer_type = Edges
    difficulty = EdgesDifficulty

    def parameters_of(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        return {name: row[name] for name in ("corner_order", "edge_order", "squares")}

    def draw(self, rng: np.random.Generator, difficulty: EdgesDifficulty) -> Mapping[str, Any]:
        """Squares, orders and names. Raises InstanceError for cases where three domains meet."""
        cases = _parse_cases(difficulty.cases) if difficulty.cases != ANY else list(ALLOWED_CASES)
        count = len(cases) if difficulty.cases != ANY else difficulty.squares
        squares = LabelledSquares.drawn(rng, [CASES[case] for case in cases], count, difficulty.corner_order)
        edges = (
            parse_edges(difficulty.edge_order) if difficulty.edge_order != ANY else tuple(rng.permutation(4).tolist())
        )
        return squares.parameters | {"edge_order": list(edges)}

    def caption(self, instance: Instance) -> str:
        board = board_of(instance)
        sides = " ".join(SHORT_SIDES[side] for side in board.edge_order)
        return f"{counted(len(board.squares.walks), 'square')} · {board.squares.order_text} · {sides}"

    def prompt(self, instance: Instance) -> Prompt:
        return Prompt(_prompt(board_of(instance)))

    def empty(self, instance: Instance) -> Edges:
        return Edges(edges=((),) * len(board_of(instance).squares.walks))

    def commands(self) -> Sequence[TaskCommand]:
        from spatial_workbench.engine.tasks.enumerate_edges.commands import commands

        return commands

    def state(self, instance: Instance, answer: Edges) -> Any:
        """The squares with their pairs of joined sides."""
        return {"squares": [{"id": k, "pairs": [list(pair) for pair in pairs]} for k, pairs in enumerate(answer.edges)]}

    def sight(self, instance: Instance, answer: Edges, aids: Collection[Aid]) -> Scene:
        """The squares with the joined sides; which sides are cut is marked for who may have judgements."""
        return _drawn(board_of(instance), answer, frozenset(), marks_cut=Aid.JUDGING in aids)

    @verifier("default", "1", "The closed form: every pair of classes that cuts exactly two sides joins them")
    def _default(self, instance: Instance, answer: Edges, progress: Progress) -> Outcome:
        board = board_of(instance)
        rows = checks.run(board, answer)
        given = [sorted((pair[0], pair[1]) for pair in pairs) for pairs in answer.edges]
        right = sum(key == pairs for key, pairs in zip(board.keys, given, strict=False))
        return Outcome(
            float(all_passed(rows)), rows, [Figure("right squares", f"{right}/{len(board.keys)}", is_of_key=True)]
        )

    def _crosscheck(self, instance: Instance, answer: Edges, progress: Progress) -> Outcome:
        board = board_of(instance)
        edges = []
        for i, walk in enumerate(board.squares.walks):
            progress(i, len(board.squares.walks), "colouring grids")
            edges.append(board.in_indices(joined_by_colouring(walk)))
        given = [sorted(map(tuple, pairs)) for pairs in answer.edges]
        return Outcome(float(edges == given), [])

    def solve(self, instance: Instance, progress: Progress = silent) -> Edges:
        """The closed form."""
        return Edges(edges=tuple(tuple(pairs) for pairs in board_of(instance).keys))

    def scene(self, instance: Instance, answer: Edges | None = None, verdict: Verdict | None = None) -> Scene:
        """The squares with the joined sides drawn as curves; wrong ones outlined."""
        wrong = verdict.failed_elements if verdict else ()
        return _drawn(board_of(instance), answer, frozenset(wrong), marks_cut=True)

    def thumbnail(self) -> Scene:
        """Squares of its own, solved: a published instance would show its key."""
        instance = self.generate(2)
        return self.scene(instance, self.solve(instance))


def _drawn(board: Board, answer: Edges | None, wrong: frozenset[str], marks_cut: bool) -> Scene:
    """The squares, their sides' indices, and what the answer joins."""
    edges = answer.edges if answer else ()
    items: list[Item] = []
    for k, (place, walk) in enumerate(zip(places(len(board.squares.walks)), board.squares.walks, strict=True)):
        name = f"square {k}"
        role = "failed" if name in wrong else "line"
        items += draw_square(name, place, walk, board.squares.order, role)
        cut = [side for side, _ in cut_sides(walk)] if marks_cut else range(4)
        items += draw_side_badges(name, place, board.edge_order, cut)
        for pair in dict.fromkeys(edges[k] if k < len(edges) else ()):
            if all(0 <= side <= 3 for side in pair) and pair[0] != pair[1]:
                ends = board.edge_order[pair[0]], board.edge_order[pair[1]]
                items.append(draw_interface(f"{name} pair {pair[0]}-{pair[1]}", place, ends, _curve_role(role)))
    return Scene(items=items, flat=True, axes=("", "", ""))


def board_of(instance: Instance) -> Board:
    """The squares and the order of the sides that an instance shows."""
    parameters = instance.parameters
    return Board(LabelledSquares.of(parameters), tuple(parameters["edge_order"]))


def parse_edges(text: str) -> tuple[int, ...]:
    """The order of the sides in a text such as "B R T L".

    Raises:
        InstanceError: It is not a permutation of the sides.
    """
    words = text.upper().replace(",", " ").split()
    if sorted(words) != sorted(SHORT_SIDES):
        raise InstanceError(f"edge_order: '{text}' does not name each of B, R, T, L once")
    return tuple(SHORT_SIDES.index(word) for word in words)


def _parse_cases(text: str) -> list[int]:
    words = text.replace(",", " ").split()
    if not words or not all(word.isdigit() and int(word) < len(CASES) for word in words):
        raise InstanceError(f"cases: '{text}' is not a list of cases from 0 to {len(CASES) - 1}")
    for case in map(int, words):
        if case not in ALLOWED_CASES:
            raise InstanceError(f"cases: in case {case} three domains meet; no side is joined to one other side")
    return [int(word) for word in words]


def _about(square: int, sentence: str, is_omission: bool = False) -> Problem:
    return Problem(sentence, [f"square {square}"], is_omission=is_omission)


def _names(pairs: set[Pair]) -> str:
    words = ", ".join(f"{i}-{j}" for i, j in sorted(pairs))
    return f"pairs {words} are" if len(pairs) > 1 else f"pair {words} is"


def _curve_role(role: str) -> str:
    return "failed" if role == "failed" else "text"


def _prompt(board: Board) -> str:
    sides = ", ".join(f"{i} {SIDES[side]}" for i, side in enumerate(board.edge_order))
    return f"""You are shown {len(board.squares.walks)} squares. The corners of each carry class labels; equal numbers \
are the same class. Inside a square the classes meet along continuous curves, the interfaces. Only the corners are \
known.

Rules
- Along a side the class changes at most once, so an interface cuts a side exactly when its two corners differ.
- There are no islands: every region of a class contains a corner.
- No four classes meet at one point.
- Of all interiors that agree with the corners, those with the fewest points where three classes meet count.

A square is written as its four labels in this order of corners: {board.squares.order_words}.
The sides have these indices: {sides}.

Squares
{board.squares.squares_text}

For each square, in the same order, list the sides that an interface is certain to join, as pairs [i, j] of side \
indices with i < j. Where nothing is certain, because several topologies are possible or no side is cut, give an empty \
list.

Answer with JSON: {{"edges": [[[0, 1]], [], ...]}}, one list a square.
"""
