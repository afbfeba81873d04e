"""Commands about batches: start, resume, watch and list them."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spatial_workbench.app.commands.plumbing import (
    NOT_PASSED,
    PASSED,
    AddCommand,
    Refused,
    opened,
    plain,
    print_message,
    print_progress,
    show,
)
from spatial_workbench.app.commands.terminal import escaped_line

if TYPE_CHECKING:
    from spatial_workbench.engine.evaluation.planning.grid import SettingsGrid
    from spatial_workbench.engine.evaluation.planning.plan import BatchPlan, Contender, SpendingLimits
    from spatial_workbench.engine.models import Feature
    from spatial_workbench.engine.store import BatchRow, Project

WATCH_S = 0.5
_OWN = "own"
"""The word for the tasks' own prompts among the variants."""


def add_commands(add: AddCommand) -> None:
    """Adds the commands to the parser that `add` belongs to."""
    _add_evaluate(add("evaluate", _evaluate, "Ask models about tasks, as a batch in the background, and watch it."))
    resume = add("resume", _resume, "Resume a batch, and watch it.")
    _project_and_batch(resume)
    resume.add_argument("--retry-failed", action="store_true", help="also retry failed items")
    batches = add("batches", _batches, "List the batches of a project.")
    batches.add_argument("project", metavar="PROJECT")
    batches.add_argument("--pause", type=int, metavar="BATCH", help="stop a batch after the requests in flight")
    batches.add_argument("--cancel", type=int, metavar="BATCH", help="stop a batch at once")


def _add_evaluate(command: argparse.ArgumentParser) -> None:
    command.add_argument("project", metavar="PROJECT", help="created if there is none")
    command.add_argument("--model", required=True, action="append", metavar="NAME", help="may be given several times")
    command.add_argument("--tasks", required=True, metavar="A,B:0-4", help="tasks, buckets, families or “all”")
    command.add_argument(
        "--agent", metavar="KIND", help="ideal-solver, hierarchical, …; otherwise one question for each task"
    )
    command.add_argument(
        "--agent-option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="of the agent; may be given several times",
    )
    command.add_argument("--reward", choices=("none", "sticker", "face", "heuristic"), default="none")
    command.add_argument(
        "--grid",
        action="append",
        default=[],
        metavar="AXIS=A,B",
        help="every combination is a run: temperature=0,0.5 effort=low,high top-p=0.9,1 tools=on,off repeats=1,4",
    )
    command.add_argument(
        "--prompt-variant",
        action="append",
        default=[],
        metavar="FILE",
        help="other words for the prompts, a value of the grid; “own” is the tasks' own prompt",
    )
    command.add_argument("--no-code", action="store_true", help="agents call tools instead of writing code")
    command.add_argument("--max-steps", type=int, default=20)
    command.add_argument("--minutes", type=float, default=30.0, help="after which an agent's run ends")
    command.add_argument("--step-seconds", type=float, default=60.0, help="that the program of one step may take")
    command.add_argument("--repeats", type=int, default=1)
    command.add_argument(
        "--budget", type=int, action="append", metavar="TOKENS", help="output limit of each reply; several make a sweep"
    )
    limit = "%s; then the batch pauses, and resuming it allows as much again"
    command.add_argument("--cost-limit", type=float, metavar="USD", help=limit % "what it may cost")
    command.add_argument("--token-limit", type=int, metavar="TOKENS", help=limit % "output tokens")
    of_item = "%s for one item or run of an agent, which then ends with an error"
    command.add_argument("--item-cost-limit", type=float, metavar="USD", help=of_item % "what may be spent")
    command.add_argument("--item-token-limit", type=int, metavar="TOKENS", help=of_item % "output tokens")
    command.add_argument("--hours", type=float, help=limit % "how long it may take")
    command.add_argument("--tools", action="store_true", help="with the provider's code interpreter and web search")
    command.add_argument("--workers", type=int, help="processes that verify")
    command.add_argument("--cluster", metavar="ADDRESS", help="of a Dask scheduler that verifies instead")
    command.add_argument(
        "--early-fail", action="store_true", help="skip the other subtasks of a task if the first fails"
    )
    command.add_argument("--name", default="", help="name of the batch")
    command.add_argument("--no-probe", action="store_true", help="do not probe endpoints first")
    command.add_argument("--detach", action="store_true", help="start it without watching")


def _project_and_batch(command: argparse.ArgumentParser) -> None:
    command.add_argument("project", metavar="PROJECT")
    command.add_argument("batch", metavar="BATCH", type=int, nargs="?", help="the newest that is not finished")


