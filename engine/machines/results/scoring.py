"""What a simulated machine is worth in its level, by one of three rules (docs/machines.md)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.machines.building.tree import Entry
from spatial_workbench.engine.machines.levels.level import Ball, Box, Level
from spatial_workbench.engine.machines.results.flight import Flight, boulder_names, flight_of, hits_of
from spatial_workbench.engine.machines.results.progress import progress_along
from spatial_workbench.engine.machines.results.trace import Trace

Rule = Literal["default", "landing", "reference_reward"]
RULES: tuple[Rule, ...] = ("default", "landing", "reference_reward")

REWARD, TARGETS_HIT, HEIGHT_GAINED = "R", "targets hit", "height gained"
"""Names of figures."""
MIN_HEIGHT_M = 3.0
"""A boulder that stays lower counts nothing: it would not pass the walls."""
LIFTED_M = 0.5
"""How high above the rim a stone's middle is when it is out of its well."""
IDLE_J = 1.0
"""Motors and springs that do less work than lifting a small block by a third of a metre have done nothing."""
STILL_M = 0.01
"""What moves less has not moved: a machine at rest creeps by a fraction of this."""
EXTRA_LIFT_M = 2.0
"""What a stone may gain beyond the well's depth."""

_TICK = 1e-9
_COUNTED = 2
_LOST = "The simulation failed, so the machine counts nothing"
_FELL_APART = "The machine only fell apart: no motor turned and no spring pulled, so it counts nothing."
_UNMOVED = "The boulder was moved by less than 1 cm, so the throw counts nothing."
_INVALID = "The machine is not valid, so it counts nothing."


class Measure(NamedTuple):
    """A figure with its name and unit."""

    name: str
    value: float
    unit: str


@dataclass(frozen=True)
class Score:
    """The worth of a machine.

    Attributes:
        reward: R; 0 for machines that are not valid.
        shown: The figure that is shown and compared: what counts of it, 0 where nothing does.
        rank: What a search makes as large as it can: the shown figure, for targets with the nearness to the next one.
        success: Whether the goal was reached; None where there is none to reach.
        figures: R and all that was measured, whether it counts or not.
        notes: Why something counts nothing, in sentences.
    """

    reward: float
    shown: Measure
    rank: float
    success: bool | None
    figures: tuple[Measure, ...]
    notes: tuple[str, ...] = ()

    @property
    def is_measured(self) -> bool:
        """Whether there are figures beyond R and what is shown."""
        return len(self.figures) > _COUNTED

    def figure(self, name: str) -> float:
        """The value of a figure.

        Raises:
            KeyError: There is none of that name.
        """
        return {figure.name: figure.value for figure in self.figures}[name]


def score_of(
    level: Level, tree: Sequence[Entry], trace: Trace | None, *, is_valid: bool = True, rule: Rule = "default"
) -> Score:
    """The score of a machine in a level.

    Without a trace, or with one that ended because the engine lost control, all is 0. A machine that is not valid
    keeps what was measured, but counts nothing.
    """
    if trace is None:
        return _nothing(level, rule, "The machine was not simulated." if is_valid else _INVALID)
    if trace.fault:
        return _nothing(level, rule, f"{_LOST}: {trace.fault}")
    score = _SCORES[level.task](level, tree, trace, rule)
    if not np.isfinite([figure.value for figure in score.figures]).all():
        return _nothing(level, rule, f"{_LOST}: places are not numbers.")
    if not is_valid:
        return _disqualified(level, score, _INVALID)
    return _disqualified(level, score, _FELL_APART) if _only_fell_apart(trace) else score


def _only_fell_apart(trace: Trace) -> bool:
    """Whether the machine broke, and did nothing by itself."""
    return bool(trace.breaks) and trace.work_j is not None and trace.work_j < IDLE_J


def _movement(level: Level, tree: Sequence[Entry], trace: Trace, rule: Rule) -> Score:
    since_start = trace.times >= -_TICK
    root = trace.positions[since_start, 0]
    along = _progress(level, root)
    straight = float(np.linalg.norm(root[-1] - root[0]))
    distance = _gain(along[-1] - along[0])
    measures = (
        Measure("distance", distance, "m"),
        Measure("farthest", float(along.max() - along[0]), "m"),
        Measure("straight distance", straight, "m"),
        Measure("top speed", float(np.linalg.norm(trace.velocities[since_start, 0], axis=1).max()), "m/s"),
    )
    value = round(straight, 1) if rule == "reference_reward" else distance
    return _score(level, rule, value, value, measures)


def _throw(level: Level, tree: Sequence[Entry], trace: Trace, rule: Rule) -> Score:
    names = [name for name in boulder_names(tree) if name in trace.ball_names]
    if not names:
        return _nothing(level, rule, "The machine has no boulder.")
    flights = [flight_of(trace, name) for name in names]
    scores = [
        _of_targets(level, rule, flight) if level.targets else _of_throw(level, rule, flight) for flight in flights
    ]
    best = max(scores, key=lambda score: (score.rank, score.reward, score.figure("landing distance")))
    if len(scores) == 1:
        return best
    count = f"Of {len(scores)} boulders the best counts: {names[scores.index(best)]}."
    return replace(best, notes=(count, *best.notes))


