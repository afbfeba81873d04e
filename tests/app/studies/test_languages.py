"""The participant's window speaks the language of the study."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QCoreApplication

from spatial_workbench.app.studies.participant.pages.entry_pages import name_of
from spatial_workbench.app.studies.participant.texts import StudyText
from spatial_workbench.engine.core import tasks
from spatial_workbench.engine.core.languages import translation
from spatial_workbench.engine.studies.sessions.pages import StudyPage
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.theme import LIGHT
from tests.app.studies.conftest import wait_for_item, wait_for_page
from tests.app.studies.test_keyboard import SMALLEST
from tests.app.studies.test_pages import PAGES, sideways
from tests.spoken import MARKED, forget_marked, mark_texts, shown_texts, untranslated_words
from tests.studies.sittings import bundle, main_item, study
from tests.sweeps import few
from tests.texts import cut_texts
from tools.studio.participants import ParticipantStage


@pytest.fixture
def show_page(qapp, qtbot, tmp_path):
    """Brings a page up in a language."""
    from spatial_workbench.app.frame.style import apply_theme, set_type_scale

    stages = []

    def shown(page, language, type_scale=1.0):
        stages.append(ParticipantStage(tmp_path, SMALLEST, "light", type_scale, language))
        return stages[-1].show(page)

    yield shown
    for stage in stages:
        stage.close()
    appearance().remembers = True
    set_type_scale(qapp, 1.0)
    apply_theme(qapp, LIGHT)


@pytest.fixture
def marking(monkeypatch):
    """Texts stand in brackets while that language is spoken."""
    mark_texts(monkeypatch)
    yield
    forget_marked()


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_no_text_of_a_page_is_untranslated(show_page, marking, page):
    window = show_page(page, MARKED)
    given = list(texts_of_others(window))
    untranslated = {text for text in shown_texts(window, is_written_by_others) if untranslated_words(text, given)}
    assert untranslated == set()


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("type_scale", [1.0, 2.0][: few(1, 2)])
def test_nothing_is_cut_in_german(show_page, page, type_scale):
    window = show_page(page, "de", type_scale)
    assert sideways(window) == []
    assert cut_texts(window) == []


def is_written_by_others(widget):
    """Whether a widget shows the document, whose description is its source, or a prompt."""
    return isinstance(widget, StudyText)


def texts_of_others(window):
    """What is not the window's to translate: the document, the prompt, and what editors and machines say."""
    yield window.bundle.study.contact
    yield from strings_in(window.bundle.study.data)
    yield from (task.title for task in tasks())
    yield from (name_of(language) for language in window.bundle.study.languages)
    page = window.page
    if hasattr(page, "prompt"):
        yield page.prompt.text.toPlainText()
    if getattr(page, "live", None) is not None:
        # Which verifier judges, and in what time.
        yield from ("default", "ms")
    if hasattr(page, "editor"):
        yield from strings_in(page.document.instance.parameters)
    results = window._results
    if results.path is not None:
        yield from (results.path.name, results.digest[:32], results.digest[32:], "SHA-256")


def strings_in(data):
    match data:
        case str():
            yield data
        case dict():
            for value in data.values():
                yield from strings_in(value)
        case list() | tuple():
            for value in data:
                yield from strings_in(value)


def test_the_window_speaks_the_first_language_of_the_study_until_somebody_chooses_another(participate, qtbot):
    window = participate(study(languages=("de", "en")))
    assert window.page.title.text() == "Sprache"
    window.sitting.entering.choose_language("en")
    wait_for_page(qtbot, window, StudyPage.CONSENT)
    assert window.page.title.text() == "Before you begin"
    assert window.head.stop.text() == "Stop…"


def test_the_next_person_is_met_in_the_first_language_again(participate, qtbot):
    window = participate(study(languages=("de", "en")))
    window.sitting.entering.choose_language("en")
    window.sitting.entering.consent({"part": True})
    window.sitting.leaving.stop(keeps=True)
    wait_for_page(qtbot, window, StudyPage.STOPPED)
    window.page.next_person.emit()
    assert window.page.primary.text() == "Beginnen"


