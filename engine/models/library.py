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
        """Those that always exist, then the person's own, then the published presets that nobody has set up yet.

        Raises:
            LibraryProblem: the file cannot be read.
        """
        own = self._read()
        taken = {one.settings.name for one in own}
        presets = [one for one in _presets() if one.settings.name not in taken]
        return [*_always(), *own, *presets]

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

    def put(self, settings: ModelSettings, capabilities: Capabilities | None = None) -> None:
        """Adds a model, or changes the one of its name.

        Raises:
            LibraryProblem: it has the name of one that always exists, or the file cannot be read or written.
        """
        if any(one.settings.name == settings.name for one in _always()):
            raise LibraryProblem(f"“{settings.name}” always exists and cannot be another model.")
        others = [one for one in self._read() if one.settings.name != settings.name]
        self._write([*others, KnownModel(settings=settings, capabilities=capabilities)])

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
