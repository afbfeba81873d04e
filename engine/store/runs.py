"""Runs: the attempts of people and models as one long list, to be filtered, sorted, searched and summed up."""

import re
import sqlite3
from collections.abc import Iterator, Sequence
from math import fsum
from typing import Any

from spatial_workbench.engine.core.reading.how_read import HowRead
from spatial_workbench.engine.store.base import ProjectPart
from spatial_workbench.engine.store.facts import OWN_PREFIX, VERSION_SIGN, is_own
from spatial_workbench.engine.store.records import (
    MissingRecord,
    OwnScore,
    RunFilter,
    RunGroup,
    RunRow,
    StoredReply,
)

SORTED_BY = (
    "attempt",
    "task",
    "address",
    "actor",
    "who",
    "score",
    "measured",
    "passed",
    "solving_aids",
    "label",
    "how_read",
    "failed_check",
    "run_end",
    "cut_off",
    "finish_reason",
    "repeat",
    "tags",
    "note",
    "number",
    "tools",
    "settings",
    "seconds",
    "input_tokens",
    "output_tokens",
    "reasoning_tokens",
    "cost_usd",
    "submitted_at",
)
"""The columns that a list of runs can be sorted by, beside "own:NAME", the score by a verifier of somebody else's.

Unknown values come last in either order."""
GROUPED_BY = ("who", "task", "address")
"""What a list of runs can be grouped by."""
_KEYS = {
    "number": ("address LIKE '%@%'", "CAST(substr(address, length(task) + 2) AS INTEGER)"),
    # A result is worse where nothing could be read.
    "passed": ("passed", "how_read IN ('as it is', 'mended', 'several candidates')"),
    # Published instances come first, and numbers and seeds are compared as numbers.
    "address": ("task", "address LIKE '%@%'", "CAST(substr(address, length(task) + 2) AS INTEGER)", "address"),
    "settings": ("effort", "temperature", "top_p", "budget", "variant"),
}
_NEWEST = "SELECT max(id) FROM verdicts WHERE attempt = f.attempt AND verifier = {}"
_ROWS_AT_ONCE = 500
_WORD = re.compile(r"\w+")
_PLAIN = ("address", "batch", "study", "passed", "tools", "disagrees", "differs", "is_overridden", "actor")
_LISTS = {"tasks": "task", "who": "who", "labels": "label", "how_read": "how_read"} | {
    "failed_checks": "failed_check",
    "run_ends": "run_end",
    "finish_reasons": "finish_reason",
}
_READ = ", ".join(f"'{how.value}'" for how in HowRead if how.is_read)
_TRUTHS = {
    "is_helped": ("solving_aids > 0", "solving_aids = 0"),
    "is_read": (f"(how_read IS NULL OR how_read IN ({_READ}))", f"how_read NOT IN ({_READ})"),
    "is_cut_off": ("cut_off IS NOT NULL", "cut_off IS NULL"),
    "has_note": ("note IS NOT NULL", "note IS NULL"),
}
"""Conditions for what is true, and for what is not."""
_ADDRESS = re.compile(r"([a-z][a-z0-9_]*)?(:\d+|@\d+(\?\S+)?)")
_BOUNDS = {
    "score_min": "score >=",
    "score_max": "score <=",
    "measured_min": "measured >=",
    "measured_max": "measured <=",
    "seconds_min": "seconds >=",
    "seconds_max": "seconds <=",
    "tokens_min": "output_tokens >=",
    "tokens_max": "output_tokens <=",
    "input_min": "input_tokens >=",
    "input_max": "input_tokens <=",
    "reasoning_min": "reasoning_tokens >=",
    "reasoning_max": "reasoning_tokens <=",
    "repeat_min": "repeat + 1 >=",
    "repeat_max": "repeat + 1 <=",
    "since": "submitted_at >=",
    "until": "submitted_at <=",
}
_LISTED = "SELECT f.*, (SELECT kind FROM transcripts t WHERE t.attempt = f.attempt) AS transcript FROM facts f"


