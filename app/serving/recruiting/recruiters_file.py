"""The recruiter's file: through whom people come, how they prove who they are, and how they go back.

It stands outside of the study's hash, so that it can be corrected; a server reads it at its start. JSON, or TOML if
its name ends in `.toml`.
"""

from __future__ import annotations

import json
import string
import tomllib
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Self
from urllib.parse import quote, urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from spatial_workbench.engine.core.formats.jsontext import format_path

MOST_BYTES = 100_000
LEAST_SECRET_CHARS = 16
LOOPBACK = ("127.0.0.1", "::1", "localhost")
_PLACEHOLDERS = frozenset({"code", "identity"})


class RecruitersFileError(ValueError):
    """A recruiter's file that cannot be used; names the place."""


class RecruiterKind(StrEnum):
    """What kind of recruiter it is, which says what its links look like."""

    PROLIFIC = "prolific"
    SONA = "sona"
    OTHER = "other"


class RecruitOutcome(StrEnum):
    """How taking part ended for somebody whom a recruiter sent."""

    COMPLETE = "complete"
    DECLINED = "declined"
    INELIGIBLE = "ineligible"
    INCOMPATIBLE = "incompatible"
    """The browser or the machine cannot show the study."""
    STOPPED = "stopped"
    TIMEOUT = "timeout"


PERSON_PARAMETERS: Mapping[RecruiterKind, str] = {
    RecruiterKind.PROLIFIC: "PROLIFIC_PID",
    RecruiterKind.SONA: "survey_code",
    RecruiterKind.OTHER: "participant",
}
"""The parameter of a link that says who somebody is; also the column of a person in the recruiter's tables."""


def _checked_template(template: str) -> str:
    """A template of an address, if it is one that may be shown or called."""
    try:
        fields = {field for _, field, _, _ in string.Formatter().parse(template) if field is not None}
        address = urlsplit(template)
        host = address.hostname
    except ValueError:
        raise ValueError("is no address") from None
    if unknown := fields - _PLACEHOLDERS:
        raise ValueError(f"has {{{min(unknown)}}}, but only {{code}} and {{identity}} are replaced")
    if not (host and (address.scheme == "https" or (address.scheme == "http" and host in LOOPBACK))):
        raise ValueError("has to begin with https://")
    if "{" in address.netloc:
        raise ValueError("has a placeholder in its host")
    return template


Template = Annotated[str, Field(max_length=2000), AfterValidator(_checked_template)]
"""An address in which {code} and {identity} are replaced."""
Secret = Annotated[str, Field(min_length=LEAST_SECRET_CHARS, max_length=500)]


class _FilePart(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class WayBack(_FilePart):
    """How people of one outcome go back to the recruiter."""

    code: str = Field(default="", max_length=100, description="Completion code that they are shown")
    link: Template = Field(default="", validate_default=False, description="Where the button leads")
    call: Template = Field(default="", validate_default=False, description="What the server calls, as SONA wants it")
    credit: float = Field(default=0, ge=0, le=1000, description="Credits in the table for the recruiter")


class TokenKeys(_FilePart):
    """How Prolific signs its links."""

    audience: str = Field(min_length=1, description="The claim `aud` has to be this")
    keys: str = Field(min_length=1, description="File with the public keys (JWKS), beside the recruiter's file")
    parameter: str = Field(default="prolific_token", min_length=1)


class Webhook(_FilePart):
    """What the recruiter signs its reports with."""

    secret: Secret


class RecruitersFile(_FilePart):
    """What the leader says of the recruiter."""

    kind: RecruiterKind
    ask: str = Field(min_length=1, max_length=500, description="Whom people can ask; shown on the first page")
    keep_days: int = Field(default=90, ge=1, le=3650, description="How many days an identity is kept after consent")
    study: str = Field(default="", description="STUDY_ID of Prolific; other links are refused")
    token: TokenKeys | None = None
    shared_key: Secret | None = Field(default=None, description="Key of the signatures (HMAC-SHA256, hexadecimal)")
    webhook: Webhook | None = None
    entrance_key: Secret | None = Field(
        default=None, description="With it, the entrance that several servers share asks each of them about people"
    )
    exits: Mapping[RecruitOutcome, WayBack] = {}

    @model_validator(mode="after")
    def _fits_its_kind(self) -> Self:
        if self.token is not None and self.kind is not RecruiterKind.PROLIFIC:
            raise ValueError("token: only links of Prolific have one")
        if self.study and self.kind is not RecruiterKind.PROLIFIC:
            raise ValueError("study: only links of Prolific name one")
        if self.shared_key is not None and self.kind is not RecruiterKind.OTHER:
            raise ValueError("shared_key: only the kind “other” has one")
        if RecruitOutcome.COMPLETE not in self.exits:
            raise ValueError("exits.complete: is missing; say where people go who have finished")
        return self

    @property
    def is_signed(self) -> bool:
        """Whether links prove who somebody is."""
        return self.token is not None or self.shared_key is not None

    def way_back(self, outcome: RecruitOutcome) -> WayBack:
        """How people of an outcome go back; empty where the file says nothing of it."""
        return self.exits.get(outcome, WayBack())


def entry_query(file: RecruitersFile) -> str:
    """What the recruiter has to put behind the entry address, as the recruiter's form wants it."""
    if file.kind is RecruiterKind.PROLIFIC:
        return "PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}"
    if file.kind is RecruiterKind.SONA:
        return "survey_code=%SURVEY_CODE%"
    return "participant=…" + ("&signature=…" if file.is_signed else "")


def filled(template: str, code: str, identity: str) -> str:
    """An address with a completion code and an identity in it; "" where the identity is needed and not known."""
    if "{identity}" in template and not identity:
        return ""
    return template.format(code=quote(code, safe=""), identity=quote(identity, safe="")) if template else ""


def read_recruiters_file(path: Path) -> RecruitersFile:
    """What a file says of the recruiter.

    Raises:
        RecruitersFileError: It cannot be read, or says something wrong; names the place.
    """
    data = read_data(path)
    try:
        return RecruitersFile.model_validate(data)
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        place = format_path(tuple(part for part in fault["loc"] if part != "[key]"))
        raise RecruitersFileError(f"{path.name}: {place}{': ' if place else ''}{_sentence(fault)}.") from None


def read_data(path: Path) -> Any:
    """What a JSON or TOML file holds.

    Raises:
        RecruitersFileError: It cannot be read.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise RecruitersFileError(f"{path} cannot be read: {error.strerror}.") from None
    if len(content) > MOST_BYTES:
        raise RecruitersFileError(f"{path.name} is larger than {MOST_BYTES // 1000} kB.")
    is_toml = path.suffix == ".toml"
    try:
        text = content.decode("utf-8-sig")
        return tomllib.loads(text) if is_toml else json.loads(text)
    except (ValueError, RecursionError) as error:
        raise RecruitersFileError(f"{path.name} is no {'TOML' if is_toml else 'JSON'}: {error}.") from None


def _sentence(fault: Any) -> str:
    known = {"extra_forbidden": "is not known here", "missing": "is missing"}
    message: str = known.get(fault["type"], fault["msg"].removeprefix("Value error, "))
    return (message[:1].lower() + message[1:]).rstrip(".")
