"""The editor of printable prime: stack digits by palette or keyboard, with the number and its faults above."""

from widgets.editors.printable_prime.editor import PrintablePrimeEditor

__all__ = ["PrintablePrimeEditor"]
