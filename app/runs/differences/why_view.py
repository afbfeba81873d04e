"""Why a check ended as it did in two verdicts: the rule, what both verifiers said, and the code that judged."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QTextBrowser

from spatial_workbench.engine.evaluation.laboratory.reasons import CheckReason, JudgingCode, SaidOfCheck

NOTHING = "Select a check to read its rule, what both verifiers said of it, and the code that judged."
NO_RULE = "*The page of the task says nothing of it by this name.*"


class WhyView(QTextBrowser):
    """Shows a reason as text. A link to a source file opens it in the editor that the system has for it.

    Signals:
        message(str): a note for the status bar.
    """

    message = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Why the verifiers judged so")
        self.setOpenLinks(False)
        self.anchorClicked.connect(self._open)
        self.clear_reason()

    def clear_reason(self) -> None:
        """Shows what to do."""
        self.setPlainText(NOTHING)

    def show_reason(self, reason: CheckReason) -> None:
        """Shows why a check ended as it did."""
        self.setMarkdown(words_of(reason))

    def _open(self, link: QUrl) -> None:
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(link.toLocalFile())):
            self.message.emit(f"No program opens {link.toLocalFile()}.")


def words_of(reason: CheckReason) -> str:
    """A reason as Markdown."""
    parts = [f"### {escape(reason.check)}", reason.rule or NO_RULE]
    for said in reason.said:
        parts += _words_of_verifier(said)
    return "\n\n".join(parts)


def _words_of_verifier(said: SaidOfCheck) -> list[str]:
    sentences = "\n".join(f"- {escape(sentence, quote=False)}" for sentence in said.sentences)
    code = ["*Its code is not here.*"] if said.code is None else _words_of_code(said.code)
    return [f"#### {escape(said.verifier)}", sentences, *code]


def _words_of_code(code: JudgingCode) -> list[str]:
    link = f"[{code.file.name}, line {code.line}]({QUrl.fromLocalFile(str(code.file)).toString()}#L{code.line})"
    return [f"`{code.name}` in {link}", f"```\n{code.text}\n```"]
