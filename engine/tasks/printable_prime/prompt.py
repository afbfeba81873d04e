"""The prompt of printable prime."""

from collections.abc import Mapping
from typing import Any

from spatial_workbench.engine.tasks.printable_prime.digits import SEGMENTS

_FLAT = """- "flat": as it is
- "flippedX": mirrored left to right (B and F change places, and C and E); a 3 becomes an E
- "flippedY": mirrored top to bottom (A and D, B and C, F and E); a 5 becomes a 2
- "rotate180Z": both; a 6 becomes a 9"""
_STANDING = """
- "rotate90X": it stands on its head: the A bar lies on the digit below, the long right side points up; layer 21.2 mm
- "rotate90Y": it lies on its long right side (B and C), the short bars point up; layer 11.2 mm, for a 1 it is 1.2 mm"""
_STANDING_RULES = """
- Of the standing digits only 1 and 7 print on their head, and only 1, 3 and 7 on their side; with all others a bar \
would hang in the air.
- A digit on its side needs a full long side (B and C, or E and F) of a flat digit, or a 1 on its side, below it; a 7 \
on its head needs a horizontal bar (A, G or D) of a flat digit; a 1 on its head is a spire of 1 x 1 mm and \
stands on anything.
- A standing digit may be shifted in the plane to find its bar; a flat digit is always centred.
- On a 1 on its side only a flat 1 and what stands on a long side or is a spire can follow. On any other standing \
digit there are only tips, so nothing but a 1 on its head can follow."""


def prompt_text(rules: Mapping[str, Any]) -> str:
    """Everything that a solver has to know."""
    table = "\n".join(f"{digit}: {letters}" for digit, letters in SEGMENTS.items())
    allowed = ", ".join(map(str, rules["digits"]))
    some = "" if len(rules["digits"]) == 10 else f" Only these digits may be used: {allowed}."
    standing = rules["standing"]
    lying = "" if standing else " All digits lie flat."
    goal = rules["height_goal_mm"]
    length = rules["group"]
    record = len(rules["record"])
    return f"""Build a number out of seven-segment digits that are 3D-printed one on the other, without support, so \
that the number is prime and has as many digits as possible.

A digit lies in the plane z = 0 and is 1 mm thick. It is made of bars of 10 x 1 x 1 mm with these centres (x, y): \
A (0, 10), G (0, 0) and D (0, -10) are horizontal; B (5, 5), C (5, -5), E (-5, -5) and F (-5, 5) are vertical. An 8 \
spans 11 x 21 mm. The segments of the digits are
{table}{some}

The first digit of the number is the most significant one; it lies on the build plate. Every further digit is printed \
on the one before, with a gap of 0.2 mm, so a flat layer is 1.2 mm high.{lying} Orientations:
{_FLAT}{_STANDING if standing else ""}

What rests on what:
- Flat on flat: every bar of the upper digit, after its orientation, has to lie on a bar of the lower digit, after its \
own. For instance a 1 fits on a 6 only if exactly one of them is flipped or turned so that the long sides meet.{
        _STANDING_RULES if standing else ""
    }

The number:
- It is prime, and does not begin with 0.
- Write it with a comma every {length} digits, counted from the right. No two of these groups may be equal. The \
leading group may be shorter; 88 and 888 are different groups.
- At most 1000 digits.

Score: the number of digits divided by {record}, at most 1. If the stack is lower than {goal:g} mm the score is \
multiplied by 0.9. If any rule is broken the score is 0. Keep the centre of gravity of the stack over its lowest digit.

Answer with JSON. A stack of three digits, 331, which is prime (the example shows the form):
{{"reasoning": "...", "numberSequence": [{{"digit": 3, "orientation": "flat"}}, {{"digit": 3, "orientation": "flat"}}, \
{{"digit": 1, "orientation": "flat"}}]}}
"""
