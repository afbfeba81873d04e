"""The connection to the physics engine, PyBullet, which prints when it is loaded."""

from __future__ import annotations

from functools import cache, partial
from typing import Any


@cache
def load_engine() -> Any:
    """The engine's module."""
    import pybullet

    return pybullet


_IDLE: list[int] = []
"""Connections that worlds have left, in this process."""


class Engine:
    """One connection, which shares nothing with others; it has the functions and constants of the engine's module."""

    def __init__(self) -> None:
        self._module = load_engine()
        self._client = self._connect()

    def _connect(self) -> int:
        return int(self._module.connect(self._module.DIRECT))

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


class EmptiedEngine(Engine):
    """A connection that may have served another world, of which nothing is left: the engine begins a new world in it.

    That takes a twentieth of the time of a new connection, 10 ms, which counts where simulations are short. Those who
    use it set every parameter that they rely on.
    """

    def _connect(self) -> int:
        try:
            client = _IDLE.pop()
        except IndexError:
            return super()._connect()
        self._module.resetSimulation(physicsClientId=client)
        return client

    def leave(self) -> None:
        """Leaves the connection for another world, or ends it if one waits already. Instead of `close`, and once."""
        if _IDLE:
            self.close()
        else:
            _IDLE.append(self._client)
