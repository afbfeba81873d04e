"""Complete attempts and batches, with numbers, times and history: read, and restored in another project."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime

from pydantic import Field

from spatial_workbench.engine.core.formats.sound import MAX_COUNT
from spatial_workbench.engine.core.instance import Instance
from spatial_workbench.engine.core.solving.aids import Aid, AidUse, is_explored
from spatial_workbench.engine.core.verdict import SCORE_TOLERANCE, Verdict
from spatial_workbench.engine.store.attempts import Attempts, aids_json
from spatial_workbench.engine.store.base import Database, ProjectPart
from spatial_workbench.engine.store.batches import Batches
from spatial_workbench.engine.store.drafts import Drafts
from spatial_workbench.engine.store.facts import Facts
from spatial_workbench.engine.store.inspect_logs import InspectLogs
from spatial_workbench.engine.store.items import Items
from spatial_workbench.engine.store.judgements import Judgements
from spatial_workbench.engine.store.puzzles import PuzzleRecords
from spatial_workbench.engine.store.records import (
    Actor,
    Asked,
    BatchState,
    FailureLabel,
    ItemState,
    Override,
    Record,
    Remark,
    Ruling,
    StepJudgement,
    StoredReply,
    StoredTry,
    Transcript,
)
from spatial_workbench.engine.store.remarks import Remarks

MAX_NUMBER = 1_000_000_000
_CARRIED_BY_NAME = frozenset(
    {"id", "address", "task", "actor", "actor_name", "answer", "submitted_at", "seconds", "aids"}
)
_OF_EDITS = frozenset({"first_edit", "last_edit", "edit_count"})


class StoredItem(Record):
    """An item of a batch, with its position in the batch instead of a number."""

    position: int = Field(ge=0, description="Among the items of its batch, from 0")
    lead: int = Field(ge=0, description="Position of the item that was asked for all that share its answer")
    model: int = Field(ge=0, description="Position of the settings in the batch's plan")
    repeat: int = Field(ge=0, le=MAX_COUNT)
    state: ItemState
    error: str | None = None
    message: str | None = None
    is_answered: bool


class StoredBatch(Record):
    """A batch without its items."""

    number: int = Field(ge=1, le=MAX_NUMBER)
    name: str = Field(min_length=1)
    state: BatchState
    note: str = ""
    created_at: datetime
    plan: str = Field(description="As JSON")
    inspect: bytes | None = Field(default=None, description="The log of Inspect that it was imported from, packed")
    inspect_id: str = Field(default="", description="Inspect's id of that log")


class StoredAttempt(Record):
    """An attempt with its whole history of verdicts and judgements.

    `more` holds the other columns of the table of attempts by name, such as the total time.
    """

    number: int = Field(ge=1, le=MAX_NUMBER)
    actor: Actor
    actor_name: str
    answer: str
    submitted_at: datetime
    seconds: float | None
    edit_count: int = Field(ge=0)
    aids: Sequence[AidUse]
    more: Mapping[str, str | int | float | None]
    verdicts: Sequence[tuple[datetime, Verdict]] = Field(description="All, the oldest first")
    overrides: Sequence[Override] = Field(
        description="In these and the following records, the number of the attempt is ignored"
    )
    rulings: Sequence[Ruling]
    labels: Sequence[FailureLabel]
    transcript: Transcript | None
    steps: Sequence[StepJudgement] = ()
    sketches: Mapping[str, str] = Field(default={}, description="The sketches (JSON) by page")
    remarks: Sequence[Remark] = Field(default=(), description="Notes and labels, the oldest first")

    @property
    def newest_verdicts(self) -> tuple[Verdict, ...]:
        """The newest verdict of each verifier, in the order in which they first came."""
        return tuple({verdict.verifier: verdict for _, verdict in self.verdicts}.values())


class ProjectArchive(ProjectPart):
    """Reads complete attempts and batches, and restores those of other projects."""

    def __init__(
        self,
        database: Database,
        drafts: Drafts,
        attempts: Attempts,
        facts: Facts,
        judgements: Judgements,
        remarks: Remarks,
        puzzles: PuzzleRecords,
        batches: Batches,
        items: Items,
        inspect_logs: InspectLogs,
    ) -> None:
        super().__init__(database)
        self._drafts = drafts
        self._attempts = attempts
        self._facts = facts
        self._judgements = judgements
        self._remarks = remarks
        self._puzzles = puzzles
        self._batches = batches
        self._items = items
        self._inspect_logs = inspect_logs
        self._columns: dict[str, tuple[str, ...]] = {}

    def batch(self, number: int) -> StoredBatch:
        """A batch as it is stored. Raises MissingRecord."""
        row = self._batches.get(number)
        return StoredBatch(
            number=row.number,
            name=row.name,
            state=row.state,
            note=row.note,
            created_at=row.created_at,
            plan=self._batches.plan(number),
            inspect=self._inspect_logs.log(number),
            inspect_id=self._inspect_logs.eval_id(number),
        )

    def attempt(self, number: int) -> StoredAttempt:
        """An attempt as it is stored. Raises MissingRecord."""
        attempt = self._attempts.get(number)
        return StoredAttempt(
            number=number,
            actor=attempt.actor,
            actor_name=attempt.actor_name,
            answer=attempt.answer,
            submitted_at=attempt.submitted_at,
            seconds=attempt.seconds,
            edit_count=attempt.edit_count,
            aids=attempt.aids,
            more=self._more_of(number),
            verdicts=tuple(self._attempts.verdict_history(number)),
            overrides=tuple(self._judgements.overrides(number)),
            rulings=tuple(self._judgements.rulings(number)),
            labels=tuple(self._judgements.labels(number)),
            transcript=self._attempts.transcript(number),
            steps=tuple(self._puzzles.step_judgements(number)),
            sketches=self._attempts.sketches(number),
            remarks=tuple(self._remarks.of_attempt(number)),
        )

    def is_stored(self, address: str, actor: Actor, name: str, answer: str, submitted_at: datetime) -> bool:
        """Whether there is an attempt with all of these values."""
        return bool(
            self._row(
                "SELECT 1 FROM attempts WHERE address = ? AND actor = ? AND actor_name = ? AND answer = ?"
                " AND submitted_at = ?",
                address,
                actor.value,
                name,
                answer,
                time_text(submitted_at),
            )
        )

    def restore_batch(
        self, batch: StoredBatch, items: Iterable[tuple[StoredItem, str, str]]
    ) -> tuple[int, dict[int, int]]:
        """Stores a batch with its items, each with its address and task. Nothing is asked or verified.

        Returns:
            Its number, which is the old one if that is free, and the numbers of its items by position.
        """
        entries = sorted(items, key=lambda entry: entry[0].position)
        is_free = self._row("SELECT 1 FROM batches WHERE id = ?", batch.number) is None
        shared = {item.lead for item, _, _ in entries if item.lead != item.position}
        with self._database.write_transaction():
            number = self._batches.add(
                batch.name,
                batch.plan,
                (
                    (item.model, address, task, item.repeat, str(item.lead) if item.lead in shared else None)
                    for item, address, task in entries
                ),
                batch.number if is_free else None,
            )
            self._execute(
                "UPDATE batches SET state = ?, note = ?, created_at = ? WHERE id = ?",
                batch.state.value,
                batch.note,
                time_text(batch.created_at),
                number,
            )
            if batch.inspect is not None:
                self._inspect_logs.keep_log(number, batch.inspect_id, batch.inspect)
            stored = {
                item.position: row.number
                for (item, _, _), row in zip(entries, self._items.of_batch(number), strict=True)
            }
            for item, _, _ in entries:
                self._execute(
                    "UPDATE items SET state = ?, is_answered = ?, error = ?, message = ? WHERE id = ?",
                    item.state.value,
                    item.is_answered,
                    item.error,
                    item.message,
                    stored[item.position],
                )
        return number, stored

    def restore_asking(
        self,
        item: int,
        replies: Iterable[tuple[StoredReply, str]],
        tries: Iterable[StoredTry],
        sample: bytes | None = None,
    ) -> None:
        """Stores the replies about an item, each with its prompt, all requests, and the packed sample of Inspect."""
        with self._database.write_transaction():
            if sample is not None:
                self._inspect_logs.keep_sample(item, sample)
            for reply, prompt in replies:
                self._items.add_reply(
                    item, reply.number, prompt, reply.text, reply.reasoning, reply.record, is_last=False
                )
            for request in tries:
                rest = request.seconds, request.error, request.output_tokens, request.cost_usd
                self._items.add_try(item, request.record, time_text(request.started_at), *rest)

    def restore_attempt(
        self,
        instance: Instance,
        attempt: StoredAttempt,
        asked: Asked,
        prompt: str,
        item: int | None = None,
        tolerance: float = SCORE_TOLERANCE,
    ) -> int:
        """Stores an attempt as it was and returns its number, which is the old one if that is free.

        item: The item of a batch that it answers.
        """
        is_free = self._row("SELECT 1 FROM attempts WHERE id = ?", attempt.number) is None
        with self._database.write_transaction():
            # Not as a person's yet: that would take over the edits of a draft in this project.
            number = self._attempts.add(
                instance,
                attempt.answer,
                Actor.IMPORT,
                attempt.actor_name,
                attempt.seconds,
                transcript=attempt.transcript,
                asked=asked.model_copy(update={"prompt": self._items.prompt_number(prompt)}),
                number=attempt.number if is_free else None,
            )
            self._set_columns(number, attempt)
            if attempt.actor is Actor.PERSON:
                self._remember_aids(instance.address, attempt)
            for at, verdict in attempt.verdicts:
                self._facts.add_verdict(number, verdict, time_text(at))
            self._restore_judgements(number, attempt)
            self._restore_sketches(number, instance.address, attempt)
            for remark in attempt.remarks:
                withdrawn = None if remark.withdrawn_at is None else time_text(remark.withdrawn_at)
                self._remarks.restore_remark(
                    number, remark.kind.value, remark.text, remark.person, time_text(remark.at), withdrawn
                )
            self._facts.update(number, tolerance, [verdict for _, verdict in attempt.verdicts])
            if item is not None:
                self._execute("UPDATE items SET attempt = ? WHERE id = ?", number, item)
        return number

    def _more_of(self, attempt: int) -> dict[str, str | int | float | None]:
        """The columns of an attempt that `StoredAttempt` has no field for, by name."""
        row = self._row("SELECT * FROM attempts WHERE id = ?", attempt)
        skipped = _CARRIED_BY_NAME | _OF_EDITS
        return {} if row is None else {name: row[name] for name in row.keys() if name not in skipped}  # noqa: SIM118

    def _restore_sketches(self, number: int, address: str, attempt: StoredAttempt) -> None:
        for page, layer in attempt.sketches.items():
            self._execute(
                "INSERT INTO sketches (address, person, attempt, page, layer, at) VALUES (?, ?, ?, ?, ?, ?)",
                address,
                attempt.actor_name,
                number,
                page,
                layer,
                time_text(attempt.submitted_at),
            )

    def _set_columns(self, number: int, attempt: StoredAttempt) -> None:
        """Sets the columns that `Attempts.add` cannot, in the tables of attempts and of facts."""
        values = {
            "actor": attempt.actor.value,
            "submitted_at": time_text(attempt.submitted_at),
            "edit_count": attempt.edit_count,
            "aids": aids_json(attempt.aids),
            "solving_aids": sum(use.kind is Aid.SOLVING for use in attempt.aids),
            "explored": is_explored(attempt.aids),
            **{name: value for name, value in attempt.more.items() if name not in _CARRIED_BY_NAME | _OF_EDITS},
        }
        for table, key in (("attempts", "id"), ("facts", "attempt")):
            names = [name for name in self._columns_of(table) if name in values]
            changes = ", ".join(f"{name} = ?" for name in names)
            self._execute(f"UPDATE {table} SET {changes} WHERE {key} = ?", *(values[name] for name in names), number)

    def _columns_of(self, table: str) -> tuple[str, ...]:
        if table not in self._columns:
            rows = self._rows("SELECT name FROM pragma_table_info(?)", table)
            self._columns[table] = tuple(row["name"] for row in rows)
        return self._columns[table]

    def _remember_aids(self, address: str, attempt: StoredAttempt) -> None:
        """Adds the aids to the person's record, since they count for the person's later attempts, too."""
        remembered = set(self._drafts.aids(address, attempt.actor_name))
        for use in attempt.aids:
            if use not in remembered:
                self._execute(
                    "INSERT INTO aids (address, person, name, kind, at, seconds) VALUES (?, ?, ?, ?, ?, ?)",
                    address,
                    attempt.actor_name,
                    use.name,
                    use.kind.value,
                    time_text(use.at),
                    use.seconds,
                )

    def _restore_judgements(self, number: int, attempt: StoredAttempt) -> None:
        for override in attempt.overrides:
            withdrawn = None if override.withdrawn_at is None else time_text(override.withdrawn_at)
            self._execute(
                "INSERT INTO overrides (attempt, score, passed, reason, person, at, withdrawn_at)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                number,
                override.score,
                override.passed,
                override.reason,
                override.person,
                time_text(override.at),
                withdrawn,
            )
        for ruling in attempt.rulings:
            self._execute(
                "INSERT INTO rulings (attempt, first, second, ruling, note, person, at) VALUES (?, ?, ?, ?, ?, ?, ?)",
                number,
                ruling.first,
                ruling.second,
                ruling.ruling,
                ruling.note,
                ruling.person,
                time_text(ruling.at),
            )
        for label in attempt.labels:
            self._execute(
                "INSERT INTO labels (attempt, status, label, record, at) VALUES (?, ?, ?, ?, ?)",
                number,
                label.status,
                label.label,
                label.record,
                time_text(label.at),
            )
            self._execute("UPDATE facts SET label = ? WHERE attempt = ?", label.label, number)
        for judged in attempt.steps:
            rest = {"steps": judged.steps, "version": judged.version, "note": judged.note, "at": time_text(judged.at)}
            self._puzzles.restore_step_judgement(number, judged.judge, **rest)


def time_text(at: datetime) -> str:
    """A time as it is stored: UTC, milliseconds. A time without a zone is taken as UTC."""
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(UTC).isoformat(timespec="milliseconds")
