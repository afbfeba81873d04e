"""The commands about evaluations: ask models in batches, watch them, list, export and import what came of it."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.evaluation.plan import BatchPlan, Contender
    from engine.store import BatchRow, Project, RunFilter, RunRow

Add = Callable[[str, Callable[[argparse.Namespace], int], str], argparse.ArgumentParser]
WATCH_S = 0.5
DONE, NOT_DONE = 0, 1


class Refused(Exception):
    """A command cannot be done; the message is for a person."""


def add_commands(add: Add) -> None:
    """Adds the commands to the parser that `add` belongs to."""
    _add_evaluate(add("evaluate", _evaluate, "Ask models about tasks, as a batch in the background, and watch it."))
    resume = add("resume", _resume, "Go on with a batch, and watch it.")
    _project_and_batch(resume)
    resume.add_argument("--retry-failed", action="store_true", help="also try again what failed")
    batches = add("batches", _batches, "List the batches of a project.")
    batches.add_argument("project", metavar="PROJECT")
    batches.add_argument("--pause", type=int, metavar="BATCH", help="let a batch finish what is in flight, then stop")
    batches.add_argument("--cancel", type=int, metavar="BATCH", help="stop a batch at once")
    _add_runs(add("runs", _runs, "List attempts."))
    again = add("verify-again", _verify_again, "Judge stored attempts by today's verifiers, and list what changed.")
    _add_filters(again)
    export = add("export", _export, "Write attempts to a file.")
    export.add_argument("project", metavar="PROJECT")
    export.add_argument("--format", choices=("jsonl", "inspect", "csv"), required=True)
    export.add_argument("-o", "--output", required=True, metavar="FILE")
    export.add_argument("--batch", type=int, action="append", help="only this batch; may be given several times")
    taken = add("import", _import, "Take answers from a file and verify them, or an export as it was.")
    taken.add_argument("project", metavar="PROJECT")
    taken.add_argument("answers", metavar="ANSWERS.jsonl")
    taken.add_argument("--workers", type=int, help="processes that verify")
    taken.add_argument("--again", action="store_true", help="also take answers that the project has already")
    judge = add("judge", _judge, "Let a model label failed attempts with failure modes.")
    judge.add_argument("project", metavar="PROJECT")
    judge.add_argument("--model", required=True, metavar="NAME")
    judge.add_argument("--batch", type=int)
    judge.add_argument("--again", action="store_true", help="also what is labelled already")
    models = add("models", _models, "List the models that can be asked; add, probe or remove one.")
    models.add_argument("--add", metavar="SETTINGS.json", help="settings as docs/models.md tells, as a JSON object")
    models.add_argument("--probe", metavar="NAME", help="find out what the endpoint of a model can do")
    models.add_argument("--tools", action="store_true", help="probe the hosted tools too, which may cost something")
    models.add_argument("--remove", metavar="NAME")


def _add_evaluate(command: argparse.ArgumentParser) -> None:
    command.add_argument("project", metavar="PROJECT", help="made if there is none")
    command.add_argument("--model", required=True, action="append", metavar="NAME", help="may be given several times")
    command.add_argument("--tasks", required=True, metavar="A,B:0-4", help="tasks, buckets, families or “all”")
    command.add_argument("--agent", choices=("single", "basic", "standard-solver", "ideal-solver"), default="single")
    command.add_argument("--reward", choices=("none", "sticker", "face", "heuristic"), default="none")
    command.add_argument("--no-code", action="store_true", help="agents call tools instead of writing code")
    command.add_argument("--max-steps", type=int, default=20)
    command.add_argument("--repeats", type=int, default=1)
    command.add_argument("--budget", type=int, action="append", metavar="TOKENS", help="cap on output tokens; a sweep")
    command.add_argument("--tools", action="store_true", help="with the provider's code interpreter and web search")
    command.add_argument("--workers", type=int, help="processes that verify")
    command.add_argument("--cluster", metavar="ADDRESS", help="of a Dask scheduler that verifies instead")
    command.add_argument("--early-fail", action="store_true", help="leave out a task whose first subtask fails")
    command.add_argument("--name", default="", help="what the batch is called")
    command.add_argument("--no-probe", action="store_true", help="do not find out first what endpoints can do")
    command.add_argument("--detach", action="store_true", help="start it and do not watch")


def _add_runs(command: argparse.ArgumentParser) -> None:
    _add_filters(command)
    command.add_argument("--sort", default="attempt")
    command.add_argument("--ascending", action="store_true")
    command.add_argument("--limit", type=int, default=50)


def _add_filters(command: argparse.ArgumentParser) -> None:
    command.add_argument("project", metavar="PROJECT")
    for name in ("--task", "--model", "--label"):
        command.add_argument(name, action="append", metavar=name[2:].upper())
    command.add_argument("--address", metavar="TASK:N")
    command.add_argument("--batch", type=int)
    for name in ("--score-min", "--score-max", "--seconds-min", "--seconds-max"):
        command.add_argument(name, type=float)
    for name in ("--tokens-min", "--tokens-max"):
        command.add_argument(name, type=int)
    for name in ("--since", "--until"):
        command.add_argument(name, metavar="2026-01-31", help="UTC")
    for name, about in (
        ("--passed", None),
        ("--tools", None),
        ("--disagrees", "default verifier and cross-check disagree"),
        ("--differs", "a verifier with other rules, such as the published one, judges otherwise"),
    ):
        command.add_argument(name, action=argparse.BooleanOptionalAction, default=None, help=about)
    command.add_argument(
        "--helped",
        dest="is_helped",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="attempts with solving aids, or (--no-helped) without",
    )
    command.add_argument("--text", default="", help="words in prompts, answers, reasoning and transcripts")


def _project_and_batch(command: argparse.ArgumentParser) -> None:
    command.add_argument("project", metavar="PROJECT")
    command.add_argument("batch", metavar="BATCH", type=int, nargs="?", help="the newest that is not finished")


# Batches ---------------------------------------------------------------------------------------------------------


def _evaluate(options: argparse.Namespace) -> int:
    from engine.evaluation.starting import store_batch

    plan = _plan(options)
    _say_concerns(plan)
    with _opened(Path(options.project), create=True) as project:
        batch = store_batch(project, plan)
        return _start_and_watch(project, batch, options)


def _plan(options: argparse.Namespace) -> BatchPlan:
    from engine.evaluation.plan import AgentPlan, BatchPlan, EarlyFail, select

    contenders = tuple(one for name in options.model for one in _contenders(name, options))
    agent = None
    if options.agent != "single":
        agent = AgentPlan(
            kind=options.agent, uses_code=not options.no_code, reward=options.reward, max_steps=options.max_steps
        )
    return BatchPlan(
        name=options.name or f"{', '.join(options.model)}: {options.tasks}",
        contenders=contenders,
        addresses=select(options.tasks),
        repeats=options.repeats,
        agent=agent,
        early_fail=EarlyFail() if options.early_fail else None,
        workers=options.workers,
        cluster=options.cluster,
    )


def _contenders(name: str, options: argparse.Namespace) -> Iterator[Contender]:
    """A model, once for each budget; its endpoint is probed if nobody did."""
    from engine.evaluation.plan import Contender
    from engine.models import ModelLibrary, missing_probes, probe, with_budget

    library = ModelLibrary()
    known = library.find(name)
    settings, capabilities = known.settings, known.capabilities
    if options.tools:
        settings = settings.changed(tools=True, api="responses")
    missing = missing_probes(settings, capabilities)
    if missing and not options.no_probe:
        _tell(f"Probing {settings.url} …")
        library.learn(name, probe(settings, only=missing))
        capabilities = library.find(name).capabilities
    if not options.budget:
        yield Contender(settings=settings, capabilities=capabilities)
    for budget in options.budget or ():
        yield Contender(settings=with_budget(settings, budget), capabilities=capabilities)


def _say_concerns(plan: BatchPlan) -> None:
    from engine.evaluation.plan import concerns

    found = concerns(plan)
    for concern in found:
        _tell(": ".join(filter(None, (concern.contender, concern.sentence))))
    if any(concern.stops for concern in found):
        raise Refused("The batch was not begun: " + next(one.sentence for one in found if one.stops))


def _resume(options: argparse.Namespace) -> int:
    from engine.store import BatchState

    with _opened(Path(options.project)) as project:
        batch = _chosen(project, options.batch)
        if options.retry_failed:
            project.retry_failed(batch)
        project.set_batch_state(batch, BatchState.RUNNING)
        return _start_and_watch(project, batch, options)


def _start_and_watch(project: Project, batch: int, options: argparse.Namespace) -> int:
    """Shows how far a batch is until it stops, or until Ctrl-C; the batch goes on then."""
    from engine.evaluation.process import start
    from engine.store import BatchState

    start(project.path, batch)
    if getattr(options, "detach", False):
        return _print_batch(options, project.batch(batch), f"Batch {batch} has begun.")
    try:
        row = _watch(project, batch)
    except KeyboardInterrupt:
        told = f"Batch {batch} goes on in the background. “resume” shows it again, “batches --pause {batch}” stops it."
        return _print_batch(options, project.batch(batch), told)
    _print_batch(options, row, _outcome(project, row))
    return DONE if row.state is BatchState.FINISHED else NOT_DONE


def _watch(project: Project, batch: int) -> BatchRow:
    from engine.evaluation.lock import is_running
    from engine.evaluation.process import log_file
    from engine.store import BatchState

    begin, quiet = time.monotonic(), 0
    while True:
        time.sleep(WATCH_S)
        row = project.batch(batch)
        _tell_progress(_progress_line(row), time.monotonic() - begin)
        alive = is_running(project.path, batch)
        if row.state is not BatchState.RUNNING and not alive:
            return project.batch(batch)
        quiet = 0 if alive else quiet + 1
        if quiet * WATCH_S > 20:
            raise Refused(
                f"The batch's process ended unexpectedly; its log is {log_file(project.path, batch)}. “resume” goes on."
            )


def _progress_line(row: BatchRow) -> str:
    parts = [f"{row.ended}/{row.total}"]
    failed = sum(row.counts.get(state, 0) for state in _failed_states())
    parts += [f"{failed} failed"] if failed else []
    parts += [f"{row.tokens} tokens"] if row.tokens else []
    parts += [f"${row.cost_usd:.2f}"] if row.cost_usd else []
    return " · ".join(parts)


def _failed_states() -> Sequence[Any]:
    from engine.store import ItemState

    return ItemState.ERROR, ItemState.CRASHED


def _outcome(project: Project, row: BatchRow) -> str:
    from statistics import fmean

    from engine.core.words import counted
    from engine.store import RunFilter

    lines = [f"Batch {row.number} “{row.name}” is {row.state.value}. {row.note}".strip()]
    scores: dict[str, list[float]] = {}
    for run in project.runs(RunFilter(batch=row.number)):
        scores.setdefault(run.actor_name, []).append(run.score or 0.0)
    for name, found in scores.items():
        lines.append(f"  {name}: mean score {fmean(found):.3f} of {counted(len(found), 'answer')}")
    failed = project.items(row.number, _failed_states())
    lines += [f"  failed: {item.address}, {item.error}: {item.message}" for item in failed[:10]]
    lines += [f"  … and {len(failed) - 10} more"] if len(failed) > 10 else []
    return "\n".join(lines)


def _batches(options: argparse.Namespace) -> int:
    from engine.evaluation.lock import is_running
    from engine.store import BatchState

    with _opened(Path(options.project)) as project:
        for batch, state in ((options.pause, BatchState.PAUSED), (options.cancel, BatchState.CANCELLED)):
            if batch is not None:
                project.stop_batch(_chosen(project, batch), state)
        rows = project.batches()
        lines = []
        for row in rows:
            lost = row.state is BatchState.RUNNING and not is_running(project.path, row.number)
            word = "interrupted" if lost else row.state.value
            lines.append(
                f"{row.number:4}  {word:11} {row.ended:6}/{row.total:<6} {row.created_at:%Y-%m-%d %H:%M}  {row.name}"
            )
    return _print(options, [_batch_data(row) for row in rows], "\n".join(lines) or "There are no batches.")


def _chosen(project: Project, batch: int | None) -> int:
    from engine.store import BatchState

    rows = project.batches()
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


# What came of it -------------------------------------------------------------------------------------------------


def _runs(options: argparse.Namespace) -> int:
    from engine.core.words import counted
    from engine.store import SORTED_BY

    if options.sort not in SORTED_BY:
        raise Refused(f"Runs can be sorted by {', '.join(SORTED_BY)}, not by “{options.sort}”.")
    with _opened(Path(options.project)) as project:
        numbers = project.run_numbers(_filter(options), options.sort, not options.ascending)
        rows = project.run_rows(numbers[: max(0, options.limit)])
        differing = project.differing_verifiers([row.number for row in rows])
    lines = [
        f"{row.number:6}  {'–' if row.score is None else f'{row.score:.3f}':>5}  {row.address:24} {row.actor_name:24} "
        f"{row.output_tokens if row.output_tokens is not None else '':>7}  "
        + "; ".join(filter(None, (row.label, _remarks(row, differing.get(row.number, ())))))
        for row in rows
    ]
    lines.append(
        f"{len(rows)} of {counted(len(numbers), 'attempt')}"
        if len(rows) < len(numbers)
        else counted(len(rows), "attempt")
    )
    return _print(options, {"count": len(numbers), "runs": [_data(row) for row in rows]}, "\n".join(lines))


def _remarks(row: RunRow, differing: Sequence[str]) -> str:
    """What else a line says of an attempt: help, an overridden score, verifiers that judge otherwise."""
    remarks = ["with help"] if row.solving_aids else []
    remarks += ["overridden"] if row.is_overridden else []
    for name in differing:
        remarks.append("disagrees with the cross-check" if name == "crosscheck" else f"known difference: {name}")
    return ", ".join(remarks)


def _verify_again(options: argparse.Namespace) -> int:
    from dataclasses import asdict

    from engine.core.words import counted
    from engine.evaluation.reverify import Failed, verify_again

    with _opened(Path(options.project)) as project:
        numbers = project.run_numbers(_filter(options), descending=False)
    found = verify_again(options.project, numbers, _progress())
    lines = []
    for one in found:
        if isinstance(one, Failed):
            lines.append(f"{one.attempt:6}  could not be judged: {one.reason}")
        else:
            before = "–" if one.before is None else f"{one.before:.3f}"
            checks = f"  ({', '.join(one.checks)})" if one.checks else ""
            same = f"  (the same by version {one.version})" if one.is_of_version_only else checks
            lines.append(f"{one.attempt:6}  {one.verifier:12} {before} → {one.after:.3f}{same}")
    lines.append(f"Judged again: {counted(len(numbers), 'attempt')}. Changed verdicts: {len(found)}.")
    return _print(options, {"judged": len(numbers), "changed": [asdict(one) for one in found]}, "\n".join(lines))


def _filter(options: argparse.Namespace) -> RunFilter:
    from engine.store import RunFilter

    same = {name: getattr(options, name) for name in RunFilter.model_fields if hasattr(options, name)}
    if options.until and len(options.until) == len("2026-01-31"):
        same["until"] = f"{options.until}T24"  # the day itself is meant to be in it
    lists = {"tasks": options.task, "who": options.model, "labels": options.label}
    return RunFilter(**same, **{name: tuple(values) if values else None for name, values in lists.items()})


def _export(options: argparse.Namespace) -> int:
    from engine.core.words import counted
    from engine.evaluation.export import export_runs

    with _opened(Path(options.project)) as project:
        written = export_runs(project, Path(options.output), options.format, options.batch)
    told = f"Written to {written.path}: {counted(written.count, 'attempt')}."
    return _print(options, {"file": str(written.path), "attempts": written.count}, told)


def _import(options: argparse.Namespace) -> int:
    from engine.core.words import counted
    from engine.evaluation.restoring import AlreadyThere
    from engine.evaluation.starting import NothingToImport, import_file

    with _opened(Path(options.project), create=True) as project:
        try:
            found = import_file(project, Path(options.answers), options.workers, options.again)
        except NothingToImport as error:
            raise Refused(str(error)) from None
        except AlreadyThere as error:
            raise Refused(f"{error} Nothing was imported; with --again they are stored once more.") from None
        for problem in found.problems[:20]:
            _tell(f"line {problem.line} was passed over: {problem.message}")
        if len(found.problems) > 20:
            _tell(f"… and {len(found.problems) - 20} more lines")
        if found.batch is None:
            return _print(options, {"attempts": found.count}, f"Taken over: {counted(found.count, 'attempt')}.")
        return _start_and_watch(project, found.batch, options)


def _judge(options: argparse.Namespace) -> int:
    from app.evaluation.words import judging_expectation, judging_outcome
    from engine.evaluation.labelling import estimate_labelling, label_failures
    from engine.evaluation.plan import Contender
    from engine.models import ModelLibrary

    known = ModelLibrary().find(options.model)
    judge = Contender(settings=known.settings, capabilities=known.capabilities)

    with _opened(Path(options.project)) as project:
        _tell(judging_expectation(estimate_labelling(project, options.batch, options.again), known.settings))
        found = label_failures(Path(options.project), judge, options.batch, options.again, _progress())
    told = f"Labelled: {found.labelled}. Not labelled: {found.failed}.\n{judging_outcome(found, known.settings)}"
    return _print(options, _data(found), told)


def _models(options: argparse.Namespace) -> int:
    from engine.models import ModelLibrary, ModelSettings, probe

    library = ModelLibrary()
    if options.add:
        library.put(ModelSettings.model_validate_json(Path(options.add).read_bytes()))
    if options.remove:
        library.remove(options.remove)
    if options.probe:
        settings = library.find(options.probe).settings
        library.learn(options.probe, probe(settings, with_tools=settings.tools or options.tools))
    known = library.all()
    lines = [f"{one.settings.name:36} {one.settings.provider.value:10} {one.note}".rstrip() for one in known]
    return _print(options, [_data(one) for one in known], "\n".join(lines))


# Plumbing --------------------------------------------------------------------------------------------------------


def _opened(path: Path, create: bool = False) -> Project:
    from engine.store import Project

    return Project.create(path) if create and not path.exists() else Project.open(path)


def _print_batch(options: argparse.Namespace, row: BatchRow, text: str) -> int:
    return _print(options, _batch_data(row), text)


def _batch_data(row: BatchRow) -> dict[str, Any]:
    return {**_data(row), "total": row.total, "ended": row.ended}


def _data(record: Any) -> dict[str, Any]:
    data: dict[str, Any] = record.model_dump(mode="json")
    return data


def _print(options: argparse.Namespace, data: Any, text: str) -> int:
    print(json.dumps(data, ensure_ascii=False) if options.json else text)
    return DONE


def _tell(text: str, end: str = "\n") -> None:
    print(text, file=sys.stderr, end=end, flush=True)


def _progress() -> Callable[..., None]:
    begin = time.monotonic()
    return lambda done, total, text="": _tell_progress(f"{done:.0f}/{total:.0f} {text}", time.monotonic() - begin)


_told = [""]


def _tell_progress(text: str, seconds: float) -> None:
    """One line that changes on a terminal; elsewhere a line whenever something changed."""
    if sys.stderr.isatty():
        _tell(f"{text} · {seconds:.0f} s   ", end="\r")
    elif text != _told[0]:
        _told[0] = text
        _tell(f"{text} · {seconds:.0f} s")
