"""The editor of printable_prime: digits are stacked by palette or keyboard, with the number above."""

from spatial_workbench.widgets.editors.printable_prime.editor import PrintablePrimeEditor

__all__ = ["PrintablePrimeEditor"]
