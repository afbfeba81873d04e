"""Names, messages and answers are shown as they are: nothing that is not ours is taken for markup."""

import re
from pathlib import Path

import pytest
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPoint, Qt
from PySide6.QtWidgets import QAbstractItemView, QApplication, QLabel, QMessageBox, QTextEdit, QToolTip

from spatial_workbench.engine.core import Check, Problem, Verdict, resolve
from spatial_workbench.engine.store import Actor, Project, Transcript
from spatial_workbench.widgets.rich_text import RICH

ROOT = Path(__file__).parents[2]
MARKUP_TAG = re.compile("<(span|code|div|b|table|a href)[ >]")
MARKUP = '<b>bold</b><img src="file:///etc/hostname">'
INSTANCE = resolve("two_segments:0")[1]


def verdict(verifier, score):
    return Verdict(
        instance=INSTANCE.address,
        verifier=verifier,
        version=MARKUP,
        score=score,
        passed=score == 1,
        checks=(Check.of(MARKUP, [Problem(MARKUP, ["segment 0"])]),),
        warnings=(MARKUP,),
    )


def fill(project):
    """An attempt of everybody, with every text being markup."""
    for actor in Actor:
        number = project.attempts.add(
            INSTANCE,
            MARKUP,
            actor,
            MARKUP,
            3.0,
            (verdict("default", 1.0), verdict("crosscheck", 0.0), verdict(MARKUP, 0.0)),
            Transcript(kind="cube", record=MARKUP),
        )
        project.judgements.override_score(number, 0.5, False, MARKUP, MARKUP)
        project.judgements.rule(number, "default", "crosscheck", "both", MARKUP, MARKUP)
        project.judgements.add_label(number, "labelled", MARKUP, "{}")
    project.drafts.begin(INSTANCE, {}, MARKUP)


@pytest.fixture
def full(window, qtbot):
    window.project.tell(fill, announce=True)
    window.project.flush()
    return window


def marked_up(window):
    """The labels and texts in which our markup has become markup."""
    labels = [
        label
        for label in window.findChildren(QLabel)
        if "bold" in label.text() and label.textFormat() != Qt.TextFormat.PlainText and "&lt;b" not in label.text()
    ]
    texts = [
        text
        for text in window.findChildren(QTextEdit)
        if "bold" in text.toPlainText() and "<b>" not in text.toPlainText()
    ]
    return labels + texts


@pytest.mark.slow
@pytest.mark.parametrize(
    "action", ["runs.browse", "runs.disagreements", "runs.results", "evaluate.batches", "view.log"]
)
def test_no_page_takes_what_a_project_holds_for_markup(full, qtbot, action):
    full.show_message(MARKUP)
    full.actions_registry[action].trigger()
    page = full.tabs.currentWidget()
    qtbot.waitUntil(lambda: getattr(page, "is_idle", True))
    assert marked_up(full) == []


def test_a_workspace_takes_nothing_for_markup(full, qtbot):
    full.person.change_person(MARKUP)
    full.open_instance(INSTANCE.address)
    qtbot.waitUntil(lambda: full.workspace is not None and full.workspace.attempts.panel.model.rowCount() > 0)
    full.workspace.document.set_verdict(verdict("default", 0.5))
    assert marked_up(full) == []


def test_a_warning_shows_its_text_as_it_is(window):
    window.warn(MARKUP, MARKUP)
    (box,) = window.findChildren(QMessageBox)
    assert all(label.textFormat() == Qt.TextFormat.PlainText for label in box.findChildren(QLabel))
    box.close()


def test_a_tooltip_shows_its_text_as_it_is(window):
    QToolTip.showText(QPoint(20, 20), MARKUP, window)
    tips = [widget for widget in QApplication.topLevelWidgets() if widget.metaObject().className() == "QTipLabel"]
    assert [tip.textFormat() for tip in tips] == [Qt.TextFormat.PlainText]
    QToolTip.hideText()


def test_labels_that_ask_for_it_stay_rich_when_the_theme_changes(window):
    window.actions_registry["view.theme"].trigger()
    rich = [label for label in window.findChildren(QLabel) if label.property(RICH)]
    assert all(label.textFormat() == Qt.TextFormat.RichText for label in rich)


def test_a_file_made_by_somebody_else_keeps_its_markup_as_text(full):
    with Project.open(full.project.path) as project:
        assert MARKUP in {row.actor_name for row in project.attempts.newest()}


def test_whoever_writes_markup_asks_for_a_label_that_shows_it():
    sources = {path: path.read_text("utf-8") for room in ("app", "widgets") for path in (ROOT / room).rglob("*.py")}
    assert [path for path, source in sources.items() if MARKUP_TAG.search(source) and "make_rich" not in source] == []


OVERRIDE = "oak\u202egnp.exe"
"""A name that reads as another one where it is drawn as it stands."""


def shown_texts(window):
    """What labels, tabs and tables of the window show."""
    yield from (label.text() for label in window.findChildren(QLabel))
    yield from (window.tabs.tabText(index) for index in range(window.tabs.count()))
    for view in window.findChildren(QAbstractItemView):
        model = view.model()
        columns = model.columnCount(QModelIndex()) if isinstance(model, QAbstractTableModel) else 1
        for row in range(model.rowCount()):
            yield from (str(model.index(row, column).data() or "") for column in range(columns))


@pytest.mark.slow
def test_changes_of_direction_are_shown_as_marks(window, qtbot):
    def add(project):
        seen = Verdict(
            instance=INSTANCE.address,
            verifier="default",
            version="1",
            score=0,
            passed=False,
            checks=(Check.of("held", [Problem(OVERRIDE)]),),
        )
        number = project.attempts.add(INSTANCE, OVERRIDE, Actor.MODEL, OVERRIDE, 3.0, (seen,))
        project.judgements.override_score(number, 0.5, False, OVERRIDE, OVERRIDE)

    window.project.tell(add, announce=True)
    window.project.flush()
    window.actions_registry["runs.browse"].trigger()
    page = window.tabs.currentWidget()
    qtbot.waitUntil(lambda: page.is_listed and page.is_idle and page.model.row(0) is not None)
    page.table.selectRow(0)
    qtbot.waitUntil(lambda: page.is_idle and page.detail.dossier is not None)
    window.show_message(f"“{OVERRIDE}” was stored")
    texts = list(shown_texts(window))
    assert any("oak\\u202egnp.exe" in text for text in texts)
    assert not [text for text in texts if "\u202e" in text]
    assert window.statusBar().currentMessage() == "“oak\\u202egnp.exe” was stored"
