"""What people are told before the first item that counts, written from the plan.

It promises what will happen, and no more. A leader who writes a text of their own (`Study.briefing`) replaces it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from spatial_workbench.engine.core.languages.translation import in_each, marked, ntr, spoken_language, tr
from spatial_workbench.engine.studies.planning.document import (
    Allowed,
    Feedback,
    ItemPhase,
    Study,
    StudyCondition,
    StudyItem,
    StudyTools,
    Text,
)
from spatial_workbench.engine.studies.planning.paying import bonus_words
from spatial_workbench.engine.studies.planning.slots import Slot, slots_of

_BEFORE = (ItemPhase.PRACTICE, ItemPhase.COMPREHENSION)
_TOOLS = {
    "paper": marked("paper and pen"),
    "calculator": marked("a calculator"),
    "code": marked("programs of your own"),
    "internet": marked("the internet"),
    "ai": marked("AI"),
    "other": marked("other tools"),
}
_WHEN = {
    "submission": marked("after each submission"),
    "item": marked("after each item"),
    "block": marked("after each part"),
    "end": marked("at the end"),
}
_TOLD = {
    Feedback.PASSED: marked("whether your answer was right"),
    Feedback.SCORE: marked("the score of your answer"),
    Feedback.FULL: marked("the score of your answer, and what is wrong with it"),
}
_COUNTS = {
    "last": marked("The last one counts."),
    "best": marked("The best one counts."),
    "first": marked("The first one counts."),
}


def briefing(study: Study, slot: Slot, time_factor: float = 1.0) -> str:
    """What the person in a slot has to know, in the language that is spoken.

    In Markdown: a heading and a list for each subject.
    """
    known = {item.id: item for item in study.items()}
    shown = [known[trial.item] for trial in slot.trials]
    conditions = [study.conditions[trial.condition] for trial in slot.trials]
    sections = {
        tr("What awaits you"): _course(study, slot, shown),
        tr("Time"): _times(study, shown, conditions, time_factor),
        tr("What you may use"): _tools(study.tools),
        tr("How an item ends"): _endings(study, shown),
        tr("What you are told"): _feedback(conditions),
        tr("What you get"): _pay(study),
    }
    return "\n\n".join(filter(None, (_section(title, list(lines)) for title, lines in sections.items())))


def _section(title: str, lines: Sequence[str]) -> str:
    return "\n".join((f"## {title}\n", *(f"- {line}" for line in lines))) if lines else ""


def written_briefing(study: Study) -> Text:
    """The briefing of the first place of a study, in each language, as the report and the data hold it."""
    slot = slots_of(study)[0]
    return written_in(study.languages, lambda: briefing(study, slot))


def written_in(languages: Sequence[str], write: Callable[[], str]) -> Text:
    """A text that is written from the plan, in each language; in English where the program speaks none of them."""
    texts = in_each(languages, write)
    return texts if len(texts) > 1 else next(iter(texts.values()), None) or write()


def duration(seconds: float) -> str:
    """A time as people say it: “90 seconds”, “10 minutes”, “2 hours 30 minutes”."""
    whole = round(seconds)
    if whole < 120 and whole % 60:
        return ntr("{number} second", "{number} seconds", whole)
    hours, rest = divmod(whole, 3600)
    minutes, rest_s = divmod(rest, 60)
    parts = (
        (hours, ntr("{number:,} hour", "{number:,} hours", hours)),
        (minutes, ntr("{number} minute", "{number} minutes", minutes)),
        (rest_s, ntr("{number} second", "{number} seconds", rest_s)),
    )
    return " ".join(words for number, words in parts if number) or ntr("{number} second", "{number} seconds", 0)


def _items(number: int) -> str:
    return ntr("{number:,} item", "{number:,} items", number)


def _course(study: Study, slot: Slot, shown: Sequence[StudyItem]) -> Iterator[str]:
    counting = [item for item in shown if item.phase not in _BEFORE]
    parts = len({trial.block for trial, item in zip(slot.trials, shown, strict=True) if item.phase not in _BEFORE})
    items = _items(len(counting))
    in_parts = tr("There are {items} in {parts} parts.", items=items, parts=parts)
    yield in_parts if parts > 1 else tr("There are {items}.", items=items)
    practice = sum(item.phase is ItemPhase.PRACTICE for item in shown)
    if practice:
        yield ntr(
            "First comes {number} practice item, which does not count. You are told when the items begin to count.",
            "First come {number} practice items, which do not count. You are told when the items begin to count.",
            practice,
        )
    if any(item.phase is ItemPhase.COMPREHENSION for item in shown):
        yield tr(
            "Some first questions check that the task is clear. If you cannot answer one of them within its tries, you"
            " cannot take part."
        )
    if study.limits.break_after is not None:
        yield tr("After every {items} there is a break.", items=_items(study.limits.break_after))


def _times(
    study: Study, shown: Sequence[StudyItem], conditions: Sequence[StudyCondition], time_factor: float
) -> Iterator[str]:
    limits = study.limits
    shows_clock = all(condition.clock == "shown" for condition in conditions)
    of_items = {item.limit_s or limits.item_s for item in shown if item.phase not in _BEFORE}
    if of_items == {None}:
        yield tr("The items have no time limit.")
    elif len(of_items) == 1:
        (limit,) = of_items
        yield tr("You have up to {time} for each item.", time=duration(time_factor * (limit or 0)))
    else:
        yield tr("Items have different time limits, or none.")
    if of_items != {None} and shows_clock:
        yield tr("The time left stands above the item.")
    if limits.total_s is not None:
        yield tr(
            "All items together have up to {time}. When that time is over, the present item ends and those after it are"
            " not shown.",
            time=duration(time_factor * limits.total_s),
        )
    if of_items != {None} or limits.total_s is not None:
        yield (
            tr("When the time for an item is over, your answer is handed in as it stands.")
            if limits.at_timeout == "draft"
            else tr("When the time for an item is over, only what you have submitted counts.")
        )
    if limits.sitting_s is not None:
        yield tr(
            "After {time} you go on another time; there are up to {sittings}.",
            time=duration(time_factor * limits.sitting_s),
            sittings=ntr("{number} sitting", "{number} sittings", limits.sittings),
        )
    pauses = {
        "none": tr("There are no pauses within an item."),
        "between": tr("You begin each item when you are ready; there are no pauses within an item."),
        "any": tr("You can pause, within what the study allows; the item is covered meanwhile."),
    }
    yield pauses[limits.pauses.kind]


def _tools(tools: StudyTools) -> Iterator[str]:
    uses = {tr(words): getattr(tools, name) for name, words in _TOOLS.items()}
    allowed = [words for words, use in uses.items() if use is Allowed.ALLOWED]
    provided = [words for words, use in uses.items() if use is Allowed.PROVIDED]
    forbidden = [words for words, use in uses.items() if use is Allowed.FORBIDDEN]
    if provided:
        yield tr("You are given: {tools}.", tools=", ".join(provided))
    if allowed:
        yield tr("You may use: {tools}.", tools=", ".join(allowed))
    if forbidden:
        yield tr("Please do not use: {tools}.", tools=", ".join(forbidden))


def _endings(study: Study, shown: Sequence[StudyItem]) -> Iterator[str]:
    limits = study.limits
    allowed = {item.submissions or limits.submissions for item in shown if item.phase not in _BEFORE}
    if allowed == {1}:
        yield tr("*Submit* hands in your answer and ends the item.")
    else:
        often = tr("*Submit* hands in your answer. You can submit more than once, as the item says.")
        if len(allowed) == 1:
            often = tr("*Submit* hands in your answer. You can submit up to {most} times.", most=max(allowed))
        yield f"{often} {tr(_COUNTS[limits.score_of])}"
    if limits.min_s:
        yield tr("You can submit after {time} at the earliest.", time=duration(limits.min_s))
    if limits.stop_on_pass:
        yield tr("An item ends as soon as a submitted answer is right.")
    yield tr("*Give up* ends the item. What you have made so far is handed in.")
    yield tr("An item that has ended is not opened again.")
    yield tr("*Stop…* ends your participation at any time. You then choose whether your answers are kept or deleted.")


def _feedback(conditions: Sequence[StudyCondition]) -> Iterator[str]:
    told = {(condition.feedback, condition.feedback_after) for condition in conditions}
    if len(told) > 1:
        yield tr("In some parts you are told how you did, in others not.")
        return
    ((kind, when),) = told or {(Feedback.NONE, "end")}
    if kind is Feedback.LIVE:
        yield tr("While you build, you are shown what is wrong.")
    elif kind is Feedback.NONE:
        yield tr("You are not told how you did.")
    else:
        yield tr("You are told {what}, {when}.", what=tr(_TOLD[kind]), when=tr(_WHEN[when]))


def _pay(study: Study) -> Iterator[str]:
    for text in (study.incentive.base, study.incentive.bonus, study.incentive.rule):
        if words := spoken_words(text, study).strip():
            yield words
    if words := bonus_words(study):
        yield tr("Bonus: {words}", words=words)


def spoken_words(text: Text, study: Study) -> str:
    """A text of a study in the language that is spoken; if there is none, in the first of the study, or in any."""
    if isinstance(text, str):
        return text
    return text.get(spoken_language()) or text.get(study.languages[0]) or next(iter(text.values()), "")
