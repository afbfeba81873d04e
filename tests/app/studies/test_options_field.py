"""Options are written one a line in each language, and stored as the same values."""

import pytest
from PySide6.QtWidgets import QApplication

from spatial_workbench.app.studies.leader.plan.options_field import lines_in, with_lines
from spatial_workbench.app.studies.leader.plan.question_dialog import QuestionDialog
from tests.app.studies.test_plan_form import form, in_german, study, write

__all__ = ["form"]

BOTH = ["en", "de"]
NO = {"value": "no", "text": {"en": "no", "de": "nein"}}


def test_a_line_in_another_language_translates_the_option_in_its_place():
    translated = with_lines(["no", "yes"], ["nein", "ja"], "de", BOTH)
    assert translated == [NO, {"value": "yes", "text": {"en": "yes", "de": "ja"}}]
    assert lines_in(translated, "de", BOTH) == ["nein", "ja"]
    assert lines_in(translated, "en", BOTH) == ["no", "yes"]


def test_an_empty_line_leaves_its_option_in_one_language():
    assert with_lines(["no", "yes"], ["", "ja"], "de", BOTH)[0] == "no"


def test_more_lines_than_options_are_refused():
    with pytest.raises(ValueError, match="There are 2 options"):
        with_lines(["no", "yes"], ["nein", "ja", "vielleicht"], "de", BOTH)


def test_options_keep_their_translations_when_a_line_is_added_between_them():
    assert with_lines(["often", NO], ["often", "rarely", "no"], "en", BOTH) == ["often", "rarely", NO]
    assert with_lines(["often", NO], ["no"], "en", BOTH) == [NO]


def test_a_translated_option_that_is_worded_anew_keeps_its_value():
    assert with_lines([NO], ["never"], "en", BOTH) == [{"value": "no", "text": {"en": "never", "de": "nein"}}]


def test_options_of_a_question_are_translated_in_the_form(form, qtbot):
    field = form.fields["covariates"]
    field.add()
    write(qtbot, field.parts["ask"], "Did you use AI?")
    write(qtbot, field.parts["options"], "no\nyes")
    in_german(form)
    options = field.parts["options"]
    assert (options.text.toPlainText(), options.text.placeholderText()) == ("", "no\nyes")
    write(qtbot, options, "nein\nja")
    assert study(form).covariates[-1].options[0].model_dump() == NO
    form.language.box.setCurrentIndex(0)
    form.language.box.activated.emit(0)
    assert options.text.toPlainText() == "no\nyes"


def test_the_dialog_of_a_question_offers_the_languages_of_the_study(qtbot):
    item = {"id": "q", "kind": "question", "phase": "attention", "shows": "Choose no.", "options": ["yes", "no"]}
    dialog = QuestionDialog(None, {**item, "expects": {"value": "no"}}, BOTH)
    qtbot.addWidget(dialog)
    ordered = []
    dialog.ordered.connect(ordered.append)
    dialog.language.box.setCurrentIndex(1)
    dialog.language.box.activated.emit(1)
    dialog.words.text.setPlainText("Wählen Sie nein.")
    dialog.options.text.setPlainText("ja\nnein\nvielleicht")
    assert not dialog.go.isEnabled()
    dialog.options.text.setPlainText("ja\nnein")
    assert [dialog.expected.itemText(k) for k in range(2)] == ["yes", "no"]
    dialog.go.click()
    QApplication.processEvents()
    (made,) = ordered
    assert made["shows"] == {"en": "Choose no.", "de": "Wählen Sie nein."}
    assert made["options"][1] == NO
    assert made["expects"] == {"value": "no"}


def test_the_dialog_asks_for_no_language_where_there_is_one(qtbot):
    dialog = QuestionDialog(None)
    qtbot.addWidget(dialog)
    assert not dialog.language.isVisibleTo(dialog)
