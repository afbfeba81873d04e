"""Polynomial fit: a polynomial that is positive exactly on the marked cells of a grid (SCBench, Constructive, q08).

Answer    the text of a Python function f(x, y) that returns one arithmetic expression
Rules     cell (x, y) counts as marked if f(x, y) > 0; f is a polynomial within limits; it is read, never executed
Score     share of right cells to the fourth power; 0 below a share of 0.75, or if all cells come out alike

The rules in full: docs/tasks/polynomial_fit.md.

    algebra    kinds of numbers for evaluating a formula: arrays with error bounds, sizes, polynomials
    commands   what can be done to a formula by editors, agents and other programs
    cells      the cells of a grid where a formula is positive, exactly as Python would compute it, but fast
    contour    the lines on which a sampled function is zero
    drawing    the target's cells, what a formula gets wrong, and where it is zero
    editing    what building a formula by hand needs: blocks, strokes, rounding, and quick values of coefficients
    field      grids: smooth random fields cut at a threshold
    fitting    finding polynomials for a grid: least squares, and exact separation by linear programmes
    formula    the text of f(x, y), read as a syntax tree under limits and never executed
    prompt     what a solver is told: the grid as text or as a picture, the sign rule and the language of formulas
"""

import json
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import repeat
from typing import Any

import numpy as np
from pydantic import Field

from spatial_workbench.engine.core import (
    Aid,
    Bucket,
    CheckList,
    Family,
    Figure,
    Instance,
    InstanceError,
    LiveRule,
    Outcome,
    Problem,
    Progress,
    Prompt,
    ReasonedAnswer,
    Scene,
    Task,
    Verdict,
    silent,
    verifier,
)
from spatial_workbench.engine.core.acting.commands import HasCommands, TaskCommand
from spatial_workbench.engine.core.checks import MAX_PROBLEMS, Check, all_passed
from spatial_workbench.engine.core.contract import Difficulty
from spatial_workbench.engine.core.formats.jsontext import Path
from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.core.shipped import resource
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.polynomial_fit import fitting, formula
from spatial_workbench.engine.tasks.polynomial_fit.algebra import TooLong, expanded
from spatial_workbench.engine.tasks.polynomial_fit.cells import (
    QUICK_WORK,
    Mask,
    TooSlow,
    Values,
    evaluate,
    exact_signs,
    sampled,
)
from spatial_workbench.engine.tasks.polynomial_fit.drawing import cell_id, draw, sample_places
from spatial_workbench.engine.tasks.polynomial_fit.field import grid
from spatial_workbench.engine.tasks.polynomial_fit.formula import Formula, FormulaError, formula_of
from spatial_workbench.engine.tasks.polynomial_fit.prompt import grid_text, prompt_of

MIN_SHARE = 0.75
"""Below this share of right cells the score is 0."""
TOO_SLOW = "Evaluation too slow"
POSITIVE = marked("positive")
SIGNATURE = marked("it begins def f(x, y):")
_LISTED_ERRORS = 3
_MEASURED_PRODUCTS = 50_000
"""How many products it may take to multiply a formula out for the figures."""
_FENCE = re.compile(r"\s*```[a-zA-Z]*[ \t]*\n(.*?)\n?[ \t]*```\s*", re.DOTALL)


class Function(ReasonedAnswer):
    """The function, as text."""

    function: str = Field(
        max_length=formula.MAX_TEXT_CHARS, description="The definition, starting with 'def f(x,y):', in one return"
    )

    @classmethod
    def prepare(cls, data: Any, warn: Callable[[str], None]) -> Any:
        """Removes one code fence, and unescapes line feeds."""
        text = data.get("function") if isinstance(data, dict) else None
        if not isinstance(text, str) or len(text) > formula.MAX_TEXT_CHARS:
            return data
        if "\\n" in text:
            warn("Escaped line feeds in the function were turned into line feeds")
            text = text.replace("\\n", "\n")
        fenced = _FENCE.fullmatch(text)
        if fenced:
            warn("A code fence around the function was taken off")
            text = fenced.group(1)
        return {**data, "function": text.strip()}

    @classmethod
    def explain(cls, path: Path, kind: str, message: str) -> str | None:
        if path != ("function",):
            return None
        if kind == "string_too_long":
            return f"function: more than {formula.MAX_TEXT_CHARS} characters"
        return "No function provided"


