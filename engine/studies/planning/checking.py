"""What is wrong with a study before anybody takes part: addresses, orders, limits and conditions that do not fit."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from spatial_workbench.engine.core import Aid, InstanceError, resolve
from spatial_workbench.engine.core.languages.translation import speaks
from spatial_workbench.engine.studies.planning.document import (
    MOST_ITEMS,
    Comparison,
    Covariate,
    Feedback,
    ItemKind,
    ItemPhase,
    Study,
    StudyCondition,
    StudyItem,
    Text,
    texts_by_value,
)
from spatial_workbench.engine.studies.planning.orders import Order, OrderError, check_order
from spatial_workbench.engine.studies.planning.slots import main_items, most_rows

_PRIVATE = re.compile(r"\b(name|address|e-?mail|phone|birth ?da(y|te)|date of birth|passport|login)\b", re.IGNORECASE)
_LINK = re.compile(r"<[A-Za-z/!]|\]\(|https?://", re.IGNORECASE)


@dataclass(frozen=True)
class StudyProblem:
    """Something wrong with a study: where, what, and whether it keeps the study from being frozen."""

    place: str
    message: str
    is_error: bool = True


def check_study(study: Study) -> list[StudyProblem]:
    """Everything that is wrong with a study, errors first."""
    problems = [problem for check in _CHECKS for problem in check(study)]
    return sorted(problems, key=lambda problem: not problem.is_error)


Check = Callable[[Study], Iterator[StudyProblem]]


def _names(study: Study) -> Iterator[StudyProblem]:
    yield from _twice("blocks", (block.id for block in study.blocks))
    yield from _twice("items", (item.id for item in study.items()))
    yield from _twice("covariates", (covariate.key for covariate in study.covariates))
    if len(list(study.items())) > MOST_ITEMS:
        yield StudyProblem("blocks", f"There are more than {MOST_ITEMS} items")


def _twice(place: str, names: Iterable[str]) -> Iterator[StudyProblem]:
    for name, count in Counter(names).items():
        if count > 1:
            yield StudyProblem(f"{place}.{name}", f"“{name}” is the id of {count} {place}")


def _items(study: Study) -> Iterator[StudyProblem]:
    if not any(item.phase is ItemPhase.MAIN for item in study.items()):
        yield StudyProblem("blocks", "There is no main item")
    for item in study.items():
        place = f"items.{item.id}"
        if item.kind is ItemKind.INSTANCE:
            yield from _address(place, item)
        elif not item.shows:
            yield StudyProblem(place, "There is nothing to show")
        if item.phase in (ItemPhase.COMPREHENSION, ItemPhase.ATTENTION) and item.expects is None:
            yield StudyProblem(place, "It does not say what answer it expects")


def _address(place: str, item: StudyItem) -> Iterator[StudyProblem]:
    try:
        resolve(item.address)
    except InstanceError as error:
        yield StudyProblem(place, str(error))


def _orders(study: Study) -> Iterator[StudyProblem]:
    for block in study.blocks:
        yield from _order(f"blocks.{block.id}", block.order, len(main_items(block)))
    yield from _order("blocks_order", study.blocks_order, len(study.blocks))
    if study.assignment == "within" and study.blocks_order not in (Order.LATIN, Order.WILLIAMS):
        yield StudyProblem("blocks_order", "Conditions within people need the order “latin” or “williams”")


def _order(place: str, order: Order, count: int) -> Iterator[StudyProblem]:
    if count < 2 and place == "blocks_order":
        return
    try:
        check_order(order, count)
    except OrderError as error:
        yield StudyProblem(place, str(error))


def _slots(study: Study) -> Iterator[StudyProblem]:
    rows = most_rows(study)
    conditions = len(study.conditions) if study.assignment == "between" else 1
    over = study.plan.slots % (rows * conditions)
    if over:
        multiple = f"{rows} rows × {conditions} conditions"
        message = f"Unbalanced by {over}: {study.plan.slots} places are not a multiple of {multiple}"
        yield StudyProblem("plan.slots", message, is_error=False)


def _conditions(study: Study) -> Iterator[StudyProblem]:
    for name, condition in study.conditions.items():
        yield from _condition(f"conditions.{name}", condition)
    known = {None, *study.conditions}
    for block in study.blocks:
        if block.condition not in known:
            yield StudyProblem(f"blocks.{block.id}", f"There is no condition “{block.condition}”")
        elif block.condition is None and study.assignment == "within" and len(study.conditions) > 1:
            yield StudyProblem(f"blocks.{block.id}", "It names no condition, which blocks need within people")
    for number, contrast in enumerate(study.analysis.contrasts):
        place = f"analysis.contrasts[{number}]"
        if contrast.condition not in known:
            yield StudyProblem(place, f"There is no condition “{contrast.condition}”")
        if not contrast.run.strip():
            yield StudyProblem(f"{place}.run", "It names no run")


def _condition(place: str, condition: StudyCondition) -> Iterator[StudyProblem]:
    if condition.feedback is Feedback.LIVE and Aid.JUDGING not in condition.aids:
        yield StudyProblem(place, "Live feedback needs aids of the class “judging”")
    if condition.answer == "editor" and Aid.EDITING not in condition.aids:
        yield StudyProblem(place, "An editor needs aids of the class “editing”; without them the answer is text")
    if condition.answer == "text" and condition.aids:
        yield StudyProblem(place, "Answers as text go without an editor, and so without its aids")
    if condition.answer == "editor" and not condition.format_check:
        yield StudyProblem(place, "Only typed answers have a format check that can be off", is_error=False)


def _limits(study: Study) -> Iterator[StudyProblem]:
    limits = study.limits
    if limits.item_s is not None and limits.min_s >= limits.item_s:
        yield StudyProblem("limits.min_s", "The earliest time to submit is not before the limit of an item")
    count = sum(item.phase is ItemPhase.MAIN for item in study.items())
    if limits.total_s is not None and limits.total_s < count * limits.min_s:
        yield StudyProblem("limits.total_s", "The whole study is shorter than the earliest times of its items together")
    told = [condition.feedback is not Feedback.NONE for condition in study.conditions.values()]
    if limits.stop_on_pass and not all(told):
        yield StudyProblem("limits.stop_on_pass", "To stop on a pass, people have to be told whether they passed")
    if limits.break_max_s is not None and limits.break_max_s < limits.break_min_s:
        yield StudyProblem("limits.break_max_s", "The longest break is shorter than the shortest one")


def _people(study: Study) -> Iterator[StudyProblem]:
    covariates = {covariate.key: covariate for covariate in study.covariates}
    for number, rule in enumerate(study.eligibility):
        place = f"eligibility[{number}]"
        if rule.covariate not in covariates:
            yield StudyProblem(place, f"There is no question “{rule.covariate}”")
        elif covariates[rule.covariate].when != "before":
            yield StudyProblem(place, f"“{rule.covariate}” is asked after the items")
        elif rule.op in (Comparison.IN, Comparison.NOT_IN) and not isinstance(rule.value, list | tuple):
            yield StudyProblem(place, f"“{rule.op}” needs a list of values")
        elif unknown := _never_given(covariates[rule.covariate], rule.value):
            yield StudyProblem(place, f"“{unknown}” is not an option of “{rule.covariate}”")
    for covariate in study.covariates:
        place = f"covariates.{covariate.key}"
        if not any(_words(covariate.ask)):
            yield StudyProblem(f"{place}.ask", "There is no question")
        if covariate.type in ("choice", "multi") and len(covariate.options) < 2:
            yield StudyProblem(f"{place}.options", "There are fewer than two options to choose from")
        if len(texts_by_value(covariate.options)) < len(covariate.options):
            yield StudyProblem(f"{place}.options", "Two options are stored as the same value", is_error=False)
        if _PRIVATE.search(" ".join(_words(covariate.ask))):
            message = "This seems to ask who somebody is; a study keeps codes, not names"
            yield StudyProblem(place, message, is_error=False)


def empty_parts(study: Study) -> list[str]:
    """What of a study is still empty that reviewers ask for, in words."""
    parts = {
        "the question": study.question,
        "the population": study.population,
        "who approved the study": study.ethics.body or study.ethics.status or study.ethics.note,
    }
    return [words for words, given in parts.items() if not _any_words(given)]


def _any_words(text: str | Mapping[str, str]) -> bool:
    texts = [text] if isinstance(text, str) else text.values()
    return any(one.strip() for one in texts)


def _never_given(question: Covariate, value: Any) -> str:
    """The first of the values that nobody can choose; "" if all can be chosen."""
    values = value if isinstance(value, list | tuple) else [value]
    unknown = (str(part) for part in values if part not in texts_by_value(question.options))
    return next(unknown, "") if question.type in ("choice", "multi") else ""


def _consent(study: Study) -> Iterator[StudyProblem]:
    if not any(box.required for box in study.consent.boxes):
        yield StudyProblem("consent.boxes", "No box is required; one has to say that the person takes part")
    if study.retention.delete_after < study.retention.withdraw_until:
        yield StudyProblem("retention", "The data are deleted before the last day to withdraw")
    texts = {name: getattr(study, name) for name in _LONG_TEXTS}
    for place, text in (*texts.items(), ("consent.text", study.consent.text)):
        if any(_LINK.search(words) for words in _words(text)):
            yield StudyProblem(place, "HTML and links are shown as plain text", is_error=False)


_LONG_TEXTS = ("welcome", "instructions", "briefing", "debriefing")


def _languages(study: Study) -> Iterator[StudyProblem]:
    unknown = [language for language in study.languages if not speaks(language)]
    if unknown:
        message = (
            f"The program has no translation into {', '.join(unknown)}: its buttons, its messages and what it writes "
            "from the plan are shown in English"
        )
        yield StudyProblem("languages", message, is_error=False)
    for place, text in _shown_texts(study):
        lacking = [language for language in study.languages if isinstance(text, dict) and not text.get(language)]
        if lacking:
            yield StudyProblem(place, f"The text is missing in {', '.join(lacking)}")


def _shown_texts(study: Study) -> Iterator[tuple[str, Text]]:
    """The texts that participants are shown, with their places."""
    yield "consent.text", study.consent.text
    yield from ((name, getattr(study, name)) for name in _LONG_TEXTS)
    yield from ((f"consent.boxes[{n}].text", box.text) for n, box in enumerate(study.consent.boxes))
    yield from ((f"covariates.{covariate.key}.ask", covariate.ask) for covariate in study.covariates)
    for covariate in study.covariates:
        yield from (
            (f"covariates.{covariate.key}.options", text) for text in texts_by_value(covariate.options).values()
        )
    yield from ((f"eligibility[{n}].reason", rule.reason) for n, rule in enumerate(study.eligibility))
    for item in study.items():
        yield from ((f"items.{item.id}", text) for text in (item.shows, *texts_by_value(item.options).values()))
    yield from ((f"incentive.{name}", getattr(study.incentive, name)) for name in ("base", "bonus", "rule"))


def _pay(study: Study) -> Iterator[StudyProblem]:
    incentive = study.incentive
    if incentive.per_solved is None:
        if incentive.most is not None:
            yield StudyProblem("incentive.most", "There is no bonus for solved items that it could limit")
        return
    if not incentive.currency:
        yield StudyProblem("incentive.currency", "The bonus has no currency")
    if incentive.most is not None and incentive.most < incentive.per_solved:
        yield StudyProblem("incentive.most", "It is less than the bonus for one item")


def _words(text: str | dict[str, str]) -> list[str]:
    return list(text.values()) if isinstance(text, dict) else [text]


_CHECKS: tuple[Check, ...] = (
    _names,
    _items,
    _orders,
    _slots,
    _conditions,
    _limits,
    _people,
    _consent,
    _languages,
    _pay,
)
