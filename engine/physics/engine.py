"""The connection to the physics engine, PyBullet, which prints when it is loaded."""

from __future__ import annotations

from functools import cache, partial
from typing import Any


@cache
def load_engine() -> Any:
    """The engine's module."""
    import pybullet

    return pybullet


class Engine:
    """One connection, which shares nothing with others; it has the functions and constants of the engine's module."""

    def __init__(self) -> None:
        self._module = load_engine()
        self._client = self._module.connect(self._module.DIRECT)

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._module, name)
        if callable(value):
            value = partial(value, physicsClientId=self._client)
        setattr(self, name, value)
        return value

    @property
    def version(self) -> str:
        """The engine's build, which results depend on."""
        return f"bullet API {self._module.getAPIVersion(self._client)}"

    def close(self) -> None:
        """Ends the connection."""
        self._module.disconnect(self._client)
