"""The dialog that publishes a project's results as a site: who is shown, what goes in, and where it is written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.app.background.jobs import BackgroundJob, Lane
from spatial_workbench.app.results.site import SiteOffer, list_site, offer_of, write_site
from spatial_workbench.engine.reporting.site.choice import USUAL_TITLE, SiteChoice
from spatial_workbench.engine.reporting.site.listing import SiteListing
from spatial_workbench.engine.reporting.site.publishing import PublishedSite
from spatial_workbench.widgets.theme import SPACE
from spatial_workbench.widgets.wheel_fields import ChoiceBox

_SIZE_PX = (860, 720)
_LIST_MS = 400
"""After a change, it waits so long before it lists anew, in case more changes follow."""
_PEOPLE_PX = 150
_NOT_SHOWN, _UNNAMED, _NAMED = "Not shown", "Shown, without the name", "Shown, by name"
_ABOUT = (
    "A folder of pages for any web server: leaderboard, tasks, runs, attempts, comparisons and studies. Keys, "
    "reference solutions and hidden parameters never go in."
)
_ASK_PEOPLE = "Show people only if they agreed to it, and names only if they asked for that."
_NO_PEOPLE = "There are no attempts of people outside of studies."
_NO_STUDIES = "There are no studies."


class PublishingDialog(QDialog):
    """Lists what a site would hold, and writes it in the background.

    path: The project.

    Signals:
        told(str): how the work ended.
    """

    told = Signal(str)

    def __init__(self, path: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Publish as a site")
        self.setObjectName("page")
        self.resize(*_SIZE_PX)
        self._path = path
        self._lane = Lane("site", self)
        self._job: BackgroundJob | None = None
        self._timer = QTimer(self, singleShot=True, interval=_LIST_MS)
        self._timer.timeout.connect(self._list)
        self._make_fields()
        self._make_buttons()
        self._lay_out()
        self._run("Reading the project", offer_of, done=self._show_offer)

    @property
    def choice(self) -> SiteChoice:
        """What is chosen."""
        states = {name: box.currentText() for name, box in self.people.items()}
        return SiteChoice(
            title=self.site_title.text().strip() or USUAL_TITLE,
            people=tuple(name for name, state in states.items() if state == _UNNAMED),
            named=tuple(name for name, state in states.items() if state == _NAMED),
            studies=tuple(study for study, box in self.studies.items() if box.isChecked()),
            pictures=self.pictures.isChecked(),
            motion=self.motion.isChecked(),
        )

    @property
    def is_idle(self) -> bool:
        """Whether nothing is being read, listed or written."""
        return self._job is None and not self._timer.isActive()

    def publish_to(self, folder: Path) -> None:
        """Writes the site into a folder, in the background."""
        self._timer.stop()
        self._run(
            "Publishing a site",
            write_site,
            folder,
            self.choice,
            done=self._show_published,
            failed=lambda text: self._end(f"The site was not written. {text}"),
        )
        self.publish.setEnabled(False)
        self.cancel.show()

    def done(self, result: int) -> None:
        """Cancels what is under way."""
        self._timer.stop()
        if self._job is not None:
            self._job.cancel()
        self._lane.close()
        super().done(result)

    # Work --------------------------------------------------------------------------------------------------------

    def _run(
        self,
        label: str,
        function: Callable[..., Any],
        *arguments: Any,
        done: Callable[[Any], None],
        failed: Callable[[str], None] | None = None,
    ) -> None:
        if self._job is not None:
            self._job.cancel()
        self._job = self._lane.run(
            label,
            function,
            self._path,
            *arguments,
            done=done,
            failed=failed or self._show_trouble,
            progressed=lambda done, total, text: self.note.setText(f"{text} · {done:.0f} of {total:.0f}"),
        )

    def _show_offer(self, offer: SiteOffer) -> None:
        self._job = None
        for name in offer.people:
            box = ChoiceBox()
            box.addItems([_NOT_SHOWN, _UNNAMED, _NAMED])
            box.setAccessibleName(f"How {name} is shown")
            box.currentIndexChanged.connect(self._change)
            self.people[name] = box
            self._people_rows.addRow(name, box)
        self.ask_people.setText(_ASK_PEOPLE if offer.people else _NO_PEOPLE)
        self._people_area.setVisible(bool(offer.people))
        for study in offer.studies:
            tick = QCheckBox(study.name if study.is_open else f"{study.name} (its outcomes are sealed)")
            tick.setEnabled(study.is_open)
            tick.setToolTip("Its report and data, of the people who share their answers")
            tick.toggled.connect(self._change)
            if study.is_open:
                self.studies[study.id] = tick
            self._studies_row.addWidget(tick)
        if not offer.studies:
            self._studies_row.addWidget(_secondary(_NO_STUDIES))
        self._list()

    def _change(self) -> None:
        self.publish.setEnabled(False)
        self._timer.start()

    def _list(self) -> None:
        self.note.setText("Listing what goes in…")
        self._run("Listing a site", list_site, self.choice, done=self._show_listing)

    def _show_listing(self, listing: SiteListing) -> None:
        self._job = None
        self.listed.setPlainText("\n".join(listing.lines))
        self.note.setText("Nothing is written yet.")
        self.publish.setEnabled(True)

    def _show_trouble(self, text: str) -> None:
        self._job = None
        self.listed.setPlainText("")
        self.note.setText(text)

    def _show_published(self, site: PublishedSite) -> None:
        self._end(f"The site is in “{site.folder}”: {site.files:,} files. Open index.html in a browser.")

    def _cancel(self) -> None:
        if self._job is not None:
            self._job.cancel()
        self._end("The site was not written.")

    def _end(self, text: str) -> None:
        self._job = None
        self.cancel.hide()
        self.publish.setEnabled(True)
        self.note.setText(text)
        self.told.emit(text)

    def _choose_folder(self) -> None:
        folder = QFileDialog.getExistingDirectory(self, "An empty folder, or one with an older site")
        if folder:
            self.publish_to(Path(folder))

    # Parts -------------------------------------------------------------------------------------------------------

    def _make_fields(self) -> None:
        self.site_title = QLineEdit()
        self.site_title.setPlaceholderText(USUAL_TITLE)
        self.site_title.setMaxLength(120)
        self.site_title.textChanged.connect(self._change)
        self.pictures = QCheckBox("Draw attempts")
        self.pictures.setChecked(True)
        self.pictures.setToolTip("Pictures, and drawings that turn; those that were made before are kept")
        self.pictures.toggled.connect(self._change)
        self.motion = QCheckBox("Replay attempts")
        self.motion.setChecked(True)
        self.motion.setToolTip("Moves, edits, steps of models with hands, and what is simulated, played on the page")
        self.motion.toggled.connect(self._change)
        self.pictures.toggled.connect(self.motion.setEnabled)
        self.people: dict[str, QComboBox] = {}
        self.studies: dict[str, QCheckBox] = {}
        self.ask_people = _secondary("")
        self.listed = QPlainTextEdit()
        self.listed.setReadOnly(True)
        self.listed.setTabChangesFocus(True)
        self.listed.setAccessibleName("What goes in and what stays out")
        self.note = _secondary("")

    def _make_buttons(self) -> None:
        self.publish = QPushButton("Publish…")
        self.publish.setObjectName("primary")
        self.publish.setToolTip("Choose a folder, and write the site into it")
        self.publish.setEnabled(False)
        self.publish.clicked.connect(self._choose_folder)
        self.cancel = QPushButton("Cancel")
        self.cancel.setToolTip("Stop writing; nothing stays behind")
        self.cancel.clicked.connect(self._cancel)
        self.cancel.hide()
        self.close_button = QPushButton("Close")
        self.close_button.clicked.connect(self.reject)
        for button in (self.publish, self.cancel, self.close_button):
            button.setAutoDefault(False)

    def _lay_out(self) -> None:
        rows = QWidget()
        self._people_rows = QFormLayout(rows)
        self._people_rows.setContentsMargins(0, 0, 0, 0)
        self._people_area = QScrollArea()
        self._people_area.setWidgetResizable(True)
        self._people_area.setMaximumHeight(_PEOPLE_PX)
        self._people_area.setWidget(rows)
        self._people_area.hide()
        people = QVBoxLayout()
        people.addWidget(self.ask_people)
        people.addWidget(self._people_area)
        self._studies_row = QVBoxLayout()
        form = QFormLayout()
        form.setVerticalSpacing(3 * SPACE)
        form.addRow("Title", self.site_title)
        form.addRow("Pictures", self.pictures)
        form.addRow("", self.motion)
        form.addRow("People", people)
        form.addRow("Studies", self._studies_row)
        buttons = QHBoxLayout()
        buttons.addWidget(self.note, 1)
        for button in (self.cancel, self.close_button, self.publish):
            buttons.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6 * SPACE, 6 * SPACE, 6 * SPACE, 4 * SPACE)
        layout.setSpacing(3 * SPACE)
        layout.addWidget(_secondary(_ABOUT))
        layout.addLayout(form)
        layout.addWidget(self.listed, 1)
        layout.addLayout(buttons)


def _secondary(text: str) -> QLabel:
    label = QLabel(text)
    label.setObjectName("secondary")
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    return label
