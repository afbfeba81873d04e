"""Conditions of hands: the aids of a model are those that people have in a study (docs/hands.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from spatial_workbench.engine.core.solving.aids import Aid

ConditionName = Literal["everything", "judged", "measured", "hands"]
Sees = Literal["text", "pictures", "both"]
AIDS: Mapping[ConditionName, frozenset[Aid]] = {
    "everything": frozenset(Aid),
    "judged": frozenset(Aid) - {Aid.SOLVING},
    "measured": frozenset({Aid.VIEWING, Aid.EDITING, Aid.MEASURING}),
    "hands": frozenset({Aid.VIEWING, Aid.EDITING}),
}
"""The classes of aids in each condition, from the most help to the least."""


class HandsOptions(BaseModel):
    """What a model with hands may do and see, and its limits; None: no limit."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    condition: ConditionName = Field(
        default="hands",
        title="Condition",
        description="hands: commands and views; measured: also measures; judged: also verdicts; everything: all",
        json_schema_extra={
            "labels": {"everything": "Everything", "judged": "Judged", "measured": "Measured", "hands": "Hands"}
        },
    )
    sees: Literal["text", "pictures", "both"] = Field(
        default="both",
        title="Sees",
        description="The answer as text, as pictures, or both",
        json_schema_extra={"labels": {"text": "Text", "pictures": "Pictures", "both": "Both"}},
    )
    acts_by: Literal["tools", "json", "programs"] = Field(
        default="tools",
        title="Acts by",
        description="tools: as the endpoint has them, else JSON in texts; json: always; programs: in the sandbox",
        json_schema_extra={"labels": {"tools": "Tools", "json": "JSON in texts", "programs": "Programs"}},
    )
    calls: int = Field(default=400, ge=1, le=20_000, title="Calls", description="How many calls may be made")
    pictures: int = Field(default=50, ge=0, le=2000, title="Pictures", description="How many pictures may be asked for")
    tokens: int | None = Field(
        default=None,
        ge=1,
        title="Output tokens",
        description="How many tokens the model may write in all",
        json_schema_extra={"open": "no limit"},
    )
    cost_usd: float | None = Field(
        default=None,
        gt=0,
        title="Cost in US$",
        description="What the run may cost",
        json_schema_extra={"open": "no limit"},
    )
    tells_left: bool = Field(
        default=True, title="Tell what is left", description="Whether each reply says what is left of the limits"
    )
    ends_when_solved: bool = Field(
        default=False,
        title="End when solved",
        description="Whether the run ends as soon as the answer passes; only where the condition allows verdicts",
    )

    @property
    def aids(self) -> frozenset[Aid]:
        """The classes of aids that the model has."""
        return AIDS[self.condition]

    @property
    def judges(self) -> bool:
        """Whether it may ask for verdicts."""
        return Aid.JUDGING in self.aids
