"""Measurements of machines: how much faster than real time they are simulated, and how fast they are checked."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from spatial_workbench.engine.executor import Executor, open_executor
from spatial_workbench.engine.machines.building.edits import apply_lines
from spatial_workbench.engine.machines.building.spatial import spatial_faults
from spatial_workbench.engine.machines.building.tree import MachineBlock, Tree
from spatial_workbench.engine.machines.levels.catalogue import level_of
from spatial_workbench.engine.machines.levels.examples import examples
from spatial_workbench.engine.machines.levels.references import references
from spatial_workbench.engine.search.machine_search import MachineSearch, SearchPlan
from tools.machine_builder import MachineBuilder

RUNS = 3
_BATCH = 20
_WORKERS = 2


def car(blocks: int) -> Tree:
    """A car of so many blocks: logs one behind the other, wheels at their sides, and small blocks on top."""
    if blocks == len(references()["M1"].tree):
        return references()["M1"].tree
    builder = MachineBuilder()
    logs = [builder.add(63, 0, "z+"), builder.add(63, 0, "z-")]
    logs += [builder.add(63, logs[0], "z+"), builder.add(63, logs[1], "z-")]
    for log in logs:
        for side in ("x+", "x-"):
            builder.add(2, log, side, 0)
    below = [(log, place) for log in logs for place in range(3)]
    while len(builder.tree) < blocks:
        log, place = below.pop(0)
        below.append((builder.add(15, log, "y+", place), 0))
    return builder.tree


def catapult() -> Tree:
    """The example catapult of 20 blocks."""
    return references()["T2"].tree


def spring_catapult() -> Tree:
    """The example catapult of 17 blocks whose spring pulls its arm."""
    return next(example.tree for example in examples() if example.title == "Spring catapult")


def times_real_time(tree: Callable[[], Tree], level: str) -> Iterator[float]:
    """Seconds simulated in a second of a processor, with all checks and what is recorded; setting up included."""
    from spatial_workbench.engine.physics.machine_run import simulate

    machine = tree()
    where = level_of(level)
    simulate(machine, where)
    for _ in range(RUNS):
        start = time.process_time()
        simulate(machine, where)
        yield (1 + where.window_s) / (time.process_time() - start)


def times_real_time_bare(tree: Callable[[], Tree], level: str) -> Iterator[float]:
    """The same bodies with the same motors, stepped by the engine alone."""
    from spatial_workbench.engine.machines.levels.level import policy_at
    from spatial_workbench.engine.physics.machine_world import MachineWorld

    machine = tree()
    where = level_of(level)
    for _ in range(RUNS):
        world = MachineWorld(machine, where)
        for _ in range(world.rate + 1):
            world.step(policy_at(where.programme, world.time))
        start = time.process_time()
        for _ in range(2 * world.rate):
            world.engine.stepSimulation()
        yield 2 / (time.process_time() - start)
        world.close()


def simulations_a_second() -> Iterator[float]:
    """How many cars of 7 blocks two processes simulate in a second, setting up included."""
    with ProcessPoolExecutor(_WORKERS) as pool:
        list(pool.map(_simulate_car, range(_WORKERS)))
        for _ in range(RUNS):
            start = time.perf_counter()
            list(pool.map(_simulate_car, range(_BATCH)))
            yield _BATCH / (time.perf_counter() - start)


def _simulate_car(number: int) -> int:
    from spatial_workbench.engine.physics.machine_run import simulate

    return len(simulate(car(7), level_of("M1")).positions) + number


def search_speed_up() -> Iterator[float]:
    """How many times as fast two workers search as one: rounds of eight changes of a car, the processes being there."""
    with open_executor(1) as single, open_executor(_WORKERS) as pair:
        _searched_s(single, 0), _searched_s(pair, 0)
        for seed in range(1, RUNS + 1):
            yield _searched_s(single, seed) / _searched_s(pair, seed)


def _searched_s(executor: Executor, seed: int) -> float:
    plan = SearchPlan(level_of("M1"), car(7), rounds=5, candidates=8, seed=seed)
    start = time.perf_counter()
    MachineSearch(plan, executor).run()
    return time.perf_counter() - start


def spatial_check() -> Iterator[float]:
    """The rules of space for 100 blocks, ms."""
    yield from _timed_ms(partial(spatial_faults, car(100)))


def edit_check() -> Iterator[float]:
    """One edit of a machine of 100 blocks with its check, ms."""
    tree = car(101)
    last = tree[-1]
    assert isinstance(last, MachineBlock)
    line = f"Add [{last.type}] to [{last.parent}] in [{last.face}]"
    yield from _timed_ms(lambda: apply_lines(tree[:-1], [line]))


def _timed_ms(work: Callable[[], object]) -> Iterator[float]:
    for _ in range(20):
        start = time.perf_counter()
        work()
        yield 1000 * (time.perf_counter() - start)


SPEEDS: dict[str, tuple[Callable[[], Tree], str, str, str]] = {
    "7-block car": (partial(car, 7), "M1", "> 40", "54"),
    "17-block spring catapult": (spring_catapult, "T2", "> 22", "28"),
    "20-block catapult": (catapult, "T2", "> 30", "37"),
    "25-block car": (partial(car, 25), "M1", "> 16", "17"),
    "40-block car": (partial(car, 40), "M1", "> 14", "13"),
    "100-block car": (partial(car, 100), "M1", "> 12", "4.3"),
    "300-block car": (partial(car, 300), "M1", "> 4", "impossible"),
}
"""What is simulated, in which level, the wanted multiple of real time, and what it was with one link a block."""
