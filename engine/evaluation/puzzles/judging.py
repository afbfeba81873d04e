"""Judges which annotated steps attempts at puzzles met; each judgement is stored when it is complete."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import ALL_COMPLETED, FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from spatial_workbench.engine.core import Cancelled, InstanceError, Progress, silent
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.evaluation.labelling import JudgingEstimate
from spatial_workbench.engine.evaluation.planning.plan import Contender
from spatial_workbench.engine.evaluation.puzzles.candidates import (
    JudgedCandidate,
    StepJudging,
    answer_key,
    candidate_of,
    judge_of,
    questions_about,
    rows_to_judge,
)
from spatial_workbench.engine.models import Answerer, ModelError, ModelSettings, Request, Response, open_answerer
from spatial_workbench.engine.puzzles.judging import (
    RETRIES,
    STORED,
    PuzzleQuestion,
    StepVerdict,
    UnreadableVerdict,
    answer_schema,
    combined,
    read_verdicts,
)
from spatial_workbench.engine.puzzles.sets.pages import PictureError, for_models
from spatial_workbench.engine.store import Project, RunRow
from spatial_workbench.engine.tasks.puzzle_hunt.source import HuntSource, pictures_for_models

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


def judge_settings(settings: ModelSettings) -> ModelSettings:
    """The settings of a model for judging: no tools, six tries with growing waits."""
    return settings.changed(max_tries=TRIES, max_wait_s=LONGEST_WAIT_S, tools=False)


def judge_steps(
    path: Path,
    judge: Contender,
    what: StepJudging | None = None,
    progress: Progress = silent,
    drain_s: float = 0.0,
) -> StepJudgingOutcome:
    """Asks a model which steps attempts at puzzles met. Questions are asked in parallel, as the model's limits allow.

    Attempts that this judge has judged are skipped, unless they are to be judged again; those that could not be judged
    are tried again. An attempt that cannot be judged is stored as such, with the reason.

    drain_s: How long a question that is out may still be answered once this is cancelled.

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
            return _Run(project, answerer, settings, what).judge_all(progress, drain_s)
    finally:
        answerer.close()


def estimate_steps(
    project: Project, settings: ModelSettings, what: StepJudging | None = None, progress: Progress = silent
) -> JudgingEstimate:
    """What `judge_steps` is expected to take, if the first answers can be used; stored answers cost nothing.

    Raises:
        Cancelled: Raised by `progress`.
    """
    what = what or StepJudging()
    judge = judge_of(settings, what.together)
    rows = rows_to_judge(project, judge, what)
    requests = characters = pictures = verdicts = 0
    for k, row in enumerate(rows):
        progress(k, len(rows), "Counting")
        candidate = candidate_of(project, row)
        if isinstance(candidate, str):
            continue
        for question in questions_about(candidate, what.together):
            if stored_reply(project, answer_key(judge, candidate, question), what) is not None:
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


def stored_reply(project: Project, key: str, what: StepJudging) -> str | None:
    """The stored answer to a question; None if there is none, or if it is to be asked again."""
    if what.again and what.since is None:
        return None
    return project.puzzles.judge_answer(key, what.since if what.again else None)


@dataclass
class _CandidateState:
    """An attempt that is being judged: the answers to its questions, as far as they are there."""

    candidate: JudgedCandidate
    questions: list[PuzzleQuestion]
    answers: list[tuple[StepVerdict, ...] | str | None]
    """For each question its verdicts, or why there are none; None: it has to be asked."""

    @property
    def is_settled(self) -> bool:
        return all(answer is not None for answer in self.answers)


@dataclass(frozen=True)
class _Asking:
    """A question that goes out: the which-th of an attempt, and how often it was asked before."""

    state: _CandidateState
    place: int
    repeat: int

    @property
    def question(self) -> PuzzleQuestion:
        return self.state.questions[self.place]


