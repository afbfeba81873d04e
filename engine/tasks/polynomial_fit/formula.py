"""Formulas: the text of f(x, y), read as a syntax tree under limits and never executed (docs/tasks/polynomial_fit.md).

A formula becomes a short list of steps for a stack machine. The same steps work on any kind of number: Python's, exact
fractions, numpy arrays, or whole polynomials (see `algebra`).
"""

import ast
import operator
import re
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeAlias, TypeVar

from spatial_workbench.engine.core.languages.translation import marked

MAX_TEXT_CHARS = 100_000
MAX_NODES = 5000
MAX_DEPTH = 200
"""The deepest nesting; a sum or product of many parts counts as one level."""
MAX_EXPONENT = 64
MAX_INTEGER = 10**60
MAX_NUMBER_CHARS = 1000
ALLOWED_WORDS = ("def", "f", "return", "x", "y", "e")
"""Words that are removed from the text, in this order, before the remaining letters are refused."""
FORM = marked("Expected exactly: def f(x, y): return <expression>")


class FormulaError(ValueError):
    """Why a formula is refused, and the line and column (from 1) if there is a single place."""

    def __init__(self, reason: str, line: int = 0, column: int = 0) -> None:
        self.reason = reason
        self.line = line
        self.column = column
        super().__init__(f"{reason} at line {line}, column {column}" if line else reason)


@dataclass(frozen=True)
class CurveNumber:
    """A number of the formula: as Python reads it, and exactly as it is written."""

    value: int | float
    exact: Fraction


@dataclass(frozen=True)
class Power:
    """Raises the top of the stack to a whole exponent."""

    exponent: int


@dataclass(frozen=True)
class Over:
    """Divides the top of the stack by a number."""

    divisor: CurveNumber


Step: TypeAlias = str | CurveNumber | Power | Over
"""A variable ("x", "y"), an operator on the stack ("+", "-", "*", "neg", "/", "**"), or one that holds its number."""
T = TypeVar("T")


@dataclass(frozen=True)
class Formula:
    """A formula that was read."""

    steps: tuple[Step, ...]

    @property
    def is_polynomial(self) -> bool:
        """Whether divisors and exponents are numbers."""
        return not {"/", "**"} & set(self.steps)

    @property
    def is_whole(self) -> bool:
        """Whether it has whole numbers and no division, so that Python computes it exactly."""
        numbers = (step.value for step in self.steps if isinstance(step, CurveNumber))
        divides = any(isinstance(step, Over) for step in self.steps)
        return self.is_polynomial and not divides and all(isinstance(value, int) for value in numbers)

    def at(self, x: T, y: T, number: Callable[[CurveNumber], T]) -> T:
        """The value at a place, in any arithmetic; `number` says what a constant is in it."""
        return run(self.steps, x, y, number)

    def at_cell(self, x: int, y: int) -> Any:
        """The value at a cell with Python's numbers: int or float, or complex where powers are fractional."""
        return run(self.steps, x, y, _as_python)


def _as_python(number: CurveNumber) -> Any:
    return number.value


_BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "**": lambda base, exponent: _power(base, exponent),
}
_MAX_POWER_BITS = 50_000


def _power(base: Any, exponent: Any) -> Any:
    """Python's power, except that it gives up if a whole number would get absurdly long."""
    if isinstance(base, int) and isinstance(exponent, int) and base.bit_length() * abs(exponent) > _MAX_POWER_BITS:
        raise OverflowError
    return base**exponent


def run(steps: Sequence[Step], x: T, y: T, number: Callable[[CurveNumber], T]) -> T:
    """Executes the steps."""
    stack: list[Any] = []
    for step in steps:
        if isinstance(step, CurveNumber):
            stack.append(number(step))
        elif isinstance(step, Power):
            stack[-1] = stack[-1] ** step.exponent
        elif isinstance(step, Over):
            stack[-1] = stack[-1] / number(step.divisor)
        elif step == "x":
            stack.append(x)
        elif step == "y":
            stack.append(y)
        elif step == "neg":
            stack[-1] = -stack[-1]
        else:
            right = stack.pop()
            stack[-1] = _BINARY[step](stack[-1], right)
    result: T = stack[-1]
    return result


# Words ---------------------------------------------------------------------------------------------------------------


def check_letters(text: str) -> None:
    """Refuses letters that are not part of an allowed word.

    Raises:
        FormulaError: names the first one and its place.
    """
    for match in re.finditer("[A-Za-z]+", text):
        rest = match.group()
        for word in ALLOWED_WORDS:
            rest = rest.replace(word, "")
        if rest:
            line, column = _place(text, match.start())
            before = text[: match.start()].rpartition("\n")[2]
            what = "a comment" if "#" in before else f"'{match.group()[:40]}'"
            raise FormulaError(f"Not allowed: {what}", line, column)


def check_signature(text: str) -> None:
    """Refuses any other head than f of x and y.

    Raises:
        FormulaError: says what is expected.
    """
    if "deff(x,y):" not in "".join(text.split()):
        raise FormulaError(FORM)


