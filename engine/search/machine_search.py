"""Searches for better machines by random legal edits: what models are compared with (docs/machines.md).

The machines of an expansion are simulated at the same time, on an executor. Nothing depends on how many run at once,
and every draw has a seed of its own; so a search that was interrupted repeats its draws, finds their results in its
file, and goes on where it stopped.
"""

from __future__ import annotations

import json
import uuid
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from spatial_workbench.engine.core.progress import Progress, silent
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.executor import Executor, ExecutorJob, Finished, JobOutcome, run_jobs
from spatial_workbench.engine.machines.building.blocks import block_types, table_hash
from spatial_workbench.engine.machines.building.spatial import spatial_faults
from spatial_workbench.engine.machines.building.tree import MachineReading, Tree, read_tree, write_tree
from spatial_workbench.engine.machines.designing.strategies import MAX_TRIES, ROUNDS, Node, Search, Strategy, search
from spatial_workbench.engine.machines.levels.level import Level, write_level
from spatial_workbench.engine.machines.results.scoring import score_of
from spatial_workbench.engine.physics.machine_jobs import as_data
from spatial_workbench.engine.physics.machine_results import RECIPE
from spatial_workbench.engine.search.mutation import mutated
from spatial_workbench.engine.search.node_file import NodeFile, Row, SearchError

SIMULATION = "spatial_workbench.engine.physics.machine_jobs:measured"
TIME_LIMIT_S = 120.0
MEMORY_LIMIT_MB = 2048
_RESULT = ("valid", "score", "rank", "shown", "success", "notes")
"""The keys of the data that `as_data` returns."""

Seed = tuple[int, ...]
"""The seed of a draw: the seed of the search, the id of the parent, how often the parent was expanded before, the
number of the candidate, and the number of the try."""


@dataclass(frozen=True)
class SearchPlan:
    """What a search does. A stored search is resumed by a plan that is the same but for the number of rounds.

    Attributes:
        start: The machine that the search starts with.
        rounds: How many rounds the search has in all.
        candidates: How many machines a round makes; None: as many as is usual for the strategy.
    """

    level: Level
    start: Tree
    strategy: Strategy = Strategy.BEST_OF_N
    rounds: int = ROUNDS
    candidates: int | None = None
    seed: int = 0


@dataclass(frozen=True)
class _Draw:
    id: int
    parent: int | None
    tree: Tree
    lines: tuple[str, ...] = ()
    seed: Seed | None = None