def test_a_session_that_goes_on_speaks_its_language(participate, qtbot):
    window = participate(study(languages=("en", "de")))
    window.sitting.entering.choose_language("de")
    window.sitting.entering.consent({"part": True})
    window.leave()
    again = participate(study(languages=("en", "de")))
    assert again.sitting.state.language == "de"
    assert again.page.title.text() == "Anleitung"


def test_qt_speaks_german_too_and_english_once_the_window_is_closed(participate):
    window = participate(study(languages=("de",)))
    assert QCoreApplication.translate("QPlatformTheme", "Cancel") == "Abbrechen"
    window.leave()
    assert QCoreApplication.translate("QPlatformTheme", "Cancel") == "Cancel"
    assert translation.spoken_language() == "en"


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("hello", "„hello“ ist kein Code. Ein Code sieht so aus: P017E."),
        ("P001K", "P001K? Der letzte Buchstabe passt nicht."),
        ("P120N", "P120N ist in dieser Studie unbekannt."),
    ],
)
def test_a_code_is_refused_in_the_language_of_the_study(participate, typed, said):
    window = participate(study(languages=("de",)), code=typed)
    assert window.page.fault.text() == said


def test_what_another_process_finds_is_said_in_the_language_of_the_study(participate, qtbot):
    made = bundle(study(languages=("de",)))
    materials = tuple(material.model_copy(update={"prompt": "0" * 64}) for material in made.materials)
    window = participate(its_bundle=replace(made, materials=materials), code="", waits=False)
    qtbot.waitUntil(lambda: bool(window.entrance.materials))
    assert window.page.fault.text().startswith("Diese Version formuliert shikaku:0 anders (Studie 000000000000,")


def test_a_reply_that_does_not_fit_is_refused_in_the_language_of_the_study(participate, qtbot):
    asked = {"key": "hours", "ask": "Wie viele Stunden?", "type": "integer", "range": [0, 80]}
    window = participate(study(languages=("de",), covariates=[asked]))
    window.sitting.entering.consent({"part": True})
    wait_for_page(qtbot, window, StudyPage.COVARIATES)
    field = window.page.fields["hours"]
    field.first.setText("100")
    window.page.primary.click()
    assert field.hint.text() == "Eine ganze Zahl von 0 bis 80."
    assert field.fault.text() == "Geben Sie eine ganze Zahl von 0 bis 80 ein"


YES_NO = ["no", {"value": "yes", "text": {"en": "yes", "de": "ja"}}]


def test_options_are_read_in_the_language_of_the_person_and_stored_as_their_values(participate, qtbot):
    asked = {"key": "team", "ask": "Team?", "type": "choice", "options": YES_NO}
    rule = {"covariate": "team", "op": "=", "value": "yes"}
    window = participate(study(languages=("de", "en"), covariates=[asked], eligibility=[rule]))
    window.sitting.entering.choose_language("de")
    window.sitting.entering.consent({"part": True})
    wait_for_page(qtbot, window, StudyPage.ELIGIBILITY)
    choice = window.page.fields["team"].first
    assert [button.text() for button in choice.buttons] == ["no", "ja"]
    choice.buttons[1].click()
    window.page.primary.click()
    assert window.sitting.state.head.covariates == {"team": "yes"}


def test_options_of_an_item_are_read_in_the_language_of_the_person(participate, qtbot):
    asked = {"id": "q", "kind": "question", "phase": "main", "shows": "Is it?", "options": YES_NO}
    window = participate(study([asked, main_item(0)], languages=("de",)))
    window.sitting.entering.consent({"part": True})
    window.sitting.go_ahead()
    wait_for_item(qtbot, window)
    window.page.options.buttons[1].click()
    assert window.page.options.buttons[1].text() == "ja"
    assert window.sitting.work.draft() == '"yes"'
    window.set_scale(1.25)
    wait_for_item(qtbot, window)
    assert window.page.options.value == "yes"
