"""Every page of the participant's window can be read and used: at twice the size of text, on the smallest screen."""

import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QAbstractButton, QAbstractScrollArea, QLineEdit, QScrollArea, QTabBar

from spatial_workbench.app.studies.participant.pages.entry_pages import name_of
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.theme import DARK, DARK_CONTRAST, LIGHT, LIGHT_CONTRAST
from tests import sweeps
from tests.app.studies.test_keyboard import SMALLEST, unnamed
from tests.texts import cut_texts
from tools.studio.participants import ParticipantStage

QUICK = ("consent", "questions", "item", "text", "after-item", "help", "choices", "end")
"""Pages that are looked at by default; the others take a second each."""
PAGES = [page for page in ParticipantStage.PAGES if sweeps.EVERYTHING or page in QUICK]
TARGET_PX = 24
LEAST_CONTRAST = 4.5


@pytest.fixture
def show_page(qapp, qtbot, tmp_path):
    """Brings a page up at twice the size of text."""
    from spatial_workbench.app.frame.style import apply_theme, set_type_scale

    stages = []

    def shown(page, type_scale=2.0):
        stages.append(ParticipantStage(tmp_path, SMALLEST, "light", type_scale))
        return stages[-1].show(page)

    yield shown
    for stage in stages:
        stage.close()
    appearance().remembers = True
    set_type_scale(qapp, 1.0)
    apply_theme(qapp, LIGHT)


def sideways(root):
    """What has to be scrolled sideways, but for prompts and answers with lines that must not be broken."""
    areas = [area for area in root.findChildren(QScrollArea) if area.isVisible()]
    return [area for area in areas if area.horizontalScrollBar().maximum() > 0]


def small_targets(root):
    """Buttons that are hard to hit."""
    buttons = [b for b in root.findChildren(QAbstractButton) if b.isVisible() and not _is_part_of_a_field(b)]
    return [(b.accessibleName() or b.text(), b.size()) for b in buttons if min(b.width(), b.height()) < TARGET_PX]


def _is_part_of_a_field(button):
    return isinstance(button.parentWidget(), QLineEdit | QTabBar | QAbstractScrollArea)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_at_twice_the_size_of_text(show_page, page):
    window = show_page(page)
    assert (window.width(), window.height()) == SMALLEST
    assert sideways(window) == []
    assert unnamed(window) == []
    assert small_targets(window) == []
    assert cut_texts(window) == []


@pytest.mark.parametrize("page", ["code", "consent", "item", "load", "end"])
def test_targets_are_large_enough_at_the_usual_size_of_text(show_page, page):
    assert small_targets(show_page(page, 1.0)) == []


@pytest.mark.parametrize("theme", [LIGHT, DARK, LIGHT_CONTRAST, DARK_CONTRAST])
def test_words_stand_out_from_what_is_behind_them(theme):
    grounds = (theme.window, theme.panel, theme.field)
    pairs = [(word, ground) for word in (theme.text, theme.secondary, theme.failed) for ground in grounds]
    pairs += [(theme.accent, theme.panel), (theme.accent, theme.field), (theme.on_accent, theme.accent)]
    assert min(contrast(*pair) for pair in pairs) >= LEAST_CONTRAST


def contrast(first, second):
    """The contrast of two colours as WCAG 2 defines it, from 1 to 21."""
    light, dark = sorted((luminance(QColor(color)) for color in (first, second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(color):
    parts = (color.redF(), color.greenF(), color.blueF())
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.slow
def test_what_is_urgent_is_seen_where_the_time_left_is(show_page):
    window = show_page("item", 1.0)
    window.head.warn(window.sitting, 60_000)
    assert window.head.time.objectName() == "urgent"


def test_a_withdrawn_session_has_no_results_to_save(show_page):
    window = show_page("withdrawn", 1.0)
    buttons = [b.text() for b in window.page.findChildren(QAbstractButton) if b.isVisible()]
    assert buttons == ["Next participant"]


def test_a_consent_says_everything_once(show_page):
    window = show_page("consent", 1.0)
    assert window.page.wording.count("ada@example.org") == 1


@pytest.mark.parametrize(("code", "name"), [("en", "English"), ("de", "Deutsch"), ("en-GB", "British English")])
def test_a_language_is_named_in_itself_and_without_a_country_that_nobody_named(code, name):
    assert name_of(code) == name
