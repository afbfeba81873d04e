"""The scores of all runs by subtask, from which a browser compares any two of them (`resources/site/compare.js`).

    {"tasks": [[id, title], …], "subtasks": [[task, rest of the address, cluster], …],
     "runs": [{"slug", "title", "scores": [[subtask, score, passed, attempt], …]}, …]}

Repeats of a subtask are averaged; it is passed if all of them passed, and the attempt is the first of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from spatial_workbench.engine.core.instance import address_order
from spatial_workbench.engine.evaluation.comparing.comparison import cluster_of
from spatial_workbench.engine.reporting.site.contents import SiteAttempt, SiteContents, SiteRun


def run_scores(contents: SiteContents) -> dict[str, Any]:
    """The scores of the runs whose attempts are on a site, as plain data; the best run of the leaderboard first."""
    attempts = contents.attempts
    judged = [
        attempts[number] for run in contents.runs for number in run.attempts if attempts[number].score is not None
    ]
    task_of = {one.address: one.task for one in judged}
    addresses = sorted(task_of, key=address_order)
    places = {address: place for place, address in enumerate(addresses)}
    tasks = {task.id: place for place, task in enumerate(contents.tasks)}
    clusters: dict[str, int] = {}
    subtasks = [
        [
            *(tasks[task_of[address]], address.removeprefix(task_of[address])),
            clusters.setdefault(cluster_of(address), len(clusters)),
        ]
        for address in addresses
    ]
    ranks = {row.title: rank for rank, row in enumerate(contents.board.rows)}
    runs = sorted((run for run in contents.runs if run.attempts), key=lambda run: ranks.get(run.title, len(ranks)))
    return {
        "tasks": [[task.id, task.title] for task in contents.tasks],
        "subtasks": subtasks,
        "runs": [_run(run, attempts, places) for run in runs],
    }


def _run(run: SiteRun, attempts: Mapping[int, SiteAttempt], places: Mapping[str, int]) -> dict[str, Any]:
    by_address: dict[str, list[SiteAttempt]] = {}
    for number in run.attempts:
        if attempts[number].score is not None:
            by_address.setdefault(attempts[number].address, []).append(attempts[number])
    return {"slug": run.slug, "title": run.title, "scores": list(_scores(by_address, places))}


def _scores(by_address: Mapping[str, Sequence[SiteAttempt]], places: Mapping[str, int]) -> Iterator[list[float]]:
    for address, repeats in by_address.items():
        scores = [one.score for one in repeats if one.score is not None]
        is_passed = all(one.passed for one in repeats)
        yield [places[address], round(sum(scores) / len(scores), 4), int(is_passed), repeats[0].number]
