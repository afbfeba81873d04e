"""The checks of a chain as rows with values, shown at every move of the pointer."""

from dataclasses import dataclass

import numpy as np

from spatial_workbench.engine.core import Check
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.pipe_loop.board import PipeOrder
from spatial_workbench.engine.tasks.pipe_loop.constraints import Constraint, ExactCrossings, MaxCrossings
from spatial_workbench.engine.tasks.pipe_loop.judging import BASIC
from spatial_workbench.engine.tasks.pipe_loop.shape import PipeShape


@dataclass(frozen=True)
class PipeRow:
    """One line: what is measured, its value, whether it is met (None: too early to say), and what is wrong.

    Attributes:
        is_measured: Whether the value alone tells something, without the rule.
    """

    name: str
    value: str
    met: bool | None
    elements: tuple[str, ...] = ()
    is_measured: bool = True


def measured_rows(rows: list[PipeRow]) -> list[PipeRow]:
    """The rows without judgement, for somebody who may measure but not be judged."""
    return [PipeRow(row.name, row.value, None) for row in rows if row.is_measured]


def live_rows(order: PipeOrder, shape: PipeShape | None, closed: bool) -> list[PipeRow]:
    """The rows of a chain; of an open one, only what its pipes determine so far."""
    count = 0 if shape is None else len(shape.points)
    rows = [
        PipeRow("pipes", f"{count if closed else max(0, count - 1)} of {order.pipes}", count == order.pipes or None)
    ]
    if shape is None or count < 3:
        return rows + [PipeRow(constraint.name, constraint.demand(order.side), None) for constraint in _shown(order)]
    checks = dict(zip(BASIC.names, _basic(order, shape), strict=True))
    gap = float(shape.lengths[-1])
    rows.append(_row("closing pipe", f"{gap:.3f} m", checks["closing pipe"], closed))
    error = float(np.abs(shape.lengths[: None if closed else -1] - 1).max())
    rows.append(_row("worst length error", f"{error:.3f} m", checks["pipe lengths"], True))
    rows.append(_row("in the square", "", checks["inside the square"], True))
    contacts = shape.contacts
    rows.append(_row("crossings", f"{contacts.crossing_count}, {order.crossings} wanted", checks["crossings"], closed))
    rows.append(_row("touches", str(contacts.touch_count), checks["no touching"], closed))
    rows.append(_row("way back", "", checks["no way back"], closed))
    rows += [
        _row(constraint.name, constraint.measured(shape), constraint.check(shape), closed)
        for constraint in _shown(order)
    ]
    return rows


def _basic(order: PipeOrder, shape: PipeShape) -> list[Check]:
    return BASIC.run(order, shape, stop_at_first=False)


def _shown(order: PipeOrder) -> list[Constraint]:
    """The constraints with rows of their own."""
    return [constraint for constraint in order.constraints if not isinstance(constraint, MaxCrossings | ExactCrossings)]


def _row(name: str, value: str, check: Check, counts: bool) -> PipeRow:
    """A row of a check; a failure does not count yet while the chain is open."""
    failed = check.problem_count > 0
    met = not failed if counts or not failed else None
    shown = value or ("no" if failed else "yes") if name == "in the square" else value or _amount(check)
    return PipeRow(name, shown, met, check.elements, is_measured=bool(value))


def _amount(check: Check) -> str:
    count = check.problem_count
    return f"{counted(count, 'point')}" if count else "none"
