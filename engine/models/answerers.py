"""Opens the answerer that settings describe."""

from __future__ import annotations

from spatial_workbench.engine.models.capabilities import Capabilities
from spatial_workbench.engine.models.computed import RandomAnswers, ReferenceSolver
from spatial_workbench.engine.models.contracts import Answerer, ErrorKind, ModelError
from spatial_workbench.engine.models.endpoint import EndpointModel
from spatial_workbench.engine.models.offline import OfflineModel
from spatial_workbench.engine.models.recorded import RecordedReplies, read_answers
from spatial_workbench.engine.models.settings import ModelSettings, Provider


def open_answerer(settings: ModelSettings, capabilities: Capabilities | None = None) -> Answerer:
    """The answerer that the settings describe; close it after use. No request is sent and no process started yet.

    Raises:
        ModelError: The file of recorded answers is missing, or it is a function of another program.
    """
    if settings.provider.is_endpoint:
        return EndpointModel(settings, capabilities)
    if settings.provider is Provider.OFFLINE:
        return OfflineModel(settings)
    if settings.provider is Provider.REFERENCE:
        return ReferenceSolver()
    if settings.provider is Provider.RANDOM:
        return RandomAnswers(settings)
    if settings.provider is Provider.FUNCTION:
        raise ModelError(ErrorKind.UNAVAILABLE, f"{settings.name} is a function of a program; run the program again")
    return _replay(settings)


def _replay(settings: ModelSettings) -> RecordedReplies:
    """The answers in the file; if `model` is set, only those of that model."""
    try:
        answers, _ = read_answers(settings.source or "")
    except OSError as error:
        raise ModelError(ErrorKind.UNAVAILABLE, f"the recorded answers cannot be read: {error}") from None
    return RecordedReplies(answer for answer in answers if settings.model in ("", answer.model))
