"""The models that a person has set up, kept in a file of theirs, beside those that always exist. It holds no keys."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from engine.models.capabilities import Capabilities
from engine.models.presets import published_presets
from engine.models.settings import ModelSettings, Provider


class LibraryProblem(Exception):
    """The file of models cannot be used; the message is for a person."""


class KnownModel(BaseModel):
    """Settings, what a probe found of their endpoint, and what there is to say about them."""

    model_config = ConfigDict(frozen=True)

    settings: ModelSettings
    capabilities: Capabilities | None = None
    note: str = ""
    is_own: bool = True
    is_reachable: bool = True


class _File(BaseModel):
    models: tuple[KnownModel, ...] = ()


class ModelLibrary:
    """Reads and writes the file; `path` is another one than the person's in tests."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or _usual_path()

    def all(self) -> list[KnownModel]:
        """Those that always exist, then the person's own, then the published presets, in an order that stays.

        Raises:
            LibraryProblem: the file cannot be read.
        """
        own = {one.settings.name: one for one in self._read()}
        presets = [own.pop(preset.settings.name, preset) for preset in _presets()]
        return [*_always(), *own.values(), *presets]

    def find(self, name: str) -> KnownModel:
        """The model of that name.

        Raises:
            LibraryProblem: there is none, or the file cannot be read.
        """
        known = self.all()
        for one in known:
            if one.settings.name == name:
                return one
        raise LibraryProblem(f"There is no model “{name}”. Models: {', '.join(one.settings.name for one in known)}.")

    def put(self, settings: ModelSettings, capabilities: Capabilities | None = None, renamed_from: str = "") -> None:
        """Adds a model, or changes the one of its name (or the one called `renamed_from`), which keeps its place.

        Without `capabilities` those that are known stay, as long as it is the same model of the same endpoint.

        Raises:
            LibraryProblem: it has the name of one that always exists, or the file cannot be read or written.
        """
        if any(one.settings.name == settings.name for one in _always()):
            raise LibraryProblem(f"“{settings.name}” always exists and cannot be another model.")
        models = self._read()
        old_name = renamed_from or settings.name
        place = next((k for k, one in enumerate(models) if one.settings.name == old_name), len(models))
        if capabilities is None and place < len(models):
            known = models[place].capabilities
            capabilities = known if known is not None and _is_about(known, settings) else None
        models[place : place + 1] = [KnownModel(settings=settings, capabilities=capabilities)]
        self._write([one for k, one in enumerate(models) if k == place or one.settings.name != settings.name])

    def learn(self, name: str, found: Capabilities) -> None:
        """Adds what a probe found to what is known of a model; findings about another endpoint are passed over.

        Raises:
            LibraryProblem: there is no such model (any more), or as `put`.
        """
        known = self.find(name)
        if _is_about(found, known.settings):
            merged = found if known.capabilities is None else known.capabilities.updated(found)
            self.put(known.settings, merged)

    def remove(self, name: str) -> None:
        """Forgets a model of the person's; nothing happens where there is none. Raises LibraryProblem as `put`."""
        self._write([one for one in self._read() if one.settings.name != name])

    def _read(self) -> list[KnownModel]:
        try:
            return list(_File.model_validate_json(self.path.read_bytes()).models)
        except FileNotFoundError:
            return []
        except (OSError, ValidationError) as error:
            reason = error.errors()[0]["msg"] if isinstance(error, ValidationError) else str(error)
            raise LibraryProblem(f"The file of models “{self.path}” cannot be read: {reason}") from None

    def _write(self, models: list[KnownModel]) -> None:
        part = self.path.with_suffix(f".{os.getpid()}.part")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            part.write_text(_File(models=tuple(models)).model_dump_json(indent=1), "utf-8")
            part.replace(self.path)
        except OSError as error:
            raise LibraryProblem(f"The file of models “{self.path}” cannot be written: {error}") from None


def _is_about(found: Capabilities, settings: ModelSettings) -> bool:
    return (found.base_url, found.model) == (settings.url, settings.model)


def _always() -> Iterator[KnownModel]:
    notes = {
        Provider.REFERENCE: "The reference solutions of the tasks; needs nobody.",
        Provider.RANDOM: "Answers drawn at random from the answer's schema: the baseline.",
        Provider.OFFLINE: "A small real model on this machine, for trying things out; it solves nothing.",
    }
    for provider, note in notes.items():
        settings = ModelSettings(name=provider.value, provider=provider)
        if provider is Provider.OFFLINE:
            # Its context has to hold the prompt as well; a small model that rambles is stopped.
            settings = settings.changed(max_output_tokens=1024, limits={"parallel": 1})
        yield KnownModel(settings=settings, note=note, is_own=False)


def _presets() -> Iterator[KnownModel]:
    for preset in published_presets():
        note = f"Published setting of SCBench. {preset.note}".strip()
        yield KnownModel(settings=preset.settings, note=note, is_own=False, is_reachable=preset.reachable)


def _usual_path() -> Path:
    from platformdirs import user_config_path

    return user_config_path("spatial-workbench", appauthor=False) / "models.json"
