"""The checklist of points that a human baseline should report, filled in as far as the software knows the answers.

The points are those of Wei et al. (arXiv 2506.13776), by their numbers and in words of our own. A point is answered
once a person has answered it or confirmed what the software reports. The leader can overrule the software with a
reason; both are shown. What nobody has answered and the software does not know reads "not reported".
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, cached_property

from spatial_workbench.engine.core import agents_of, resolve
from spatial_workbench.engine.core.shipped import resource
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.studies.analysis.counting import PLANNED, main_instances
from spatial_workbench.engine.studies.analysis.figures import Cells, ModelRun, cells_of
from spatial_workbench.engine.studies.analysis.outcomes import Outcomes
from spatial_workbench.engine.studies.analysis.rules import excluded_sessions, excluded_trials, rules_of
from spatial_workbench.engine.studies.planning.document import (
    Allowed,
    ItemPhase,
    Study,
    StudyItem,
    StudyResponse,
    StudySetting,
    Text,
)
from spatial_workbench.engine.studies.planning.paying import bonus_words
from spatial_workbench.engine.studies.planning.sample_size import ASSUMED_SDS, ScoreKind, Spread, least_difference

NOT_REPORTED = "not reported"
YES = "Yes"
PARTIAL = "Partial"
NO = "No"
UNKNOWN = "Unknown"
NOT_APPLICABLE = "N/A"
YES_NO = (YES, PARTIAL, NO, UNKNOWN, NOT_APPLICABLE)
"""What points of the kind "yes_no" take."""
_TEAM = "team"
_KNEW_ITEMS = "met_items"


class FilledBy(StrEnum):
    """Who answers a point."""

    SOFTWARE = "software"
    """The software counts or computes it."""
    PROPOSED = "proposed"
    """The software takes it from the plan."""
    LEADER = "leader"
    HEADING = "heading"


@dataclass(frozen=True)
class Point:
    """A point: its number, what it asks, how it is answered, and by whom."""

    number: str
    title: str
    kind: str
    filled_by: FilledBy


@dataclass(frozen=True)
class StudyAnswer:
    """What is said to a point.

    Attributes:
        value: What counts; empty: not reported.
        software: What the software says, where the leader says something else.
        reason: Why the leader does.
        is_confirmed: Whether a person answered the point, or confirmed what the software reports.
    """

    point: Point
    value: str
    software: str = ""
    reason: str = ""
    is_confirmed: bool = False

    @property
    def shown(self) -> str:
        """The value for people."""
        return self.value or NOT_REPORTED


@cache
def points() -> tuple[Point, ...]:
    """All points in order, and the heading among them."""
    data = json.loads(resource("studies", "checklist.json").read_text("utf-8"))
    return tuple(Point(**{**point, "filled_by": FilledBy(point["filled_by"])}) for point in data["points"])


def answers(outcomes: Outcomes, runs: Sequence[ModelRun] = ()) -> list[StudyAnswer]:
    """An answer to every point."""
    facts = _Facts(outcomes, tuple(runs))
    return [_answer(point, facts) for point in points() if point.filled_by is not FilledBy.HEADING]


def answered(given: Sequence[StudyAnswer]) -> int:
    """How many points a person answered or confirmed."""
    return sum(answer.is_confirmed for answer in given)


def to_confirm(given: Sequence[StudyAnswer]) -> int:
    """How many points the software reports, and nobody has confirmed."""
    return sum(bool(answer.value) and not answer.is_confirmed for answer in given)


def count_words(given: Sequence[StudyAnswer]) -> str:
    """How many points are answered, and how many are to be confirmed, in a sentence."""
    waiting = to_confirm(given)
    more = f"; {waiting} more are reported by the software, to be confirmed" if waiting else ""
    return f"{answered(given)} of {len(given)} points of the checklist are answered{more}."


def _answer(point: Point, facts: _Facts) -> StudyAnswer:
    known = _KNOWN[point.number](facts) if point.number in _KNOWN else ""
    own = facts.outcomes.checklist.get(point.number)
    if own is None:
        return StudyAnswer(point, known)
    overruled = known if known and known != own.value else ""
    return StudyAnswer(point, own.value, overruled, own.reason, is_confirmed=True)


@dataclass(frozen=True)
class _Facts:
    """What the answers are computed from."""

    outcomes: Outcomes
    runs: tuple[ModelRun, ...]

    @property
    def study(self) -> Study:
        return self.outcomes.study

    @cached_property
    def cells(self) -> Cells:
        return cells_of(self.outcomes, selection=PLANNED)

    @cached_property
    def items(self) -> list[StudyItem]:
        return main_instances(self.study)

    def has_phase(self, *phases: ItemPhase) -> list[StudyItem]:
        return [item for item in self.study.items() if item.phase in phases]

    def asks(self, key: str) -> bool:
        return any(covariate.key == key for covariate in self.study.covariates)

    def declared(self, key: str) -> bool:
        """Whether a rule excludes people by what they say to a question."""
        rule = rules_of(self.study)["declared"]
        return rule.response is StudyResponse.EXCLUDE and key in rule.value

    @property
    def conditions(self) -> set[str]:
        """How the conditions let people answer: as text, in an editor, or both."""
        return {condition.answer for condition in self.study.conditions.values()}


# What the software knows -----------------------------------------------------------------------------------------


def _all_items(facts: _Facts) -> str:
    tasks = {task.id: task for task, _ in (resolve(item.address) for item in facts.items)}
    return str(sum(len(task.instances()) for task in tasks.values()))


def _model_items(facts: _Facts) -> str:
    return str(len({address for run in facts.runs for address in run.scores})) if facts.runs else NOT_APPLICABLE


def _model_samples(facts: _Facts) -> str:
    counts = {len(samples) for run in facts.runs for samples in run.scores.values()}
    return _range(counts) if counts else NOT_APPLICABLE


def _people(facts: _Facts) -> str:
    return str(facts.cells.people)


def _items_of_study(facts: _Facts) -> str:
    return str(len(facts.items))


def _answers_per_item(facts: _Facts) -> str:
    counts = Counter(column for _, column in facts.cells.trials)
    return f"{counts.total() / len(counts):.1f} ({_range(set(counts.values()))})" if counts else "0"


def _items_per_person(facts: _Facts) -> str:
    counts = Counter(person for person, _ in facts.cells.trials)
    return _range(set(counts.values())) if counts else "0"


def _range(counts: set[int]) -> str:
    return str(min(counts)) if len(counts) == 1 else f"{min(counts)} to {max(counts)}"


def _planner(facts: _Facts) -> str:
    return YES if facts.study.plan.planner else NO


def _detectable(facts: _Facts) -> str:
    planner = facts.study.plan.planner
    if not planner or facts.cells.people < 2:
        return NOT_APPLICABLE
    people, rest = ASSUMED_SDS[ScoreKind.GRADED]
    spread = Spread(float(planner.get("sd_people", people)), float(planner.get("sd_rest", rest)), len(facts.items))
    power = float(planner.get("power", 0.8))
    return f"{least_difference(spread, facts.cells.people, power):.3f} with power {power:g}"


def _team(facts: _Facts) -> str:
    if not facts.asks(_TEAM):
        return UNKNOWN
    said = any(session.covariates.get(_TEAM) in (True, "yes") for session in facts.cells.sessions)
    return YES if said else NO


def _contamination(facts: _Facts) -> str:
    # What people say of themselves is no proof.
    if any(rule.covariate == _KNEW_ITEMS for rule in facts.study.eligibility):
        return PARTIAL
    return PARTIAL if facts.asks(_KNEW_ITEMS) and facts.declared(_KNEW_ITEMS) else NO


def _practised(facts: _Facts) -> str:
    return YES if facts.has_phase(ItemPhase.PRACTICE, ItemPhase.COMPREHENSION) else NO


def _practice(facts: _Facts) -> str:
    practice = len(facts.has_phase(ItemPhase.PRACTICE))
    checked = len(facts.has_phase(ItemPhase.COMPREHENSION))
    words = [counted(practice, "practice item")] if practice else []
    words += [f"{counted(checked, 'item')} to show that the rules are understood"] if checked else []
    return ", ".join(words) or NOT_APPLICABLE


def _items_a_sitting(facts: _Facts) -> str:
    limits = facts.study.limits
    if limits.sitting_s is None:
        return f"up to {len(facts.items)}"
    return f"up to {len(facts.items)}, in up to {counted(limits.sittings, 'sitting')}"


def _order(facts: _Facts) -> str:
    orders = ", ".join(dict.fromkeys(block.order.value for block in facts.study.blocks))
    return f"{orders}; blocks: {facts.study.blocks_order.value}" if len(facts.study.blocks) > 1 else orders


def _active_rules(study: Study) -> list[str]:
    return [name for name, rule in rules_of(study).items() if rule.response is not StudyResponse.OFF]


def _quality(facts: _Facts) -> str:
    return YES if _active_rules(facts.study) else NO


def _rules(facts: _Facts) -> str:
    return ", ".join(name.replace("_", " ") for name in _active_rules(facts.study)) or NOT_APPLICABLE


def _excluded(facts: _Facts) -> str:
    sessions = len(excluded_sessions(facts.outcomes.breaches))
    trials = len(excluded_trials(facts.outcomes.breaches))
    return f"{counted(sessions, 'session')}, {counted(trials, 'trial')}"


def _interface(facts: _Facts) -> str:
    answers = facts.conditions
    return YES if answers == {"text"} and not _graphical(facts) else PARTIAL if "text" in answers else NO


def _graphical(facts: _Facts) -> bool:
    """Whether some condition gives people more than a text field."""
    return any(condition.answer == "editor" or condition.aids for condition in facts.study.conditions.values())


def _graphical_box(facts: _Facts) -> str:
    return "ticked" if _graphical(facts) else "not ticked"


def _instructions(facts: _Facts) -> str:
    known = [same for run in facts.runs for same in run.same_prompt.values() if same is not None]
    if not known:
        return UNKNOWN if facts.runs else NOT_APPLICABLE
    share = sum(known) / len(known)
    return YES if share == 1 else f"{PARTIAL}: {share:.0%} of the items" if share else NO


def _explanations(facts: _Facts) -> str:
    return YES if facts.study.questions.strategy else NO


def _tested(facts: _Facts) -> str:
    return YES if facts.runs else NO


def _test(facts: _Facts) -> str:
    return "sign-flip test over items, two-sided" if facts.runs else NOT_APPLICABLE


def _uncertainty(facts: _Facts) -> str:
    return YES if facts.cells.people >= 3 else NO


def _estimates(facts: _Facts) -> str:
    return "point, interval, distribution over people" if facts.cells.people >= 3 else "point"


def _beside_models(facts: _Facts) -> str:
    return YES if facts.runs else NOT_APPLICABLE


def _same_verifier(facts: _Facts) -> str:
    if not facts.runs:
        return NOT_APPLICABLE
    frozen = {m.address: m.version for m in facts.outcomes.frozen.materials} if facts.outcomes.frozen else {}
    known = [frozen.get(key) == version for run in facts.runs for key, version in run.versions.items()]
    return UNKNOWN if not known else YES if all(known) else PARTIAL


def _robustness(facts: _Facts) -> str:
    return YES if _active_rules(facts.study) else NOT_APPLICABLE


def _demographics(facts: _Facts) -> str:
    return YES if facts.study.covariates else NO


def _instructions_printed(facts: _Facts) -> str:
    return YES if any(_words(facts.study.instructions)) else PARTIAL


def _yes(facts: _Facts) -> str:
    return YES


def _population(facts: _Facts) -> str:
    return YES if any(_words(facts.study.population)) else ""


def _population_defined(facts: _Facts) -> str:
    parts = (facts.study.population, *facts.study.population_criteria)
    return "; ".join(word for part in parts for word in _words(part) if word)


def _recruited(facts: _Facts) -> str:
    """How people were found; and where they took part, unless all of them sat at a desk."""
    took_part = Counter(session.setting for session in facts.cells.sessions)
    where = [
        f"{counted(took_part[setting], 'person', 'people')} {setting.phrase}"
        for setting in StudySetting
        if took_part[setting]
    ]
    is_usual = facts.study.settings == (StudySetting.DESK,) and set(took_part) <= {StudySetting.DESK}
    return ", ".join((facts.study.sampling.value, *([] if is_usual else where)))


# What the software proposes ----------------------------------------------------------------------------------------


def _capabilities(facts: _Facts) -> str:
    agents = any(agents_of(resolve(item.address)[0]) for item in facts.items)
    return "capabilities, agent" if agents else "capabilities"


def _modes(facts: _Facts) -> str:
    resolved = (resolve(item.address) for item in facts.items)
    pictures = any(task.prompt(instance).pictures for task, instance in resolved)
    return "text, visual" if pictures else "text"


def _languages(facts: _Facts) -> str:
    return ", ".join(facts.study.languages)


def _sampling_of_items(facts: _Facts) -> str:
    return "all items" if _all_items(facts) == str(len(facts.items)) else "by selection"


def _for_both(facts: _Facts) -> str:
    return YES if facts.conditions == {"text"} else PARTIAL if "text" in facts.conditions else NO


def _piloted(facts: _Facts) -> str:
    return YES if facts.outcomes.pilot_sessions else NO


def _effort(facts: _Facts) -> str:
    limits = facts.study.limits
    limited = limits.item_s is not None or limits.total_s is not None
    budgets = bool(facts.runs) and all(run.budget is not None for run in facts.runs)
    return YES if limited and budgets else PARTIAL if limited or budgets else NO


def _registered(facts: _Facts) -> str:
    registration = facts.outcomes.registration
    if not registration.at:
        return NO
    first = min((session.began_at for session in facts.outcomes.sessions if session.began_at), default="")
    return YES if not first or registration.at[:10] <= first[:10] else PARTIAL


def _chosen(facts: _Facts) -> str:
    return YES if facts.study.eligibility or facts.has_phase(ItemPhase.COMPREHENSION) else NO


def _criteria(facts: _Facts) -> str:
    rules = [f"{rule.covariate} {rule.op} {rule.value}" for rule in facts.study.eligibility]
    rules += ["understanding of the rules"] if facts.has_phase(ItemPhase.COMPREHENSION) else []
    return "; ".join(rules) or NOT_APPLICABLE


def _ineligible(facts: _Facts) -> str:
    return str(facts.outcomes.counts.ineligible)


def _practice_paid(facts: _Facts) -> str:
    if _practised(facts) == NO:
        return NOT_APPLICABLE
    return YES if _paid(facts) == YES and facts.study.incentive.training_paid else NO


def _practice_pay(facts: _Facts) -> str:
    return _pay(facts) if _practice_paid(facts) == YES else NOT_APPLICABLE


def _paid(facts: _Facts) -> str:
    return YES if any(_words(facts.study.incentive.base)) else NO


def _pay(facts: _Facts) -> str:
    return " / ".join(filter(None, _words(facts.study.incentive.base))) or NOT_APPLICABLE


def _bonus(facts: _Facts) -> str:
    return YES if any(_words(facts.study.incentive.bonus)) or bonus_words(facts.study) else NO


def _bonus_rule(facts: _Facts) -> str:
    incentive = facts.study.incentive
    own = [*_words(incentive.bonus), *_words(incentive.rule)] if _bonus(facts) == YES else []
    words = [*own, bonus_words(facts.study)]
    return "; ".join(filter(None, words)) or NOT_APPLICABLE


def _same_pay(facts: _Facts) -> str:
    return NOT_APPLICABLE if _paid(facts) == NO else YES if facts.study.incentive.same_for_all else NO


def _pay_structure(facts: _Facts) -> str:
    return "; ".join(filter(None, _words(facts.study.incentive.rule))) if _same_pay(facts) == NO else NOT_APPLICABLE


def _tools(facts: _Facts) -> str:
    if not facts.runs:
        return NOT_APPLICABLE
    tools = facts.study.tools
    people = any(use is not Allowed.FORBIDDEN for use in (tools.code, tools.internet, tools.ai))
    return YES if all(run.tools == people for run in facts.runs) else NO


def _watched(facts: _Facts) -> str:
    # The window logs what it sees; phones and other machines it cannot.
    return PARTIAL


def _tool_versions(facts: _Facts) -> str:
    return NOT_APPLICABLE if facts.study.tools.ai is Allowed.FORBIDDEN else UNKNOWN


def _words(text: Text) -> list[str]:
    return list(text.values()) if isinstance(text, dict) else [text] if text else []


_KNOWN: Mapping[str, Callable[[_Facts], str]] = {
    "0.5": _capabilities,
    "0.6": _modes,
    "0.7": _languages,
    "0.8": _all_items,
    "0.9": _model_items,
    "0.10": _model_samples,
    "1.1": _people,
    "1.2": _items_of_study,
    "1.2.1": _sampling_of_items,
    "1.3": _answers_per_item,
    "1.4": _items_per_person,
    "1.5": _for_both,
    "1.6": _piloted,
    "1.7": _effort,
    "1.8": _planner,
    "1.8.1": _detectable,
    "1.10": _registered,
    "2.1": _population,
    "2.1.1": _population_defined,
    "2.2": _recruited,
    "2.3": _chosen,
    "2.3.1": _criteria,
    "2.3.2": _ineligible,
    "2.4": _team,
    "2.5": _contamination,
    "2.6": _practised,
    "2.6.1": _practice,
    "2.6.2": _practice_paid,
    "2.6.2.1": _practice_pay,
    "2.7": _paid,
    "2.7.1": _pay,
    "2.7.2": _bonus,
    "2.7.2.1": _bonus_rule,
    "2.7.3": _same_pay,
    "2.7.3.1": _pay_structure,
    "3.1": _items_a_sitting,
    "3.1.1": _order,
    "3.2": _quality,
    "3.2.1": _rules,
    "3.2.2": _excluded,
    "3.3": _interface,
    "3.3.1": _graphical_box,
    "3.4": _instructions,
    "3.5": _tools,
    "3.5.1": _watched,
    "3.6": _explanations,
    "4.1": _tested,
    "4.1.1": _test,
    "4.2": _uncertainty,
    "4.2.1": _estimates,
    "4.3": _beside_models,
    "4.4": _beside_models,
    "4.5": _same_verifier,
    "4.6": _robustness,
    "5.1.1": _demographics,
    "5.1.2": _instructions_printed,
    "5.1.3": _yes,
    "5.1.4": _tool_versions,
    "5.1.5": _yes,
}
