"""The six published settings of SCBench, and its sweep over token budgets (docs/models.md)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from spatial_workbench.engine.models.settings import BudgetNote, ModelSettings, Provider, ReasoningEffort, Structured

ANTHROPIC_URL = "https://api.anthropic.com/v1"
GOOGLE_URL = "https://generativelanguage.googleapis.com/v1beta/openai"
_SONNET_TOKENS = 64_000

BUDGETS: Mapping[str, tuple[int, ...]] = {
    "gpt-5.2": (1024, 4096, 8192, 32768, 65536),
    # 1025 is the least for which a thinking budget of one less reaches the provider's minimum of 1024.
    "claude-sonnet-4-5": (1025, 4096, 8192, 32768, 64000),
}
"""The published token budgets by model."""


@dataclass(frozen=True)
class EndpointPreset:
    """Published settings.

    Attributes:
        settings: As close to what was published as an OpenAI-compatible API allows.
        note: How they differ from what was published, for a person; empty if no difference is known.
        reachable: Whether this program can ask with these settings at all.
    """

    settings: ModelSettings
    note: str = ""
    reachable: bool = True


def published_presets() -> tuple[EndpointPreset, ...]:
    """Three models, each without and with tools, under the published names of the runs."""
    return (
        EndpointPreset(_openai("gpt-5.2-HighReasoning")),
        EndpointPreset(
            _openai("gpt-5.2-Reasoning-Tools").changed(tools=True),
            "Needs a probe that shows that the hosted tools work.",
        ),
        EndpointPreset(_anthropic("claude-sonnet-4-5-HighReasoning"), _ANTHROPIC_NOTE),
        EndpointPreset(_anthropic("claude-sonnet-4-5-Reasoning-Tools").changed(tools=True), _NO_TOOLS, reachable=False),
        EndpointPreset(_google("gemini-3-pro-preview-HighReasoning"), _GOOGLE_NOTE),
        EndpointPreset(_google("gemini-3-pro-preview-Reasoning-Tools").changed(tools=True), _NO_TOOLS, reachable=False),
    )


def with_budget(settings: ModelSettings, budget: int, note: BudgetNote = BudgetNote.NUMBER) -> ModelSettings:
    """The settings with a cap on all output tokens, which the prompt states, and without tools.

    The name ends with the budget: "gpt-5.2-HighReasoning-4096". A budget for thinking becomes one token less.
    """
    extra: dict[str, Any] = dict(settings.extra)
    if "thinking" in extra:
        extra["thinking"] = {**extra["thinking"], "budget_tokens": budget - 1}
    return settings.changed(
        name=f"{settings.name}-{budget}",
        max_output_tokens=budget,
        budget_note=note,
        tools=False,
        extra_json=json.dumps(extra),
    )


_ANTHROPIC_NOTE = "The endpoint ignores schemas, so the schema is put into the prompt; the thinking is not shown."
_GOOGLE_NOTE = "The provider's thinking level is asked for as reasoning effort “high”."
_NO_TOOLS = "The provider's hosted tools are not part of its OpenAI-compatible endpoint."


def _openai(name: str) -> ModelSettings:
    return ModelSettings(
        name=name, provider=Provider.OPENAI, model="gpt-5.2", api="responses", effort=ReasoningEffort.XHIGH
    )


def _anthropic(name: str) -> ModelSettings:
    thinking = {"thinking": {"type": "enabled", "budget_tokens": _SONNET_TOKENS - 1}}
    return ModelSettings(
        name=name,
        base_url=ANTHROPIC_URL,
        model="claude-sonnet-4-5",
        max_output_tokens=_SONNET_TOKENS,
        structured=Structured.PROMPT,
        extra_json=json.dumps(thinking),
    )


def _google(name: str) -> ModelSettings:
    return ModelSettings(name=name, base_url=GOOGLE_URL, model="gemini-3-pro-preview", effort=ReasoningEffort.HIGH)
