"""A workflow or a search as a tree to browse: its machines, and the answers that made none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.machines.building.tree import Tree, read_tree
from spatial_workbench.engine.machines.designing.roles import Role
from spatial_workbench.engine.machines.designing.strategies import Strategy
from spatial_workbench.engine.machines.designing.workflow_records import Call, Machine, WorkflowRecord
from spatial_workbench.engine.machines.levels.catalogue import levels
from spatial_workbench.engine.machines.levels.level import Level
from spatial_workbench.engine.machines.results.scoring import Measure, shown_of
from spatial_workbench.engine.search.node_file import Row, SearchError

STRATEGY_NAMES = {
    Strategy.BEST_OF_N: "Best of N",
    Strategy.MCTS: "Tree search (MCTS)",
    Strategy.RANDOM: "Random search",
}
_WORKFLOWS = {"single": "Single agent", "iterative": "Iterative editing", "hierarchical": "Hierarchical design"}
_ENDS = {
    "no plan": "No answer was a plan that can be used",
    "no machine": "No answer was a valid machine",
    "lost": "No steps of the blind refiner could be carried out",
    "timeout": "The time was over",
}
NOT_TAKEN = "All steps can be carried out; the machine of an earlier candidate was taken"
_ADVISERS = (Role.INSPECTOR, Role.QUERIER)
"""Roles whose answers make no machine."""


@dataclass(frozen=True)
class Talk:
    """A question to a role, and its answer; `error` says why the answer could not be used."""

    title: str
    system: str
    prompt: str
    answer: str
    error: str = ""


@dataclass(frozen=True)
class RunNode:
    """A machine, or an answer that made none.

    Attributes:
        key: Unique in its tree.
        parent: The key of the node that was changed; None: nothing was.
        machine: The machine's number; None: there is no machine.
        step: The step of the run in which it was made.
        shown: What the machine reached; None: it was not simulated.
        lines: The edit commands that made it from its parent.
        trouble: Why the machine is worth nothing, or why there is none; empty if neither is so.
        is_valid: Whether there is a machine that breaks no rule.
        talks: The call that made it, then the calls about it.
    """

    key: str
    parent: str | None
    machine: int | None
    step: str
    tree: Tree | None = None
    shown: Measure | None = None
    lines: tuple[str, ...] = ()
    trouble: str = ""
    is_valid: bool = True
    talks: tuple[Talk, ...] = ()


@dataclass(frozen=True)
class RunTree:
    """A run, whole or as far as it has got.

    Attributes:
        facts: Short texts about the run as a whole.
        nodes: Parents come before their children.
        best: The key of the best machine; None: there is none.
    """

    heading: str
    level: str
    facts: tuple[str, ...] = ()
    nodes: tuple[RunNode, ...] = ()
    best: str | None = None
    _by_key: Mapping[str, RunNode] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_key", {node.key: node for node in self.nodes})

    def node(self, key: str) -> RunNode | None:
        """The node of a key, if there is one."""
        return self._by_key.get(key)

    def with_facts(self, facts: Iterable[str]) -> RunTree:
        """The same run with further facts."""
        return replace(self, facts=(*self.facts, *facts))

    @property
    def best_path(self) -> tuple[str, ...]:
        """The keys from the best machine's first ancestor to itself."""
        path: list[str] = []
        key = self.best
        while key is not None:
            path.append(key)
            key = self._by_key[key].parent
        return tuple(reversed(path))


def lone_machine(level: str, tree: Tree | None, trouble: str = "") -> RunTree:
    """The tree of a single machine of which no run is known; `trouble` says why it is not valid."""
    node = RunNode("m0", None, 0, "Machine", tree, trouble=trouble, is_valid=not trouble)
    return RunTree("One machine", level, (), (node,), "m0" if tree is not None else None)


# Workflows -----------------------------------------------------------------------------------------------------------


def tree_of_workflow(record: WorkflowRecord, level: Level) -> RunTree:
    """A recorded workflow as a tree; `level` is the level in which it ran."""
    rounds = _rounds_of(record)
    made = {machine.call: machine for machine in record.machines}
    nodes = [
        _machine_node(record, made[index], level, rounds) if index in made else _call_node(record, index)
        for index, call in enumerate(record.calls)
        if index in made or call.role not in _ADVISERS
    ]
    options = record.options
    facts = [
        f"{STRATEGY_NAMES[options.strategy]}, {counted(options.rounds, 'round')}"
        if record.workflow != "single"
        else "",
        _count_of(nodes),
        counted(len(record.calls), "call"),
        _ENDS.get(record.end, ""),
    ]
    best = None if record.best is None else f"m{record.best}"
    return RunTree(_WORKFLOWS[record.workflow], record.level, tuple(filter(None, facts)), tuple(nodes), best)


def _count_of(nodes: Iterable[RunNode]) -> str:
    machines = [node for node in nodes if node.machine is not None]
    valid = sum(node.is_valid for node in machines)
    return f"{counted(len(machines), 'machine')}, {valid} valid"


def _machine_node(record: WorkflowRecord, machine: Machine, level: Level, rounds: Mapping[int, int]) -> RunNode:
    about = [call for call in record.calls if call.about == machine.id and call.role in _ADVISERS]
    figures = {name: Measure(name, value, unit) for name, value, unit in machine.figures}
    reached = None if machine.score is None else shown_of(level, machine.score)
    return RunNode(
        key=f"m{machine.id}",
        parent=None if machine.parent is None else f"m{machine.parent}",
        machine=machine.id,
        step=_step_of(record, machine, rounds),
        tree=read_tree(list(machine.tree)).tree,
        shown=None if reached is None else figures.get(reached.name, reached),
        lines=machine.lines,
        trouble=" ".join(filter(None, (*machine.faults, machine.fault))),
        is_valid=machine.is_valid,
        talks=tuple(_talk(record, call) for call in (record.calls[machine.call], *about)),
    )


