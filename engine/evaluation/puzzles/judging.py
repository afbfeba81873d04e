"""Judges which annotated steps attempts at puzzles met; each judgement is stored when it is complete."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from spatial_workbench.engine.core import Cancelled, InstanceError, Progress, resolve, silent
from spatial_workbench.engine.evaluation.labelling import JudgingEstimate
from spatial_workbench.engine.evaluation.planning.plan import Contender
from spatial_workbench.engine.models import Answerer, ModelError, ModelSettings, Request, open_answerer
from spatial_workbench.engine.puzzles.judging import (
    RETRIES,
    STORED,
    PuzzleQuestion,
    StepVerdict,
    UnreadableVerdict,
    answer_schema,
    cache_key,
    combined,
    questions,
    read_verdicts,
    stored_judgement,
)
from spatial_workbench.engine.puzzles.sets.pages import PictureError, for_models
from spatial_workbench.engine.store import JudgementSource, Project, RunFilter, RunRow, StepJudgement
from spatial_workbench.engine.tasks.puzzle_hunt.source import HuntSource, pictures_for_models, source_of

TASK = "puzzle_hunt"
TRIES = 6
"""Of a request that an endpoint refuses or does not answer (the published judge)."""
LONGEST_WAIT_S = 60.0
ASSUMED_OUTPUT_TOKENS = 120
"""For the verdict on a step."""
_CHARS_OF_A_TOKEN = 4
_TOKENS_OF_A_PICTURE = 1_000
_POLL_S = 0.2


class StepJudgingOutcome(BaseModel):
    """How many attempts were judged, how many could not be, and how many requests and tokens that took."""

    model_config = ConfigDict(frozen=True)

    judged: int = 0
    unjudged: int = 0
    last_error: str = ""
    requests: int = 0
    cached: int = Field(default=0, description="Questions that this judge had answered before")
    input_tokens: int = Field(default=0, description="As far as the endpoint reported them")
    output_tokens: int = Field(default=0, description="As far as the endpoint reported them")


@dataclass(frozen=True)
class StepJudging:
    """What is to be judged, and how.

    Attributes:
        batch: Only its attempts; None: all of the project.
        attempts: Only these; None: all.
        together: Whether one question covers all steps of an attempt, in place of one question a step.
        again: Whether attempts that this judge has judged are judged again, without its stored answers.
    """

    batch: int | None = None
    attempts: tuple[int, ...] | None = None
    together: bool = False
    again: bool = False


@dataclass(frozen=True)
class JudgedCandidate:
    """An attempt that is to be judged, with the puzzle that it is about."""

    attempt: int
    text: str
    version: str
    source: HuntSource


@dataclass(frozen=True)
class AskedSteps:
    """The result of a question: verdicts, or the reason why there are none."""

    verdicts: tuple[StepVerdict, ...] = ()
    text: str = ""
    reason: str = ""
    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    is_known: bool = False
    """Whether this judge had answered the question before."""


def judge_name(model: str, together: bool = False) -> str:
    """What a model is called as a judge: asked about all steps at once, it is another judge."""
    return f"{model} (all steps at once)" if together else model


def judge_settings(settings: ModelSettings) -> ModelSettings:
    """The settings of a model for judging: no tools, six tries with growing waits."""
    return settings.changed(max_tries=TRIES, max_wait_s=LONGEST_WAIT_S, tools=False)


def judge_steps(
    path: Path, judge: Contender, what: StepJudging | None = None, progress: Progress = silent
) -> StepJudgingOutcome:
    """Asks a model which steps attempts at puzzles met. Questions are asked in parallel, as the model's limits allow.

    Attempts that this judge has judged are skipped, unless they are to be judged again; those that could not be judged
    are tried again. An attempt that cannot be judged is stored as such, with the reason.

    Raises:
        ProjectError: The project cannot be used.
        ModelError: The judge cannot be opened.
        Cancelled: Raised by `progress`; judgements and answers given until then are kept.
    """
    what = what or StepJudging()
    settings = judge_settings(judge.settings)
    answerer = open_answerer(settings, judge.capabilities)
    try:
        with Project.open(path) as project:
            run = _Run(project, answerer, settings.name, what, settings.limits.parallel)
            return run.judge_all(progress)
    finally:
        answerer.close()


def estimate_steps(
    project: Project, judge: str, what: StepJudging | None = None, progress: Progress = silent
) -> JudgingEstimate:
    """What `judge_steps` is expected to take, if the first answers can be used; stored answers cost nothing.

    Raises:
        Cancelled: Raised by `progress`.
    """
    what = what or StepJudging()
    rows = rows_to_judge(project, judge, what)
    requests = characters = pictures = verdicts = 0
    for k, row in enumerate(rows):
        progress(k, len(rows), "Counting")
        candidate = candidate_of(project, row)
        if isinstance(candidate, str):
            continue
        for question in _questions(candidate, what.together):
            if not what.again and project.puzzles.judge_answer(_key(judge, candidate, question)) is not None:
                continue
            requests += 1
            verdicts += question.expected
            characters += len(question.system) + len(question.text)
            pictures += len(candidate.source.pages) + len(question.figures)
    return JudgingEstimate(
        attempts=len(rows),
        requests=requests,
        input_tokens=characters // _CHARS_OF_A_TOKEN + pictures * _TOKENS_OF_A_PICTURE,
        output_tokens=verdicts * ASSUMED_OUTPUT_TOKENS,
    )


def rows_to_judge(project: Project, judge: str, what: StepJudging) -> list[RunRow]:
    """The attempts at puzzles that a model has not judged yet in this way, or all of them with `again`."""
    done = set() if what.again else _judged_by(project, judge_name(judge, what.together))
    rows = project.runs.select(RunFilter(tasks=(TASK,), batch=what.batch))
    chosen = None if what.attempts is None else set(what.attempts)
    return [row for row in rows if row.number not in done and (chosen is None or row.number in chosen)]


def _judged_by(project: Project, judge: str) -> set[int]:
    """The attempts that a judge has judged whole, the last step included, if their puzzle has not changed since."""
    own = [j for j in project.puzzles.step_judgements() if j.source is JudgementSource.JUDGE and j.who == judge]
    newest = {judged.attempt: judged for judged in own}
    rows = {row.number: row.address for row in project.runs.rows(list(newest))}
    return {
        attempt
        for attempt, judged in newest.items()
        if attempt in rows and _is_complete(judged) and judged.version == _version_of(rows[attempt])
    }


def _is_complete(judged: StepJudgement) -> bool:
    read = stored_judgement(judged.steps)
    return read is not None and read.is_complete


def _version_of(address: str) -> str | None:
    try:
        return str(resolve(address)[1].parameters["version"])
    except InstanceError:
        return None


def candidate_of(project: Project, row: RunRow) -> JudgedCandidate | str:
    """What a judge is shown of an attempt, or why it cannot be judged."""
    try:
        instance = resolve(row.address)[1]
        source = source_of(instance)
    except InstanceError as error:
        return str(error)
    return JudgedCandidate(row.number, text_of(project, row), str(instance.parameters["version"]), source)


def text_of(project: Project, row: RunRow) -> str:
    """What a candidate wrote: the replies of a model, or the answer itself."""
    replies = project.runs.replies(row.item) if row.item is not None else []
    return "\n\n".join(reply.text for reply in replies) or project.attempts.get(row.number).answer


def _questions(candidate: JudgedCandidate, together: bool) -> list[PuzzleQuestion]:
    puzzle = candidate.source.puzzle
    pages = len(candidate.source.pages)
    return list(questions(puzzle, candidate.text, pages, together))


def _key(judge: str, candidate: JudgedCandidate, question: PuzzleQuestion) -> str:
    return cache_key(judge, question, candidate.version, candidate.text)


class _Run:
    """Judges attempts in groups: the questions of a group are asked in parallel, and one thread stores the answers."""

    def __init__(self, project: Project, answerer: Answerer, judge: str, what: StepJudging, parallel: int) -> None:
        self._project = project
        self._answerer = answerer
        self._judge = judge
        self._what = what
        self._parallel = parallel
        self._outcome = StepJudgingOutcome()
        self._stopped = threading.Event()

    def judge_all(self, progress: Progress) -> StepJudgingOutcome:
        rows = rows_to_judge(self._project, self._judge, self._what)
        with ThreadPoolExecutor(self._parallel, "judge") as pool:
            try:
                for begin in range(0, len(rows), self._parallel):
                    part = rows[begin : begin + self._parallel]
                    report = partial(progress, begin, len(rows), f"Judging {part[0].address}")
                    self._judge_part(pool, part, report)
            except BaseException:
                self._stopped.set()
                pool.shutdown(wait=True, cancel_futures=True)
                raise
        progress(len(rows), len(rows))
        return self._outcome

    def _judge_part(self, pool: ThreadPoolExecutor, rows: Sequence[RunRow], report: Callable[[], None]) -> None:
        report()
        candidates = []
        for row in rows:
            candidate = candidate_of(self._project, row)
            if isinstance(candidate, str):
                self._store_judgement(row.number, "", (), candidate)
            else:
                candidates.append(candidate)
        answers = [self._submit_questions(pool, candidate) for candidate in candidates]
        self._keep_answers({future: key for futures in answers for key, future in futures}, report)
        for candidate, futures in zip(candidates, answers, strict=True):
            self._combine_answers(candidate, [future.result() for _, future in futures])

    def _submit_questions(
        self, pool: ThreadPoolExecutor, candidate: JudgedCandidate
    ) -> list[tuple[str, Future[AskedSteps]]]:
        """Submits the questions about an attempt, and returns their keys and results.

        The results of questions that were answered before are there at once.
        """
        futures = []
        for question in _questions(candidate, self._what.together):
            key = _key(self._judge, candidate, question)
            known = None if self._what.again else self._stored_answer(key, question)
            if known is None:
                future = pool.submit(self._ask_question, candidate, question)
            else:
                future = Future()
                future.set_result(known)
            futures.append((key, future))
        return futures

    def _stored_answer(self, key: str, question: PuzzleQuestion) -> AskedSteps | None:
        stored = self._project.puzzles.judge_answer(key)
        try:
            return None if stored is None else AskedSteps(read_verdicts(stored, question.expected), is_known=True)
        except UnreadableVerdict:
            return None

    def _keep_answers(self, keys: Mapping[Future[AskedSteps], str], report: Callable[[], None]) -> None:
        """Waits for all answers, and stores each as it arrives."""
        left = set(keys)
        while left:
            done, left = wait(left, timeout=_POLL_S, return_when=FIRST_COMPLETED)
            for future in done:
                self._keep_answer(keys[future], future.result())
            report()

    def _keep_answer(self, key: str, answer: AskedSteps) -> None:
        if answer.verdicts and not answer.is_known:
            self._project.puzzles.keep_judge_answer(key, answer.text)
        self._add_counts(
            requests=answer.requests,
            cached=int(answer.is_known),
            input_tokens=answer.input_tokens,
            output_tokens=answer.output_tokens,
        )

    def _combine_answers(self, candidate: JudgedCandidate, answers: Sequence[AskedSteps]) -> None:
        """Stores the judgement of an attempt, or why there is none, from the answers to all questions about it."""
        reason = next((answer.reason for answer in answers if not answer.verdicts), "")
        if reason:
            self._store_judgement(candidate.attempt, candidate.version, (), reason)
            return
        verdicts = [verdict for answer in answers for verdict in answer.verdicts]
        judgement = combined(candidate.source.puzzle, candidate.text, verdicts)
        self._store_judgement(candidate.attempt, candidate.version, judgement.steps)

    def _store_judgement(self, attempt: int, version: str, steps: tuple[StepVerdict, ...], reason: str = "") -> None:
        text = STORED.dump_json(steps).decode()
        judge = judge_name(self._judge, self._what.together)
        self._project.puzzles.add_step_judgement(attempt, JudgementSource.JUDGE, judge, text, version, reason)
        if steps:
            self._add_counts(judged=1)
        else:
            self._outcome = self._outcome.model_copy(
                update={"unjudged": self._outcome.unjudged + 1, "last_error": reason}
            )

    def _add_counts(self, **counts: int) -> None:
        sums = {name: getattr(self._outcome, name) + count for name, count in counts.items()}
        self._outcome = self._outcome.model_copy(update=sums)

    def _ask_question(self, candidate: JudgedCandidate, question: PuzzleQuestion) -> AskedSteps:
        """Asks a question, and asks again if the answer cannot be read. Runs in a thread of the pool."""
        try:
            request = _request(candidate, question)
        except (InstanceError, PictureError, KeyError) as error:
            return AskedSteps(reason=f"A picture of the puzzle cannot be shown to the judge: {error}")
        asked = AskedSteps()
        for number in range(RETRIES + 1):
            try:
                asked = self._ask_once(replace(request, repeat=number), asked, question.expected)
            except ModelError as error:
                # The answerer has already retried any error that can be retried.
                return replace(asked, reason=str(error))
            if asked.verdicts:
                return asked
        return asked

    def _ask_once(self, request: Request, before: AskedSteps, expected: int) -> AskedSteps:
        response = self._answerer.ask(request, self._raise_if_stopped)
        asked = AskedSteps(
            text=response.text,
            requests=before.requests + 1,
            input_tokens=before.input_tokens + (response.usage.input_tokens or 0),
            output_tokens=before.output_tokens + (response.usage.output_tokens or 0),
        )
        try:
            return replace(asked, verdicts=read_verdicts(response.text, expected))
        except UnreadableVerdict as error:
            return replace(asked, reason=f"{error}; asked {RETRIES + 1} times")

    def _raise_if_stopped(self, done: float, total: float, text: str = "") -> None:
        if self._stopped.is_set():
            raise Cancelled


def _request(candidate: JudgedCandidate, question: PuzzleQuestion) -> Request:
    pictures = (*pictures_for_models(candidate.source), *_figures(candidate.source, question))
    return Request(
        text=question.text,
        system=question.system,
        pictures=pictures,
        schema=answer_schema(question),
        schema_name="steps_met",
    )


def _figures(source: HuntSource, question: PuzzleQuestion) -> Iterator[bytes]:
    for name in question.figures:
        if name in source.figures:
            yield for_models(source.figures[name], name)
