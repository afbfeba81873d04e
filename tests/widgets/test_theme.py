"""Contrast of the palette, by the relative luminance of WCAG 2.2: text 4.5 : 1, marks 3 : 1."""

import itertools

import pytest

from spatial_workbench.widgets.theme import DARK, DARK_CONTRAST, LIGHT, LIGHT_CONTRAST, MARKS, TICK_GROUND

THEMES = (LIGHT, DARK, LIGHT_CONTRAST, DARK_CONTRAST)
GROUNDS = ("window", "panel", "field")
TEXTS = ("text", "secondary", "accent", "passed", "failed", "warning", "not_reached")
"""The roles in which text is written, statuses in tables and links among them; what is disabled is exempt."""


def luminance(color):
    """Of "#rrggbb", 0 to 1 (WCAG 2.2, definition of relative luminance)."""
    parts = [int(color[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first, second):
    dark, light = sorted((luminance(first), luminance(second)))
    return (light + 0.05) / (dark + 0.05)


def test_black_on_white_has_the_contrast_that_the_standard_says():
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: f"{theme.name} {theme.window}")
def test_text_of_every_role_can_be_read_on_every_ground(theme):
    pairs = itertools.product(TEXTS, GROUNDS)
    weak = {pair: contrast(getattr(theme, pair[0]), getattr(theme, pair[1])) for pair in pairs}
    assert {pair: round(ratio, 2) for pair, ratio in weak.items() if ratio < 4.5} == {}


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: f"{theme.name} {theme.window}")
def test_text_on_what_is_selected_can_be_read(theme):
    assert contrast(theme.on_accent, theme.accent) >= 4.5


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: f"{theme.name} {theme.window}")
def test_marks_of_charts_stand_out_from_cards_and_pages(theme):
    pairs = itertools.product(range(8), ("window", "panel"))
    marks = {(k, ground): contrast(theme.mark(f"series {k}").name(), getattr(theme, ground)) for k, ground in pairs}
    assert {pair: round(ratio, 2) for pair, ratio in marks.items() if ratio < 3} == {}


def test_a_mark_that_is_no_series_has_the_colour_of_its_role():
    assert DARK.mark("failed") == DARK.color("failed")


@pytest.mark.parametrize("marks", MARKS.values(), ids=("light", "dark"))
def test_no_two_marks_are_alike(marks):
    assert len(set(marks)) == 8


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=("light", "dark"))
def test_ticks_stand_out_in_their_boxes_and_these_from_what_is_around(theme):
    assert contrast("#FFFFFF", TICK_GROUND) >= 4.5
    assert min(contrast(TICK_GROUND, getattr(theme, ground)) for ground in GROUNDS) >= 3
    assert min(contrast(theme.secondary, getattr(theme, ground)) for ground in GROUNDS) >= 3
