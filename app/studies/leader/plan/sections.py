"""The parts of a plan's form, in the order in which a study is planned."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from spatial_workbench.app.studies.leader.plan.conditions import ConditionsField
from spatial_workbench.app.studies.leader.plan.contrasts import ContrastsField
from spatial_workbench.app.studies.leader.plan.fields import (
    ChoiceField,
    Field,
    LineField,
    LinesField,
    NumberField,
    TextField,
    TickField,
)
from spatial_workbench.app.studies.leader.plan.items import ItemsField
from spatial_workbench.app.studies.leader.plan.languages import LanguagesField
from spatial_workbench.app.studies.leader.plan.people import ConsentBoxesField, CovariatesField, EligibilityField
from spatial_workbench.app.studies.leader.plan.rules import RulesField
from spatial_workbench.engine.studies.planning.document import Allowed, Sampling
from spatial_workbench.engine.studies.planning.orders import Order

_TOOLS = ("paper", "calculator", "code", "internet", "ai", "other")


@dataclass(frozen=True)
class PlanSection:
    """A part of the form: its title, how its fields are made, and a sentence about it."""

    title: str
    make: Callable[[], tuple[Field, ...]]
    about: str = ""


def sections() -> tuple[PlanSection, ...]:
    """All sections of the form, in the order in which a study is planned."""
    words = [allowed.value for allowed in Allowed]
    return (
        PlanSection(
            "About",
            lambda: (
                LineField("name", "Name", "It is typed to close the collection"),
                TextField("question", "Question"),
                LinesField("hypotheses", "Hypotheses", "One a line"),
                LineField("leader", "Leader"),
                LineField("contact", "Contact", "Is shown to participants"),
            ),
        ),
        PlanSection(
            "Items",
            lambda: (
                ItemsField(),
                ChoiceField("blocks_order", "Order of blocks", [order.value for order in Order]),
            ),
            "Practice and comprehension come first by themselves; attention items stand at drawn places.",
        ),
        PlanSection(
            "Conditions",
            lambda: (
                ConditionsField(),
                ChoiceField("assignment", "Assigned", ["between", "within"], labels={"between": "between people"}),
            ),
            "hands: view and edit. measured: also measure. judged: live verdicts. model: what a model gets, as text.",
        ),
        PlanSection(
            "Limits",
            lambda: (
                NumberField("limits.item_s", "Item, seconds", whole=False, empty="no limit"),
                NumberField("limits.total_s", "Whole study, seconds", whole=False, empty="no limit"),
                NumberField("limits.min_s", "Earliest submission, seconds", whole=False),
                ChoiceField(
                    "limits.at_timeout",
                    "When the time is over",
                    ["draft", "none"],
                    labels={"draft": "the draft counts", "none": "no answer"},
                ),
                NumberField("limits.submissions", "Submissions an item", "1 to 20"),
                ChoiceField("limits.score_of", "Counted submission", ["last", "best", "first"]),
                TickField("limits.stop_on_pass", "End an item when it is passed"),
                NumberField("limits.break_after", "Break after so many items", empty="no breaks"),
                NumberField("limits.break_min_s", "Shortest break, seconds", whole=False),
                NumberField("limits.break_max_s", "Longest break, seconds", whole=False, empty="no limit"),
                ChoiceField("limits.pauses.kind", "Pauses", ["none", "between", "any"]),
                NumberField("limits.sitting_s", "A sitting, seconds", whole=False, empty="no limit"),
                NumberField("limits.sittings", "Most sittings"),
                ChoiceField("on_leave", "When the window is left", ["log", "cover", "end"]),
            ),
        ),
        PlanSection(
            "People",
            lambda: (
                TextField("population", "Population", rows=2),
                LinesField("population_criteria", "Criteria", "One a line", rows=2),
                ChoiceField("sampling", "Sampling", [way.value for way in Sampling]),
                CovariatesField(),
                EligibilityField(),
            ),
        ),
        PlanSection(
            "Texts",
            lambda: (
                LanguagesField(),
                LineField("consent.version", "Version of the consent"),
                TextField("consent.text", "Consent", "Markdown without HTML or links", rows=10),
                ConsentBoxesField(),
                TextField("welcome", "Welcome"),
                TextField("instructions", "Instructions", rows=5),
                TextField("debriefing", "Debriefing"),
            ),
        ),
        PlanSection(
            "Questions",
            lambda: (
                TickField("questions.confidence", "Confidence after each item"),
                TickField("questions.difficulty", "Difficulty after each item"),
                TickField("questions.strategy", "Strategy after each item, in words"),
                ChoiceField("questions.tlx", "Workload (NASA-TLX)", ["off", "block", "end"]),
                TickField("log.pointer", "Log the pointer ten times a second"),
            ),
        ),
        PlanSection(
            "Rules", lambda: (RulesField(),), "They are frozen with the document and use no scores of main items."
        ),
        PlanSection(
            "Analysis",
            lambda: (
                LineField("analysis.success", "Success", "“passed”, or such as “score >= 0.8”"),
                ContrastsField(),
            ),
        ),
        PlanSection(
            "Pay and tools",
            lambda: (
                TextField("incentive.base", "Pay", rows=2),
                TextField("incentive.bonus", "Bonus", rows=2),
                TextField("incentive.rule", "Rule of the bonus", rows=2),
                TickField("incentive.training_paid", "Practice is paid"),
                TickField("incentive.same_for_all", "The same for everybody"),
                *(
                    ChoiceField(f"tools.{tool}", f"Tools: {tool.upper() if tool == 'ai' else tool}", words)
                    for tool in _TOOLS
                ),
            ),
            "Tools are declared and watched by nobody; the report says so.",
        ),
        PlanSection(
            "Size",
            lambda: (NumberField("plan.slots", "Slots"), NumberField("plan.reserve", "Reserve slots")),
            "Slots are dealt to rows of the orders and to conditions in equal numbers.",
        ),
        PlanSection(
            "Dates and ethics",
            lambda: (
                LineField("retention.withdraw_until", "Last day to withdraw", "YYYY-MM-DD"),
                LineField("retention.delete_after", "Delete after", "YYYY-MM-DD"),
                LineField("ethics.body", "Ethics board"),
                LineField("ethics.number", "Number"),
                LineField("ethics.status", "Status"),
                TextField("ethics.note", "Note", rows=2),
            ),
        ),
    )
