"""Kinds of numbers for evaluating a formula: arrays with error bounds, sizes, polynomials."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import inf, lcm, log2

import numpy as np

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.tasks.polynomial_fit.formula import CurveNumber, Formula

UNIT_ROUNDOFF = 2.0**-53
MAX_PRODUCTS = 1_000_000
"""How many products of coefficients it may take to multiply a polynomial out."""
MAX_COEFFICIENT_BITS = 20_000


@dataclass(frozen=True)
class Bounded:
    """Doubles of any shape, each with the sum of its absolute terms, and the number of roundings per term.

    The true value, and whatever Python's mix of whole numbers and doubles makes of it, differ from `value` by at most
    roundings * 2^-53 * magnitude each (Higham's bound for expressions without a common divisor, to first order).
    """

    value: Floats
    magnitude: Floats
    roundings: float

    @classmethod
    def variable(cls, values: Floats) -> Bounded:
        """Whole numbers, which doubles hold exactly."""
        return cls(values, np.abs(values), 0.0)

    @classmethod
    def of(cls, number: CurveNumber) -> Bounded:
        """A constant."""
        value = np.array(number.value, dtype=np.float64)
        return cls(value, np.abs(value), 1.0)

    def __add__(self, other: Bounded) -> Bounded:
        roundings = max(self.roundings, other.roundings) + 1
        return Bounded(self.value + other.value, self.magnitude + other.magnitude, roundings)

    def __sub__(self, other: Bounded) -> Bounded:
        return self + -other

    def __neg__(self) -> Bounded:
        return Bounded(-self.value, self.magnitude, self.roundings)

    def __mul__(self, other: Bounded) -> Bounded:
        roundings = self.roundings + other.roundings + 1
        return Bounded(self.value * other.value, self.magnitude * other.magnitude, roundings)

    def __truediv__(self, other: Bounded) -> Bounded:
        roundings = self.roundings + other.roundings + 1
        return Bounded(self.value / other.value, self.magnitude / other.magnitude, roundings)

    def __pow__(self, exponent: int) -> Bounded:
        roundings = exponent * (self.roundings + 1) + 2
        return Bounded(self.value**exponent, self.magnitude**exponent, roundings)

    @property
    def bound(self) -> Floats:
        """The largest possible error of the value."""
        return 2 * self.roundings * UNIT_ROUNDOFF * self.magnitude


@dataclass(frozen=True)
class Size:
    """How many bits a whole number may have: the base-2 logarithm of its largest absolute value."""

    bits: float

    @classmethod
    def of(cls, number: CurveNumber) -> Size:
        """A constant, with the digits behind its point."""
        exact = number.exact
        return cls(log2(max(1, abs(exact.numerator))) + log2(exact.denominator))

    def __add__(self, other: Size) -> Size:
        return Size(max(self.bits, other.bits) + 1)

    __sub__ = __add__

    def __neg__(self) -> Size:
        return self

    def __mul__(self, other: Size) -> Size:
        return Size(self.bits + other.bits)

    __truediv__ = __mul__

    def __pow__(self, exponent: int) -> Size:
        return Size(min(inf, self.bits * exponent))


@dataclass(frozen=True)
class Length:
    """Bounds of degree, terms and products of a polynomial when it is multiplied out."""

    degree: int
    terms: int
    products: int

    @classmethod
    def of(cls, number: CurveNumber) -> Length:
        """A constant."""
        return cls(0, 1, 0)

    def __add__(self, other: Length) -> Length:
        degree = max(self.degree, other.degree)
        products = self.products + other.products
        return Length(degree, _most_terms(degree, self.terms + other.terms), products + self.terms + other.terms)

    __sub__ = __add__

    def __neg__(self) -> Length:
        return self

    def __mul__(self, other: Length) -> Length:
        degree = self.degree + other.degree
        both = self.terms * other.terms
        return Length(degree, _most_terms(degree, both), self.products + other.products + both)

    def __truediv__(self, other: Length) -> Length:
        return Length(self.degree, self.terms, self.products + self.terms)

    def __pow__(self, exponent: int) -> Length:
        result = Length(0, 1, self.products)
        for _ in range(exponent):
            result = result * Length(self.degree, self.terms, 0)
        return result


def _most_terms(degree: int, terms: int) -> int:
    return min(terms, (degree + 1) * (degree + 2) // 2)


class TooLong(ArithmeticError):
    """The polynomial is too long to be multiplied out."""


@dataclass(frozen=True)
class Sparse:
    """A polynomial in two variables with exact coefficients, by exponents (i, j)."""

    terms: dict[tuple[int, int], Fraction]

    @classmethod
    def of(cls, number: CurveNumber) -> Sparse:
        """A constant, exactly as it is written."""
        return cls.from_terms([((0, 0), number.exact)])

    @classmethod
    def from_terms(cls, terms: Iterable[tuple[tuple[int, int], Fraction]]) -> Sparse:
        """The sum of terms."""
        total: dict[tuple[int, int], Fraction] = {}
        for key, value in terms:
            total[key] = total[key] + value if key in total else value
        return cls({key: value for key, value in total.items() if value})

    @property
    def degree(self) -> int:
        """The largest total exponent; 0 for constants."""
        return max((i + j for i, j in self.terms), default=0)

    def __add__(self, other: Sparse) -> Sparse:
        return Sparse.from_terms([*self.terms.items(), *other.terms.items()])

    def __sub__(self, other: Sparse) -> Sparse:
        return self + -other

    def __neg__(self) -> Sparse:
        return Sparse({key: -value for key, value in self.terms.items()})

    def __mul__(self, other: Sparse) -> Sparse:
        return Sparse.from_terms(
            ((i + k, j + m), a * b) for (i, j), a in self.terms.items() for (k, m), b in other.terms.items()
        )

    def __truediv__(self, other: Sparse) -> Sparse:
        divisor = other.terms[(0, 0)]
        return Sparse({key: value / divisor for key, value in self.terms.items()})

    def __pow__(self, exponent: int) -> Sparse:
        if exponent < 2:
            return self if exponent else Sparse({(0, 0): Fraction(1)})
        result = self
        for _ in range(exponent - 1):
            result = result * self
        return result

    def signs(self, size: int) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
        """Where it is positive on the cells (y, x) of a square grid: Horner in whole numbers."""
        scale = lcm(*(value.denominator for value in self.terms.values()))
        width = 1 + max((i for i, _ in self.terms), default=0)
        height = 1 + max((j for _, j in self.terms), default=0)
        rows = [[0] * width for _ in range(height)]
        for (i, j), value in self.terms.items():
            rows[j][i] = int(value * scale)
        positive = np.zeros((size, size), bool)
        for x in range(size):
            column = [_horner(row, x) for row in rows]
            positive[:, x] = [_horner(column, y) > 0 for y in range(size)]
        return positive


X, Y = Sparse({(1, 0): Fraction(1)}), Sparse({(0, 1): Fraction(1)})


def expanded(formula: Formula, x: Sparse = X, y: Sparse = Y, most_products: int = MAX_PRODUCTS) -> Sparse:
    """A formula multiplied out, with polynomials in place of x and y.

    Raises:
        TooLong: it takes too many products, or its coefficients get too long.
    """
    length = formula.at(Length(1, len(x.terms), 0), Length(1, len(y.terms), 0), Length.of)
    if length.products > most_products or formula.at(Size(8.0), Size(8.0), Size.of).bits > MAX_COEFFICIENT_BITS:
        raise TooLong
    return formula.at(x, y, Sparse.of)


def _horner(coefficients: list[int], at: int) -> int:
    total = 0
    for coefficient in reversed(coefficients):
        total = total * at + coefficient
    return total