def _of_throw(level: Level, rule: Rule, flight: Flight) -> Score:
    """The paper's product; a boulder that was low or carried counts nothing."""
    value, factor = {
        "default": (_gain(flight.distance), flight.height),
        "landing": (_gain(flight.landing_distance), flight.height),
        "reference_reward": (_gain(flight.straight_distance), 1 + flight.rise),
    }[rule]
    notes = _gates(flight)
    if not notes and 0 < flight.distance < STILL_M:
        notes = (_UNMOVED,)
    counted = 0.0 if notes else value
    return _score(level, rule, counted * factor, counted, _measures_of(flight), notes=notes)


def _gates(flight: Flight) -> tuple[str, ...]:
    notes = []
    if flight.height <= MIN_HEIGHT_M:
        notes.append(f"The boulder does not rise above {MIN_HEIGHT_M:g} m, so the throw counts nothing.")
    if flight.was_carried:
        notes.append("The boulder was carried, not thrown: it landed beside the machine, so the throw counts nothing.")
    return tuple(notes)


def _of_targets(level: Level, rule: Rule, flight: Flight) -> Score:
    hits = hits_of(flight, level.targets)
    measures = (
        Measure("closest distance", hits.closest, "m"),
        Measure("final distance", hits.final, "m"),
        *_measures_of(flight),
    )
    score = _score(level, rule, float(hits.is_complete), hits.count, measures, success=hits.is_complete)
    return replace(score, rank=hits.rank)


def _measures_of(flight: Flight) -> tuple[Measure, ...]:
    return (
        Measure("distance", flight.distance, "m"),
        Measure("height", flight.height, "m"),
        Measure("landing distance", flight.landing_distance, "m"),
        Measure("straight distance", flight.straight_distance, "m"),
        Measure("landing time", flight.landing_time, "s"),
    )


def _delivery(level: Level, tree: Sequence[Entry], trace: Trace, rule: Rule) -> Score:
    path = _path_of(level.balls[0], trace)
    along = _progress(level, path)
    distance = _gain(along[-1] - along[0])
    measures = (Measure("distance", distance, "m"), Measure("farthest", float(along.max() - along[0]), "m"))
    return _score(level, rule, distance, distance, measures, success=_is_inside(level.goal, path[-1]))


def _pick(level: Level, tree: Sequence[Entry], trace: Trace, rule: Rule) -> Score:
    stone = level.balls[0]
    heights = _path_of(stone, trace)[:, 1]
    depth = stone.radius - stone.center[1]
    gained = min(_gain(heights[-1] - heights[0]), depth + EXTRA_LIFT_M)
    highest = Measure("highest", float(heights.max() - heights[0]), "m")
    return _score(level, rule, gained, gained, (highest,), success=bool(heights[-1] >= LIFTED_M))


def _gain(metres: float) -> float:
    """How far something has come; nothing where it went back or only crept."""
    return float(metres) if metres >= STILL_M else 0.0


_SCORES = {"movement": _movement, "throw": _throw, "delivery": _delivery, "pick": _pick}


def _path_of(ball: Ball, trace: Trace) -> Floats:
    return np.asarray(trace.paths[:, trace.ball_names.index(ball.name)])


def _progress(level: Level, places: Floats) -> Floats:
    return progress_along(level.path, places[:, [0, 2]])


def _is_inside(zone: Box | None, place: Floats) -> bool:
    return zone is not None and bool(((place >= zone.low) & (place <= zone.high)).all())


def _score(
    level: Level,
    rule: Rule,
    reward: float,
    value: float,
    measures: Sequence[Measure],
    *,
    success: bool | None = None,
    notes: tuple[str, ...] = (),
) -> Score:
    """R comes first, then what is shown, unless it was measured, then what was measured."""
    shown = shown_of(level, value, rule)
    counted = (Measure(REWARD, reward, _unit_of_reward(level)), shown)
    measured = {measure.name for measure in measures}
    figures = (*(measure for measure in counted if measure.name not in measured), *measures)
    return Score(reward, shown, value, success, figures, notes)


def shown_of(level: Level, value: float, rule: Rule = "default") -> Measure:
    """The figure that is shown and compared in a level, with its name and unit."""
    if level.targets:
        return Measure(TARGETS_HIT, value, "")
    if level.task == "pick":
        return Measure(HEIGHT_GAINED, value, "m")
    if rule == "reference_reward" and level.task in ("movement", "throw"):
        return Measure("straight distance", value, "m")
    return Measure("landing distance" if rule == "landing" and level.task == "throw" else "distance", value, "m")


def _unit_of_reward(level: Level) -> str:
    if level.targets:
        return ""
    return "m²" if level.task == "throw" else "m"


def _nothing(level: Level, rule: Rule, note: str) -> Score:
    """All is 0; where there is something to reach, it was not reached."""
    return _score(level, rule, 0.0, 0.0, (), success=_failure(level), notes=(note,))


def _failure(level: Level) -> bool | None:
    return False if level.targets or level.balls else None


def _disqualified(level: Level, score: Score, why: str) -> Score:
    """Keeps what was measured, though nothing of it counts."""
    figures = tuple(figure._replace(value=0.0) if figure.name == REWARD else figure for figure in score.figures)
    shown = score.shown._replace(value=0.0)
    notes = (why, *score.notes)
    return replace(score, reward=0.0, shown=shown, rank=0.0, success=_failure(level), figures=figures, notes=notes)
