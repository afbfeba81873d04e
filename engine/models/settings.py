"""Settings: which model is asked, and how. They hold no key and may be stored in a project."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from enum import StrEnum
from typing import Any, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

OPENAI_URL = "https://api.openai.com/v1"
_SECRET_NAMES = ("api_key", "apikey", "authorization", "password", "secret")


class Provider(StrEnum):
    """What kind of answerer it is."""

    OPENAI = "openai"
    COMPATIBLE = "compatible"
    OFFLINE = "offline"
    REFERENCE = "reference"
    RANDOM = "random"
    RECORDED = "recorded"
    FUNCTION = "function"
    """A function of somebody's program, which only that program can call."""

    @property
    def is_endpoint(self) -> bool:
        """Whether it is asked over HTTP."""
        return self in (Provider.OPENAI, Provider.COMPATIBLE)


class ReasoningEffort(StrEnum):
    """How hard a reasoning model thinks; each model takes only some of these."""

    NONE = "none"
    MINIMAL = "minimal"
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    XHIGH = "xhigh"
    MAX = "max"


class Structured(StrEnum):
    """How a schema is imposed."""

    AUTO = "auto"
    NATIVE = "native"
    PROMPT = "prompt"
    OFF = "off"


class BudgetNote(StrEnum):
    """How the prompt states the output limit."""

    NONE = "none"
    NUMBER = "number"
    PUBLISHED = "published"


class _SettingsPart(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True, allow_inf_nan=False)


class RateLimits(_SettingsPart):
    """The most that this program asks of an endpoint. None: no limit."""

    requests_per_minute: int | None = Field(
        default=None, ge=1, title="Requests per minute", json_schema_extra={"open": "no limit"}
    )
    tokens_per_minute: int | None = Field(default=None, ge=1)
    parallel: int = Field(default=8, ge=1, le=1000, title="Parallel requests")


class Prices(_SettingsPart):
    """US dollars per million tokens. None: unknown."""

    input_usd: float | None = Field(
        default=None,
        ge=0,
        title="Input price, $/M",
        description="US dollars per million tokens",
        json_schema_extra={"open": "unknown"},
    )
    cached_input_usd: float | None = Field(default=None, ge=0, description="None: as other input")
    output_usd: float | None = Field(
        default=None,
        ge=0,
        title="Output price, $/M",
        description="US dollars per million tokens",
        json_schema_extra={"open": "unknown"},
    )
    as_of: date | None = Field(default=None, description="The day on which these were the prices; None: not noted")
    source: str = Field(default="", max_length=300, description="Where they were read, such as an address")

    @property
    def are_known(self) -> bool:
        """Whether a cost can be computed."""
        return self.input_usd is not None and self.output_usd is not None

    @property
    def words(self) -> str:
        """The prices in a line: "$3 in, $15 out per million tokens (2026-05-01, example.org/prices)"."""
        if self.input_usd is None or self.output_usd is None:
            return "unknown"
        cached = "" if self.cached_input_usd is None else f", ${self.cached_input_usd:g} cached"
        noted = ", ".join(filter(None, (self.as_of.isoformat() if self.as_of else "", self.source)))
        text = f"${self.input_usd:g} in{cached}, ${self.output_usd:g} out per million tokens"
        return f"{text} ({noted})" if noted else text