class Runs(ProjectPart):
    """The list of a project's attempts."""

    def numbers(self, chosen: RunFilter, by: str = "attempt", descending: bool = True) -> list[int]:
        """The numbers of the chosen attempts, sorted by one of SORTED_BY, or by what "own:NAME" gave.

        Raises:
            KeyError: Attempts cannot be sorted by that.
        """
        where, arguments = _condition(chosen)
        cursor = self._database.sqlite.cursor()
        cursor.row_factory = None
        sql = f"SELECT attempt FROM facts WHERE {where} ORDER BY {_order(by, descending)}"
        return [number for (number,) in cursor.execute(sql, arguments)]

    def groups(self, chosen: RunFilter, group: str, by: str = "attempt", descending: bool = True) -> list[RunGroup]:
        """The chosen attempts in groups, which come in the order of their names, tasks or addresses.

        Args:
            group: One of GROUPED_BY.
            by: What the attempts of a group are sorted by, one of SORTED_BY.

        Raises:
            KeyError: Attempts cannot be grouped or sorted by that.
        """
        if group not in GROUPED_BY:
            raise KeyError(group)
        where, arguments = _condition(chosen)
        order = f"{_order(group, descending=False, last='')}, {_order(by, descending)}"
        cursor = self._database.sqlite.cursor()
        cursor.row_factory = None
        sql = f"SELECT {group}, attempt, score FROM facts WHERE {where} ORDER BY {order}"
        members: dict[str, list[tuple[int, float | None]]] = {}
        for key, attempt, score in cursor.execute(sql, arguments):
            members.setdefault(key or "", []).append((attempt, score))
        return [_group(key, pairs) for key, pairs in members.items()]

    def count(self) -> int:
        """How many attempts there are in all."""
        row = self._row("SELECT count(*) AS n FROM facts")
        return int(row["n"]) if row else 0

    def rows(self, numbers: Sequence[int]) -> list[RunRow]:
        """The rows of some attempts, in the order of the numbers; attempts that do not exist are left out."""
        rows = {}
        for begin in range(0, len(numbers), 500):
            part = numbers[begin : begin + 500]
            marks = ", ".join("?" * len(part))
            for row in self._rows(f"{_LISTED} WHERE f.attempt IN ({marks})", *part):
                rows[row["attempt"]] = row
        own = self._own_scores(numbers)
        return [RunRow.of(rows[n], own=own.get(n, {})) for n in numbers if n in rows]

    def select(self, chosen: RunFilter | None = None) -> Iterator[RunRow]:
        """The rows of the chosen attempts, the oldest first."""
        where, arguments = _condition(chosen or RunFilter())
        for row in self._database.sqlite.execute(f"SELECT * FROM facts WHERE {where} ORDER BY attempt", arguments):
            yield RunRow.of(row)

    def choices(self) -> dict[str, list[str]]:
        """The tasks, names, failure modes and so on that occur, by the fields of RunFilter that choose among them."""
        return {
            name: [row[0] for row in self._rows(f"SELECT DISTINCT {column} FROM facts WHERE {column} != '' ORDER BY 1")]
            for name, column in _LISTS.items()
        } | {
            "tags": [
                row["text"]
                for row in self._rows(
                    "SELECT DISTINCT text FROM remarks WHERE kind = 'label' AND withdrawn_at IS NULL ORDER BY text"
                )
            ]
        }

    def scored(
        self,
        batches: Sequence[int] | None = None,
        verifier: str = "default",
        overrides: bool = True,
        of_studies: bool = False,
    ) -> dict[str, list[Any]]:
        """The attempts as results need them, by batch (those without a batch first) and number: a list for each column.

        Besides columns of the table of facts, there are `text_length`, the length of the reply; `own_score`, the
        verifier's score; `person` and `reason`, who overrode the score and why; `transcript`, the kind of the
        transcript; and `condition`, that of a run with hands outside of batches.

        Args:
            batches: Only attempts of these batches.
            verifier: Whose verdict gives `score` and `passed`; where it did not judge an attempt, the default's does.
                Of "own:NAME" or "own:NAME@VERSION", nothing but the verdicts of this version (by default the newest)
                count, so that two verifiers, or two versions, are never mixed.
            overrides: Whether a score that a person set takes precedence over both.
            of_studies: Whether to return the attempts made of submissions to studies, or all others.
        """
        judged = {name: f"iif(f.is_overridden, d.{name}, f.{name})" for name in ("score", "passed")}
        join = f"LEFT JOIN verdicts d ON f.is_overridden AND d.id = ({_NEWEST.format(':default')})"
        verifier, version = self._judge(verifier)
        if is_own(verifier):
            judged = {name: f"v.{name}" for name in judged}
            join += f" LEFT JOIN verdicts v ON v.id = ({_NEWEST.format(':verifier')} AND version = :version)"
        elif verifier != "default":
            judged = {name: f"coalesce(v.{name}, {text})" for name, text in judged.items()}
            join += f" LEFT JOIN verdicts v ON v.id = ({_NEWEST.format(':verifier')})"
        counted = {n: f"iif(f.is_overridden, f.{n}, {text})" for n, text in judged.items()} if overrides else judged
        return self._columns(
            "SELECT f.batch, f.attempt, f.address, f.task, f.actor, f.who, f.repeat, f.tools,"
            f" {counted['score']} AS score, {counted['passed']} AS passed,"
            " f.output_tokens, f.reasoning_tokens, f.budget, f.finish_reason, length(r.text) AS text_length, f.label,"
            f" f.solving_aids, {judged['score']} AS own_score, o.person, o.reason,"
            " f.measured, f.how_read, f.input_tokens, f.cost_usd, f.seconds, f.cut_off,"
            " iif(f.has_transcript, (SELECT kind FROM transcripts WHERE attempt = f.attempt), NULL) AS transcript,"
            " iif(f.has_transcript AND f.batch IS NULL, (SELECT iif(json_valid(record), json_extract(record,"
            " '$.options.condition'), NULL) FROM transcripts WHERE attempt = f.attempt), NULL) AS condition"
            " FROM facts f"
            f" LEFT JOIN replies r ON r.item = f.item AND r.number = 0 {join}"
            " LEFT JOIN overrides o ON f.is_overridden AND o.id ="
            " (SELECT max(id) FROM overrides WHERE attempt = f.attempt AND withdrawn_at IS NULL)"
            f" WHERE {_in_batches('f.batch', batches)} AND f.attempt {'' if of_studies else 'NOT '}IN"
            " (SELECT attempt FROM study_attempts) ORDER BY f.batch, f.attempt",
            {"verifier": verifier, "version": version, "default": "default"},
        )

    def judges(self, verifier: str = "default") -> dict[str, list[Any]]:
        """The verdicts of a verifier and of the default one, the oldest first: attempt, verifier, version, verdict.

        Of "own:NAME" or "own:NAME@VERSION", those of this version (by default the newest) alone.
        """
        verifier, version = self._judge(verifier)
        if is_own(verifier):
            return self._columns(
                "SELECT attempt, verifier, version, id AS verdict FROM verdicts WHERE verifier = ? AND version = ?"
                " ORDER BY id",
                (verifier, version),
            )
        return self._columns(
            "SELECT attempt, verifier, version, id AS verdict FROM verdicts WHERE verifier IN (?, 'default')"
            " ORDER BY id",
            (verifier,),
        )

    def verifiers(self) -> list[tuple[str, str, int]]:
        """The verifiers with stored verdicts: name, version, and how many attempts it has judged."""
        rows = self._rows(
            "SELECT verifier, version, count(DISTINCT attempt) AS attempts FROM verdicts"
            " GROUP BY verifier, version ORDER BY verifier, version"
        )
        return [(row["verifier"], row["version"], row["attempts"]) for row in rows]

    def own_verifiers(self) -> list[str]:
        """The names of other people's verifiers that have judged attempts, with the prefix, in order."""
        # The names are a range of the texts, since ";" follows ":".
        rows = self._rows(
            "SELECT DISTINCT verifier FROM verdicts WHERE verifier >= ? AND verifier < ? ORDER BY verifier",
            OWN_PREFIX,
            OWN_PREFIX.replace(":", ";"),
        )
        return [row["verifier"] for row in rows]

    def newest_version(self, verifier: str) -> str:
        """The version of a verifier whose verdict was stored last; empty if there is none."""
        row = self._row("SELECT version FROM verdicts WHERE verifier = ? ORDER BY id DESC LIMIT 1", verifier)
        return "" if row is None else str(row["version"])

    def verdict_scores(self, verifier: str, version: str | None = None) -> dict[int, tuple[float, bool]]:
        """Score and passing of the newest verdict of a verifier, or of one version of it, by attempt."""
        rows = self._rows(
            "SELECT attempt, score, passed FROM verdicts WHERE id IN (SELECT max(id) FROM verdicts"
            " WHERE verifier = ?1 AND (?2 IS NULL OR version = ?2) GROUP BY attempt)",
            verifier,
            version,
        )
        return {row["attempt"]: (row["score"], bool(row["passed"])) for row in rows}

    def unanswered(self, batches: Sequence[int] | None = None) -> list[sqlite3.Row]:
        """The items without an attempt, ended or not: batch, model, address, task, repeat, state, error."""
        return self._rows(
            "SELECT batch, model, address, task, repeat, state, error FROM items WHERE state != 'done'"
            " AND id NOT IN (SELECT item FROM facts WHERE item IS NOT NULL)"
            f" AND {_in_batches('batch', batches)} ORDER BY id"
        )

    def model_pass_rates(self) -> list[tuple[str, float, int]]:
        """How often models passed each instance: (address, share, attempts)."""
        rows = self._rows(
            "SELECT address, avg(passed) AS passed, count(*) AS attempts FROM facts"
            " WHERE actor = 'model' AND passed IS NOT NULL GROUP BY address"
        )
        return [(row["address"], row["passed"], row["attempts"]) for row in rows]

    def default_verdicts(self, tasks: Sequence[str]) -> Iterator[tuple[int, str]]:
        """The newest verdict of the default verifier, as JSON, of each attempt at the tasks, by attempt."""
        marks = ", ".join("?" * len(tasks))
        newest = _NEWEST.format("'default'")
        sql = f"SELECT f.attempt, v.verdict FROM facts f JOIN verdicts v ON v.id = ({newest}) WHERE f.task IN ({marks})"
        for row in self._database.sqlite.execute(sql, tuple(tasks)):
            yield row["attempt"], row["verdict"]

    def transcript_parts(self, kind: str, *paths: str) -> Iterator[tuple[int, list[Any]]]:
        """Parts of the transcripts of a kind by attempt, without the rest; paths are SQLite's, such as "$.options".

        Objects and lists come as JSON; transcripts that are not JSON are left out.
        """
        parts = "".join(f", json_extract(t.record, ?) AS part_{k}" for k in range(len(paths)))
        rows = self._database.sqlite.execute(
            f"SELECT t.attempt{parts} FROM transcripts t WHERE t.kind = ? AND json_valid(t.record)", (*paths, kind)
        )
        for row in rows:
            yield row["attempt"], [row[f"part_{k}"] for k in range(len(paths))]

    def _judge(self, verifier: str) -> tuple[str, str]:
        """A verifier and its version; only of other people's, one must be named or found."""
        if not is_own(verifier):
            return verifier, ""
        name, _, version = verifier.partition(VERSION_SIGN)
        return name, version or self.newest_version(name)

    def _own_scores(self, numbers: Sequence[int]) -> dict[int, dict[str, OwnScore]]:
        """What other people's verifiers said last of some attempts, by attempt and verifier."""
        found: dict[int, dict[str, OwnScore]] = {}
        for begin in range(0, len(numbers), _ROWS_AT_ONCE):
            part = numbers[begin : begin + _ROWS_AT_ONCE]
            rows = self._rows(
                "SELECT attempt, verifier, version, score, passed FROM verdicts"
                f" WHERE attempt IN ({', '.join('?' * len(part))}) AND verifier >= ? AND verifier < ? ORDER BY id",
                *part,
                OWN_PREFIX,
                OWN_PREFIX.replace(":", ";"),
            )
            for row in rows:
                own = OwnScore(version=row["version"], score=row["score"], passed=bool(row["passed"]))
                found.setdefault(row["attempt"], {})[row["verifier"]] = own
        return found

    def _columns(self, sql: str, arguments: Any) -> dict[str, list[Any]]:
        """What a query finds, as a list for each column."""
        cursor = self._database.sqlite.cursor()
        cursor.row_factory = None
        cursor.execute(sql, arguments)
        columns: dict[str, list[Any]] = {description[0]: [] for description in cursor.description}
        # A hundred thousand rows at once would keep the collector of garbage busy.
        while rows := cursor.fetchmany(_ROWS_AT_ONCE):
            for column, values in zip(columns.values(), zip(*rows, strict=True), strict=True):
                column.extend(values)
        return columns

    def prompt_text(self, number: int) -> str:
        """A stored prompt.

        Raises:
            MissingRecord: There is no prompt of that number.
        """
        row = self._row("SELECT text FROM prompts WHERE id = ?", number)
        if row is None:
            raise MissingRecord(f"Prompt {number}")
        return str(row["text"])

    def replies(self, item: int) -> list[StoredReply]:
        """The model's replies about an item, in order."""
        rows = self._rows("SELECT * FROM replies WHERE item = ? ORDER BY number", item)
        return [StoredReply.model_validate({key: row[key] for key in StoredReply.model_fields}) for row in rows]


