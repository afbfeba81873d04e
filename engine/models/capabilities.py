"""What an endpoint can do: found out by the probe, corrected by people, stored, and respected by every request."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from enum import StrEnum
from typing import Literal

from pydantic import Field

from spatial_workbench.engine.models.contracts import ModelRecord
from spatial_workbench.engine.models.settings import ModelSettings, ReasoningEffort


class Result(StrEnum):
    """What happened when a feature was asked for."""

    WORKS = "works"
    ACCEPTED = "accepted"
    REFUSED = "refused"
    UNKNOWN = "unknown"

    @property
    def sentence(self) -> str:
        """What it means, for a person."""
        return {
            Result.WORKS: "It was asked for, and the answer shows that it took effect.",
            Result.ACCEPTED: "It was asked for and not refused; whether it took effect cannot be seen, or it did not.",
            Result.REFUSED: "The endpoint refuses it.",
            Result.UNKNOWN: "It was not tried, or the try failed for another reason.",
        }[self]


class Feature(StrEnum):
    """What an endpoint may be able to do."""

    MODEL_LIST = "list of models"
    CHAT = "Chat Completions"
    STREAMS = "streamed answers"
    USAGE = "token counts in streams"
    JSON_MODE = "JSON mode"
    CHAT_SCHEMA = "structured output in Chat Completions"
    MAX_COMPLETION_TOKENS = "cap on output tokens (max_completion_tokens)"
    MAX_TOKENS = "cap on output tokens (max_tokens)"
    REASONING = "reasoning"
    EFFORT = "reasoning effort"
    TEMPERATURE = "temperature"
    TOP_P = "top-p"
    PICTURES = "pictures"
    FUNCTIONS = "required function calls"
    RESPONSES = "Responses"
    RESPONSES_SCHEMA = "structured output in Responses"
    HOSTED_TOOLS = "hosted tools"


class PictureForm(StrEnum):
    """In which form an endpoint takes pictures, always as data URLs."""

    IMAGE_URL = "image_url object"
    """Chat Completions: {"type": "image_url", "image_url": {"url": "data:…"}}."""
    PLAIN_IMAGE_URL = "image_url text"
    """Chat Completions, as some servers want it: {"type": "image_url", "image_url": "data:…"}."""
    INPUT_IMAGE = "input_image"
    """Responses: {"type": "input_image", "image_url": "data:…"}."""


class ProbeFinding(ModelRecord):
    """What was found out about one feature."""

    result: Result = Result.UNKNOWN
    note: str = Field(default="", description="What was seen, or why it failed")
    by: Literal["probe", "person"] = "probe"


class Capabilities(ModelRecord):
    """What an endpoint can do with one model."""

    base_url: str
    model: str
    probed_at: datetime
    findings: Mapping[Feature, ProbeFinding] = Field(default_factory=dict)
    efforts: Mapping[ReasoningEffort, Result] = Field(
        default_factory=dict, description="What happened to each reasoning effort that was tried"
    )
    picture_form: PictureForm | None = Field(
        default=None, description="The form in which the model saw a picture; None: it saw none, or it was not tried"
    )
    models: tuple[str, ...] = Field(default=(), description="The models that the endpoint lists")
    failure: str = Field(default="", description="Why the newest probe failed as a whole; empty if it did not")

    @property
    def sees_pictures(self) -> bool:
        """Whether the model has named what a picture shows."""
        return self.result(Feature.PICTURES) is Result.WORKS

    @property
    def refuses_pictures(self) -> bool:
        """Whether the endpoint has refused a picture."""
        return self.result(Feature.PICTURES) is Result.REFUSED

    @property
    def calls_functions(self) -> bool:
        """Whether the model has called a function that it was offered: native tool calls."""
        return self.result(Feature.FUNCTIONS) is Result.WORKS

    @property
    def has_failed(self) -> bool:
        """Whether the newest probe failed as a whole, or found no interface that can be asked."""
        asked = [self.result(feature) for feature in _INTERFACES if feature in self.findings]
        return bool(self.failure) or (bool(asked) and not any(result in _ANSWERS for result in asked))

    @property
    def words(self) -> str:
        """What the probe found, in one line: why it failed, or what works and what does not."""
        if self.has_failed:
            notes = (self.findings[feature].note for feature in _INTERFACES if feature in self.findings)
            return f"The probe failed: {_one_line(self.failure or next(filter(None, notes), 'nothing answered'))}"
        works = [feature.value for feature in self.findings if self.result(feature) is Result.WORKS]
        refused = [feature.value for feature in self.findings if self.result(feature) is Result.REFUSED]
        parts = (f"Works: {', '.join(works)}." if works else "", f"Refused: {', '.join(refused)}." if refused else "")
        return " ".join(filter(None, parts)) or "Nothing was found out."

    def result(self, feature: Feature) -> Result:
        """What is known about a feature."""
        return self.findings.get(feature, ProbeFinding()).result

    def updated(self, newer: Capabilities) -> Capabilities:
        """The findings of a newer probe. What it left open, and what a person has corrected, is kept from this one.

        If the newer probe is about another endpoint or model, nothing is kept.
        """
        if (self.base_url, self.model) != (newer.base_url, newer.model):
            return newer
        older = self.findings.items()
        lasting = {name: finding for name, finding in older if _outlasts(finding, newer.findings.get(name))}
        findings = {**newer.findings, **lasting}
        kept = {name: findings[name] for name in Feature if name in findings}
        update = {
            "findings": kept,
            "efforts": {**self.efforts, **newer.efforts},
            "picture_form": newer.picture_form if _is_told(newer, Feature.PICTURES) else self.picture_form,
            "models": newer.models or self.models,
        }
        return newer.model_copy(update=update)

    def corrected(self, feature: Feature, result: Result, note: str = "") -> Capabilities:
        """A copy in which a person's finding replaces the probe's."""
        changed = {**self.findings, feature: ProbeFinding(result=result, note=note, by="person")}
        return self.model_copy(update={"findings": changed})


_INTERFACES = (Feature.CHAT, Feature.RESPONSES)
_ANSWERS = (Result.WORKS, Result.ACCEPTED)
_LINE = 300


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LINE else f"{line[: _LINE - 1]}…"


def _is_told(capabilities: Capabilities, feature: Feature) -> bool:
    return capabilities.result(feature) is not Result.UNKNOWN


def _outlasts(older: ProbeFinding, newer: ProbeFinding | None) -> bool:
    """Whether a finding is kept although there may be a newer one."""
    return newer is None or older.by == "person" or newer.result is Result.UNKNOWN


def missing_probes(settings: ModelSettings, capabilities: Capabilities | None) -> frozenset[Feature]:
    """The features that must be probed before a model is asked with these settings."""
    if not settings.provider.is_endpoint:
        return frozenset()
    if capabilities is None:
        return frozenset(Feature) if settings.tools else frozenset(Feature) - {Feature.HOSTED_TOOLS}
    missing = {feature for feature in _parameters(settings) if feature not in capabilities.findings}
    # Hosted tools are part of Responses; if those are refused, there is nothing to try.
    may_have_tools = capabilities.result(Feature.RESPONSES) in (Result.WORKS, Result.UNKNOWN)
    untried = capabilities.result(Feature.HOSTED_TOOLS) is Result.UNKNOWN
    if settings.tools and untried and may_have_tools:
        missing.add(Feature.HOSTED_TOOLS)
    return frozenset(missing)


def _parameters(settings: ModelSettings) -> Iterator[Feature]:
    """The features of parameters that the settings have."""
    if settings.temperature is not None:
        yield Feature.TEMPERATURE
    if settings.top_p is not None:
        yield Feature.TOP_P