def _evaluate(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.evaluation.planning.starting import store_batch

    plan = _plan(options)
    _say_concerns(plan)
    with opened(Path(options.project), create=True) as project:
        _say_expectation(project, plan)
        batch = store_batch(project, plan)
        return start_and_watch(project, batch, options)


def _plan(options: argparse.Namespace) -> BatchPlan:
    from spatial_workbench.engine.core.agents import AgentPlan
    from spatial_workbench.engine.evaluation.planning.plan import BatchPlan, EarlyFail, agents_offered, select

    grid = _grid(options)
    contenders = tuple(contender for name in options.model for contender in _contenders(name, grid, options))
    agent = None
    if options.agent is not None:
        if options.agent not in agents_offered():
            raise Refused(f"There is no agent “{options.agent}”; there are {', '.join(agents_offered())}.")
        agent = AgentPlan(
            kind=options.agent,
            uses_code=not options.no_code,
            reward=options.reward,
            max_steps=options.max_steps,
            minutes=options.minutes,
            step_seconds=options.step_seconds,
            options=dict(map(_agent_option, options.agent_option)),
        )
    elif options.agent_option:
        raise Refused("--agent-option needs --agent.")
    return BatchPlan(
        name=options.name or f"{', '.join(options.model)}: {options.tasks}",
        contenders=contenders,
        addresses=select(options.tasks),
        repeats=options.repeats,
        agent=agent,
        grid=None if grid.is_empty else grid,
        early_fail=EarlyFail() if options.early_fail else None,
        spending=_spending(options),
        workers=options.workers,
        cluster=options.cluster,
    )


def _grid(options: argparse.Namespace) -> SettingsGrid:
    from spatial_workbench.engine.evaluation.planning.grid import GridProblem, make_grid, read_axis
    from spatial_workbench.engine.evaluation.planning.variants import VariantProblem, read_variant

    axes: dict[str, Sequence[Any]] = {}
    try:
        for text in options.grid:
            axes |= read_axis(text)
        axes["variants"] = [None if file == _OWN else read_variant(Path(file)) for file in options.prompt_variant]
        return make_grid(axes)
    except (GridProblem, VariantProblem) as error:
        raise Refused(str(error)) from None


def _spending(options: argparse.Namespace) -> SpendingLimits:
    from spatial_workbench.engine.evaluation.planning.plan import SpendingLimits

    limits = {
        "cost_usd": options.cost_limit,
        "output_tokens": options.token_limit,
        "hours": options.hours,
        "item_cost_usd": options.item_cost_limit,
        "item_output_tokens": options.item_token_limit,
    }
    if any(value is not None and value <= 0 for value in limits.values()):
        raise Refused("--cost-limit, --token-limit, --hours and the limits of items have to be more than 0.")
    return SpendingLimits(**limits)


def _agent_option(text: str) -> tuple[str, Any]:
    """The name and the value of NAME=VALUE; the value may be JSON."""
    name, sign, value = text.partition("=")
    if not name or not sign:
        raise Refused(f"--agent-option “{text}”: NAME=VALUE is expected.")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def _contenders(name: str, grid: SettingsGrid, options: argparse.Namespace) -> list[Contender]:
    """A model, once for each combination and budget; its endpoint is probed if that was not done before."""
    from spatial_workbench.engine.evaluation.planning.expanding import expanded
    from spatial_workbench.engine.evaluation.planning.grid import GridProblem
    from spatial_workbench.engine.evaluation.planning.plan import Contender
    from spatial_workbench.engine.models import ModelLibrary, missing_probes, probe

    library = ModelLibrary()
    known = library.priced(name)
    settings = known.settings
    capabilities = known.capabilities
    if options.tools:
        settings = settings.changed(tools=True, api="responses")
    try:
        runs = expanded(Contender(settings=settings), grid, options.budget or ())
    except GridProblem as error:
        raise Refused(str(error)) from None
    missing: frozenset[Feature] = frozenset()
    missing = missing.union(*(missing_probes(run.settings, capabilities) for run in runs))
    if missing and not options.no_probe:
        print_message(f"Probing {settings.url} …")
        library.learn(name, probe(settings, only=missing))
        capabilities = library.find(name).capabilities
    return [run.model_copy(update={"capabilities": capabilities}) for run in runs]


def _say_expectation(project: Project, plan: BatchPlan) -> None:
    """Prints how many calls, tokens and dollars the batch is expected to take."""
    from spatial_workbench.app.evaluation.words import expectation
    from spatial_workbench.engine.evaluation.planning.estimate import estimate

    print_message(expectation(estimate(plan, project.batches.mean_output_tokens())))


def _say_concerns(plan: BatchPlan) -> None:
    from spatial_workbench.engine.evaluation.planning.plan import concerns

    problems = concerns(plan)
    if any(concern.stops for concern in problems):
        raise Refused("The batch was not started: " + next(concern.sentence for concern in problems if concern.stops))
    for concern in problems:
        print_message(": ".join(filter(None, (concern.contender, concern.sentence))))


def _resume(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.store import BatchState

    with opened(Path(options.project)) as project:
        batch = _chosen(project, options.batch)
        if options.retry_failed:
            project.items.retry_failed(batch)
        project.batches.set_state(batch, BatchState.RUNNING)
        return start_and_watch(project, batch, options)


def start_and_watch(project: Project, batch: int, options: argparse.Namespace) -> int:
    """Starts a batch and shows its progress until it ends. After Ctrl-C the batch continues in the background."""
    from spatial_workbench.app.studio.drawing import DRAWER
    from spatial_workbench.engine.evaluation.batch_process import start
    from spatial_workbench.engine.store import BatchState

    if getattr(options, "detach", False):
        return start_detached(project, batch, options, f"Batch {batch} has started.")
    start(project.path, batch, DRAWER)
    try:
        row = _watch(project, batch)
    except KeyboardInterrupt:
        hint = (
            f"Batch {batch} continues in the background. “resume” shows it again, “batches --pause {batch}” stops it."
        )
        return _print_batch(options, project.batches.get(batch), hint)
    _print_batch(options, row, _outcome(project, row))
    return PASSED if row.state is BatchState.FINISHED else NOT_PASSED


def start_detached(project: Project, batch: int, options: argparse.Namespace, words: str) -> int:
    """Starts a batch in the background, and says so in `words`, without waiting for it."""
    from spatial_workbench.app.studio.drawing import DRAWER
    from spatial_workbench.engine.evaluation.batch_process import start

    start(project.path, batch, DRAWER)
    return _print_batch(options, project.batches.get(batch), words)


def _watch(project: Project, batch: int) -> BatchRow:
    from spatial_workbench.engine.evaluation.batch_process import log_file
    from spatial_workbench.engine.evaluation.lock import is_running
    from spatial_workbench.engine.store import BatchState
    from spatial_workbench.engine.store.inspection import is_disk_full

    begin = time.monotonic()
    quiet = 0
    while True:
        time.sleep(WATCH_S)
        row = project.batches.get(batch)
        print_progress(_progress_line(row), time.monotonic() - begin)
        alive = is_running(project.path, batch)
        if row.state is not BatchState.RUNNING and not alive:
            return project.batches.get(batch)
        quiet = 0 if alive else quiet + 1
        if quiet * WATCH_S > 20:
            if is_disk_full(project.path):
                raise Refused("The batch stopped, as the disk is full. Free some space; “resume” continues the batch.")
            raise Refused(
                f"The batch's process ended unexpectedly; its log is {log_file(project.path, batch)}. "
                "“resume” continues the batch."
            )


def _progress_line(row: BatchRow) -> str:
    from spatial_workbench.app.evaluation.words import cost_words

    parts = [f"{row.ended}/{row.total}"]
    failed = sum(row.counts.get(state, 0) for state in _failed_states())
    parts += [f"{failed} failed"] if failed else []
    parts += [f"{row.tokens} tokens"] if row.tokens else []
    cost = cost_words(row.cost_usd, row.unpriced)
    parts += [cost if row.cost_usd else f"cost {cost}"] if cost else []
    return " · ".join(parts)


def _failed_states() -> Sequence[Any]:
    from spatial_workbench.engine.store import ItemState

    return ItemState.ERROR, ItemState.CRASHED


def _outcome(project: Project, row: BatchRow) -> str:
    from statistics import fmean

    from spatial_workbench.engine.core.words import counted
    from spatial_workbench.engine.store import RunFilter

    lines = [f"Batch {row.number} “{row.name}” is {row.state.value}. {row.note}".strip()]
    scores: dict[str, list[float]] = {}
    for run in project.runs.select(RunFilter(batch=row.number)):
        if run.score is not None:
            scores.setdefault(run.actor_name, []).append(run.score)
    for name, values in scores.items():
        lines.append(f"  {name}: mean score {fmean(values):.3f} of {counted(len(values), 'answer')}")
    failed = project.items.of_batch(row.number, _failed_states())
    lines += [f"  failed: {item.address}, {item.error}: {item.message}" for item in failed[:10]]
    lines += [f"  … and {len(failed) - 10} more"] if len(failed) > 10 else []
    return "\n".join(map(escaped_line, lines))


def _batches(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.evaluation.lock import is_running
    from spatial_workbench.engine.store import BatchState

    with opened(Path(options.project)) as project:
        for batch, state in ((options.pause, BatchState.PAUSED), (options.cancel, BatchState.CANCELLED)):
            if batch is not None:
                project.batches.stop(_chosen(project, batch), state)
        rows = project.batches.all()
        lines = []
        for row in rows:
            lost = row.state is BatchState.RUNNING and not is_running(project.path, row.number)
            word = "interrupted" if lost else row.state.value
            lines.append(
                f"{row.number:4}  {word:11} {row.ended:6}/{row.total:<6} {row.created_at:%Y-%m-%d %H:%M}  {row.name}"
            )
    return show(options, [_batch_data(row) for row in rows], lines or "There are no batches.")


def _chosen(project: Project, batch: int | None) -> int:
    from spatial_workbench.engine.store import BatchState

    rows = project.batches.all()
    if batch is not None:
        if batch not in {row.number for row in rows}:
            raise Refused(
                f"There is no batch {batch}. Batches: {', '.join(str(row.number) for row in rows) or 'none'}."
            )
        return batch
    for row in rows:
        if row.state is not BatchState.FINISHED:
            return row.number
    raise Refused("All batches of this project are finished.")


def _print_batch(options: argparse.Namespace, row: BatchRow, text: str) -> int:
    return show(options, _batch_data(row), text)


def _batch_data(row: BatchRow) -> dict[str, Any]:
    return {**plain(row), "total": row.total, "ended": row.ended}