def _in_batches(column: str, batches: Sequence[int] | None) -> str:
    return "1" if batches is None else f"{column} IN ({', '.join(str(int(number)) for number in batches)})"


def _condition(chosen: RunFilter) -> tuple[str, list[Any]]:
    """The filter as SQL with its arguments."""
    parts = ["1"]
    arguments = []
    for name in _PLAIN:
        value = getattr(chosen, name)
        if value is not None:
            parts.append(f"{name} = ?")
            arguments.append(value)
    for name, (if_true, if_false) in _TRUTHS.items():
        value = getattr(chosen, name)
        if value is not None:
            parts.append(if_true if value else if_false)
    if chosen.tags is not None:
        marks = ", ".join("?" * len(chosen.tags))
        parts.append(
            "attempt IN (SELECT attempt FROM remarks WHERE kind = 'label' AND withdrawn_at IS NULL"
            f" AND text IN ({marks}))"
        )
        arguments += chosen.tags
    for name, column in _LISTS.items():
        values = getattr(chosen, name)
        if values is not None:
            parts.append(f"{column} IN ({', '.join('?' * len(values))})")
            arguments += values
    for name, comparison in _BOUNDS.items():
        bound = getattr(chosen, name)
        if bound is not None:
            parts.append(f"{comparison} ?")
            arguments.append(bound)
    _add_search(chosen.text, parts, arguments)
    return " AND ".join(parts), arguments


