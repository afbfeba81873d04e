"""Recorded answers from files of any origin: JSON lines, an answer per line; and an `Answerer` that replays them.

Fields   task, instance (a number, or an address such as "shikaku@7"), model, text; optionally repeat (from 0),
         reasoning, finish_reason, usage, cost_usd, seconds, score (0 to 1) and passed: what others say of the answer.
         In place of instance, seed or parameters or both, of which `instance_with` makes an address
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Annotated, Any

from pydantic import BeforeValidator, ConfigDict, Field, ValidationError

from spatial_workbench.engine.core import Progress, silent, task_of_address
from spatial_workbench.engine.core.formats.jsontext import format_path
from spatial_workbench.engine.core.formats.sound import Amount
from spatial_workbench.engine.core.reading.limits import MAX_TEXT_CHARS
from spatial_workbench.engine.core.registry import instance_with
from spatial_workbench.engine.core.verdict import PASS_TOLERANCE
from spatial_workbench.engine.models.contracts import (
    ErrorKind,
    ModelError,
    ModelRecord,
    Request,
    Response,
    TheirScore,
    Usage,
)

EXPORT_FORMAT = "spatial-workbench"
"""The format that the first line of a project's export names; its other lines are recorded answers, too."""
MAX_REPEAT = 1_000_000
_MAX_LINE = 4 * MAX_TEXT_CHARS


def _known_score(value: Any) -> float | None:
    """A score that can be compared with ours; None for any other, such as 85 of 100."""
    is_number = isinstance(value, int | float)
    return float(value) if is_number and 0 <= value <= 1 else None


def _known_truth(value: Any) -> bool | None:
    return value if isinstance(value, bool) else None


