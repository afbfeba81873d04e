"""Texts are shown in the language that is spoken, and every catalogue is complete."""

import string
from collections import Counter
from threading import Thread

import pytest

from spatial_workbench.engine.core.languages.catalogues import read_catalogue, translations_of
from spatial_workbench.engine.core.languages.translation import (
    in_language,
    known_languages,
    ntr,
    speaks,
    spoken_language,
    tr,
)
from tools.catalogues import catalogue_files, messages_of_sources, renewed

FILES = catalogue_files()


def test_english_is_spoken_unless_somebody_says_otherwise():
    assert spoken_language() == "en"
    assert tr("Item {number} of {count}", number=3, count=8) == "Item 3 of 8"


@pytest.mark.parametrize("language", ["de", "de-AT"])
def test_a_country_without_words_of_its_own_has_those_of_its_language(language):
    with in_language(language):
        assert tr("Item {number} of {count}", number=3, count=8) == "Aufgabe 3 von 8"
        assert ntr("{number} more try", "{number} more tries", 1) == "noch 1 Versuch"
        assert ntr("{number} more try", "{number} more tries", 2) == "noch 2 Versuche"
    assert tr("Give up") == "Give up"


def test_a_language_that_nobody_has_translated_is_english():
    with in_language("tlh"):
        assert tr("Give up") == "Give up"
    assert (speaks("tlh"), speaks("de-AT"), speaks("en-GB")) == (False, True, True)
    assert known_languages()[:2] == ("en", "de")


def test_a_language_is_spoken_in_one_thread():
    heard = []
    with in_language("de"):
        other = Thread(target=lambda: heard.append(tr("Give up")))
        other.start()
        other.join()
    assert heard == ["Give up"]


@pytest.fixture(scope="module")
def sources():
    return messages_of_sources()


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_catalogue_has_every_text_of_the_sources_and_no_other(path, sources):
    catalogue = read_catalogue(path.read_text("utf-8"))
    assert [message.key for message in catalogue] == ["", *(message.key for message in sources)]
    assert catalogue == renewed(catalogue, sources), "run “python -m tools.catalogues”"
    assert [message.id for message in catalogue if not message.is_translated] == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_translation_has_the_places_of_its_text(path):
    catalogue = read_catalogue(path.read_text("utf-8"))
    wrong = [message.id for message in catalogue[1:] if any(not fits(message, text) for text in message.texts)]
    assert wrong == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_catalogue_has_a_translation_for_each_form_of_the_plural(path):
    catalogue = read_catalogue(path.read_text("utf-8"))
    header = dict(line.split(": ", 1) for line in catalogue[0].texts[0].splitlines())
    forms = int(header["Plural-Forms"].split(";")[0].partition("=")[2])
    assert {len(message.texts) for message in catalogue if message.plural} == {forms}
    assert {len(message.texts) for message in catalogue if not message.plural} == {1}
    assert header["Language"] == path.stem
    translations_of(catalogue)


def fits(message, text):
    """Whether a translation has the same places as the text; a plural form may leave out the number."""
    ours = places(text)
    theirs = places(message.plural or message.id)
    return ours == theirs or (bool(message.plural) and ours + Counter(["number"]) == theirs)


def places(text):
    return Counter(name for _, name, _, _ in string.Formatter().parse(text) if name is not None)
