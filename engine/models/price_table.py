"""The table of prices that people edit: what tokens cost, by endpoint and model, with date and source of each price.

A batch keeps the prices that it was started with in its plan, so that edits of the table never change recorded costs.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from spatial_workbench.engine.models.capabilities import Capabilities
from spatial_workbench.engine.models.settings import ModelSettings, Prices


class LibraryProblem(Exception):
    """The file of models, or that of prices, cannot be used; the message is for a person."""


class KnownModel(BaseModel):
    """A model's settings, what a probe found out about its endpoint, and a note for people.

    `is_own` says whether a person set it up; `is_reachable` whether this program can ask it at all.
    """

    model_config = ConfigDict(frozen=True)

    settings: ModelSettings
    capabilities: Capabilities | None = None
    note: str = ""
    is_own: bool = True
    is_reachable: bool = True


class PriceEntry(BaseModel):
    """The prices of a model, at one endpoint or at all."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str = Field(min_length=1, max_length=300, description="The endpoint's name of the model")
    host: str = Field(default="", max_length=300, description="Of the endpoint, such as api.example.org; empty: any")
    prices: Prices


class _File(BaseModel):
    prices: tuple[PriceEntry, ...] = ()


class PriceTable:
    """Reads and writes the file of prices."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def entries(self) -> tuple[PriceEntry, ...]:
        """All prices, in the order in which they were stored.

        Raises:
            LibraryProblem: The file cannot be read.
        """
        try:
            return _File.model_validate_json(self.path.read_bytes()).prices
        except FileNotFoundError:
            return ()
        except (OSError, ValidationError) as error:
            reason = error.errors()[0]["msg"] if isinstance(error, ValidationError) else str(error)
            raise LibraryProblem(f"The file of prices “{self.path}” cannot be read: {reason}") from None

    def store(self, entries: Sequence[PriceEntry]) -> None:
        """Replaces all prices.

        Raises:
            LibraryProblem: Two entries are about the same model of the same endpoint, or the file cannot be written.
        """
        keys = [(entry.host, entry.model) for entry in entries]
        twice = next((key for key in keys if keys.count(key) > 1), None)
        if twice is not None:
            raise LibraryProblem(f"There are two prices for “{twice[1]}” at “{twice[0] or 'any endpoint'}”.")
        write_part(self.path, _File(prices=tuple(entries)).model_dump_json(indent=1), "prices")

    def applied(self, model: KnownModel) -> KnownModel:
        """A model with its prices. Raises LibraryProblem as `entries`."""
        return with_price(model, self.entries())


def with_price(model: KnownModel, entries: Sequence[PriceEntry]) -> KnownModel:
    """A model with the prices of a table, unless it has prices of its own or the table has none for it."""
    settings = model.settings
    if settings.prices.are_known or not settings.provider.is_endpoint:
        return model
    host = host_of(settings)
    for entry in sorted(entries, key=lambda entry: entry.host == ""):
        if entry.model == settings.model and entry.host in (host, ""):
            return model.model_copy(update={"settings": settings.changed(prices=entry.prices)})
    return model


def host_of(settings: ModelSettings) -> str:
    """The host of a model's endpoint, with the port if its address names one."""
    return urlsplit(settings.url).netloc.lower()


def write_part(path: Path, text: str, what: str) -> None:
    """Writes a file as a whole or not at all. Raises LibraryProblem."""
    part = path.with_suffix(f".{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(text, "utf-8")
        part.replace(path)
    except OSError as error:
        raise LibraryProblem(f"The file of {what} “{path}” cannot be written: {error}") from None