def check_return(text: str) -> None:
    """Refuses functions that return nothing, or nothing of x and y.

    Raises:
        FormulaError: says what is missing.
    """
    _, word, returned = text.partition("return")
    if not word:
        raise FormulaError(FORM)
    if "x" not in returned or "y" not in returned:
        raise FormulaError("f must use both x and y")


def _place(text: str, index: int) -> tuple[int, int]:
    return text.count("\n", 0, index) + 1, index - text.rfind("\n", 0, index)


# Syntax tree ---------------------------------------------------------------------------------------------------------

_OPERATORS: dict[type[ast.AST], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**"}
_SIGNS = (ast.UAdd, ast.USub)
_NAMES: dict[type[ast.AST], str] = {
    ast.Call: "a call",
    ast.IfExp: "a conditional",
    ast.Compare: "a comparison",
    ast.BoolOp: "a logical operator",
    ast.Lambda: "a lambda",
    ast.Attribute: "an attribute",
    ast.Subscript: "an index",
    ast.List: "a list",
    ast.Tuple: "a tuple",
    ast.Dict: "a dictionary",
    ast.Set: "a set",
    ast.NamedExpr: "an assignment",
}


@lru_cache(maxsize=64)
def expression_of(text: str) -> ast.expr:
    """The expression that the function returns, with nothing in it but arithmetic of x, y and numbers.

    Raises:
        FormulaError: it is something else; says what, and where.
    """
    if "#" in text:
        raise FormulaError("Not allowed: a comment", *_place(text, text.index("#")))
    expression = _returned(_parsed(text))
    for node in ast.walk(expression):
        _check_node(node)
    used = {node.id for node in ast.walk(expression) if isinstance(node, ast.Name)}
    if used != {"x", "y"}:
        raise FormulaError("f must use both x and y")
    return expression


def _parsed(text: str) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text.strip())
    except SyntaxError as error:
        reason = error.msg[:1].upper() + error.msg[1:]
        raise FormulaError(f"Not Python: {reason}", error.lineno or 1, max(1, error.offset or 1)) from None
    except (RecursionError, MemoryError, ValueError):
        raise FormulaError("The expression is nested too deeply") from None


def _returned(module: ast.Module) -> ast.expr:
    if len(module.body) != 1 or not isinstance(module.body[0], ast.FunctionDef):
        raise FormulaError(FORM)
    function = module.body[0]
    arguments = function.args
    body = function.body
    given = [*arguments.args, *arguments.posonlyargs, *arguments.kwonlyargs]
    for part in (function.returns, *(argument.annotation for argument in given)):
        if part is not None:
            raise FormulaError("Not allowed: an annotation", part.lineno, part.col_offset + 1)
    is_plain = [argument.arg for argument in arguments.args] == ["x", "y"] and len(given) == 2
    extras = (arguments.vararg, arguments.kwarg, *arguments.defaults, *function.decorator_list)
    if function.name != "f" or not is_plain or any(extras) or len(body) != 1:
        raise FormulaError(FORM)
    if not isinstance(body[0], ast.Return) or body[0].value is None:
        raise FormulaError(FORM)
    return body[0].value


def _check_node(node: ast.AST) -> None:
    if isinstance(node, ast.expr_context | ast.operator | ast.unaryop):
        return
    line = getattr(node, "lineno", 0)
    column = getattr(node, "col_offset", -1) + 1
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitXor):
        raise FormulaError("Use ** for powers", line, (node.left.end_col_offset or 0) + 1)
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        return
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, _SIGNS):
        return
    if isinstance(node, ast.Name) and node.id in ("x", "y"):
        return
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        if node.value in (float("inf"), float("-inf")):
            raise FormulaError("Not allowed: a number that is not finite", line, column)
        return
    raise FormulaError(f"Not allowed: {_described(node)}", line, column)


def _described(node: ast.AST) -> str:
    if isinstance(node, ast.Name):
        return f"the name '{node.id[:40]}'"
    if isinstance(node, ast.Constant):
        return "a text" if isinstance(node.value, str) else f"the constant {node.value!r}"[:60]
    if isinstance(node, ast.BinOp | ast.UnaryOp):
        return "this operator"
    return _NAMES.get(type(node), marked("this"))


# Steps ---------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def formula_of(text: str, polynomial: bool = True) -> Formula:
    """The steps of a formula; without `polynomial`, divisors and exponents may hold x and y (as published).

    Raises:
        FormulaError: no polynomial, or over a limit; says what, and where.
    """
    expression = expression_of(text)
    _check_limits(expression)
    return Formula(tuple(_Compiler(text, polynomial).steps_of(expression)))


