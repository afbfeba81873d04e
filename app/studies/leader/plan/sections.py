"""The parts of a plan's form, in the order in which a study is planned."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from spatial_workbench.app.studies.leader.plan.conditions import ConditionsField
from spatial_workbench.app.studies.leader.plan.contrasts import ContrastsField
from spatial_workbench.app.studies.leader.plan.items import ItemsField
from spatial_workbench.app.studies.leader.plan.languages import LanguagesField
from spatial_workbench.app.studies.leader.plan.people import ConsentBoxesField, CovariatesField, EligibilityField
from spatial_workbench.app.studies.leader.plan.rules import RulesField
from spatial_workbench.engine.studies.planning.document import Study
from spatial_workbench.widgets.forms.fields import FormField
from spatial_workbench.widgets.forms.making import make_fields

Part = str | Callable[[], FormField]


@dataclass(frozen=True)
class PlanSection:
    """A part of the form.

    Attributes:
        parts: Places in the document, whose fields are made from what is declared there, or fields of their own kind.
        about: A sentence about it.
    """

    title: str
    parts: tuple[Part, ...]
    about: str = ""

    def make(self) -> tuple[FormField, ...]:
        """Makes the fields."""
        made = [make_fields(Study, [part]) if isinstance(part, str) else (part(),) for part in self.parts]
        return tuple(field for fields in made for field in fields)


SECTIONS = (
    PlanSection("About", ("name", "question", "hypotheses", "leader", "contact")),
    PlanSection(
        "Items",
        (ItemsField, "blocks_order"),
        "Practice and comprehension always come first; attention items are put at random positions.",
    ),
    PlanSection(
        "Conditions",
        (ConditionsField, "assignment"),
        "hands: view and edit. measured: also measure. judged: live verdicts. model: what a model gets, as text.",
    ),
    PlanSection(
        "Limits",
        (
            "limits.item_s",
            "limits.total_s",
            "limits.min_s",
            "limits.at_timeout",
            "limits.submissions",
            "limits.score_of",
            "limits.stop_on_pass",
            "limits.break_after",
            "limits.break_min_s",
            "limits.break_max_s",
            "limits.pauses.kind",
            "limits.sitting_s",
            "limits.sittings",
            "on_leave",
        ),
    ),
    PlanSection("People", ("population", "population_criteria", "sampling", "setting", CovariatesField)),
    PlanSection(
        "Eligibility",
        (EligibilityField,),
        "Rules refer to questions about the person that are asked before the items.",
    ),
    PlanSection(
        "Texts",
        (
            LanguagesField,
            "consent.version",
            "consent.text",
            ConsentBoxesField,
            "welcome",
            "instructions",
            "briefing",
            "debriefing",
        ),
    ),
    PlanSection(
        "Questions",
        (
            "questions.confidence",
            "questions.difficulty",
            "questions.strategy",
            "questions.tlx",
            "log.pointer",
        ),
    ),
    PlanSection("Rules", (RulesField,), "They are frozen with the document and use no scores of main items."),
    PlanSection(
        "Analysis",
        (
            "analysis.primary",
            "analysis.success",
            "analysis.level",
            "analysis.draws",
            "analysis.seed",
            ContrastsField,
        ),
        "From eight people on, intervals come from a bootstrap over people; the same seed gives the same intervals.",
    ),
    PlanSection(
        "Pay and tools",
        (
            "incentive.base",
            "incentive.bonus",
            "incentive.rule",
            "incentive.per_solved",
            "incentive.most",
            "incentive.currency",
            "incentive.training_paid",
            "incentive.same_for_all",
            "tools.paper",
            "tools.calculator",
            "tools.code",
            "tools.internet",
            "tools.ai",
            "tools.other",
        ),
        "Tools are declared, but not watched; the report says so.",
    ),
    PlanSection(
        "Size",
        ("plan.slots", "plan.reserve"),
        "Slots are assigned to rows of the orders and to conditions in equal numbers.",
    ),
    PlanSection(
        "Dates and ethics",
        (
            "retention.withdraw_until",
            "retention.delete_after",
            "ethics.body",
            "ethics.number",
            "ethics.status",
            "ethics.note",
        ),
    ),
)
"""All sections of the form, in the order in which a study is planned."""
