"""What a solver of the machine tasks is told."""

from __future__ import annotations

from spatial_workbench.engine.machines.building.settings import PARAMETERS, BlockParameter
from spatial_workbench.engine.machines.building.wording import (
    BUILDING,
    FRAME,
    NOTES,
    TREE_FORMAT,
    block_list,
    orientation_table,
    size_rule,
)
from spatial_workbench.engine.machines.levels.level import Level

_GOALS = {
    "movement": "Build a machine that drives forward, towards z+, as far as it can.",
    "throw": "Build a machine that throws a boulder.",
    "delivery": "Build a machine that brings a ball forward, towards z+, as far as it can.",
    "pick": "Build a machine that lifts a stone out of a well.",
}

_SCORES = {
    "movement": "The score is how far the starting block has moved forward{along} at the end.",
    "throw": (
        "The score is the boulder's greatest distance forward, in metres, times its greatest height before it lands; "
        "it is 0 if the boulder does not rise above 3 m, or is carried instead of thrown. One boulder is expected."
    ),
    "target": "The machine succeeds if the boulder {does}; nothing else counts. One boulder is expected.",
    "delivery": "The score is how far the ball has moved forward{along} at the end; it should end in the goal zone.",
    "pick": "The score is how much higher the stone is at the end; it should be half a metre above the rim.",
}


def prompt_of(level: Level) -> str:
    """The whole prompt of a level."""
    rules = FRAME, f"{BUILDING}\n{orientation_table()}", size_rule(level.size_limits)
    parts = [
        assignment_text(level),
        "RULES OF BUILDING\n\n" + "\n\n".join(rules),
        "The machine is set down with its middle over x = z = 0 and its lowest point on the ground. It falls and rests "
        "under gravity (9.81 m/s²); energy and momentum are kept as in nature.",
        "BLOCKS\n\n" + block_list(level.types) + "\n\n" + NOTES,
        "FORM\n\n" + TREE_FORMAT + _parameters(level),
        "Think first, inside <cot> tags. Then describe your idea in at most 300 words, naming the types it needs as "
        "`necessary_blocks [type, type, ...]`. Then give the machine as one fenced block of JSON:\n"
        '```json\n[{"type": 0, "id": 0, "parent": -1, "face_id": -1}, ...]\n```',
    ]
    return "\n\n".join(parts)


def assignment_text(level: Level) -> str:
    """What is to be built, what the level is, and what counts there."""
    return f"{_GOALS[level.task]}\n\n{task_text(level)}"


def task_text(level: Level) -> str:
    """What the level is and what counts there."""
    power = f"The power goes on after one second at rest; then the machine has {level.window_s:g} s."
    return " ".join((f"The level: {level.about}", power, *_programme(level), _score(level)))


def _score(level: Level) -> str:
    along = ", along the middle of the corridor," if level.path else ""
    if level.targets:
        zone = level.targets[0].kind == "zone"
        does = "first touches the ground inside the zone" if zone else "passes through the rings in order"
        return _SCORES["target"].format(does=does if zone or len(level.targets) > 1 else "passes through the ring")
    return _SCORES[level.task].format(along=along)


def _parameters(level: Level) -> str:
    """What may differ between blocks, where the level lets it."""
    rows = [PARAMETERS[name] for name in level.parameters if PARAMETERS[name].form != "key"]
    if not rows:
        return ""
    lines = [f"{row.name} (types {', '.join(map(str, sorted(row.types)))}): {row.about}{_range(row)}" for row in rows]
    example = '"parameters": {"speed": 2}'
    return f"\n\nA block may have a key {example}, with any of:\n" + "\n".join(lines)


def _range(parameter: BlockParameter) -> str:
    if parameter.form == "switch":
        return ", true or false"
    unit = "times the usual" if parameter.unit == "×" else parameter.unit
    return f", {parameter.low:g} to {parameter.high:g} {unit}"


def _programme(level: Level) -> list[str]:
    if not level.programme:
        return ["All motors run and springs pull from then on; steering parts hold still."]
    steps = [f"{command.time:g} s: {command.channel} {command.value:g}" for command in level.programme]
    return [f"The parts are controlled by a fixed programme (time: channel value): {'; '.join(steps)}."]
