"""What the judge of machines found, as the rows, figures and warnings of a verdict (docs/tasks/machine.md)."""

from __future__ import annotations

from collections.abc import Iterator

from spatial_workbench.engine.core import Check, CheckList, Figure, Problem
from spatial_workbench.engine.machines.building.blocks import BOULDER
from spatial_workbench.engine.machines.building.poses import kind_of
from spatial_workbench.engine.machines.building.settings import PARAMETERS
from spatial_workbench.engine.machines.building.tree import Fault, Link, Tree
from spatial_workbench.engine.machines.levels.level import Level
from spatial_workbench.engine.machines.results.feedback import break_time
from spatial_workbench.engine.machines.results.scoring import HEIGHT_GAINED, Score
from spatial_workbench.engine.machines.results.trace import Break
from spatial_workbench.engine.physics.machine_judging import MachineJudged
from spatial_workbench.engine.physics.machine_results import trace_name

FILE_CHECK = "the list is a construction tree"
_SPACE = {
    "OVERLAP": "no two blocks overlap",
    "FACE_OCCUPIED": "every face carries one block",
    "SIZE": "the machine is not too large",
}
SIMULATED = "the simulation runs to its end"
WORKS = "the machine does its work"
MOST_LISTED = 10


def checks_of(judged: MachineJudged) -> list[Check]:
    """The rows of the verdict, in order."""
    return CHECKS.run(judged) + _outcome_checks(judged)


CHECKS = CheckList()


@CHECKS.step(FILE_CHECK)
def _file(judged: MachineJudged) -> Iterator[Problem]:
    yield from map(_problem, judged.reading.faults)


@CHECKS.step(_SPACE["FACE_OCCUPIED"])
def _occupied(judged: MachineJudged) -> Iterator[Problem]:
    yield from _spatial(judged, "FACE_OCCUPIED")


@CHECKS.step(_SPACE["OVERLAP"])
def _overlap(judged: MachineJudged) -> Iterator[Problem]:
    yield from _spatial(judged, "OVERLAP")


@CHECKS.step(_SPACE["SIZE"])
def _size(judged: MachineJudged) -> Iterator[Problem]:
    yield from _spatial(judged, "SIZE")


@CHECKS.step(SIMULATED)
def _runs(judged: MachineJudged) -> Iterator[Problem]:
    if judged.trace is not None and judged.trace.fault:
        yield Problem(f"The simulation ended early: {judged.trace.fault}")


def _outcome_checks(judged: MachineJudged) -> list[Check]:
    """Whether the machine did what the level asks for; not reached where it was not simulated."""
    if judged.trace is None or judged.trace.fault:
        return [Check.not_reached(WORKS)]
    missed = [] if judged.score.reward > 0 else [Problem(_what_happened(judged.score))]
    return [Check.of(WORKS, missed)]


def _what_happened(score: Score) -> str:
    if score.notes:
        return score.notes[0]
    if score.shown.name == HEIGHT_GAINED:
        return f"Height gained: {score.shown.value:.4g} {score.shown.unit}"
    return f"{score.shown.name.capitalize()}: {score.shown.value:.4g} {score.shown.unit}".rstrip()


def _spatial(judged: MachineJudged, code: str) -> Iterator[Problem]:
    yield from (_problem(fault) for fault in judged.spatial if fault.code == code)


def _problem(fault: Fault) -> Problem:
    place = "" if fault.entry is None else f"block {fault.entry}: "
    elements = () if fault.entry is None else (f"block {fault.entry}",)
    return Problem(f"{place}{fault.sentence} ({fault.code})", elements)


def validity_figures(judged: MachineJudged) -> list[Figure]:
    """Validity of file, space and machine, 1 or 0; of space only where the file is valid."""
    has_tree = judged.reading.tree is not None
    space = [Figure("spatial validity", int(not judged.spatial))] if has_tree else []
    return [Figure("file validity", int(has_tree)), *space, Figure("machine validity", int(judged.is_valid))]


def score_figures(score: Score) -> list[Figure]:
    """What was measured."""
    return [Figure(figure.name, round(figure.value, 4), figure.unit) for figure in score.figures]


def warnings_of(judged: MachineJudged, level: Level) -> list[str]:
    """What a builder should know: odd blocks, and what broke."""
    tree = judged.reading.tree
    warnings = [fault.sentence for fault in judged.reading.warnings]
    if tree is not None:
        warnings += _warnings_about_blocks(tree, level)
        warnings += _warnings_about_parameters(tree, level)
    if judged.trace is not None and tree is not None:
        warnings += [words_of_break(tree, broken) for broken in judged.trace.breaks]
    return [*warnings, *judged.score.notes]


def words_of_break(tree: Tree, broken: Break) -> str:
    """A broken connection in a sentence."""
    kind = kind_of(tree[broken.block])
    time = f"{break_time(broken.time):.1f}"
    force = f"{broken.force:,.0f}"
    if kind.is_linear:
        return f"Block {broken.block}, {kind.name}, broke at {time} s under {force} N"
    other = f"{broken.other}, {kind_of(tree[broken.other]).name}"
    return (
        f"Block {broken.block}, {kind.name}, broke off block {other}, at {time} s under {force} N and "
        f"{broken.torque:,.0f} N m"
    )


def _warnings_about_blocks(tree: Tree, level: Level) -> list[str]:
    warnings = []
    foreign = sorted({kind_of(entry).name for entry in tree if level.types and entry.type not in level.types})
    if foreign:
        warnings.append(f"Not meant for this level: {', '.join(foreign)}")
    warnings += [
        f"Both ends of block {entry.id}, {kind_of(entry).name}, are on block {entry.parent_a}"
        for entry in tree
        if isinstance(entry, Link) and entry.parent_a == entry.parent_b
    ]
    boulders = sum(entry.type == BOULDER for entry in tree)
    if level.task == "throw" and boulders > 1:
        warnings.append(f"One boulder is expected; there are {boulders}")
    return warnings


def _warnings_about_parameters(tree: Tree, level: Level) -> Iterator[str]:
    """A sentence about the parameters that do not count; keys never count in a simulation."""
    ignored: dict[str, list[int]] = {}
    for entry in tree:
        for name, _ in entry.settings.parameters if entry.settings is not None else ():
            if PARAMETERS[name].form != "key" and name not in level.parameters:
                ignored.setdefault(name, []).append(entry.id)
    for name, blocks in ignored.items():
        listed = ", ".join(map(str, blocks[:MOST_LISTED])) + (" …" if len(blocks) > MOST_LISTED else "")
        yield f"The parameter “{name}” does not count in this level and was ignored: block {listed}"


def details_of(judged: MachineJudged, level: Level) -> dict[str, object]:
    """What is stored of a run beside its figures."""
    trace = judged.trace
    if trace is None:
        return {"level": level.id}
    breaks = [
        {"block": row.block, "other": row.other, "time": round(row.time, 4), "load": round(row.load, 3)}
        for row in trace.breaks
    ]
    samples = trace.positions[trace.samples, 0].round(2).tolist()
    balls = {
        name: trace.balls[trace.samples, column, :3].round(2).tolist() for column, name in enumerate(trace.ball_names)
    }
    recorded = {"root": samples, "balls": balls, "trace": trace_name(judged.reading.tree or (), level, trace.rate)}
    return {"level": level.id, "engine": trace.engine, "breaks": breaks} | recorded
