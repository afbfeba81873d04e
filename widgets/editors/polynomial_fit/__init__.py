"""The editor of polynomial_fit: a formula is typed, changed by its coefficients, painted or fitted."""

from spatial_workbench.widgets.editors.polynomial_fit.editor import PolynomialEditor

__all__ = ["PolynomialEditor"]
