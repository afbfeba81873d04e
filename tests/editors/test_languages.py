"""What editors and verifiers say can be said in another language."""

import re

import pytest
from PySide6.QtWidgets import QComboBox

from spatial_workbench.engine.core import AnswerError
from spatial_workbench.engine.core import tasks as all_tasks
from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.languages.translation import in_language
from spatial_workbench.widgets.editing.control_panel import census
from tests.editors.test_every_editor import shortened, texts_of
from tests.spoken import MARKED, forget_marked, mark_texts, shown_texts, untranslated_words
from tests.sweeps import some_tasks

TASKS = some_tasks(all_tasks())


@pytest.fixture(autouse=True)
def marking(monkeypatch):
    mark_texts(monkeypatch)
    yield
    forget_marked()


def untranslated(texts, given=()):
    """The texts with words that have no translation, and these words."""
    found = {text: untranslated_words(text, given) for text in texts}
    return {text: words for text, words in found.items() if words}


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_no_text_of_an_editor_is_untranslated(show_editor, task):
    instance = task.instances()[0]
    with in_language(MARKED):
        editor = show_editor(task, instance, task.solve(instance), size=(1100, 800))
        texts = [
            *shown_texts(editor),
            *shown_texts(editor.tools),
            *(text for action in editor.actions() for text in (action.text(), action.toolTip())),
            *(combo.itemText(k) for combo in editor.tools.findChildren(QComboBox) for k in range(combo.count())),
            said(editor.status()),
            *(said(text) for text in hints_of(editor.view)),
            said(editor.document.undo_stack.undoText()),
        ]
        given = [*names_of(task, instance), *re.findall(r"\b[A-Z]{3,}\b", str(task.solve(instance)))]
    assert untranslated(texts, given) == {}


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_no_control_has_a_name_without_a_translation(show_editor, task):
    editor = show_editor(task, task.instances()[0])
    with in_language(MARKED):
        names = [said(part) for name, _ in census(editor.panel.declared) for part in name.split(": ")]
    assert untranslated(names, list(names_of(task, task.instances()[0]))) == {}


@pytest.mark.parametrize("length", [0, 1, None])
@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_no_sentence_of_a_verdict_is_untranslated(task, length):
    instance = task.instances()[0]
    answer = task.solve(instance).model_dump(mode="json")
    try:
        verdict = task.verify(instance, task.parse(answer if length is None else shortened(answer, length)))
    except AnswerError as error:
        said_in_english = [error.message]
    else:
        figures = [text for figure in verdict.figures for text in (figure.name, figure.unit)]
        said_in_english = [*texts_of(verdict), *figures]
    with in_language(MARKED):
        texts = [said(text) for text in said_in_english]
    assert untranslated(texts, list(names_of(task, instance))) == {}


def hints_of(view):
    """What a view tells beside what it shows; a page to draw on tells nothing."""
    texts = getattr(view, "texts", None)
    return [texts.hint, texts.empty] if texts else []


def names_of(task, instance):
    """What is not ours to translate: titles of puzzles and instances, the words in their data, and names of fields."""
    yield task.id
    yield from re.findall(r"\w*[a-z][A-Z]\w*", str(task.answer_type.model_json_schema()))
    yield instance.name
    yield from words_in(instance.parameters)


def words_in(data):
    match data:
        case str() if len(data) > 2:
            yield data
        case dict():
            for value in data.values():
                yield from words_in(value)
        case list():
            for value in data:
                yield from words_in(value)
