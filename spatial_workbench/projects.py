"""Projects as programs read them: what was attempted, what was answered, and how it was judged.

`evaluate` writes to a project; nothing here changes one.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Any

from spatial_workbench.engine.core import InstanceError, Task, Verdict, resolve, tasks
from spatial_workbench.engine.core.errors import UnknownName, meant
from spatial_workbench.engine.core.formats.notebook import figure, headline_of, score_or_dash, table
from spatial_workbench.engine.core.reading.how_read import HowRead
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.store import Actor, RunFilter, RunRow
from spatial_workbench.engine.store import Project as StoredProject
from spatial_workbench.engine.store.facts import THEIR_SCORE
from spatial_workbench.judged import Judged

_KEPT = (
    *("tools", "budget", "effort", "temperature", "top_p", "variant", "repeat"),
    *("score", "passed", "mending", "measured", "failed_check", "disagrees", "differs", "is_overridden"),
    *("seconds", "input_tokens", "output_tokens", "reasoning_tokens", "cost_usd", "finish_reason", "cut_off"),
    *("solving_aids", "label"),
)
"""What a row has under the same name as an export does."""
_TRUTHS = ("tools", "passed", "disagrees", "differs", "is_overridden")
_MOST_RUNS = 20
"""How many runs a notebook shows."""


class Project:
    """A project file that is open for reading. Use `Project.open`, in a `with` block."""

    def __init__(self, stored: StoredProject) -> None:
        self._stored = stored

    @classmethod
    def open(cls, path: Path | str) -> Project:
        """Opens a project file.

        Raises:
            ProjectError: It is missing, newer, foreign, damaged or in use; says so.
        """
        return cls(StoredProject.open(Path(path)))

    @property
    def path(self) -> Path:
        """The file."""
        return self._stored.path

    def attempts(
        self, tasks: str | Iterable[str] | None = None, who: str | Iterable[str] | None = None
    ) -> list[dict[str, Any]]:
        """A row for each attempt, the oldest first: plain values, None where something is not known.

        `pandas.DataFrame(project.attempts())` is a table. Columns have the names of an export as CSV (docs/results.md).
        Beside them are `title`, `family` and `bucket` of the task; `batch_name`; `model`, the name of the model, None
        for people and reference solutions; and `their_score`, what the file of an imported answer says. Times are in
        seconds, and `submitted_at` is UTC.

        Args:
            tasks: Only attempts at this task or these tasks, by their ids.
            who: Only attempts of this model or person, or of these.

        Raises:
            KeyError: The project has no attempts of that name; names those that it has.
        """
        known = self._stored.runs.choices()
        chosen = RunFilter(
            tasks=_known("attempts at a task", tasks, known["tasks"]), who=_known("attempts of", who, known["who"])
        )
        batches = {batch.number: batch.name for batch in self._stored.batches.all()}
        titles = _tasks_by_id()
        rows = self._stored.runs.rows(self._stored.runs.numbers(chosen, descending=False))
        return [_row(run, titles.get(run.task), batches) for run in rows]

    def judged(self, attempt: int, verifier: str = "default") -> Judged:
        """The answer of an attempt with a stored verdict: the newest of that verifier.

        Args:
            attempt: Its number, as in the rows of `attempts`.
            verifier: A verifier of the task, "crosscheck", or "own:NAME".

        Raises:
            KeyError: There is no such attempt, or the verifier has not judged it; names those that have.
            InstanceError: This version does not know its instance.
        """
        stored = self._stored.attempts.get(attempt)
        instance = resolve(stored.address)[1]
        verdicts = {verdict.verifier: verdict for verdict in stored.verdicts}
        return Judged.of_text(instance, stored.answer, _chosen(attempt, verdicts, verifier))

    def close(self) -> None:
        """Closes the file."""
        self._stored.close()

    def __enter__(self) -> Project:
        self._stored.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stored.__exit__(kind, error, trace)

    def __repr__(self) -> str:
        return f"<project {self.path.name}>"

    def _repr_html_(self) -> str:
        rows = self.attempts()
        runs = _runs(rows)
        more = f"<p>… and {counted(len(runs) - _MOST_RUNS, 'more run')}</p>" if len(runs) > _MOST_RUNS else ""
        listed = table(("Who", "Task", "Attempts", "Mean score", "Passed"), runs[:_MOST_RUNS]) + more
        return figure(f"{self.path.name}: {counted(len(rows), 'attempt')}", listed + self._newest_figure(rows))

    def _newest_figure(self, rows: list[dict[str, Any]]) -> str:
        """The newest answer that was read and judged, drawn; empty if there is none that this version knows."""
        drawable = (row for row in reversed(rows) if row["score"] is not None and _is_read(row))
        newest = next(drawable, None)
        if newest is None:
            return ""
        try:
            judged = self.judged(newest["attempt"])
        except (KeyError, InstanceError):
            return ""
        who = newest["actor_name"] or newest["actor"]
        caption = f"Attempt {newest['attempt']}, by {who}: {headline_of(judged.verdict)}"
        return figure(caption, png=judged.shown.png, why_no_picture=judged.shown.why_none)


def _is_read(row: dict[str, Any]) -> bool:
    return row["how_read"] is None or HowRead(row["how_read"]).is_read


def _row(run: RunRow, known: Task[Any] | None, batches: dict[int, str]) -> dict[str, Any]:
    values = {name: getattr(run, name) for name in _KEPT}
    return {
        "attempt": run.number,
        "address": run.address,
        "task": run.task,
        "title": known.title if known else None,
        "family": known.family.id if known else None,
        "bucket": known.bucket.id if known else None,
        "actor": run.actor.value,
        "actor_name": run.actor_name,
        "model": run.actor_name if run.actor is Actor.MODEL else None,
        "batch": run.batch,
        "batch_name": None if run.batch is None else batches.get(run.batch),
        **{name: bool(value) if name in _TRUTHS and value is not None else value for name, value in values.items()},
        "their_score": run.own[THEIR_SCORE].score if THEIR_SCORE in run.own else None,
        "how_read": run.how_read.value if run.how_read else None,
        "submitted_at": run.submitted_at,
    }


def _runs(rows: list[dict[str, Any]]) -> list[tuple[str, ...]]:
    """A row for each model or person and task: how many attempts there are, their mean score, how many passed."""
    groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in rows:
        groups.setdefault((row["actor_name"] or row["actor"], row["title"] or row["task"]), []).append(row)
    return [(*names, *_summary(group)) for names, group in groups.items()]


def _summary(group: list[dict[str, Any]]) -> tuple[str, ...]:
    scores = [row["score"] for row in group if row["score"] is not None]
    mean = sum(scores) / len(scores) if scores else None
    return str(len(group)), score_or_dash(mean), str(sum(bool(row["passed"]) for row in group))


def _known(what: str, chosen: str | Iterable[str] | None, there_are: list[str]) -> tuple[str, ...] | None:
    if chosen is None:
        return None
    names = (chosen,) if isinstance(chosen, str) else tuple(chosen)
    for name in names:
        if name not in there_are:
            rest = f"There are {', '.join(there_are)}." if there_are else "There are no attempts."
            raise UnknownName(f"The project has no {what} “{name}”{meant(name, there_are) or '.'} {rest}")
    return names


def _chosen(attempt: int, verdicts: dict[str, Verdict], verifier: str) -> Verdict:
    if verifier not in verdicts:
        rest = f"It was judged by {', '.join(verdicts)}." if verdicts else "It has not been judged."
        raise UnknownName(f"Attempt {attempt} has no verdict of “{verifier}”{meant(verifier, verdicts) or '.'} {rest}")
    return verdicts[verifier]


def _tasks_by_id() -> dict[str, Task[Any]]:
    return {known.id: known for known in tasks()}
