"""Models behind an HTTP endpoint: OpenAI's, and all that are compatible with it."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pydantic import SecretStr

from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.core.extras import require
from spatial_workbench.engine.models import bounds, loop
from spatial_workbench.engine.models.asking import Asking
from spatial_workbench.engine.models.capabilities import Capabilities, Feature, Result
from spatial_workbench.engine.models.contracts import ErrorKind, ModelError, Request, Response
from spatial_workbench.engine.models.keys import find_key
from spatial_workbench.engine.models.quirks import known_quirks
from spatial_workbench.engine.models.rate_limits import gate
from spatial_workbench.engine.models.settings import OPENAI_URL, ModelSettings

if TYPE_CHECKING:
    from openai import AsyncOpenAI

_CONNECT_S = 10.0
_THIS_MACHINE = ("localhost", "127.0.0.1", "::1")
_NO_KEY = "none"
"""Local servers need no key, but the client requires one."""


class EndpointModel:
    """A model that is asked over HTTP; an `Answerer`.

    `capabilities` is what a probe found. Without it, the endpoint is assumed to support what OpenAI's does, except
    hosted tools.
    """

    def __init__(self, settings: ModelSettings, capabilities: Capabilities | None = None) -> None:
        self.settings = settings
        self._capabilities = capabilities
        self._quirks = known_quirks(settings, capabilities)
        self._lock = threading.Lock()
        self._client: AsyncOpenAI | None = None
        self._key: SecretStr | None = None

    def ask(self, request: Request, progress: Progress = silent) -> Response:
        """The answer; see `Answerer.ask`."""
        self._check_tools()
        client = self._connected()
        shared = gate(self.settings.url, self.settings.limits)
        asking = Asking(client, self.settings, request, shared, self._quirks, self._key)
        begin = time.monotonic()
        total_s = request.timeout_s or self.settings.timeout_s

        def watch() -> None:
            progress(min(time.monotonic() - begin, total_s), total_s, asking.phase)

        return loop.run(asking.answer(), watch)

    def close(self) -> None:
        """Closes the connections."""
        with self._lock:
            client = self._client
            self._client = None
        if client is not None:
            loop.run(client.close())

    def _connected(self) -> AsyncOpenAI:
        with self._lock:
            if self._client is None:
                self._key = find_key(self.settings)
                self._client = connect(self.settings, self._key)
            return self._client

    def _check_tools(self) -> None:
        if not self.settings.tools:
            return
        if self.settings.api != "responses":
            advice = "Hosted tools are part of the Responses API only; this endpoint is asked by Chat Completions."
            raise ModelError(ErrorKind.BAD_REQUEST, advice=advice)
        if self._capabilities is None or self._capabilities.result(Feature.HOSTED_TOOLS) is not Result.WORKS:
            advice = "No probe has shown that hosted tools work there; probe the endpoint first."
            raise ModelError(ErrorKind.BAD_REQUEST, advice=advice)


def connect(settings: ModelSettings, key: SecretStr | None) -> AsyncOpenAI:
    """A client that neither retries nor times out by itself: `Asking` is responsible for tries and deadlines."""
    require("models", "openai")
    from openai import AsyncOpenAI, DefaultAsyncHttpxClient, Timeout

    # A company's proxy cannot reach this machine.
    is_local = urlsplit(settings.url).hostname in _THIS_MACHINE
    client = AsyncOpenAI(
        base_url=settings.url,
        api_key=key.get_secret_value() if key else _NO_KEY,
        max_retries=0,
        timeout=Timeout(None, connect=_CONNECT_S),
        http_client=DefaultAsyncHttpxClient(trust_env=not is_local, event_hooks=bounds.hooks()),
        default_headers=bounds.NO_COMPRESSION,
    )
    if settings.url != OPENAI_URL:
        # The client takes these from the environment; other endpoints must not see them.
        client.organization = client.project = client.admin_api_key = None
    return client
