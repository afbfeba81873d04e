"""Models by the names that other tools use, such as "openai/gpt-5": the endpoint, then the endpoint's own name."""

from __future__ import annotations

from collections.abc import Mapping

from spatial_workbench.engine.models.presets import ANTHROPIC_URL, GOOGLE_URL
from spatial_workbench.engine.models.settings import ModelSettings, Provider

ENDPOINTS: Mapping[str, str] = {
    "openai": "",
    "anthropic": ANTHROPIC_URL,
    "google": GOOGLE_URL,
    "openrouter": "https://openrouter.ai/api/v1",
    "ollama": "http://localhost:11434/v1",
    "lmstudio": "http://localhost:1234/v1",
    "vllm": "http://localhost:8000/v1",
}
"""The addresses of endpoints by their names; empty for OpenAI's own, which its client knows."""


def named_model(name: str) -> ModelSettings | None:
    """The settings of a model by such a name; None if it is none, or names an unknown endpoint."""
    endpoint, slash, model = name.partition("/")
    if not (slash and model) or endpoint not in ENDPOINTS:
        return None
    url = ENDPOINTS[endpoint]
    if not url:
        return ModelSettings(name=name, provider=Provider.OPENAI, model=model)
    return ModelSettings(name=name, provider=Provider.COMPATIBLE, base_url=url, model=model)