class _Run:
    """Judges attempts. As many questions are out at once as the model's limits allow.

    Only the thread of `judge_all` sends questions and uses the project: it stores every reply, one that cannot be read
    too, before it sends the next question. So when its process is killed, only what was in flight is asked again.
    """

    def __init__(self, project: Project, answerer: Answerer, settings: ModelSettings, what: StepJudging) -> None:
        self._project = project
        self._answerer = answerer
        self._judge = judge_of(settings, what.together)
        self._parallel = settings.limits.parallel
        self._what = what
        self._outcome = StepJudgingOutcome()
        self._stopped = threading.Event()
        self._rows: deque[RunRow] = deque()
        self._ready: deque[_Asking] = deque()
        self._out: set[str] = set()
        """The keys of the questions that are out."""
        self._held: dict[str, list[_Asking]] = {}
        """Questions that are out for another attempt, by their keys."""
        self._total = 0

    def judge_all(self, progress: Progress, drain_s: float = 0.0) -> StepJudgingOutcome:
        self._rows.extend(rows_to_judge(self._project, self._judge, self._what))
        self._total = len(self._rows)
        flying: dict[Future[Response], _Asking] = {}
        with ThreadPoolExecutor(self._parallel, "judge") as pool:
            try:
                self._judge_rows(pool, flying, progress)
            except Cancelled:
                # What was asked has to be paid; it may still come in.
                self._wait(flying, drain_s, ALL_COMPLETED)
                self._stop(pool)
                raise
            except BaseException:
                self._stop(pool)
                raise
        progress(self._total, self._total, self._words())
        return self._outcome

    def _judge_rows(
        self, pool: ThreadPoolExecutor, flying: dict[Future[Response], _Asking], progress: Progress
    ) -> None:
        while True:
            while len(flying) < self._parallel and (asking := self._next_asking(progress)) is not None:
                flying[pool.submit(self._ask_once, asking)] = asking
            if not flying:
                return
            self._wait(flying, _POLL_S)
            progress(self._done, self._total, self._words())

    def _wait(self, flying: dict[Future[Response], _Asking], seconds: float, until: str = FIRST_COMPLETED) -> None:
        """Takes what comes in until the first reply, or all, are there, but no longer than so many seconds."""
        done, _ = wait(flying, timeout=seconds, return_when=until)
        for future in done:
            self._take_reply(flying.pop(future), future)

    def _stop(self, pool: ThreadPoolExecutor) -> None:
        self._stopped.set()
        pool.shutdown(wait=True, cancel_futures=True)

    @property
    def _done(self) -> int:
        return self._outcome.judged + self._outcome.unjudged

    def _words(self) -> str:
        """How far it is, beside the number of attempts."""
        failed = f"{self._outcome.unjudged:,} not judged, " if self._outcome.unjudged else ""
        return f"{failed}{counted(self._outcome.requests, 'request')}"

    def _next_asking(self, progress: Progress) -> _Asking | None:
        """The next question that has to be asked; attempts whose answers are all known are judged on the way."""
        while self._ready or self._rows:
            if not self._ready:
                progress(self._done, self._total, self._words())
                self._begin_row(self._rows.popleft())
                continue
            asking = self._ready.popleft()
            if (key := self._key(asking)) in self._out:
                # Another attempt says the same about the same puzzle.
                self._held.setdefault(key, []).append(asking)
            elif (known := self._stored_answer(asking)) is not None:
                self._take_known(asking, known)
                self._settle(asking.state)
            else:
                self._out.add(key)
                return asking
        return None

    def _begin_row(self, row: RunRow) -> None:
        candidate = candidate_of(self._project, row)
        if isinstance(candidate, str):
            self._store_judgement(row.number, "", (), candidate)
        elif not candidate.source.puzzle.reasoning:
            self._store_judgement(row.number, candidate.version, (), "The puzzle has no annotated steps")
        else:
            self._begin_candidate(candidate)

    def _begin_candidate(self, candidate: JudgedCandidate) -> None:
        questions = questions_about(candidate, self._what.together)
        state = _CandidateState(candidate, questions, [None] * len(questions))
        for place in range(len(questions)):
            self._begin_question(_Asking(state, place, 0))
        self._settle(state)

    def _begin_question(self, asking: _Asking) -> None:
        """Takes the stored answer to a question, or makes it ready to be asked, after the replies that were useless."""
        if (known := self._stored_answer(asking)) is not None:
            self._take_known(asking, known)
            return
        repeat = 0
        while repeat <= RETRIES and self._stored(_useless_key(self._key(asking), repeat)) is not None:
            repeat += 1
        self._ready.append(replace(asking, repeat=min(repeat, RETRIES)))

    def _take_known(self, asking: _Asking, known: tuple[StepVerdict, ...]) -> None:
        asking.state.answers[asking.place] = known
        self._add_counts(cached=1)

    def _stored_answer(self, asking: _Asking) -> tuple[StepVerdict, ...] | None:
        stored = self._stored(self._key(asking))
        try:
            return None if stored is None else read_verdicts(stored, asking.question.expected)
        except UnreadableVerdict:
            return None

    def _stored(self, key: str) -> str | None:
        return stored_reply(self._project, key, self._what)

    def _key(self, asking: _Asking) -> str:
        return answer_key(self._judge, asking.state.candidate, asking.question)

    def _take_reply(self, asking: _Asking, future: Future[Response]) -> None:
        """Stores what came of a question, and judges the attempt if it was the last one."""
        key = self._key(asking)
        self._out.discard(key)
        self._ready.extendleft(self._held.pop(key, ()))
        try:
            response = future.result()
        except ModelError as error:
            # The answerer has already retried any error that can be retried.
            asking.state.answers[asking.place] = str(error)
        except (InstanceError, PictureError, KeyError) as error:
            asking.state.answers[asking.place] = f"A picture of the puzzle cannot be shown to the judge: {error}"
        else:
            self._keep_reply(asking, response)
        self._settle(asking.state)

    def _keep_reply(self, asking: _Asking, response: Response) -> None:
        usage = response.usage
        self._add_counts(requests=1, input_tokens=usage.input_tokens or 0, output_tokens=usage.output_tokens or 0)
        key = self._key(asking)
        try:
            verdicts = read_verdicts(response.text, asking.question.expected)
        except UnreadableVerdict as error:
            self._project.puzzles.keep_judge_answer(_useless_key(key, asking.repeat), response.text)
            if asking.repeat < RETRIES:
                self._ready.appendleft(replace(asking, repeat=asking.repeat + 1))
            else:
                asking.state.answers[asking.place] = f"{error}; asked {RETRIES + 1} times"
        else:
            self._project.puzzles.keep_judge_answer(key, response.text)
            asking.state.answers[asking.place] = verdicts

    def _settle(self, state: _CandidateState) -> None:
        """Stores the judgement of an attempt, or why there is none, once all answers about it are there."""
        if not state.is_settled:
            return
        candidate = state.candidate
        reason = next((answer for answer in state.answers if isinstance(answer, str)), "")
        if reason:
            self._store_judgement(candidate.attempt, candidate.version, (), reason, self._useless_keys(state))
            return
        verdicts = [verdict for answer in state.answers if isinstance(answer, tuple) for verdict in answer]
        judgement = combined(candidate.source.puzzle, candidate.text, verdicts)
        self._store_judgement(candidate.attempt, candidate.version, judgement.steps, "", self._useless_keys(state))

    def _useless_keys(self, state: _CandidateState) -> list[str]:
        keys = [self._key(_Asking(state, place, 0)) for place in range(len(state.questions))]
        return [_useless_key(key, repeat) for key in keys for repeat in range(RETRIES + 1)]

    def _store_judgement(
        self,
        attempt: int,
        version: str,
        steps: tuple[StepVerdict, ...],
        reason: str = "",
        useless: Iterable[str] = (),
    ) -> None:
        """Stores a judgement, and forgets the replies that could not be read: next time the judge is asked anew."""
        text = STORED.dump_json(steps).decode()
        with self._project.database.write_transaction():
            self._project.puzzles.add_step_judgement(attempt, self._judge, text, version, reason)
            self._project.puzzles.forget_judge_answers(useless)
        if steps:
            self._add_counts(judged=1)
        else:
            self._add_counts(unjudged=1)
            self._outcome = self._outcome.model_copy(update={"last_error": reason})

    def _add_counts(self, **counts: int) -> None:
        sums = {name: getattr(self._outcome, name) + count for name, count in counts.items()}
        self._outcome = self._outcome.model_copy(update=sums)

    def _ask_once(self, asking: _Asking) -> Response:
        """Asks a question. Runs in a thread of the pool."""
        request = _request(asking.state.candidate, asking.question)
        return self._answerer.ask(replace(request, repeat=asking.repeat), self._raise_if_stopped)

    def _raise_if_stopped(self, done: float, total: float, text: str = "") -> None:
        if self._stopped.is_set():
            raise Cancelled


def _useless_key(key: str, repeat: int) -> str:
    """The key of a reply that could not be read."""
    return f"{key}#{repeat}"


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
