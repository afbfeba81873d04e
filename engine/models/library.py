"""The models that a person has set up, stored in a file of their own, and those that always exist. It holds no keys."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel, ValidationError

from spatial_workbench.engine.core.errors import meant
from spatial_workbench.engine.models.capabilities import Capabilities
from spatial_workbench.engine.models.named import named_model
from spatial_workbench.engine.models.presets import published_presets
from spatial_workbench.engine.models.price_table import KnownModel, LibraryProblem, PriceTable, with_price, write_part
from spatial_workbench.engine.models.settings import ModelSettings, Provider


class _File(BaseModel):
    models: tuple[KnownModel, ...] = ()


class ModelLibrary:
    """Reads and writes the file of models: `path`, or the one in the user's folder for configuration."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or _usual_path()
        self.prices = PriceTable(self.path.with_name("prices.json"))

    def all(self) -> list[KnownModel]:
        """The models that always exist, then the person's own, then the published presets, in a stable order.

        Raises:
            LibraryProblem: The file cannot be read.
        """
        own = {model.settings.name: model for model in self._read()}
        presets = [own.pop(preset.settings.name, preset) for preset in _presets()]
        return [*_always(), *own.values(), *presets]

    def find(self, name: str) -> KnownModel:
        """The model of that name.

        Raises:
            LibraryProblem: There is none, or the file cannot be read.
        """
        models = {model.settings.name: model for model in reversed(self.all())}
        if name not in models:
            if (settings := named_model(name)) is not None:
                return KnownModel(settings=settings)
            known = list(reversed(models))
            near = meant(name, known) or "."
            raise LibraryProblem(f"There is no model “{name}”{near} Models: {', '.join(known)}.")
        return models[name]

    def priced(self, name: str) -> KnownModel:
        """The model of that name, as it is asked: what it has no prices for of its own comes from the table of prices.

        Raises:
            LibraryProblem: As `find`, or the table cannot be read.
        """
        return self.prices.applied(self.find(name))

    def all_priced(self) -> list[KnownModel]:
        """All models as they are asked, with their prices. Raises LibraryProblem as `priced`."""
        entries = self.prices.entries()
        return [with_price(model, entries) for model in self.all()]

    def store_model(
        self, settings: ModelSettings, capabilities: Capabilities | None = None, renamed_from: str = ""
    ) -> None:
        """Adds a model, or replaces the model of that name (or called `renamed_from`) in its place.

        Without `capabilities`, those already known are kept if they are about the same model of the same endpoint.

        Raises:
            LibraryProblem: The name belongs to a model that always exists, or the file cannot be read or written.
        """
        if any(model.settings.name == settings.name for model in _always()):
            raise LibraryProblem(f"“{settings.name}” always exists and cannot be another model.")
        models = self._read()
        old_name = renamed_from or settings.name
        place = next((k for k, model in enumerate(models) if model.settings.name == old_name), len(models))
        if capabilities is None and place < len(models):
            older = models[place].capabilities
            capabilities = older if older is not None and _is_about(older, settings) else None
        models[place : place + 1] = [KnownModel(settings=settings, capabilities=capabilities)]
        self._write([model for k, model in enumerate(models) if k == place or model.settings.name != settings.name])

    def learn(self, name: str, capabilities: Capabilities) -> None:
        """Adds a probe's findings to what is known about a model; findings about another endpoint are ignored.

        Raises:
            LibraryProblem: The model does not exist (any more), or as `store_model`.
        """
        model = self.find(name)
        if _is_about(capabilities, model.settings):
            merged = capabilities if model.capabilities is None else model.capabilities.updated(capabilities)
            self.store_model(model.settings, merged)

    def remove(self, name: str) -> None:
        """Removes one of the person's models, if it exists. Raises LibraryProblem as `store_model`."""
        self._write([model for model in self._read() if model.settings.name != name])

    def _read(self) -> list[KnownModel]:
        try:
            return list(_File.model_validate_json(self.path.read_bytes()).models)
        except FileNotFoundError:
            return []
        except (OSError, ValidationError) as error:
            reason = error.errors()[0]["msg"] if isinstance(error, ValidationError) else str(error)
            raise LibraryProblem(f"The file of models “{self.path}” cannot be read: {reason}") from None

    def _write(self, models: list[KnownModel]) -> None:
        write_part(self.path, _File(models=tuple(models)).model_dump_json(indent=1), "models")


def _is_about(capabilities: Capabilities, settings: ModelSettings) -> bool:
    return (capabilities.base_url, capabilities.model) == (settings.url, settings.model)


def _always() -> Iterator[KnownModel]:
    notes = {
        Provider.REFERENCE: "The reference solutions of the tasks; no model is asked.",
        Provider.RANDOM: "Answers drawn at random from the answer's schema: the baseline.",
        Provider.OFFLINE: "A small real model on this machine, for trying things out; it solves nothing.",
    }
    for provider, note in notes.items():
        settings = ModelSettings(name=provider.value, provider=provider)
        if provider is Provider.OFFLINE:
            # The context has to hold the prompt as well, and a small model that rambles has to be stopped.
            settings = settings.changed(
                max_output_tokens=1024, limits={"parallel": 1}, prices={"input_usd": 0, "output_usd": 0}
            )
        yield KnownModel(settings=settings, note=note, is_own=False)


def _presets() -> Iterator[KnownModel]:
    for preset in published_presets():
        note = f"Published setting of SCBench. {preset.note}".strip()
        yield KnownModel(settings=preset.settings, note=note, is_own=False, is_reachable=preset.reachable)


def _usual_path() -> Path:
    from platformdirs import user_config_path

    return user_config_path("spatial-workbench", appauthor=False) / "models.json"