class RecordedAnswer(ModelRecord):
    """An answer given earlier. Unknown fields of the file are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore", defer_build=True)

    task: str = ""
    instance: int | str
    model: str = Field(min_length=1)
    text: str = Field(max_length=MAX_TEXT_CHARS, description="As it came")
    repeat: int | None = Field(default=None, ge=0, le=MAX_REPEAT, description="None: counted in the order of the file")
    reasoning: str | None = None
    finish_reason: str | None = None
    usage: Usage = Usage()
    cost_usd: Amount = None
    seconds: Amount = None
    score: Any = Field(default=None, description="Of others; only one from 0 to 1 can be compared with ours")
    passed: Annotated[bool | None, BeforeValidator(_known_truth)] = Field(default=None, description="What others say")
    line: int | None = Field(default=None, exclude=True, description="Number of its line in the file, from 1")

    @property
    def address(self) -> str:
        """The address of the instance, whether the file gives an address or a number."""
        text = str(self.instance)
        if ":" in text.partition("?")[0] or "@" in text[1:].partition("?")[0]:
            return text
        return self.task + (text if text.startswith("@") else f":{text}")

    @classmethod
    def of(cls, address: str, repeat: int, response: Response) -> RecordedAnswer:
        """A response as it is written to a file."""
        return cls(
            task=task_of_address(address),
            instance=address,
            model=response.model or "unknown",
            text=response.text,
            repeat=repeat,
            reasoning=response.reasoning,
            finish_reason=response.finish_reason,
            usage=response.usage,
            cost_usd=response.cost_usd,
            seconds=response.seconds,
        )

    @property
    def response(self) -> Response:
        """The answer as a response, as if it had just been given."""
        return Response(
            text=self.text,
            reasoning=self.reasoning,
            finish_reason=self.finish_reason or "stop",
            usage=self.usage,
            cost_usd=self.cost_usd,
            seconds=self.seconds or 0.0,
            model=self.model,
            theirs=self.theirs,
        )

    @property
    def is_score_left_out(self) -> bool:
        """Whether its score is on another scale than ours."""
        return self.score is not None and _known_score(self.score) is None

    @property
    def theirs(self) -> TheirScore | None:
        """What the file says of the answer; None if it says nothing that can be compared."""
        score = _known_score(self.score)
        if score is None:
            if self.passed is None:
                return None
            score = float(self.passed)
        return TheirScore(score=score, passed=score >= 1 - PASS_TOLERANCE if self.passed is None else self.passed)


@dataclass(frozen=True)
class ImportProblem:
    """A line (from 1) that was skipped, and why."""

    line: int
    message: str


def read_answers(path: Path | str) -> tuple[tuple[RecordedAnswer, ...], tuple[ImportProblem, ...]]:
    """The answers in a file of JSON lines, each with its `repeat`, and the lines that are not answers.

    Raises:
        OSError: The file cannot be read.
    """
    answers: list[RecordedAnswer] = []
    problems: list[ImportProblem] = []
    counts: Counter[tuple[str, str]] = Counter()
    with open(path, "rb") as file:
        for number, line in lines_of(file):
            try:
                answer = _read_line(line)
            except ValueError as error:
                problems.append(ImportProblem(number, str(error)))
                continue
            if answer is None:
                continue
            key = answer.model, answer.address
            repeat = counts[key] if answer.repeat is None else answer.repeat
            counts[key] = max(counts[key], repeat + 1)
            answers.append(answer.model_copy(update={"repeat": repeat, "line": number}))
    return tuple(answers), tuple(problems)


def write_answers(path: Path | str, answers: Iterable[RecordedAnswer]) -> None:
    """Writes answers as JSON lines, so that `read_answers` gives them back."""
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        for answer in answers:
            file.write(answer.model_dump_json(exclude_defaults=True) + "\n")


class RecordedReplies:
    """Replays recorded answers by address and repeat; an `Answerer`."""

    def __init__(self, answers: Iterable[RecordedAnswer]) -> None:
        self._answers = {(answer.address, answer.repeat or 0): answer for answer in answers}

    def ask(self, request: Request, progress: Progress = silent) -> Response:
        """The recorded answer.

        Raises:
            ModelError: There is none.
            Cancelled: Raised by `progress`.
        """
        progress(0, 1, "looking up")
        answer = self._answers.get((request.address or "", request.repeat))
        if answer is None:
            detail = f"no answer to {request.address or 'a prompt without an instance'} was recorded"
            detail += f" for repeat {request.repeat}" if request.repeat else ""
            raise ModelError(ErrorKind.UNAVAILABLE, detail)
        return answer.response

    def close(self) -> None:
        """Nothing to give back."""


def lines_of(file: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """The lines that are not blank, with their numbers; one that is too long is cut off, and so is not valid JSON."""
    number = 0
    while line := file.readline(_MAX_LINE):
        number += 1
        whole = line
        while whole and not whole.endswith(b"\n"):
            whole = file.readline(_MAX_LINE)
        if line.strip():
            yield number, line


def _complaint(error: Any) -> str:
    """What is wrong with a line, in a sentence."""
    place = format_path(error["loc"])
    if error["type"] == "missing":
        return f"“{place}” is missing"
    return f"{place or 'The line'}: {error['msg']}"


def _read_line(line: bytes) -> RecordedAnswer | None:
    """The answer in a line; None if the line is an export's header or a question without an answer.

    Raises:
        ValueError: The line is not an answer; says why.
    """
    try:
        data = json.loads(line.decode("utf-8-sig"))
        if isinstance(data, dict) and (data.get("format") == EXPORT_FORMAT or _is_unanswered(data)):
            return None
        answer = RecordedAnswer.model_validate(_with_instance(data))
    except UnicodeDecodeError:
        raise ValueError("The line is not UTF-8 text") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"The line is not JSON: {error.msg}") from None
    except RecursionError:
        raise ValueError("The line is nested too deeply") from None
    except ValidationError as error:
        raise ValueError(_complaint(error.errors(include_url=False)[0])) from None
    if not answer.address.partition(":")[0]:
        raise ValueError("task: is missing, and the instance is not a whole address")
    return answer


def _with_instance(data: Any) -> Any:
    """The data of a line with the address that its seed and parameters make, if it names no instance.

    Raises:
        ValueError: They make none; says why.
    """
    if not isinstance(data, dict) or data.get("instance") is not None:
        return data
    seed, parameters = data.get("seed"), data.get("parameters")
    if seed is None and parameters is None:
        return data
    try:
        return data | {"instance": instance_with(str(data.get("task", "")), parameters, seed).address}
    except KeyError as error:
        raise ValueError(str(error)) from None


def _is_unanswered(data: dict[str, Any]) -> bool:
    return data.get("text") is None and data.get("item") is not None
