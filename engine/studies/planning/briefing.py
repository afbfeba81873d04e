"""What people are told before the first item that counts, written from the plan.

It promises what will happen, and no more. A leader who writes a text of their own (`Study.briefing`) replaces it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.studies.planning.document import (
    Allowed,
    Feedback,
    ItemPhase,
    Study,
    StudyCondition,
    StudyItem,
    StudyTools,
)
from spatial_workbench.engine.studies.planning.slots import Slot, slots_of

_BEFORE = (ItemPhase.PRACTICE, ItemPhase.COMPREHENSION)
_TOOLS = {
    "paper": "paper and pen",
    "calculator": "a calculator",
    "code": "programs of your own",
    "internet": "the internet",
    "ai": "AI",
    "other": "other tools",
}
_WHEN = {
    "submission": "after each submission",
    "item": "after each item",
    "block": "after each part",
    "end": "at the end",
}
_TOLD = {
    Feedback.PASSED: "whether your answer was right",
    Feedback.SCORE: "the score of your answer",
    Feedback.FULL: "the score of your answer, and what is wrong with it",
}
_COUNTS = {"last": "The last one counts.", "best": "The best one counts.", "first": "The first one counts."}


def briefing(study: Study, slot: Slot, time_factor: float = 1.0) -> str:
    """What the person in a slot has to know, in Markdown: a heading and a list for each subject."""
    known = {item.id: item for item in study.items()}
    shown = [known[trial.item] for trial in slot.trials]
    conditions = [study.conditions[trial.condition] for trial in slot.trials]
    sections = {
        "What awaits you": _course(study, slot, shown),
        "Time": _times(study, shown, conditions, time_factor),
        "What you may use": _tools(study.tools),
        "How an item ends": _endings(study, shown),
        "What you are told": _feedback(conditions),
        "What you get": _pay(study),
    }
    return "\n\n".join(filter(None, (_section(title, list(lines)) for title, lines in sections.items())))


def _section(title: str, lines: Sequence[str]) -> str:
    return "\n".join((f"## {title}\n", *(f"- {line}" for line in lines))) if lines else ""


def written_briefing(study: Study) -> str:
    """The briefing of the first place of a study, as the report and the data hold it."""
    return briefing(study, slots_of(study)[0])


def duration(seconds: float) -> str:
    """A time as people say it: “90 seconds”, “10 minutes”, “2 hours 30 minutes”."""
    whole = round(seconds)
    if whole < 120 and whole % 60:
        return counted(whole, "second")
    hours, rest = divmod(whole, 3600)
    minutes, rest_s = divmod(rest, 60)
    parts = [(hours, "hour"), (minutes, "minute"), (rest_s, "second")]
    return " ".join(counted(number, word) for number, word in parts if number) or "0 seconds"


def _course(study: Study, slot: Slot, shown: Sequence[StudyItem]) -> Iterator[str]:
    counting = [item for item in shown if item.phase not in _BEFORE]
    parts = len({trial.block for trial, item in zip(slot.trials, shown, strict=True) if item.phase not in _BEFORE})
    yield f"There are {counted(len(counting), 'item')}" + (f" in {parts} parts." if parts > 1 else ".")
    practice = sum(item.phase is ItemPhase.PRACTICE for item in shown)
    if practice:
        comes = "comes 1 practice item, which does" if practice == 1 else f"come {practice} practice items, which do"
        yield f"First {comes} not count. You are told when the items begin to count."
    if any(item.phase is ItemPhase.COMPREHENSION for item in shown):
        yield (
            "Some first questions check that the task is clear. If you cannot answer one of them within its tries, you"
            " cannot take part."
        )
    if study.limits.break_after is not None:
        yield f"After every {counted(study.limits.break_after, 'item')} there is a break."


def _times(
    study: Study, shown: Sequence[StudyItem], conditions: Sequence[StudyCondition], time_factor: float
) -> Iterator[str]:
    limits = study.limits
    shows_clock = all(condition.clock == "shown" for condition in conditions)
    of_items = {item.limit_s or limits.item_s for item in shown if item.phase not in _BEFORE}
    if of_items == {None}:
        yield "The items have no time limit."
    elif len(of_items) == 1:
        (limit,) = of_items
        yield f"You have up to {duration(time_factor * (limit or 0))} for each item."
    else:
        yield "Items have different time limits, or none."
    if of_items != {None} and shows_clock:
        yield "The time left stands above the item."
    if limits.total_s is not None:
        yield (
            f"All items together have up to {duration(time_factor * limits.total_s)}. When that time is over, the"
            " present item ends and those after it are not shown."
        )
    if of_items != {None} or limits.total_s is not None:
        yield (
            "When the time for an item is over, your answer is handed in as it stands."
            if limits.at_timeout == "draft"
            else "When the time for an item is over, only what you have submitted counts."
        )
    if limits.sitting_s is not None:
        yield (
            f"After {duration(time_factor * limits.sitting_s)} you go on another time; there are up to"
            f" {counted(limits.sittings, 'sitting')}."
        )
    pauses = {
        "none": "There are no pauses within an item.",
        "between": "You begin each item when you are ready; there are no pauses within an item.",
    }
    yield pauses.get(
        study.limits.pauses.kind, "You can pause, within what the study allows; the item is covered meanwhile."
    )


def _tools(tools: StudyTools) -> Iterator[str]:
    uses = {words: getattr(tools, name) for name, words in _TOOLS.items()}
    allowed = [words for words, use in uses.items() if use is Allowed.ALLOWED]
    provided = [words for words, use in uses.items() if use is Allowed.PROVIDED]
    forbidden = [words for words, use in uses.items() if use is Allowed.FORBIDDEN]
    if provided:
        yield f"You are given: {', '.join(provided)}."
    if allowed:
        yield f"You may use: {', '.join(allowed)}."
    if forbidden:
        yield f"Please do not use: {', '.join(forbidden)}."


def _endings(study: Study, shown: Sequence[StudyItem]) -> Iterator[str]:
    limits = study.limits
    allowed = {item.submissions or limits.submissions for item in shown if item.phase not in _BEFORE}
    if allowed == {1}:
        yield "*Submit* hands in your answer and ends the item."
    else:
        most = f"up to {max(allowed)} times" if len(allowed) == 1 else "more than once, as the item says"
        yield f"*Submit* hands in your answer. You can submit {most}. {_COUNTS[limits.score_of]}"
    if limits.min_s:
        yield f"You can submit after {duration(limits.min_s)} at the earliest."
    if limits.stop_on_pass:
        yield "An item ends as soon as a submitted answer is right."
    yield "*Give up* ends the item. What you have made so far is handed in."
    yield "An item that has ended is not opened again."
    yield "*Stop…* ends your participation at any time. You then choose whether your answers are kept or deleted."


def _feedback(conditions: Sequence[StudyCondition]) -> Iterator[str]:
    told = {(condition.feedback, condition.feedback_after) for condition in conditions}
    if len(told) > 1:
        yield "In some parts you are told how you did, in others not."
        return
    ((kind, when),) = told or {(Feedback.NONE, "end")}
    if kind is Feedback.LIVE:
        yield "While you build, you are shown what is wrong."
    elif kind is Feedback.NONE:
        yield "You are not told how you did."
    else:
        yield f"You are told {_TOLD[kind]}, {_WHEN[when]}."


def _pay(study: Study) -> Iterator[str]:
    for text in (study.incentive.base, study.incentive.bonus, study.incentive.rule):
        words = text if isinstance(text, str) else text.get(study.languages[0], "")
        if words.strip():
            yield words.strip()
