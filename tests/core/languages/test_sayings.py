"""Sentences that were made in English are shown in another language, as far as the catalogue has their patterns."""

import pytest

from spatial_workbench.engine.core.languages import sayings, translation
from spatial_workbench.engine.core.languages.catalogues import CatalogueMessage, translations_of
from spatial_workbench.engine.core.languages.sayings import said, sayings_of
from spatial_workbench.engine.core.languages.translation import in_language
from tools.sayings import parts_of, sayings_in

HEADER = CatalogueMessage(
    "", texts=("Content-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=2; plural=(n!=1);\n",)
)
MESSAGES = (
    HEADER,
    CatalogueMessage("Draw rectangle", texts=("Rechteck zeichnen",)),
    CatalogueMessage("no two bricks overlap", texts=("keine zwei Steine überlappen",)),
    CatalogueMessage("Vertex {i} {fault}", texts=("Ecke {i} {fault}",)),
    CatalogueMessage("is not finite", texts=("ist nicht endlich",)),
    CatalogueMessage("{cells} of {all} placed", texts=("{all} zu setzen, davon {cells} gesetzt",)),
    CatalogueMessage("{verb} boxes", texts=("Quader: {verb}",)),
    CatalogueMessage("{number} box", "{number} boxes", ("{number} Quader", "{number} Quader")),
    CatalogueMessage("{number} cell", "{number} cells", ("{number} Zelle", "{number} Zellen")),
    CatalogueMessage("{what} expected", texts=("{what} erwartet",)),
    CatalogueMessage("{what} or {other} expected", texts=("{what} oder {other} erwartet",)),
    CatalogueMessage("Cell ({x}, {y}) is empty", texts=("Zelle ({x}, {y}) ist leer",)),
    CatalogueMessage("{field} is missing", texts=("{field} fehlt",)),
    CatalogueMessage("steps", texts=("Schritte",)),
    CatalogueMessage("The answer", texts=("Die Antwort",)),
    CatalogueMessage("head {cell}", texts=("Kopf {cell}",)),
    CatalogueMessage("and {value} more", texts=("und {value} weitere",)),
    CatalogueMessage("{a} by {b}", texts=("{a} mal {b}",)),
    CatalogueMessage("rest of {which}", texts=("der Rest von {which}",)),
    CatalogueMessage("Bricks {some} and {last}", texts=("Steine {some} und {last}",)),
    CatalogueMessage("Brick {i}: {what}", texts=("Stein {i}: {what}",)),
    CatalogueMessage("{what} expected; not {other}", texts=("{what} erwartet; nicht {other}",)),
    CatalogueMessage("two", texts=("zwei",)),
    CatalogueMessage("{a} {b}", texts=("{b} {a}",)),
    CatalogueMessage("edge {name} is wrong; edges must differ", texts=("{name} ist falsch; Kanten sind verschieden",)),
)


@pytest.fixture(autouse=True)
def speaking_german(monkeypatch):
    messages = {"de": MESSAGES}
    monkeypatch.setattr(translation, "messages_of", lambda language: messages.get(language, ()))
    monkeypatch.setattr(translation, "catalogue_of", lambda _: translations_of(MESSAGES))
    sayings_of.cache_clear()
    with in_language("de"):
        yield
    sayings_of.cache_clear()


@pytest.mark.parametrize(
    ("english", "german"),
    [
        ("Draw rectangle", "Rechteck zeichnen"),
        ("Vertex 3 is not finite", "Ecke 3 ist nicht endlich"),
        ("Vertex 3 is not finite.", "Ecke 3 ist nicht endlich."),
        ("2 of 9 placed", "9 zu setzen, davon 2 gesetzt"),
        ("1 cell", "1 Zelle"),
        ("1,024 cells", "1,024 Zellen"),
    ],
)
def test_a_sentence_is_recognised_by_its_pattern(english, german):
    assert said(english) == german


def test_what_a_sentence_is_about_is_told_from_the_sentence():
    assert said("E_EDGE: edge UB is wrong; edges must differ") == "E_EDGE: UB ist falsch; Kanten sind verschieden"


def test_of_two_patterns_alike_the_one_with_a_number_is_meant():
    assert said("2 boxes") == "2 Quader"
    assert said("Draw rectangle boxes") == "Quader: Rechteck zeichnen"


