"""The pages before the items: code, language, consent, questions about the person, instructions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QCheckBox, QFileDialog, QLineEdit, QPushButton, QWidget

from spatial_workbench.app.studies.participant.pages.column import ColumnPage
from spatial_workbench.app.studies.participant.pages.fields import CovariateField, OptionsChoice, as_target
from spatial_workbench.app.studies.participant.texts import StudyText, announce, words
from spatial_workbench.app.studies.participant.window_form import WindowForm
from spatial_workbench.engine.core.languages.translation import marked, tr
from spatial_workbench.engine.studies.planning.document import Covariate, Study
from spatial_workbench.engine.studies.sessions.sitting import Sitting
from spatial_workbench.widgets.appearance import scaled
from spatial_workbench.widgets.layouts import column
from spatial_workbench.widgets.theme import SPACE

MOST_TRIAL_CODES = 3
COVERS_SCREEN = marked("From the next page on, this window covers the whole screen until you have finished or stopped.")


class CodePage(ColumnPage):
    """Asks for the participant's code.

    code: stands in the field already. trial_codes: those with which a plan can be tried out; the first of them stands
    in the field if there is no other.

    Signals:
        entered(str): a code was typed.
    """

    entered = Signal(str)

    def __init__(self, study: Study, code: str = "", trial_codes: Sequence[str] = ()) -> None:
        super().__init__(study.name, tr("Begin"), is_short=True)
        self.field = QLineEdit(code or next(iter(trial_codes), ""))
        self.field.setMaxLength(12)
        self.field.setMaximumWidth(scaled(240))
        self.field.setMinimumHeight(scaled(36))
        self.field.setAccessibleName(tr("Your code"))
        self.fault = words("", "error")
        self.fault.hide()
        label = words(tr("Your code"), "sectionTitle")
        label.setBuddy(self.field)
        hint = words(_about_codes(trial_codes), "secondary")
        ask = QWidget()
        column(ask, label, hint, self.field, self.fault, spacing=2 * SPACE)
        self.add(ask)
        self.end()
        self.accepted.connect(lambda: self.entered.emit(self.field.text()))

    def first_field(self) -> QWidget:
        """The field for the code."""
        return self.field

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.field.selectAll()

    def show_fault(self, text: str) -> None:
        """Says why nobody can begin with this code."""
        self.fault.setText(text)
        self.fault.setVisible(bool(text))
        if text:
            announce(self.field, text)
            self.field.setFocus()
            self.field.selectAll()


def _about_codes(trial_codes: Sequence[str]) -> str:
    """Where a code comes from, or what the codes of a trial are."""
    if not trial_codes:
        return tr("You have it from the person who leads the study. It looks like P017E.")
    codes = ", ".join(trial_codes[:MOST_TRIAL_CODES])
    return tr("This is a trial: nothing that you do is kept. Each code is another place, such as {codes}.", codes=codes)


class LanguagePage(ColumnPage):
    """Asks for the language of the study's texts.

    Signals:
        chosen(str): the code of a language.
    """

    chosen = Signal(str)

    def __init__(self, languages: Sequence[str]) -> None:
        super().__init__(tr("Language"), is_short=True)
        self.options = OptionsChoice(tr("Language"), {language: name_of(language) for language in languages})
        self.options.chosen.connect(lambda _: self.primary.setEnabled(True))
        self.primary.setEnabled(False)
        self.add(self.options)
        self.end()
        self.accepted.connect(lambda: self.chosen.emit(self.options.value or ""))

    def suggest(self, language: str) -> None:
        """Chooses a language, if it is one of the study's; the person can choose another one."""
        if language in self.options.values:
            self.options.choose(language)
            self.primary.setEnabled(True)

    def first_field(self) -> QWidget:
        """The first language."""
        return self.options


def name_of(language: str) -> str:
    """The name of a language in itself; its country is only named if the code does so."""
    from PySide6.QtCore import QLocale

    locale = QLocale(language)
    is_general = language.isalpha()
    named = QLocale(locale.language(), QLocale.Country.World) if is_general else locale
    name = named.nativeLanguageName() or language
    return name[:1].upper() + name[1:]


