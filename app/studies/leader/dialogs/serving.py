"""The dialog about collecting in browsers: how the study is served, and who is where."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPushButton,
    QStackedWidget,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.app.frame.form_dialog import FormDialog
from spatial_workbench.app.studies.leader.work.serving import ServerWish, ServingOrder
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.studies.files.serving_state import SeatedPerson, ServingState
from spatial_workbench.widgets.buttons import make_button
from spatial_workbench.widgets.theme import SPACE
from spatial_workbench.widgets.wheel_fields import CountBox

_ABOUT = (
    "People take part in their browsers: each place has a link, or a recruiter sends people by one address. The window "
    "runs on this machine. The server goes on when this dialog or the application is closed. Results are merged as "
    "sessions end."
)
_SIZE_PX = (860, 520)
_MOST_AT_ONCE = 500
_COLUMNS = ("Place", "Where", "PIN", "Link")
_WIDTHS_PX = (90, 240, 110)
_COVERS = {"connection": "the connection is lost", "elsewhere": "it goes on elsewhere"}


class ChosenFileField(QWidget):
    """The path of a file, typed or chosen.

    title: of the dialog that chooses it. pattern: such as "Certificates (*.pem)".
    """

    def __init__(self, title: str, pattern: str, hint: str) -> None:
        super().__init__()
        self._title = title
        self._pattern = pattern
        self.field = QLineEdit(placeholderText=hint)
        self.field.setAccessibleName(title)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2 * SPACE)
        row.addWidget(self.field, 1)
        row.addWidget(make_button("Choose…", "open", self._choose, title))
        self.setFocusProxy(self.field)

    @property
    def path(self) -> str:
        """The path; empty without one."""
        return self.field.text().strip()

    def _choose(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self, self._title, self.path, self._pattern)
        if path:
            self.field.setText(path)


class ServingDialog(QDialog):
    """Starts and stops the server of a study, and shows its people.

    Signals:
        start_asked(ServingOrder): the study is to be served.
        wished(ServerWish): the running server is to do something.
        links_asked(str): the links are to be written to a file.
    """

    start_asked = Signal(object)
    wished = Signal(object)
    links_asked = Signal(str)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.state: ServingState | None = None
        self.setWindowTitle(f"Collect in browsers: {name}")
        self.resize(*_SIZE_PX)
        about = QLabel(_ABOUT)
        about.setObjectName("secondary")
        about.setWordWrap(True)
        self.trouble = QLabel()
        self.trouble.setObjectName("error")
        self.trouble.setWordWrap(True)
        self.trouble.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.trouble.hide()
        self.stack = QStackedWidget()
        self.stack.addWidget(self._settings())
        self.stack.addWidget(self._people())
        column = QVBoxLayout(self)
        column.setContentsMargins(4 * SPACE, 4 * SPACE, 4 * SPACE, 4 * SPACE)
        column.setSpacing(3 * SPACE)
        column.addWidget(about)
        column.addWidget(self.trouble)
        column.addWidget(self.stack, 1)

    def show_state(self, state: ServingState | None) -> None:
        """Shows a running server, or the settings for one if none runs."""
        self.state = state
        if state is None:
            self.stack.setCurrentIndex(0)
            return
        self.start.setEnabled(True)
        self.start.setText("Start")
        self.show_trouble("")
        self.stack.setCurrentIndex(1)
        self.summary.setText(_summary(state))
        self.drain.setText("Let people begin" if state.drains else "Let nobody else begin")
        is_recruited = bool(state.entry)
        self.copy.setText("Copy address" if is_recruited else "Copy links")
        self.copy.setToolTip(
            "Copy the address that the recruiter shows to people"
            if is_recruited
            else "Copy the chosen links, or all, with their places and PINs"
        )
        self.save.setVisible(not is_recruited)
        for column in (2, 3):
            self.table.setColumnHidden(column, is_recruited)
        where = QHeaderView.ResizeMode.Stretch if is_recruited else QHeaderView.ResizeMode.Interactive
        self.table.horizontalHeader().setSectionResizeMode(1, where)
        self._show_links(state)

    def show_trouble(self, text: str) -> None:
        """Says why the study is not served; empty: it is, or nobody has tried."""
        self.trouble.setText(text)
        self.trouble.setVisible(bool(text))
        if text:
            self.start.setEnabled(True)
            self.start.setText("Start")

    def _settings(self) -> QWidget:
        self.codes = QLineEdit(placeholderText="all places without the reserves, or P001-P020, P031")
        self.at_once = CountBox(minimum=1, maximum=_MOST_AT_ONCE, value=ServingOrder().at_once)
        self.at_once.setToolTip("Others wait in a queue. A person takes about 250 MB of memory.")
        self.listen = QLineEdit(ServingOrder().listen)
        self.url = QLineEdit(placeholderText="https://…, if a proxy on this machine encrypts")
        self.recruiter = ChosenFileField(
            "Recruiter’s file", "Recruiters (*.toml *.json)", "none: each place has a link of its own"
        )
        self.certificate = ChosenFileField(
            "Certificate", "Certificates (*.pem *.crt)", "for https without a proxy, with its chain"
        )
        self.key = ChosenFileField("Key of the certificate", "Keys (*.pem *.key)", "without a password")
        form = QFormLayout()
        form.setHorizontalSpacing(4 * SPACE)
        form.setVerticalSpacing(2 * SPACE)
        form.addRow("Places", self.codes)
        form.addRow("At the same time", self.at_once)
        form.addRow("Recruiter’s file", self.recruiter)
        form.addRow("Address on this machine", self.listen)
        form.addRow("Address for people", self.url)
        form.addRow("Certificate", self.certificate)
        form.addRow("Key", self.key)
        self.start = QPushButton("Start")
        self.start.setObjectName("primary")
        self.start.setDefault(True)
        self.start.clicked.connect(self._ask_start)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self.start)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(form)
        column.addStretch(1)
        column.addLayout(row)
        return page

    def _people(self) -> QWidget:
        self.summary = QLabel()
        self.summary.setWordWrap(True)
        self.summary.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.table = QTableWidget(0, len(_COLUMNS))
        self.table.setHorizontalHeaderLabels(_COLUMNS)
        self.table.setAccessibleName("Places and links")
        self.table.verticalHeader().hide()
        self.table.setShowGrid(False)
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        header = self.table.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(len(_WIDTHS_PX), QHeaderView.ResizeMode.Stretch)
        for number, width in enumerate(_WIDTHS_PX):
            self.table.setColumnWidth(number, width)
        self.copy = make_button("", "copy", self._copy_links, "")
        self.save = make_button("Save links…", "save", self._ask_file, "Write a table of places, links and PINs")
        self.drain = make_button("", "", self._ask_drain, "Who has begun may go on in any case")
        self.stop = make_button(
            "Stop…", "close", self._ask_stop, "End the server; sessions go on when it is started again"
        )
        row = QHBoxLayout()
        row.setSpacing(2 * SPACE)
        for button in (self.copy, self.save):
            row.addWidget(button)
        row.addStretch(1)
        for button in (self.drain, self.stop):
            row.addWidget(button)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(3 * SPACE)
        column.addWidget(self.summary)
        column.addWidget(self.table, 1)
        column.addLayout(row)
        return page

    def _show_links(self, state: ServingState) -> None:
        seated = {person.code: person for person in state.seated}
        if self.table.rowCount() != len(state.links):
            self.table.setRowCount(len(state.links))
        for row, (code, link) in enumerate(state.links.items()):
            for column, text in enumerate((code, _where(seated.get(code)), state.pins.get(code, ""), link)):
                item = self.table.item(row, column)
                if item is None:
                    self.table.setItem(row, column, QTableWidgetItem(text))
                elif item.text() != text:
                    item.setText(text)

    def _ask_start(self) -> None:
        self.start.setEnabled(False)
        self.start.setText("Starting…")
        self.trouble.hide()
        codes, listen, url = (field.text().strip() for field in (self.codes, self.listen, self.url))
        files = (field.path for field in (self.recruiter, self.certificate, self.key))
        self.start_asked.emit(ServingOrder(codes, self.at_once.value(), listen, url, *files))

    def _ask_drain(self) -> None:
        if self.state is not None:
            self.wished.emit(ServerWish.ADMIT if self.state.drains else ServerWish.DRAIN)

    def _ask_stop(self) -> None:
        people = [person for person in self.state.seated if not person.is_over] if self.state else []
        if not people:
            self.wished.emit(ServerWish.STOP)
            return
        interrupted = counted(len(people), "person is", "people are")
        about = f"{interrupted} in the study. Their work is stored, and they can go on when you start again."
        question = FormDialog("Stop the server?", about, "Stop", self)
        question.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        question.accepted.connect(lambda: self.wished.emit(ServerWish.STOP))
        question.open()

    def _chosen_links(self) -> dict[str, str]:
        links = list(self.state.links.items()) if self.state else []
        rows = sorted({index.row() for index in self.table.selectionModel().selectedRows()})
        return dict(links[row] for row in rows) if rows else dict(links)

    def _copy_links(self) -> None:
        if self.state is None:
            return
        pins = self.state.pins
        lines = [f"{code}\t{link}\t{pins.get(code, '')}".rstrip() for code, link in self._chosen_links().items()]
        QGuiApplication.clipboard().setText(self.state.entry or "\n".join(lines))

    def _ask_file(self) -> None:
        path, _ = QFileDialog.getSaveFileName(self, "Save links", "links.csv", "Tables (*.csv)")
        if path:
            self.links_asked.emit(path)


def _summary(state: ServingState) -> str:
    seats = f"{len(state.seated)} of {state.at_once} seats are taken"
    waiting = f", {counted(state.waiting, 'person waits', 'people wait')}" if state.waiting else ""
    drains = " Nobody can begin at the moment." if state.drains else ""
    entry = f"\nThe recruiter shows people this address: {state.entry}" if state.entry else ""
    return f"Served at {state.url}. {seats}{waiting}.{drains}{entry}"


def _where(person: SeatedPerson | None) -> str:
    """Where somebody is, in words; nothing without a window."""
    if person is None:
        return "–"
    if person.is_over:
        return "at the end"
    place = person.page.replace("_", " ")
    if person.cover:
        return f"{place}; {_COVERS.get(person.cover, person.cover.replace('_', ' '))}"
    return place if person.is_seen else f"{place}; no browser shows it"