class FieldDifficulty(Difficulty):
    """What a new grid is like: more waves and fewer smoothing passes need higher degrees."""

    size: int = Field(24, ge=4, le=128, description="Cells along a side; above 40 the grid is shown as a picture")
    fill: float = Field(0.45, ge=0.2, le=0.8, description="Share of the cells that are marked")
    frequency_limit: int = Field(2, ge=1, le=3, description="How many periods of a wave fit the grid at most")
    blobs: int = Field(0, ge=0, le=24, description="Hills of the field; 0: by the size")
    waves: int = Field(0, ge=0, le=16, description="Waves on the field; 0: by the size")
    smoothing_passes: int = Field(0, ge=0, le=20, description="How often the field is smoothed; 0: by the size")
    max_degree: int = Field(fitting.MAX_DEGREE, ge=1, le=fitting.MAX_DEGREE, description="Largest degree it may need")


@dataclass(frozen=True, eq=False)
class FitAttempt:
    """A formula's values beside the target."""

    target: Mask
    values: Values

    @property
    def right(self) -> Mask:
        """Which cells (y, x) are on their side; those without a value are not."""
        right: Mask = self.values.marked == self.target
        for x, y in self.values.errors:
            right[y, x] = False
        return right

    @property
    def share(self) -> float:
        """The share of right cells."""
        return float(self.right.mean())


form = CheckList()
"""The checks of the text; after the first that fails, the rest are not reached."""


def _refusals(read: Callable[[str], object], text: str) -> Iterator[Problem]:
    try:
        read(text)
    except FormulaError as error:
        yield Problem(str(error))


@form.step("a function is given")
def _given(text: str) -> Iterator[Problem]:
    if not text.strip():
        yield Problem("No function provided")


@form.step("no foreign letters")
def _letters(text: str) -> Iterator[Problem]:
    yield from _refusals(formula.check_letters, text)


@form.step(SIGNATURE)
def _signature(text: str) -> Iterator[Problem]:
    yield from _refusals(formula.check_signature, text)


@form.step("it returns something of x and y")
def _returns(text: str) -> Iterator[Problem]:
    yield from _refusals(formula.check_return, text)


@form.step("only numbers, x, y and + - * / **")
def _arithmetic(text: str) -> Iterator[Problem]:
    yield from _refusals(formula.expression_of, text)


@form.step("a polynomial within the limits")
def _polynomial(text: str) -> Iterator[Problem]:
    yield from _refusals(formula_of, text)


result = CheckList()
"""The checks of the values; all are reported."""


@result.step("a value in every cell")
def _valued(attempt: FitAttempt) -> Iterator[Problem]:
    errors = sorted(attempt.values.errors.items(), key=lambda item: item[0][::-1])
    for (x, y), reason in errors[:_LISTED_ERRORS]:
        yield Problem(f"f({x}, {y}) has no value: {reason}", [cell_id(x, y)])
    if len(errors) > _LISTED_ERRORS:
        yield Problem(f"{len(errors) - _LISTED_ERRORS} more cells have no value")


@result.step("both kinds of cells occur")
def _mixed(attempt: FitAttempt) -> Iterator[Problem]:
    if attempt.values.marked.all():
        yield Problem("f is positive in all cells")
    elif not attempt.values.marked.any():
        yield Problem("f is positive in no cell")


@result.step("every cell on its side")
def _sides(attempt: FitAttempt) -> Iterator[Problem]:
    wrong = np.argwhere(~attempt.right)
    near = np.argsort(np.abs(attempt.values.values[tuple(wrong.T)]), kind="stable")
    for y, x in wrong[near[:MAX_PROBLEMS]].tolist():
        how = POSITIVE if attempt.values.marked[y, x] else "not positive"
        yield Problem(f"f({x}, {y}) = {attempt.values.values[y, x]:.4g} is {how}", [cell_id(x, y)])
    # The others are only counted.
    yield from repeat(Problem("another cell"), max(0, len(wrong) - MAX_PROBLEMS))


