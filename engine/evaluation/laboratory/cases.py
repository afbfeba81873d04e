"""Regression cases: an answer, and what each verifier said of it when somebody looked and said why.

A case is a small file of JSON, which this program runs, and which it turns into a test for pytest.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from spatial_workbench.engine.core import InstanceError, Progress, State, resolve, silent
from spatial_workbench.engine.core.files import write_whole
from spatial_workbench.engine.core.formats.jsontext import format_path
from spatial_workbench.engine.core.verdict import SCORE_TOLERANCE
from spatial_workbench.engine.evaluation.laboratory.own.functions import Judge, verifiers_of_functions
from spatial_workbench.engine.evaluation.laboratory.searching.asking import (
    ProgramMissed,
    ask_all,
    findings_in,
    words_of,
)
from spatial_workbench.engine.evaluation.laboratory.searching.task_search import known_in
from spatial_workbench.engine.evaluation.laboratory.shrinking import LIMIT_S, keeping, made_small
from spatial_workbench.engine.evaluation.laboratory.verifiers import AnyVerifier, Ruled, Trouble, verifiers_of

FORMAT = "spatial-workbench case 1"
MAX_CASE_BYTES = 20_000_000


class CaseError(ValueError):
    """A case cannot be read or run; the message names the place."""


class ExpectedVerdict(BaseModel):
    """What a verifier is expected to say.

    Attributes:
        score: Its score, with a tolerance of 0.01; None if it is in trouble.
        passed: Whether the answer passes.
        fails: The checks that fail, in their order.
        trouble: The kind of trouble, such as "exception"; "" if there is a verdict.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    score: float | None = Field(default=None, ge=0, le=1)
    passed: bool | None = None
    fails: tuple[str, ...] = ()
    trouble: str = ""

    @classmethod
    def of(cls, ruled: Ruled) -> ExpectedVerdict:
        """What a verifier has said."""
        if isinstance(ruled, Trouble):
            return cls(trouble=ruled.kind)
        fails = tuple(check.name for check in ruled.checks if check.state is State.FAILED)
        return cls(score=round(ruled.score, 6), passed=ruled.passed, fails=fails)

    def is_met_by(self, ruled: Ruled) -> bool:
        """Whether a verifier says this now."""
        now = ExpectedVerdict.of(ruled)
        if self.score is None or now.score is None:
            return self.score is now.score and self.trouble == now.trouble
        return (self.passed, self.fails) == (now.passed, now.fails) and abs(self.score - now.score) <= SCORE_TOLERANCE

    @property
    def words(self) -> str:
        """The same in a few words."""
        if self.score is None:
            return self.trouble
        fails = f", fails {', '.join(self.fails)}" if self.fails else ""
        return f"{'passed' if self.passed else 'not passed'}, {self.score:.6g}{fails}"


class RegressionCase(BaseModel):
    """An answer with what is expected of each verifier.

    Attributes:
        format: Names the format and its version.
        address: Address of the instance.
        answer: Text of the answer.
        expected: What each verifier says, by its name.
        reason: Why, in a sentence: the rule, and who of them is right.
        who, at: Who saved it, and when.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: str = FORMAT
    address: str = Field(min_length=1)
    answer: str
    expected: dict[str, ExpectedVerdict] = Field(min_length=1)
    reason: str = ""
    who: str = ""
    at: datetime | None = None

    def as_text(self) -> str:
        """The content of its file."""
        return json.dumps(self.model_dump(mode="json"), indent=1, ensure_ascii=False) + "\n"

    def write(self, path: Path | str) -> None:
        """Writes it to a file. Raises OSError."""
        write_whole(Path(path), self.as_text().encode())

    def run(self, verifiers: Mapping[str, Judge] | None = None, allow_programs: bool = False) -> list[CaseChange]:
        """What verifiers say otherwise now than is expected; nothing if all is as it was.

        verifiers: Functions by their names, if the case expects something of them.
        allow_programs: Whether a program in the answer runs, in the sandbox.

        Raises:
            CaseError: There is no such instance, or the answer holds a program and none may run.
        """
        return changes_in(self, verifiers_of_functions(verifiers or {}), allow_programs)


def case_of(
    address: str, answer: str, reason: str = "", who: str = "", others: Sequence[AnyVerifier] = ()
) -> RegressionCase:
    """A case that expects what all verifiers say now.

    Raises:
        CaseError: There is no such instance, or the answer holds a program.
    """
    expected = {name: ExpectedVerdict.of(ruled) for name, ruled in _asked(address, answer, others).items()}
    now = datetime.now(UTC).replace(microsecond=0)
    return RegressionCase(address=address, answer=answer, expected=expected, reason=reason, who=who, at=now)


def read_case(path: Path) -> RegressionCase:
    """The case in a file.

    Raises:
        CaseError: It is none; names the file and the place in it.
    """
    try:
        if path.stat().st_size > MAX_CASE_BYTES:
            raise CaseError(f"{path}: the file is larger than {MAX_CASE_BYTES // 1_000_000} MB")
        text = path.read_text("utf-8")
    except OSError as error:
        raise CaseError(f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise CaseError(f"{path}: byte {error.start} is no text in UTF-8") from None
    return case_in(text, str(path))


def case_in(text: str, name: str = "case") -> RegressionCase:
    """The case in a text. Raises CaseError, which names the place."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        place = f"line {error.lineno}, column {error.colno}: " if isinstance(error, json.JSONDecodeError) else ""
        said = error.msg if isinstance(error, json.JSONDecodeError) else "it is no JSON"
        raise CaseError(f"{name}: {place}{said}") from None
    if isinstance(data, dict) and data.get("format", FORMAT) != FORMAT:
        raise CaseError(f"{name}: format: this program reads “{FORMAT}”, not “{str(data['format'])[:60]}”")
    try:
        return RegressionCase.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise CaseError(f"{name}: {format_path(first['loc']) or 'case'}: {first['msg']}") from None


