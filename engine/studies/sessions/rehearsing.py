"""Rehearsals: simulated people work through a study, by the same sittings and files as real ones.

They answer with the reference solution or at random, and their clocks run as fast as they can. Their sessions have the
phase "rehearsal", which no analysis of record takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from spatial_workbench.engine.core import AnswerError, Progress, silent
from spatial_workbench.engine.core.clocks.work_clock import Instant
from spatial_workbench.engine.models.computed import RandomAnswers
from spatial_workbench.engine.models.contracts import Request
from spatial_workbench.engine.models.settings import ModelSettings, Provider
from spatial_workbench.engine.studies.analysis.rules import is_ruled_out, rules_of
from spatial_workbench.engine.studies.files.bundles import Bundle
from spatial_workbench.engine.studies.planning.document import Covariate, ItemKind, texts_by_value
from spatial_workbench.engine.studies.planning.slots import Slot
from spatial_workbench.engine.studies.sessions.entry import try_out
from spatial_workbench.engine.studies.sessions.pages import Cover, StudyPage
from spatial_workbench.engine.studies.sessions.replies import TLX_SCALES, TLX_STEP, first_unmet
from spatial_workbench.engine.studies.sessions.sitting import Sitting

Model = Literal["reference", "random"]
STEP_MS = 1_500
"""How far the clocks go on at a time: less than a gap."""
USUAL_S, SPREAD = 60.0, 0.5
"""Median and spread (of the logarithm) of the time that a simulated person takes for an item."""
MOST_PAGES = 10_000
_MOST_REPLIES = 1_000
_ENTRY = (StudyPage.LANGUAGE, StudyPage.CONSENT, StudyPage.ELIGIBILITY, StudyPage.COVARIATES)
Answers = Callable[[Sitting], Any]


class FastClock:
    """Clocks that go on only when they are told to."""

    def __init__(self) -> None:
        self._ms = 0

    def __call__(self) -> Instant:
        return Instant(self._ms, self._ms, self._ms)

    def go(self, ms: int) -> None:
        """Lets time pass."""
        self._ms += ms


def rehearse(
    bundle: Bundle, people: int, seed: int, model: Model, folder: Path, progress: Progress = silent
) -> Iterator[Path]:
    """Lets simulated people take the first slots of a bundle; yields each one's results file when it is written.

    Raises:
        OSError: A file cannot be written.
        Cancelled: Raised by `progress`.
    """
    rehearsed = replace(bundle, phase="rehearsal")
    answers = _Reference(progress) if model == "reference" else _Random(seed)
    slots = bundle.slots[:people]
    for number, slot in enumerate(slots):
        progress(number, len(slots), slot.code)
        person = _Person(rehearsed, slot, np.random.default_rng([seed, number]), answers)
        yield person.work(folder)


class _Reference:
    """Answers with the reference solution; people give up what has none."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._solved: dict[str, Any] = {}

    def __call__(self, sitting: Sitting) -> Any:
        address = sitting.state.item.address
        if address not in self._solved:
            task, instance = sitting.state.subject()
            try:
                self._solved[address] = task.solve(instance)
            except (AnswerError, LookupError, RuntimeError, ValueError, OSError):
                self._solved[address] = None
        return self._solved[address]


class _Random:
    """Answers at random, as a batch of random answers with the same seed does."""

    def __init__(self, seed: int) -> None:
        self._answers = RandomAnswers(ModelSettings(name="random", provider=Provider.RANDOM, model="random", seed=seed))

    def __call__(self, sitting: Sitting) -> Any:
        task, _ = sitting.state.subject()
        schema = task.schema() if task.answer_format == "json" else None
        asked = Request("", schema=schema, address=sitting.state.item.address, repeat=sitting.state.slot.number - 1)
        text = self._answers.ask(asked).text
        try:
            return task.parse(text)
        except AnswerError:
            return text


