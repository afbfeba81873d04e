"""The editor of polynomial_fit: type a formula, move its coefficients, paint where it has to be positive, or fit it."""

from widgets.editors.polynomial_fit.editor import PolynomialEditor

__all__ = ["PolynomialEditor"]
