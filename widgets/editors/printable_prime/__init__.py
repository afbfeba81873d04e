"""The editor of printable_prime: digits are stacked by palette or keyboard, with the number above.

commands      what buttons and keys do to the digits
editor        a stack of digits, with the number above it
number_bar    the bar above the stack: the number with its commas; groups that occur twice are underlined
numbers       the whole number: stacking a typed one, and looking for primes nearby
palette       every digit in every orientation; those that cannot come next are greyed
workpiece     the digits of the answer, which of them is selected, and where a digit may go
"""

from spatial_workbench.widgets.editors.printable_prime.editor import PrintablePrimeEditor

__all__ = ["PrintablePrimeEditor"]