class CaseChange(BaseModel):
    """A verifier that does not say what a case expects."""

    model_config = ConfigDict(frozen=True)

    verifier: str
    expected: str
    said: str

    @property
    def words(self) -> str:
        """In a sentence."""
        return f"{self.verifier}: expected {self.expected}; now {self.said}"


def changes_in(case: RegressionCase, others: Sequence[AnyVerifier] = (), programs: bool = False) -> list[CaseChange]:
    """The verifiers that do not say what a case expects; none if all is as it was.

    Raises:
        CaseError: There is no such instance, or the answer holds a program and none may run.
    """
    ruled = _asked(case.address, case.answer, others, programs)
    return [
        CaseChange(
            verifier=name,
            expected=expected.words,
            said=words_of(ruled[name]) if name in ruled else "there is no such verifier",
        )
        for name, expected in case.expected.items()
        if name not in ruled or not expected.is_met_by(ruled[name])
    ]


def case_made_small(
    case: RegressionCase,
    limit_s: float = LIMIT_S,
    progress: Progress = silent,
    others: Sequence[AnyVerifier] = (),
    programs: bool = False,
) -> RegressionCase:
    """The case with a smaller answer in which the same verifiers part in the same way.

    Raises:
        CaseError: There is no such instance, or no two verifiers part on the answer.
        Cancelled: Raised by `progress`.
    """
    ruled = _asked(case.address, case.answer, others, programs)
    task, _ = resolve(case.address)
    found = findings_in(verifiers_of(task, others), ruled, case.address, case.answer, "case")
    if not found:
        raise CaseError("answer: all verifiers agree on it, so that there is no difference to keep")
    keeps = keeping(task, found[0].divergence, others, programs, known_in(found[0]))
    small = made_small(case.address, case.answer, keeps, limit_s, progress=progress)
    return case_of(small.address, small.answer, case.reason, case.who, others)


def as_pytest(cases: Sequence[tuple[str, RegressionCase]]) -> str:
    """A file of tests for pytest that runs cases, each with a name, wherever this program is installed."""
    rows = ",\n".join(f"    {name!r}: r'''{_safe(case)}'''" for name, case in cases)
    return _TEST.format(rows=rows)


_TEST = '''"""Answers that verifiers judged differently, and what each is expected to say."""

import pytest

from spatial_workbench.engine.evaluation.laboratory.cases import case_in, changes_in

CASES = {{
{rows},
}}


@pytest.mark.parametrize("name", CASES)
def test_every_verifier_says_what_it_said(name):
    changes = changes_in(case_in(CASES[name], name))
    assert not changes, "\\n".join(change.words for change in changes)
'''


def _safe(case: RegressionCase) -> str:
    """A case as JSON without apostrophes, so that it can stand in a raw string."""
    return json.dumps(case.model_dump(mode="json")).replace("'", "\\u0027")


def _asked(address: str, answer: str, others: Sequence[AnyVerifier], programs: bool = False) -> dict[str, Ruled]:
    try:
        task, instance = resolve(address)
    except InstanceError as error:
        raise CaseError(f"address: {error}") from None
    try:
        return ask_all(verifiers_of(task, others), instance, answer, programs)
    except ProgramMissed:
        raise CaseError("answer: it holds a program, and programs may not be run") from None