def _check_limits(expression: ast.expr) -> None:
    nodes = 0
    waiting = [(expression, 1)]
    while waiting:
        node, depth = waiting.pop()
        nodes += 1
        if nodes > MAX_NODES:
            raise FormulaError(f"More than {MAX_NODES} numbers, variables and operators")
        if depth > MAX_DEPTH:
            raise FormulaError(f"Nested more than {MAX_DEPTH} deep", node.lineno, node.col_offset + 1)
        if isinstance(node, ast.Constant) and isinstance(node.value, int) and node.value >= MAX_INTEGER:
            raise FormulaError("An integer has more than 60 digits", node.lineno, node.col_offset + 1)
        if isinstance(node, ast.BinOp):
            chained = isinstance(node.left, ast.BinOp) and _rank(node.left) == _rank(node)
            waiting += [(node.right, depth + 1), (node.left, depth if chained else depth + 1)]
        elif isinstance(node, ast.UnaryOp):
            waiting.append((node.operand, depth + 1))


def _rank(node: ast.BinOp) -> int:
    if isinstance(node.op, ast.Add | ast.Sub):
        return 0
    return 1 if isinstance(node.op, ast.Mult | ast.Div) else 2


class _Compiler:
    def __init__(self, text: str, polynomial: bool) -> None:
        self._lines = text.strip().split("\n")
        self._polynomial = polynomial

    def steps_of(self, expression: ast.expr) -> list[Step]:
        """The steps in the order in which they are worked off: operands first."""
        steps: list[Step] = []
        waiting: list[ast.expr | Step] = [expression]
        while waiting:
            node = waiting.pop()
            if isinstance(node, ast.BinOp):
                waiting += self._binary(node)
            elif isinstance(node, ast.UnaryOp):
                waiting += ["neg", node.operand] if isinstance(node.op, ast.USub) else [node.operand]
            elif isinstance(node, ast.Name):
                steps.append(node.id)
            elif isinstance(node, ast.Constant):
                steps.append(self._number(node))
            else:
                assert not isinstance(node, ast.expr)
                steps.append(node)
        return steps

    def _binary(self, node: ast.BinOp) -> list[ast.expr | Step]:
        """What is still to be done, the last first."""
        if isinstance(node.op, ast.Pow):
            exponent = self._constant(node.right, "the exponent")
            if exponent is not None and (self._polynomial or exponent.exact in range(MAX_EXPONENT + 1)):
                return [Power(self._whole(exponent.exact, node.right)), node.left]
        elif isinstance(node.op, ast.Div):
            divisor = self._constant(node.right, "the divisor")
            if divisor is not None:
                if not divisor.exact or not divisor.value:
                    raise self._refused("division by 0", node.right)
                return [Over(divisor), node.left]
        return [_OPERATORS[type(node.op)], node.right, node.left]

    def _constant(self, node: ast.expr, what: str) -> CurveNumber | None:
        """The value of an expression without x and y; None if it has to be worked out cell by cell."""
        if any(isinstance(part, ast.Name) for part in ast.walk(node)):
            if self._polynomial:
                raise self._refused(f"{what} contains x or y", node)
            return None
        steps = self.steps_of(node)
        if _OPERATORS[ast.Pow] in steps:
            # A power that is no whole number of times, which only the published verifier takes.
            return None
        try:
            _check_size(steps)
            exact = run(steps, Fraction(), Fraction(), lambda number: number.exact)
            return CurveNumber(run(steps, 0, 0, _as_python), exact)
        except (ArithmeticError, ValueError):
            large = {"the exponent": "The exponent is too large", "the divisor": "The divisor is too large"}[what]
            raise FormulaError(large, node.lineno, node.col_offset + 1) from None

    def _whole(self, exponent: Fraction, node: ast.expr) -> int:
        if exponent < 0 or exponent.denominator != 1:
            raise self._refused("the exponent is negative" if exponent < 0 else "the exponent is fractional", node)
        if exponent > MAX_EXPONENT:
            raise FormulaError(f"The exponent is above {MAX_EXPONENT}", node.lineno, node.col_offset + 1)
        return int(exponent)

    def _refused(self, reason: str, node: ast.expr) -> FormulaError:
        return FormulaError(f"Not a polynomial: {reason}", node.lineno, node.col_offset + 1)

    def _number(self, node: ast.Constant) -> CurveNumber:
        value = node.value
        assert isinstance(value, int | float)
        if isinstance(value, float) and value and node.lineno == node.end_lineno:
            line = self._lines[node.lineno - 1].encode()
            written = line[node.col_offset : node.end_col_offset].decode()
            if len(written) > MAX_NUMBER_CHARS:
                raise FormulaError("The number has too many digits", node.lineno, node.col_offset + 1)
            return CurveNumber(value, Fraction(written.replace("_", "")))
        return CurveNumber(value, Fraction(value))


_MAX_CONSTANT_BITS = 4000.0


def _check_size(steps: Sequence[Step]) -> None:
    """Raises OverflowError if a constant expression would get absurdly long."""
    from spatial_workbench.engine.tasks.polynomial_fit.algebra import Size

    size = run(steps, Size(0.0), Size(0.0), Size.of)
    if size.bits > _MAX_CONSTANT_BITS:
        raise OverflowError