def _call_node(record: WorkflowRecord, index: int) -> RunNode:
    call = record.calls[index]
    parent = None if call.about is None else f"m{call.about}"
    step = "Plan" if call.role is Role.META_DESIGNER else title_of(call).replace(", candidate", "")
    lines = _structures_of(call) if call.role is Role.META_DESIGNER else _lines_of(call)
    trouble = call.error or (NOT_TAKEN if call.role is Role.BLIND_REFINER else "")
    return RunNode(
        f"c{index}", parent, None, step, lines=lines, trouble=trouble, is_valid=False, talks=(_talk(record, call),)
    )


def _lines_of(call: Call) -> tuple[str, ...]:
    """The edit commands of a call, with their outcomes."""
    steps = call.parsed if isinstance(call.parsed, list) else []
    words = ([step["text"], step["outcome"], step["reason"]] for step in steps if "outcome" in step)
    return tuple(": ".join(filter(None, map(str, line))) for line in words)


def _structures_of(call: Call) -> tuple[str, ...]:
    plan = call.parsed if isinstance(call.parsed, dict) else {}
    return tuple(str(structure["name"]) for structure in plan.get("structures", ()))


def _step_of(record: WorkflowRecord, machine: Machine, rounds: Mapping[int, int]) -> str:
    if machine.stage == "round":
        return f"Round {rounds[machine.id]}" if machine.id in rounds else "Rounds"
    if machine.stage == "blind":
        return "Blind refiner"
    structures = (record.plan or {}).get("structures", ())
    if machine.layer is not None and machine.layer < len(structures):
        name = structures[machine.layer]["name"]
        return f"Structure {machine.layer + 1} of {len(structures)}: {name}"
    return "Single agent" if record.workflow == "single" else "Design"


def _rounds_of(record: WorkflowRecord) -> dict[int, int]:
    """The round, from 1, in which each machine was made; those of a run that was cut off may be missing."""
    rounds: dict[int, int] = {}
    made = [machine for machine in record.machines if machine.stage == "round"]
    for searched in record.searches:
        below = iter(_descendants(searched.root, made))
        for number, count in enumerate(searched.expanded, 1):
            rounds |= {machine: number for _, machine in zip(range(count), below, strict=False)}
    return rounds


def _descendants(root: int, machines: Sequence[Machine]) -> list[int]:
    below = [root]
    for machine in machines:
        if machine.parent in below:
            below.append(machine.id)
    return below[1:]


def _talk(record: WorkflowRecord, call: Call) -> Talk:
    return Talk(title_of(call), record.systems[call.system], call.prompt, call.answer, call.error)


def title_of(call: Call) -> str:
    """Who was asked: "Refiner, candidate 2, try 3"."""
    name = call.role.value.capitalize()
    several = call.candidate or call.role in (Role.DESIGNER, Role.BLIND_REFINER, Role.REFINER)
    candidate = f", candidate {call.candidate + 1}" if several else ""
    return name + candidate + (f", try {call.attempt}" if call.attempt > 1 else "")


# Searches ------------------------------------------------------------------------------------------------------------


def tree_of_search(about: Row, rows: Sequence[Row]) -> RunTree:
    """A search by random edits as a tree.

    Args:
        about, rows: What its file says about the search, and its machines (see `read_nodes`).

    Raises:
        SearchError: The rows are damaged, or the search was not made in a published level.
    """
    level = str(about.get("level"))
    if level not in levels():
        raise SearchError(f"The search was made in “{level}”, which is not one of the published levels")
    try:
        strategy = Strategy(about["strategy"])
        nodes = tuple(_nodes_of_rows(strategy, rows))
    except (KeyError, TypeError, ValueError) as error:
        raise SearchError(f"The file of the search is damaged: {error}") from None
    best = max((row for row in rows if row["valid"]), key=lambda row: row["rank"], default=None)
    facts = ("Random edits", _count_of(nodes), f"seed {about.get('seed')}")
    return RunTree(STRATEGY_NAMES[strategy], level, facts, nodes, None if best is None else f"m{best['id']}")


def _nodes_of_rows(strategy: Strategy, rows: Iterable[Row]) -> Iterator[RunNode]:
    name = "Expansion" if strategy is Strategy.MCTS else "Round"
    expansions: dict[tuple[Any, ...], int] = {}
    known: Counter[int] = Counter()
    for row in rows:
        number = int(row["id"])
        parent = None if row["parent"] is None else int(row["parent"])
        known[number] += 1
        if parent is not None and not known[parent]:
            raise ValueError(f"machine {number} comes before the one that it was made of")
        expansion = tuple(row["seed"] or ())[:3]
        step = f"{name} {expansions.setdefault(expansion, len(expansions) + 1)}" if expansion else "Start"
        yield RunNode(
            key=f"m{number}",
            parent=None if parent is None else f"m{parent}",
            machine=number,
            step=step,
            tree=read_tree(row["tree"]).tree,
            shown=Measure(str(row["shown"][0]), float(row["shown"][1]), str(row["shown"][2])),
            lines=tuple(map(str, row["lines"])),
            trouble=" ".join(map(str, row["notes"])),
            is_valid=bool(row["valid"]),
        )
