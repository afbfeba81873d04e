"""What can be done to a formula: the commands of editors, agents and other programs.

x is the column and y the row of a cell, from 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

from pydantic import Field

from spatial_workbench.engine.core import Aid, AnswerError, Instance, Number, WholeNumber
from spatial_workbench.engine.core.acting.commands import Call, CommandArguments, CommandList
from spatial_workbench.engine.tasks.polynomial_fit import Function, fitting, target_of
from spatial_workbench.engine.tasks.polynomial_fit.editing import (
    combined,
    ellipse,
    expression_in,
    fit,
    function_of,
    half_plane,
)
from spatial_workbench.engine.tasks.polynomial_fit.formula import MAX_TEXT_CHARS

commands = CommandList()


class FormulaSource(CommandArguments):
    """A formula."""

    text: Annotated[str, Field(max_length=MAX_TEXT_CHARS)] = Field(
        description="def f(x,y): return ..., or the expression alone"
    )


class FormulaBlock(CommandArguments):
    """A part of a formula, by two points of the grid."""

    x0: Number = Field(description="x of the first point")
    y0: Number = Field(description="y of the first point")
    x1: Number = Field(description="x of the second point")
    y1: Number = Field(description="y of the second point")
    combine: Literal["replace", "multiply", "add"] = Field(
        default="replace", description="whether it replaces the formula, or is multiplied with or added to it"
    )


class FitDegree(CommandArguments):
    """The degree of a polynomial."""

    degree: Annotated[WholeNumber, Field(ge=1, le=fitting.MAX_DEGREE)] = Field(default=2, description="its degree")


@commands.add("Type formula", FormulaSource, name="set")
def set_text(instance: Instance, answer: Function, given: FormulaSource) -> Function:
    """Replaces the formula."""
    return _of(answer, function_of(given.text))


@commands.add("Ellipse", FormulaBlock, name="ellipse")
def add_ellipse(instance: Instance, answer: Function, given: FormulaBlock) -> Function:
    """Adds a block that is positive in the ellipse between two corners of a box."""
    return _with(answer, ellipse((given.x0, given.y0), (given.x1, given.y1)), given)


@commands.add("Half plane", FormulaBlock, name="half_plane")
def add_half_plane(instance: Instance, answer: Function, given: FormulaBlock) -> Function:
    """Adds a block that is positive to the right of the line from the first point to the second, with y downwards."""
    return _with(answer, half_plane((given.x0, given.y0), (given.x1, given.y1)), given)


@commands.add("Least squares", FitDegree, Aid.SOLVING)
def least_squares(instance: Instance, answer: Function, given: FitDegree) -> Function:
    """Fits a polynomial to the cells by least squares."""
    target = target_of(instance)
    return _of(answer, fitting.formula_text(fit(target, given.degree, {}), len(target)))


@commands.add("Separate exactly", FitDegree, Aid.SOLVING)
def separate(instance: Instance, answer: Function, given: FitDegree) -> Function:
    """Looks for a polynomial that separates all cells, by a linear programme."""
    target = target_of(instance)
    coefficients = fitting.separated(target, given.degree)
    if coefficients is None:
        raise AnswerError(
            f"No polynomial of degree {given.degree} separates these cells; try a higher one", ("degree",)
        )
    return _of(answer, fitting.formula_text(fitting.plain(coefficients), len(target)))


@commands.leading
def calls_between(instance: Instance, before: Function, after: Function) -> Iterator[Sequence[Call]]:
    """A call that replaces the formula."""
    yield [("set", {"text": after.function})]


def _with(answer: Function, block: str | None, given: FormulaBlock) -> Function:
    if block is None:
        raise AnswerError("Between these points there is no room")
    return _of(answer, f"def f(x,y): return {combined(expression_in(answer.function), block, given.combine)}")


def _of(answer: Function, function: str) -> Function:
    if len(function) > MAX_TEXT_CHARS:
        raise AnswerError(f"The formula would have more than {MAX_TEXT_CHARS} characters")
    return Function(reasoning=answer.reasoning, function=function)