def _add_search(text: str, parts: list[str], arguments: list[Any]) -> None:
    """Adds what is searched for: the instances of addresses, and words."""
    tokens = text.split()
    addresses = [token for token in tokens if _ADDRESS.fullmatch(token)]
    if addresses:
        patterns = [pattern for token in addresses for pattern in _patterns(token)]
        parts.append(f"({' OR '.join('address GLOB ?' for _ in patterns)})")
        arguments += patterns
    words = _WORD.findall(" ".join(token for token in tokens if token not in addresses))
    if words:
        # Only words are searched for, each in quotes, so that none is taken for an operator.
        matched = " ".join(f'"{word}"*' for word in words)
        remarked = " AND ".join("instr(lower(group_concat(text, ' ')), ?)" for _ in words)
        parts.append(
            "(attempt IN (SELECT rowid FROM words WHERE words MATCH ?)"
            " OR prompt IN (SELECT rowid FROM prompt_words WHERE prompt_words MATCH ?)"
            " OR attempt IN (SELECT attempt FROM remarks WHERE withdrawn_at IS NULL"
            f" GROUP BY attempt HAVING {remarked}))"
        )
        arguments += [matched, matched, *(word.lower() for word in words)]


def _patterns(address: str) -> Iterator[str]:
    """What SQLite's GLOB compares addresses with: “:3” is of any task, and “maze_3d@7” has any parameters."""
    literal = re.sub(r"[*?\[]", lambda mark: f"[{mark[0]}]", address)
    pattern = f"*{literal}" if literal[0] in ":@" else literal
    yield pattern
    if "@" in address and "?" not in address:
        yield f"{pattern}[?]*"


def _order(by: str, descending: bool, last: str = "attempt") -> str:
    """How attempts are sorted, as SQL. `last` decides among equals."""
    if by not in SORTED_BY and not is_own(by):
        raise KeyError(by)
    order = "DESC" if descending else "ASC"
    keys = [f"{key} {order} NULLS LAST" for key in (_own_keys(by) if is_own(by) else _KEYS.get(by, (by,)))]
    return ", ".join([*keys, f"{last} {order}"] if last else keys)


def _own_keys(verifier: str) -> tuple[str, ...]:
    """What attempts are sorted by for the column of a verifier of somebody else's, as SQL."""
    literal = "'" + verifier.replace("'", "''") + "'"
    newest = f"SELECT max(id) FROM verdicts WHERE attempt = facts.attempt AND verifier = {literal}"
    return tuple(f"(SELECT {column} FROM verdicts WHERE id = ({newest}))" for column in ("score", "passed"))


def _group(key: str, members: Sequence[tuple[int, float | None]]) -> RunGroup:
    scores = [score for _, score in members if score is not None]
    mean = fsum(scores) / len(scores) if scores else None
    return RunGroup(key, tuple(number for number, _ in members), len(scores), mean)
