"""A site of 1,000 attempts, each with an answer of its own: drawn for the first time, and with all drawings kept."""

from __future__ import annotations

import json
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from spatial_workbench.engine.core import Check, Problem, Verdict, task

if TYPE_CHECKING:
    from spatial_workbench.engine.store import Project

ATTEMPTS = 1000
_TASKS = (
    *("lego_hemisphere", "maze_3d", "pack_prisms", "csg_union", "hamiltonian_loop", "two_segments", "hyper_snake"),
    *("voxel_projection", "cube_full_symbolic", "tetrahedra_shadow", "pipe_loop"),
)
_MODELS = ("aspen-large", "aspen-small", "birch", "cedar-2", "elm-reasoner", "oak-preview")


def fill(project: Project, count: int = ATTEMPTS, seed: int = 0) -> None:
    """Adds attempts of models: reference answers that lack something, each something else, with made-up verdicts."""
    from spatial_workbench.engine.store import Actor, Asked

    rng = random.Random(seed)
    instances = [(known, instance) for name in _TASKS for known in [task(name)] for instance in known.instances()[:6]]
    answers = [known.format(known.solve(instance)) for known, instance in instances]
    with project.database.write_transaction():
        for number in range(count):
            _, instance = instances[number % len(instances)]
            score = rng.choice((0.0, 0.0, 1.0, round(rng.random(), 2)))
            problems = [] if score == 1 else [Problem(f"Part {number} is not where it has to be")]
            checks = (Check.of("in its place", problems),)
            verdict = Verdict(
                instance=instance.address,
                verifier="default",
                version="1",
                score=score,
                passed=score == 1,
                checks=checks,
            )
            asked = Asked(repeat=number // len(instances) // len(_MODELS), output_tokens=rng.randrange(50, 60_000))
            name = _MODELS[number // len(instances) % len(_MODELS)]
            answer = _spoiled(answers[number % len(instances)], rng)
            project.attempts.add(instance, answer, Actor.MODEL, name, rng.random() * 99, (verdict,), asked=asked)


def _spoiled(text: str, rng: random.Random) -> str:
    """An answer without one element of one of its lists; the same if it has none, or is text."""
    try:
        data = json.loads(text)
    except ValueError:
        return text
    lists = [value for value in data.values() if isinstance(value, list) and len(value) > 1]
    if lists:
        chosen = rng.choice(lists)
        del chosen[rng.randrange(len(chosen))]
    return json.dumps(data)


def drawn_anew() -> Iterator[float]:
    """Seconds to make the site when nothing is kept."""
    yield from _seconds(keep=False)


def drawn_before() -> Iterator[float]:
    """Seconds to make the site when all drawings are kept."""
    yield from _seconds(keep=True)


def _seconds(keep: bool) -> Iterator[float]:
    from spatial_workbench.engine.store import Project

    with tempfile.TemporaryDirectory() as folder:
        with Project.create(Path(folder, "runs.workbench")) as project:
            fill(project)
            times = [_publish(project, Path(folder)) for _ in range(4 if keep else 1)]
        yield from times[1:] if keep else times


def _publish(project: Project, folder: Path) -> float:
    from dataclasses import replace

    from spatial_workbench.app.results.site import site_tools
    from spatial_workbench.engine.reporting.site.choice import SiteChoice
    from spatial_workbench.engine.reporting.site.publishing import publish

    choice = SiteChoice()
    with site_tools(choice) as tools:
        begin = time.perf_counter()
        publish(project, folder / "site", choice, replace(tools, kept=folder / "kept"))
        return time.perf_counter() - begin


def kilobytes() -> Iterator[float]:
    """What a browser loads of the largest page before its first picture."""
    from spatial_workbench.engine.store import Project

    with tempfile.TemporaryDirectory() as folder:
        with Project.create(Path(folder, "runs.workbench")) as project:
            fill(project)
            _publish(project, Path(folder))
        yield largest_page(Path(folder, "site")) / 1000


def largest_page(site: Path) -> int:
    """The bytes of the largest page with its styles and all scripts of the site."""
    parts = sum(path.stat().st_size for path in (*site.glob("*.css"), *site.glob("*.js")))
    return max(path.stat().st_size for path in site.rglob("*.html")) + parts


if __name__ == "__main__":
    for value in globals()[sys.argv[1]]():
        print(value)