class MachineSearch:
    """A search in one level.

    Attributes:
        rows: Every machine so far, as it is stored: id, parent, lines (the edits), seed, tree, valid, score (R), rank
            (what the search maximizes), shown (name, value and unit of the figure shown), success, notes.
        simulated: How many simulations this object has run.
    """

    def __init__(
        self,
        plan: SearchPlan,
        executor: Executor,
        path: Path | None = None,
        progress: Progress = silent,
        simulation: str = SIMULATION,
    ) -> None:
        """Opens a search.

        Args:
            path: The file in which its machines are stored, so that it can be resumed; None: they are not stored.
            simulation: The function that simulates a machine, "package.module:name".

        Raises:
            SearchError: The file holds something else, or is damaged.
        """
        self.simulated = 0
        self._plan = plan
        self._executor = executor
        self._progress = progress
        self._simulation = simulation
        self._level = json.dumps(write_level(plan.level), sort_keys=True)
        self._file = NodeFile(path, self._about())
        self._results = {_tree_in(row): _result_in(row) for row in self._file.rows}
        self._expansions: Counter[int] = Counter()
        self._seen: set[Tree] = set()
        self._count = 0
        self._run = uuid.uuid4().hex

    @property
    def rows(self) -> Sequence[Row]:
        return self._file.rows

    @property
    def best(self) -> Row | None:
        """The machine of the highest rank, the earliest of equals; None before the first has been simulated."""
        return max((row for row in self.rows if row["valid"]), key=lambda row: row["rank"], default=None)

    def run(self) -> Search:
        """Runs all rounds, or those that are left.

        Raises:
            SearchError: Machines cannot be simulated, or what is stored does not fit.
            ExecutorUnavailable: The cluster was lost.
            Cancelled: Raised by the progress that the search was given.
        """
        plan = self._plan
        nodes = self._nodes([self._drawn(None, plan.start)])
        if not nodes:
            raise SearchError("The machine to start with is not valid")
        rng = np.random.default_rng(plan.seed)
        outcome = search(plan.strategy, nodes[0], self._expand, rng, plan.rounds, plan.candidates)
        self._report(plan.rounds)
        return outcome

    def _about(self) -> Row:
        plan = self._plan
        rules = f"{RECIPE} {table_hash()} {self._simulation} {self._level}"
        return {
            "search": "machines",
            "level": plan.level.id,
            "strategy": plan.strategy.value,
            "candidates": plan.candidates,
            "seed": plan.seed,
            "start": write_tree(plan.start),
            "rules": sha256(rules.encode()).hexdigest()[:16],
        }

    # Drawing ---------------------------------------------------------------------------------------------------------

    def _expand(self, node: Node, count: int) -> list[Node]:
        draws = [self._candidate(node, number) for number in range(count)]
        self._expansions[node.id] += 1
        return self._nodes([draw for draw in draws if draw is not None])

    def _candidate(self, node: Node, number: int) -> _Draw | None:
        """A machine that is new to the search, if one of a few tries makes it; else one that is legal."""
        level = self._plan.level
        last = None
        for attempt in range(MAX_TRIES):
            seed = (self._plan.seed, node.id, self._expansions[node.id], number, attempt)
            edited = mutated(
                node.tree, level.types or block_types().keys(), np.random.default_rng(seed), level.size_limits
            )
            if edited is not None:
                last = edited.tree, tuple(step.text for step in edited.steps), seed
                if edited.tree not in self._seen:
                    break
        return None if last is None else self._drawn(node.id, *last)

    def _drawn(self, parent: int | None, tree: Tree, lines: tuple[str, ...] = (), seed: Seed | None = None) -> _Draw:
        self._seen.add(tree)
        self._count += 1
        return _Draw(self._count - 1, parent, tree, lines, seed)

    # Simulating ------------------------------------------------------------------------------------------------------

    def _nodes(self, draws: Sequence[_Draw]) -> list[Node]:
        """Simulates machines, stores them in the order of their ids, and returns the valid ones."""
        stored = self._store_known(draws, 0)
        for tree, finished in self._simulated(draws):
            self._results[tree] = self._result_of(tree, finished)
            stored = self._store_known(draws, stored)
        self._report(self._rounds)
        return [node for draw in draws if (node := self._node_of(draw)) is not None]

    def _simulated(self, draws: Sequence[_Draw]) -> Iterator[tuple[Tree, Finished]]:
        """Runs the simulations that nobody has run yet; equal machines are simulated once."""
        unknown = {draw.tree: f"{self._run} {draw.id}" for draw in draws if draw.tree not in self._results}
        trees = {key: tree for tree, key in unknown.items()}
        jobs = (self._job(key, tree) for key, tree in trees.items())
        for finished in run_jobs(
            self._executor, lambda: next(jobs, None), lambda _: self._report(self._rounds), most_pending=len(trees) or 1
        ):
            yield trees[finished.key], finished

    def _job(self, key: str, tree: Tree) -> ExecutorJob:
        arguments = {"tree": write_tree(tree), "level": self._level}
        return ExecutorJob(key, self._simulation, arguments, TIME_LIMIT_S, MEMORY_LIMIT_MB)

    def _store_known(self, draws: Sequence[_Draw], stored: int) -> int:
        """Stores the machines up to the first whose result is still to come; returns how many are stored."""
        while stored < len(draws) and draws[stored].tree in self._results:
            self._store_machine(draws[stored])
            stored += 1
        return stored

    def _node_of(self, draw: _Draw) -> Node | None:
        result = self._results[draw.tree]
        return Node(draw.id, draw.parent, draw.tree, result["rank"], draw.lines) if result["valid"] else None

    def _result_of(self, tree: Tree, finished: Finished) -> Row:
        """The result of a simulation; a machine is worth nothing if its simulation crashed or took too long.

        Raises:
            SearchError: It could not be started.
        """
        self.simulated += 1
        if finished.outcome is JobOutcome.DONE:
            result: Row = finished.value
            return result
        if finished.outcome in (JobOutcome.FAILED, JobOutcome.CANCELLED):
            raise SearchError(f"A machine cannot be simulated: {finished.message}")
        nothing = as_data(score_of(self._plan.level, tree, None), is_valid=True)
        return nothing | {"notes": [f"The simulation failed: {finished.message}"]}

    def _store_machine(self, draw: _Draw) -> None:
        row = {"id": draw.id, "parent": draw.parent, "lines": list(draw.lines)}
        seed = None if draw.seed is None else list(draw.seed)
        self._file.add(row | {"seed": seed, "tree": write_tree(draw.tree)} | self._results[draw.tree])

    @property
    def _rounds(self) -> int:
        """How many rounds are known to have begun. Rounds that expand nothing, but visit a machine, are not counted."""
        return sum(self._expansions.values())

    def _report(self, rounds: int) -> None:
        best = self.best
        if best is not None:
            name, value, unit = best["shown"]
            text = f"{counted(len(self.rows), 'machine')}, best {name}: {value:.4g} {unit}".rstrip()
            self._progress(rounds, self._plan.rounds, text)


def require_start(reading: MachineReading, level: Level) -> Tree:
    """The tree of a machine that a search may start with.

    Raises:
        SearchError: The machine breaks a rule of files or of space; names the first such rule and the block.
    """
    tree = reading.tree
    faults = reading.faults if tree is None else tuple(spatial_faults(tree, level.size_limits))
    if tree is None or faults:
        fault = faults[0]
        place = "" if fault.entry is None else f"block {fault.entry}: "
        raise SearchError(f"The machine to start with is not valid: {place}{fault.sentence} ({fault.code})")
    return tree


def _tree_in(row: Row) -> Tree:
    tree = read_tree(row.get("tree")).tree
    if tree is None:
        raise SearchError(f"Machine {row['id']} of the stored search is damaged")
    return tree


def _result_in(row: Row) -> dict[str, Any]:
    try:
        return {name: row[name] for name in _RESULT}
    except KeyError as error:
        raise SearchError(f"Machine {row['id']} of the stored search has no {error}") from None
