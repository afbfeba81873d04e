"""Facts: the row that lists show of each attempt, kept up to date with its verdicts and overrides."""

from collections.abc import Iterable, Sequence

from spatial_workbench.engine.core.checks import State
from spatial_workbench.engine.core.headline import measured
from spatial_workbench.engine.core.verdict import SCORE_TOLERANCE, Verdict
from spatial_workbench.engine.store.base import ProjectPart
from spatial_workbench.engine.store.records import how_read_of

CROSSCHECK = "crosscheck"
OWN_PREFIX = "own:"
"""What the names of other people's verifiers begin with, so that none is taken for one of ours."""
THEIR_SCORE = f"{OWN_PREFIX}their-score"
"""The name under which the score is kept that a file of other people gives an answer: a verdict without checks."""
AS_IMPORTED = "imported"
"""The version of that verdict."""
VERSION_SIGN = "@"
"""Between the name of a verifier and its version."""


def verifier_title(verifier: str) -> str:
    """What lists call a verifier, by its name in verdicts."""
    return "Their score" if verifier == THEIR_SCORE else verifier


def is_own(verifier: str) -> bool:
    """Whether a verifier is somebody else's, by its name in verdicts."""
    return verifier.startswith(OWN_PREFIX)


class Facts(ProjectPart):
    """What lists show of attempts: the score that counts, who disagrees, how the answer was read."""

    def add_verdict(self, attempt: int, verdict: Verdict, at: str) -> None:
        """Stores a verdict; `at` is the time as it is stored. The row is brought up to date by `update`."""
        self._execute(
            "INSERT INTO verdicts (attempt, verifier, version, score, passed, verdict, at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            attempt,
            verdict.verifier,
            verdict.version,
            verdict.score,
            verdict.passed,
            verdict.model_dump_json(),
            at,
        )

    def verdicts(self, attempt: int) -> tuple[Verdict, ...]:
        """The newest verdict of each verifier, in the order in which they first came."""
        rows = self._rows(
            "SELECT verdict FROM verdicts v WHERE attempt = ?1 AND id ="
            " (SELECT max(id) FROM verdicts WHERE attempt = ?1 AND verifier = v.verifier) ORDER BY"
            " (SELECT min(id) FROM verdicts WHERE attempt = ?1 AND verifier = v.verifier)",
            attempt,
        )
        return tuple(Verdict.model_validate_json(row["verdict"]) for row in rows)

    def update(self, attempt: int, tolerance: float, all_verdicts: Iterable[Verdict] | None = None) -> None:
        """Updates the row that lists show of an attempt from its newest verdicts and its newest override.

        all_verdicts: Every verdict of the attempt, the oldest first, if the caller has them; otherwise they are read.
        """
        known = self.verdicts(attempt) if all_verdicts is None else all_verdicts
        verdicts = {verdict.verifier: verdict for verdict in known}
        default = verdicts.get("default")
        override = self._row(
            "SELECT score, passed FROM overrides WHERE attempt = ? AND withdrawn_at IS NULL ORDER BY id DESC", attempt
        )
        first = self._row(
            "SELECT score, passed FROM verdicts WHERE attempt = ? AND verifier = 'default' ORDER BY id", attempt
        )
        shown = override or (default and {"score": default.score, "passed": default.passed})
        self._execute("DELETE FROM differences WHERE attempt = ?", attempt)
        differing = [] if default is None else differences(default, verdicts.values(), tolerance)
        for other, check in differing:
            assert default is not None
            self._execute(
                "INSERT INTO differences VALUES (?, ?, ?, ?, ?, ?)",
                attempt,
                default.verifier,
                other.verifier,
                check,
                default.score,
                other.score,
            )
        names = {other.verifier for other, _ in differing}
        self._execute(
            "UPDATE facts SET score = ?, passed = ?, first_score = ?, first_passed = ?, is_overridden = ?,"
            " disagrees = ?, differs = ?, measured = ?, how_read = ?, mending = ?, failed_check = ? WHERE attempt = ?",
            *((shown["score"], shown["passed"]) if shown else (None, None)),
            *((first["score"], first["passed"]) if first else (None, None)),
            override is not None,
            CROSSCHECK in names,
            bool(names - {CROSSCHECK}),
            None if default is None else measured(self._task(attempt), default),
            *((None, None) if default is None else (self._how_read(attempt, default), default.mending or None)),
            None if default is None else _failed_check(default),
            attempt,
        )

    def _how_read(self, attempt: int, default: Verdict) -> str | None:
        row = self._row("SELECT finish_reason FROM facts WHERE attempt = ?", attempt)
        return how_read_of(default, row["finish_reason"] if row else None)

    def _task(self, attempt: int) -> str:
        row = self._row("SELECT task FROM facts WHERE attempt = ?", attempt)
        return str(row["task"]) if row else ""


def differences(default: Verdict, others: Iterable[Verdict], tolerance: float) -> Sequence[tuple[Verdict, str]]:
    """The verdicts that disagree with the default's, each with the name of the first check that differs.

    `tolerance` applies to the cross-check, SCORE_TOLERANCE to verifiers with other rules.
    """
    return [
        (other, differing_check(default, other))
        for other in others
        if default.disagrees_with(other, tolerance if other.verifier == CROSSCHECK else SCORE_TOLERANCE)
    ]


def _failed_check(verdict: Verdict) -> str | None:
    """The name of the first check that failed."""
    return next((check.name for check in verdict.checks if check.state is State.FAILED), None)


def differing_check(default: Verdict, other: Verdict) -> str:
    """The name of the first check that ended differently in two verdicts; "score" if none did."""
    states = {check.name: check.state for check in other.checks}
    for check in default.checks:
        if check.name in states and states[check.name] is not check.state:
            return check.name
    unknown = [check.name for check in default.checks if check.name not in states and check.state.value == "failed"]
    return unknown[0] if unknown else "score"
