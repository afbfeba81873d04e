"""Texts that a person has seen, and can save or print where a browser shows the window."""

from __future__ import annotations

from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.engine.studies.sessions.pages import StudyPage
from spatial_workbench.engine.studies.sessions.sitting import Sitting

_DEBRIEFED = (StudyPage.END, StudyPage.STOPPED)


def seen_texts(sitting: Sitting) -> dict[str, dict[str, str]]:
    """The texts by their names, each with its title, its Markdown and its language."""
    state = sitting.state
    texts = {}
    if state.page is not StudyPage.LANGUAGE:
        texts["consent"] = (tr("Consent"), state.consent)
    debriefing = state.words(state.study.debriefing)
    if state.page in _DEBRIEFED and debriefing:
        texts["debriefing"] = (tr("Debriefing"), debriefing)
    return {name: {"title": title, "text": text, "language": state.language} for name, (title, text) in texts.items()}
