"""The published settings, and budgets."""

import pytest

from spatial_workbench.engine.models import (
    BUDGETS,
    BudgetNote,
    ModelSettings,
    ReasoningEffort,
    published_presets,
    with_budget,
)

BY_NAME = {preset.settings.name: preset for preset in published_presets()}


def test_there_are_six_published_settings_three_of_them_with_tools():
    assert len(BY_NAME) == 6
    assert sum(preset.settings.tools for preset in BY_NAME.values()) == 3


def test_published_settings_leave_the_temperature_to_the_provider():
    assert all(preset.settings.temperature is None for preset in BY_NAME.values())


def test_gpt_thinks_as_hard_as_published():
    assert BY_NAME["gpt-5.2-HighReasoning"].settings.effort is ReasoningEffort.XHIGH


def test_settings_that_cannot_be_asked_say_why():
    assert all(preset.note for preset in BY_NAME.values() if not preset.reachable)


def test_a_thinking_budget_is_one_less_than_the_cap():
    settings = with_budget(BY_NAME["claude-sonnet-4-5-HighReasoning"].settings, 1025)
    assert (settings.max_output_tokens, settings.extra["thinking"]["budget_tokens"]) == (1025, 1024)
    assert settings.budget_note is BudgetNote.NUMBER


def test_budgets_are_published_for_two_models():
    assert {model: len(budgets) for model, budgets in BUDGETS.items()} == {"gpt-5.2": 5, "claude-sonnet-4-5": 5}


@pytest.mark.parametrize("preset", BY_NAME.values(), ids=BY_NAME)
def test_settings_survive_storing(preset):
    assert ModelSettings.model_validate_json(preset.settings.model_dump_json()) == preset.settings