def test_what_stands_in_a_place_is_translated_too():
    assert said("1 cell of 3 cells placed") == "3 Zellen zu setzen, davon 1 Zelle gesetzt"


def test_the_name_of_a_field_is_written_alike_in_every_language():
    assert said("steps is missing") == "steps fehlt"
    assert said("The answer is missing") == "Die Antwort fehlt"


def test_a_line_is_translated_part_by_part():
    assert said("1 cell · 2 of 9 placed\nDraw rectangle") == "1 Zelle · 9 zu setzen, davon 2 gesetzt\nRechteck zeichnen"
    assert said("Draw rectangle: 2 cells, 1 cell") == "Rechteck zeichnen: 2 Zellen, 1 Zelle"


def test_a_pattern_of_few_letters_divides_no_sentences():
    assert said("2 by 9") == "2 mal 9"
    assert said("Draw rectangle. 1 cell, 2 by 3 cells: Draw rectangle") == (
        "Rechteck zeichnen. 1 Zelle, 2 mal 3 Zellen: Rechteck zeichnen"
    )


def test_coordinates_are_no_remark():
    assert said("head (0, 0)") == "Kopf (0, 0)"


def test_the_number_of_further_problems_is_a_part_of_its_own():
    assert said("Cell (0, 1) is empty (and 48 more)") == "Zelle (0, 1) ist leer (und 48 weitere)"


def test_a_capital_at_the_beginning_makes_no_other_text():
    assert said("No two bricks overlap") == "Keine zwei Steine überlappen"
    assert said("Rest of bricks 2 and 3") == "Der Rest von Steine 2 und 3"


def test_a_remark_at_the_end_is_a_clause_of_its_own():
    assert said("1 cell by 2 cells (BAD)") == "1 Zelle mal 2 Zellen (BAD)"
    assert said("Draw rectangle (2 by 9)") == "Rechteck zeichnen (2 mal 9)"


def test_of_two_patterns_the_one_that_leaves_fewer_words_english_is_meant():
    assert said("Brick 3: 1 cell expected; not two") == "Stein 3: 1 Zelle erwartet; nicht zwei"


def test_of_two_patterns_the_one_with_more_words_is_meant():
    assert said("1 cell or 2 cells expected") == "1 Zelle oder 2 Zellen erwartet"


@pytest.mark.parametrize("text", ["", "Nothing of this", "x y", "{i} {fault}", "Vertex", "%s {", "a\0b", ", cells"])
def test_what_the_catalogue_does_not_have_stays_english(text):
    assert said(text) == text


def test_a_very_long_text_is_left_alone():
    text = "2 of 9 placed. " * 1000
    assert said(text) == text


def test_english_is_left_as_it_is(monkeypatch):
    with in_language("en"):
        assert said("Draw rectangle") == "Draw rectangle"


def test_patterns_without_words_translate_nothing():
    assert [pattern.one for pattern in sayings.sayings_of("de").patterns if pattern.one == "{a} {b}"] == []


def test_texts_are_found_in_a_module_by_what_they_look_like():
    source = '''
"""A docstring of a module."""
import a
def words(self, k):
    """A docstring."""
    if self.kind == "some kind":
        self.message.emit(f"Step {k}: {self.cells[k]} of {len(self.cells)} · {counted(k, 'box', 'boxes')} left")
    return Item(id="cell 3", color="series 4"), Action("Delete", self.run, "Delete, Backspace", "delete", "Remove it")
'''
    assert list(sayings_in(source)) == [
        ["Step {k}: {cells} of {cells2}"],
        ["{k} left"],
        ["{number} box", "{number} boxes"],
        ["Delete"],
        ["Remove it"],
    ]


def test_what_a_command_of_a_task_says_it_does_is_a_text():
    source = '''
@commands.add("Place box", Place)
def place(instance, answer, given):
    """Places a box."""
'''
    assert list(sayings_in(source)) == [["Place box"], ["Places a box."]]


def test_texts_that_are_passed_to_a_translation_are_left_to_it():
    assert list(sayings_in('words = marked("{way} by 8 mm"), tr("Undo {step}", step="Move it")')) == [["Move it"]]


def test_a_line_is_divided_into_its_parts_and_a_page_is_no_text():
    assert parts_of(" · {done} of {places} labelled · drag gives “{last}”") == [
        "",
        "{done} of {places} labelled",
        "drag gives “{last}”",
    ]
    assert parts_of("One\nTwo\nThree\nFour") == []