class ConsentPage(ColumnPage):
    """What people agree to. They can continue once they have read to the end and ticked the required boxes.

    form: how the window stands before the person.

    Signals:
        agreed(dict): the boxes by their keys.
        texts_wanted(): a person in a browser wants the text as a page there.
    """

    agreed = Signal(dict)
    texts_wanted = Signal()

    def __init__(self, sitting: Sitting, form: WindowForm = WindowForm.ORDINARY) -> None:
        super().__init__(tr("Before you begin"))
        study = sitting.state.study
        self._sitting = sitting
        self.wording = sitting.state.consent
        if welcome := sitting.state.words(study.welcome):
            self.add(StudyText(welcome, tr("Welcome")))
        self.add(StudyText(self.wording, tr("Consent")))
        self.boxes = {box.key: self._box(sitting.state.words(box.text), box.required) for box in study.consent.boxes}
        self.add(*self.boxes.values())
        if form is WindowForm.KIOSK:
            self.add(words(tr(COVERS_SCREEN), "secondary"))
        self.end()
        is_served = form is WindowForm.SERVED
        save = QPushButton(tr("Save or print this text…") if is_served else tr("Save this text…"))
        save.clicked.connect(self.texts_wanted if is_served else self._save)
        self.add_button(save)
        self._required = [box.key for box in study.consent.boxes if box.required]
        self.read.connect(self._refresh)
        self.accepted.connect(lambda: self.agreed.emit({key: box.isChecked() for key, box in self.boxes.items()}))
        self._refresh()

    def first_field(self) -> QWidget:
        """The page itself, so that the keys scroll it."""
        return self

    def _box(self, text: str, required: bool) -> QCheckBox:
        text = text or tr("I take part.")
        box = QCheckBox(text if required else tr("{text} (optional)", text=text))
        as_target(box)
        box.toggled.connect(self._refresh)
        return box

    def _refresh(self, *_: object) -> None:
        ticked = all(self.boxes[key].isChecked() for key in self._required)
        self.primary.setEnabled(self.is_read and ticked)
        lacking = "" if self.is_read else tr("Read to the end of the text to continue.")
        self.say(lacking or ("" if ticked else tr("Tick the boxes that are not optional to continue.")))

    def _save(self) -> None:
        name, _ = QFileDialog.getSaveFileName(self, tr("Save this text"), tr("consent.txt"))
        if name:
            try:
                with open(name, "w", encoding="utf-8") as file:
                    file.write(self.wording)
            except OSError as error:
                self.say(tr("The text was not saved. {reason}.", reason=error.strerror))


class QuestionsPage(ColumnPage):
    """Questions about the person.

    Signals:
        replied(dict): the replies by the keys of their questions.
    """

    replied = Signal(dict)

    def __init__(self, title: str, sitting: Sitting, questions: Sequence[Covariate]) -> None:
        super().__init__(title)
        self.fields = {
            question.key: CovariateField(
                question, sitting.state.words(question.ask), sitting.state.option_words(question.options)
            )
            for question in questions
        }
        self.add(*self.fields.values())
        self.end()
        self.accepted.connect(self._send)

    def first_field(self) -> QWidget:
        """The first question."""
        return next(iter(self.fields.values())).first

    def show_faults(self, faults: Mapping[str, str]) -> None:
        """Shows the faults of single replies."""
        for key, field in self.fields.items():
            field.show_fault(faults.get(key, ""))
        first = next((self.fields[key] for key in self.fields if key in faults), None)
        if first is not None:
            first.setFocus()
            self.scroller.ensureWidgetVisible(first)

    def _send(self) -> None:
        replies: dict[str, Any] = {}
        for field in self.fields.values():
            replies |= field.reply
        self.replied.emit(replies)


class TextPage(ColumnPage):
    """A text and a button."""

    def __init__(self, title: str, text: str, button: str | None = None, *more: QWidget) -> None:
        super().__init__(title, button)
        if text:
            self.add(StudyText(text, title))
        self.add(*more)
        self.end()
