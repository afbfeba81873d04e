"""What a solver of pipe_loop is told."""

from spatial_workbench.engine.tasks.pipe_loop.board import PipeOrder
from spatial_workbench.engine.tasks.pipe_loop.constraints import MaxCrossings
from spatial_workbench.engine.tasks.pipe_loop.judging import LENGTH_TOLERANCE_M


def prompt_text(order: PipeOrder) -> str:
    """The pipes, the square, the rules, each constraint with its numbers, and the answer's form."""
    side = f"{order.side:g}"
    parts = [
        f"You have {order.pipes} straight pipes, each 1 m long, and a square room with 0 <= x <= {side} and "
        f"0 <= y <= {side} (metres, x to the right, y up). Lay all pipes end to end as one closed loop in the room.",
        "Rules:\n" + "\n".join(f"- {rule}" for rule in _rules(order)),
    ]
    demands = [
        constraint.demand(order.side) for constraint in order.constraints if not isinstance(constraint, MaxCrossings)
    ]
    if demands:
        parts.append("This loop also has to meet these demands:\n" + "\n".join(f"- {demand}" for demand in demands))
    parts.append(
        'Answer with JSON: {"points": [{"x": 0.0, "y": 0.0}, ...]}, and no other field. Give the '
        f"{order.pipes} vertices in order; the last pipe, from the last vertex back to the first, is implied, so do "
        "not repeat the first vertex."
    )
    return "\n\n".join(parts)


def _rules(order: PipeOrder) -> list[str]:
    rules = [
        f"All {order.pipes} pipes are used, so the loop has {order.pipes} vertices.",
        f"Each pipe, the closing one too, is 1 m long within {LENGTH_TOLERANCE_M:g} m.",
        "Every vertex is in the room; its borders belong to it. Pipes may lie in any direction.",
        "No vertex is used twice, and no pipe runs back along the one before (the angle between them is at least 8.2 "
        "degrees).",
    ]
    if order.crossings:
        return [
            *rules,
            "Apart from the wanted crossings, the loop does not touch itself: no vertex lies on another pipe.",
        ]
    return [*rules, "The loop neither crosses nor touches itself."]