class _Person:
    """A simulated person in front of a sitting."""

    def __init__(self, bundle: Bundle, slot: Slot, rng: np.random.Generator, answers: Answers) -> None:
        self._rng = rng
        self._answers = answers
        self._clock = FastClock()
        self._sitting = try_out(bundle, slot, self._clock, {"simulated": True})

    def work(self, folder: Path) -> Path:
        """Works through all pages; returns the results file."""
        for _ in range(MOST_PAGES):
            if self._sitting.state.page.is_last:
                break
            self._turn()
        path, _ = self._sitting.write_results(folder)
        return path

    def _turn(self) -> None:
        sitting = self._sitting
        if sitting.state.cover in (Cover.GAP, Cover.PAUSE):
            sitting.go_on()
        match sitting.state.page:
            case page if page in _ENTRY:
                pass_entry(sitting, self._rng)
            case StudyPage.AFTER:
                sitting.entering.reply(_replies(sitting, self._rng))
            case StudyPage.ITEM:
                self._solve()
            case StudyPage.CHECKING | StudyPage.CLOSING:
                self._judge()
            case StudyPage.QUESTIONS:
                sitting.answer_item(self._about_item())
            case StudyPage.TLX | StudyPage.TLX_END:
                sitting.rate_load({scale: TLX_STEP * int(self._rng.integers(0, 21)) for scale in TLX_SCALES})
            case StudyPage.LATER:
                sitting.leaving.stop(keeps=True)
            case _:
                self._pass_time(
                    sitting.limits.break_left_ms[0] + STEP_MS if sitting.state.page is StudyPage.BREAK else STEP_MS
                )
                sitting.go_ahead()

    def _pass_time(self, ms: int) -> None:
        for _ in range(-(-ms // STEP_MS)):
            self._clock.go(STEP_MS)
            self._sitting.acted()
            self._sitting.tick()

    def _solve(self) -> None:
        sitting = self._sitting
        position = self._sitting.state.position
        answer = self._answer()
        if sitting.state.item.kind is ItemKind.INSTANCE and sitting.work.draft() is None:
            task, instance = sitting.state.subject()
            sitting.work.begin_draft("" if sitting.state.is_typed else task.empty(instance))
        sitting.work.item_shown()
        seconds = USUAL_S * float(np.exp(SPREAD * self._rng.standard_normal()))
        self._pass_time(max(sitting.limits.ms_until_submit, self._within_limit(round(1000 * seconds))))
        if sitting.state.page is not StudyPage.ITEM or sitting.state.position != position:
            return
        if answer is None:
            sitting.work.give_up()
            return
        if sitting.state.item.kind is not ItemKind.TEXT:
            sitting.work.edit("Answer", answer)
        sitting.work.submit()
        if sitting.state.page is StudyPage.ITEM and sitting.state.position == position:
            sitting.work.finish()

    def _within_limit(self, ms: int) -> int:
        left = self._sitting.limits.remaining_ms
        return ms if left is None else min(ms, max(0, left - 2 * STEP_MS))

    def _answer(self) -> Any:
        """What the person answers to the present item; None if they give up."""
        sitting = self._sitting
        expects = self._sitting.state.item.expects or {}
        if sitting.state.item.kind is ItemKind.TEXT:
            return ""
        if sitting.state.item.kind is ItemKind.QUESTION:
            from spatial_workbench.engine.studies.sessions.trial_run import option_text

            values = texts_by_value(sitting.state.item.options)
            return option_text(expects.get("value", next(iter(values), "")))
        task, _ = sitting.state.subject()
        answer = task.parse(expects["answer"]) if "answer" in expects else self._answers(sitting)
        if sitting.state.is_typed and answer is not None and not isinstance(answer, str):
            return task.format(answer)
        return answer

    def _judge(self) -> None:
        for wanted in self._sitting.wanted:
            from spatial_workbench.engine.core import resolve

            task, instance = resolve(wanted.address)
            verdict = task.verify(instance, wanted.answer)
            self._sitting.take_verdict(wanted, verdict.score, verdict.passed)

    def _about_item(self) -> dict[str, Any]:
        return {"confidence": int(self._rng.integers(0, 101)), "difficulty": int(self._rng.integers(1, 8))}


def pass_entry(sitting: Sitting, rng: np.random.Generator) -> None:
    """Goes through the pages before the instructions; without answers that fit, the person is not eligible."""
    if sitting.state.page is StudyPage.LANGUAGE:
        sitting.entering.choose_language(sitting.state.study.languages[0])
    if sitting.state.page is StudyPage.CONSENT:
        sitting.entering.consent({box.key: True for box in sitting.state.study.consent.boxes})
    for page in (StudyPage.ELIGIBILITY, StudyPage.COVARIATES):
        if sitting.state.page is page:
            sitting.entering.reply(_replies(sitting, rng))


def _replies(sitting: Sitting, rng: np.random.Generator) -> dict[str, Any]:
    """Replies that fit the questions, and for which nobody is turned away or excluded, if there are some."""
    study = sitting.state.study
    decides = sitting.state.page is StudyPage.ELIGIBILITY
    questions = sitting.itinerary.questions()
    excluding = rules_of(study)["declared"].value
    replies: dict[str, Any] = {}
    for _ in range(_MOST_REPLIES):
        replies = {question.key: _reply(question, rng) for question in questions}
        is_fit = not decides or first_unmet(study.eligibility, replies) is None
        if is_fit and not any(is_ruled_out(reply, excluding.get(key, ())) for key, reply in replies.items()):
            break
    return replies


def _reply(question: Covariate, rng: np.random.Generator) -> Any:
    if question.type == "text":
        return "Simulated"
    if question.type in ("choice", "multi"):
        values = list(texts_by_value(question.options))
        option = values[int(rng.integers(0, len(values)))] if values else None
        return option if question.type == "choice" else [option]
    low, high = question.range or (1, 5)
    return int(rng.integers(low, high + 1))