class ModelSettings(_SettingsPart):
    """Which model is asked, and how."""

    name: str = Field(min_length=1, title="Name", description="What people call it: the name of a run")
    provider: Provider = Provider.COMPATIBLE
    base_url: str | None = Field(
        default=None, title="Address", description="Of the endpoint, such as http://127.0.0.1:11434/v1"
    )
    model: str = Field(default="", title="Model", description="The endpoint's name of the model")
    api: Literal["chat", "responses"] = Field(
        default="chat",
        title="Interface",
        description="Chat Completions or Responses",
        json_schema_extra={"labels": {"chat": "Chat Completions", "responses": "Responses"}},
    )
    account: str | None = Field(default=None, description="Which key, where there are several for the endpoint's host")
    effort: ReasoningEffort | None = Field(
        default=None, title="Reasoning effort", json_schema_extra={"open": "the endpoint's default"}
    )
    show_reasoning: bool = Field(default=False, description="Ask for a summary of the reasoning (Responses only)")
    max_output_tokens: int | None = Field(
        default=None,
        ge=1,
        title="Output limit",
        description="Reasoning included",
        json_schema_extra={"open": "no cap"},
    )
    budget_note: BudgetNote = BudgetNote.NONE
    temperature: float | None = Field(
        default=None,
        ge=0,
        le=2,
        title="Temperature",
        description="0 to 2; not every model accepts it",
        json_schema_extra={"open": "the endpoint's default"},
    )
    top_p: float | None = Field(
        default=None,
        gt=0,
        le=1,
        title="Top-p",
        description="Above 0, up to 1; not every model accepts it",
        json_schema_extra={"open": "the endpoint's default"},
    )
    tools: bool = Field(default=False, description="Hosted code interpreter and web search (Responses only)")
    structured: Structured = Structured.AUTO
    extra_json: str = Field(
        default="{}",
        title="Extra body fields",
        description='More fields for the body of each request, such as {"top_k": 20}; keys belong in the keyring',
        json_schema_extra={"rows": 3},
    )
    timeout_s: float = Field(
        default=3600.0,
        gt=0,
        title="Time limit per try",
        description="A try that takes longer is stopped",
        json_schema_extra={"unit": "s"},
    )
    silence_s: float = Field(
        default=900.0,
        gt=0,
        title="Time limit without data",
        description="A try in which no data come for longer is stopped",
        json_schema_extra={"unit": "s"},
    )
    max_tries: int = Field(default=4, ge=1, le=20)
    max_wait_s: float = Field(default=120.0, ge=0, description="Longest wait that the endpoint may ask for")
    limits: RateLimits = RateLimits()
    prices: Prices = Prices()
    source: str | None = Field(default=None, description="File of recorded answers, or of other offline weights")
    seed: int = Field(default=0, description="Of the random answers")

    @field_validator("base_url")
    @classmethod
    def _plain_url(cls, value: str | None) -> str | None:
        if value is None:
            return None
        parts = urlsplit(value)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("The address has to begin with http:// or https:// and name a host")
        if parts.username or parts.password or parts.query or parts.fragment:
            raise ValueError("The address may hold no key, user name or query; keys belong in the system's keyring")
        return value.rstrip("/")

    @field_validator("extra_json")
    @classmethod
    def _object_without_keys(cls, value: str) -> str:
        try:
            data = json.loads(value)
        except ValueError:
            raise ValueError('The extra fields have to be a JSON object, such as {"top_k": 20}') from None
        if not isinstance(data, dict):
            raise ValueError("The extra fields have to be a JSON object")
        if any(secret in name.lower() for name in data for secret in _SECRET_NAMES):
            raise ValueError("The extra fields may hold no key; keys belong in the system's keyring")
        return json.dumps(data, sort_keys=True)

    @model_validator(mode="after")
    def _complete(self) -> ModelSettings:
        if self.provider is Provider.COMPATIBLE and not self.base_url:
            raise ValueError("An OpenAI-compatible endpoint needs its address")
        if self.provider.is_endpoint and not self.model:
            raise ValueError("An endpoint needs the name of a model")
        return self

    @property
    def url(self) -> str:
        """The address that requests go to."""
        return self.base_url or OPENAI_URL

    @property
    def extra(self) -> Mapping[str, Any]:
        """The additional fields (a fresh copy)."""
        data: dict[str, Any] = json.loads(self.extra_json)
        return data

    def changed(self, **fields: Any) -> ModelSettings:
        """A validated copy with some fields changed."""
        return ModelSettings.model_validate({**self.model_dump(), **fields})