class PolynomialFit(HasCommands, Task[Function]):
    """Find a polynomial whose sign tells the two kinds of cells of a grid apart."""

    id = "polynomial_fit"
    title = "Polynomial fit"
    summary = "Write a polynomial that is positive exactly on the marked cells of a grid."
    family = Family.SCBENCH
    bucket = Bucket.CONSTRUCTIVE
    live = LiveRule.faults(
        "The answer is a formula, which has no entries to try one by one. "
        "A wrong cell does not tell which term to change."
    )
    answer_type = Function
    difficulty = FieldDifficulty

    def instances(self) -> Sequence[Instance]:
        return _published()

    def generate(self, seed: int, **difficulty: Any) -> Instance:
        """A grid from the published generator; its lowest separating degree is worked out and kept.

        Raises:
            InstanceError: no polynomial of the largest degree separates it.
        """
        field: FieldDifficulty = self.difficulty_of(difficulty)
        n = field.size
        parameters = field.model_dump(exclude={"max_degree"}) | {
            "seed": seed,
            "blobs": field.blobs or max(3, n // 12),
            "waves": field.waves or max(1, n // 16),
            "smoothing_passes": field.smoothing_passes or max(2, n // 12),
        }
        coefficients = fitting.lowest_separation(_grid(json.dumps(parameters)), field.max_degree)
        if coefficients is None:
            raise InstanceError(f"max_degree: no polynomial of degree {field.max_degree} separates the grid of {seed}")
        parameters |= {"degree": len(coefficients) - 1, "label": "Generated"}
        return Instance.generated(self.id, seed, parameters, field.model_dump(exclude_defaults=True))

    def caption(self, instance: Instance) -> str:
        n = instance.parameters["size"]
        return f"{instance.parameters['label']} · {n} × {n}"

    def prompt(self, instance: Instance) -> Prompt:
        """The grid and the rules; grids above 40 cells as a picture."""
        return prompt_of(target_of(instance))

    def empty(self, instance: Instance) -> Function:
        return Function(function="")

    def commands(self) -> Sequence[TaskCommand]:
        from spatial_workbench.engine.tasks.polynomial_fit.commands import commands

        return commands

    def sight(self, instance: Instance, answer: Function, aids: Collection[Aid]) -> Scene:
        """The target with the formula's zero line; what it misses and adds is marked for who may have judgements."""
        return self._drawn(instance, answer, marks_cells=Aid.JUDGING in aids)

    @verifier("default", "1", "The text as a syntax tree, worked out with Python's numbers")
    def _default(self, instance: Instance, answer: Function, progress: Progress) -> Outcome:
        rows = form.run(answer.function)
        if not all_passed(rows):
            return Outcome.failed([*rows, *map(Check.not_reached, result.names)])
        outcome = _judged(rows, target_of(instance), formula_of(answer.function), progress)
        return replace(outcome, figures=[*outcome.figures, *_measured(answer.function)])

    @verifier("published", "1", "The published filters, which let divisions by x and powers like x**y pass")
    def _as_published(self, instance: Instance, answer: Function, progress: Progress) -> Outcome:
        rows = [*form.run(answer.function)[:3], Check.of("'return ' and then x and y", _published_return(answer))]
        if all_passed(rows):
            rows.append(Check.of("it can be worked out", _refusals(_as_executed, answer.function)))
        if not all_passed(rows):
            return Outcome.failed(rows)
        return _judged(rows, target_of(instance), _as_executed(answer.function), progress)

    def _crosscheck(self, instance: Instance, answer: Function, progress: Progress) -> Outcome:
        if not all_passed(form.run(answer.function)):
            return Outcome.failed([])
        target = target_of(instance)
        try:
            marked = exact_signs(formula_of(answer.function), len(target), progress)
        except TooSlow:
            return Outcome.failed([])
        share = float((marked == target).mean())
        return Outcome(score_of(share) if marked.any() and not marked.all() else 0.0, [])

    def solve(self, instance: Instance, progress: Progress = silent) -> Function:
        """A separation of the lowest degree, by linear programmes."""
        return Function(function=_solved(instance))

    def scene(self, instance: Instance, answer: Function | None = None, verdict: Verdict | None = None) -> Scene:
        """The target, with the formula's zero line, the cells it misses and those it adds."""
        return self._drawn(instance, answer, marks_cells=True)

    def _drawn(self, instance: Instance, answer: Function | None, marks_cells: bool) -> Scene:
        target = target_of(instance)
        try:
            read = formula_of(answer.function) if answer and answer.function else None
            marked = values_of(answer.function, len(target)).marked if answer and read else None
        except (FormulaError, TooSlow):
            return draw(target)
        places = sample_places(len(target))
        return draw(target, marked if marks_cells else None, (sampled(read, places), places) if read else None)

    def thumbnail(self) -> Scene:
        instance = self.instances()[5]
        return self.scene(instance, self.solve(instance))


def score_of(share: float) -> float:
    """The score for a share of right cells."""
    return share**4 if share >= MIN_SHARE else 0.0


def target_of(instance: Instance) -> Mask:
    """The marked cells (y, x) of an instance; not to be changed."""
    return _grid(instance.parameters_json)


def values_of(text: str, size: int, progress: Progress = silent) -> Values:
    """The values of a formula on a grid.

    Raises:
        FormulaError: the text is not a formula.
        TooSlow: it takes too long.
    """
    return evaluate(formula_of(text), size, progress)


@lru_cache(maxsize=64)
def quick_values_of(text: str, size: int) -> Values:
    """The values of a formula on a grid, if they can be computed without noticeable delay.

    Raises:
        FormulaError: the text is not a formula.
        TooSlow: they take longer.
    """
    return evaluate(formula_of(text), size, most_work=QUICK_WORK)


@lru_cache(maxsize=64)
def degree_and_terms(text: str) -> tuple[int, int] | None:
    """The degree of a formula and the number of its terms in x and y; None if it is too long to multiply out."""
    try:
        polynomial = expanded(formula_of(text), most_products=_MEASURED_PRODUCTS)
    except TooLong:
        return None
    return polynomial.degree, len(polynomial.terms)


def _judged(rows: Sequence[Check], target: Mask, read: Formula, progress: Progress) -> Outcome:
    try:
        values = evaluate(read, len(target), progress)
    except TooSlow:
        slow = Check.of(result.names[0], [Problem(TOO_SLOW)])
        return Outcome.failed([*rows, slow, *map(Check.not_reached, result.names[1:])])
    attempt = FitAttempt(target, values)
    checks = result.run(attempt, stop_at_first=False)
    uniform = values.marked.all() or not values.marked.any()
    return Outcome(
        0.0 if uniform else score_of(attempt.share),
        [*rows, *checks],
        [
            Figure("right cells", f"{attempt.right.sum()}/{target.size}"),
            Figure("share", round(100 * attempt.share, 3), "%"),
            Figure("smallest relative value", float(f"{values.margin:.3g}")),
        ],
        _cancellation(values),
    )


def _measured(text: str) -> list[Figure]:
    measured = degree_and_terms(text)
    return [Figure("degree", measured[0]), Figure("terms", measured[1])] if measured else []


def _cancellation(values: Values) -> list[str]:
    cells = np.argwhere(values.cancels)
    if not len(cells):
        return []
    y, x = cells[0]
    return [
        f"In {counted(len(cells), 'cell')}, such as ({x}, {y}), f is tiny beside its terms: "
        "rounding may have decided its sign"
    ]


def _published_return(answer: Function) -> Iterator[Problem]:
    _, keyword, after = answer.function.partition("return ")
    if not keyword:
        yield Problem("The published pattern needs a blank after 'return'")
    elif "x" not in after or "y" not in after:
        yield Problem("f must use both x and y")


def _as_executed(text: str) -> Formula:
    return formula_of(text, polynomial=False)


@lru_cache(maxsize=64)
def _grid(parameters_json: str) -> Mask:
    given = json.loads(parameters_json)
    names = ("size", "seed", "fill", "frequency_limit", "blobs", "waves", "smoothing_passes")
    mask: Mask = grid(*(given[name] for name in names))
    mask.setflags(write=False)
    return mask


@lru_cache(maxsize=64)
def _solved(instance: Instance) -> str:
    target = target_of(instance)
    coefficients = fitting.separated(target, instance.parameters["degree"])
    assert coefficients is not None, "the degree is kept with the instance because it separates"
    return fitting.formula_text(fitting.plain(coefficients), len(target))


@cache
def _published() -> tuple[Instance, ...]:
    rows = json.loads(resource("tasks", "polynomial_fit.json").read_text("utf-8"))["instances"]
    return tuple(Instance.published("polynomial_fit", i, row) for i, row in enumerate(rows))


__all__ = [
    "Function",
    "PolynomialFit",
    "degree_and_terms",
    "grid_text",
    "quick_values_of",
    "score_of",
    "target_of",
    "values_of",
]
