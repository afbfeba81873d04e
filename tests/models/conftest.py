"""A local server with scripted replies, a keyring in memory, and models that ask the server."""

import json
import threading
import time
from collections import deque
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.errors import PasswordDeleteError

from spatial_workbench.engine.models.endpoint import EndpointModel
from spatial_workbench.engine.models.settings import ModelSettings


@dataclass
class ScriptedReply:
    """What the server does with one request: sends the parts in order.

    A number is a pause in seconds; an event is waited for.
    """

    parts: list = field(default_factory=list)
    status: int = 200
    headers: dict = field(default_factory=dict)
    content_type: str = "text/event-stream"


@dataclass
class Seen:
    """A request that the server received."""

    path: str
    headers: dict
    body: dict
    at: float


def sse(data):
    return f"data: {json.dumps(data)}\n\n".encode()


def delta(content=None, finish=None, **more):
    return sse(
        {"id": "c1", "model": "tiny", "choices": [{"delta": {"content": content, **more}, "finish_reason": finish}]}
    )


def usage(**counts):
    return sse({"id": "c1", "choices": [], "usage": counts})


DONE = b"data: [DONE]\n\n"


def chat(text="hello", finish="stop", prompt_tokens=10, completion_tokens=5, **more):
    """A whole answer of Chat Completions."""
    counts = usage(prompt_tokens=prompt_tokens, completion_tokens=completion_tokens, **more)
    return ScriptedReply([delta(text), delta(finish=finish), counts, DONE])


def called(*calls, text=None):
    """An answer of Chat Completions that calls functions: the name and the arguments of each, in two pieces."""
    pieces = [delta(text)] if text else []
    for place, (name, arguments) in enumerate(calls):
        words = json.dumps(arguments)
        first = {"index": place, "id": f"call-{place}", "function": {"name": name, "arguments": words[:3]}}
        pieces.append(delta(tool_calls=[first]))
        pieces.append(delta(tool_calls=[{"index": place, "function": {"arguments": words[3:]}}]))
    return ScriptedReply([*pieces, delta(finish="tool_calls"), usage(prompt_tokens=10, completion_tokens=5), DONE])


def refuse(status, message, code=None, **headers):
    error = {"message": message, "code": code, "type": None, "param": None}
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    return ScriptedReply([json.dumps({"error": error}).encode()], status, headers, "application/json")


def event(kind, **fields):
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **fields})}\n\n".encode()


class ScriptedServer:
    """A real HTTP server that gives its `answers` in order, then repeats the last. An answer may depend on the body."""

    def __init__(self):
        self.answers = deque()
        self.seen = []
        self.broken_off = 0
        self.running = 0
        self.most_at_a_time = 0
        self._lock = threading.Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                outer._handle(self, {})

            def do_POST(self):
                outer._handle(self, json.loads(self.rfile.read(int(self.headers["content-length"]))))

            def log_message(self, *arguments):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def close(self):
        self._server.shutdown()
        self._server.server_close()

    def _handle(self, handler, body):
        with self._lock:
            self.seen.append(Seen(handler.path, dict(handler.headers), body, time.monotonic()))
            answer = self.answers.popleft() if len(self.answers) > 1 else self.answers[0]
            self.running += 1
            self.most_at_a_time = max(self.most_at_a_time, self.running)
        try:
            self._send(handler, answer(body) if callable(answer) else answer)
        except OSError:
            self.broken_off += 1
        finally:
            with self._lock:
                self.running -= 1

    def _send(self, handler, reply):
        handler.send_response(reply.status)
        for name, value in {"content-type": reply.content_type, "connection": "close", **reply.headers}.items():
            handler.send_header(name, value)
        handler.end_headers()
        for part in reply.parts:
            if isinstance(part, bytes):
                handler.wfile.write(part)
                handler.wfile.flush()
            else:
                self._pause(handler, part)
        handler.close_connection = True

    def _pause(self, handler, part):
        """Waits in small steps, to notice if the client has disconnected."""
        is_event = isinstance(part, threading.Event)
        end = time.monotonic() + (0 if is_event else part)
        while not part.is_set() if is_event else time.monotonic() < end:
            time.sleep(0.02)
            if _has_left(handler.connection):
                raise ConnectionError


def _has_left(connection):
    import socket

    connection.setblocking(False)
    try:
        return connection.recv(1, socket.MSG_PEEK) == b""
    except BlockingIOError:
        return False
    finally:
        connection.setblocking(True)


class MemoryKeyring(KeyringBackend):
    """A keyring that lasts for one test."""

    priority = 1

    def __init__(self):
        super().__init__()
        self.entries = {}

    def get_password(self, service, username):
        return self.entries.get((service, username))

    def set_password(self, service, username, password):
        self.entries[service, username] = password

    def delete_password(self, service, username):
        if (service, username) not in self.entries:
            raise PasswordDeleteError
        del self.entries[service, username]


@pytest.fixture(autouse=True)
def own_keyring(monkeypatch):
    """Hides a person's keys from the tests."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    before = keyring.get_keyring()
    own = MemoryKeyring()
    keyring.set_keyring(own)
    yield own
    keyring.set_keyring(before)


@pytest.fixture
def server():
    """A server with scripted replies."""
    server = ScriptedServer()
    yield server
    server.close()


@pytest.fixture
def model_of():
    """Makes endpoint models that give up quickly; closes them after the test."""
    models = []

    def make(url, capabilities=None, **settings):
        settings = {"name": "test", "model": "tiny", "timeout_s": 10, "silence_s": 5, "max_wait_s": 2} | settings
        models.append(EndpointModel(ModelSettings(base_url=url, **settings), capabilities))
        return models[-1]

    yield make
    for model in models:
        model.close()


@pytest.fixture
def no_pauses(monkeypatch):
    """Removes the pauses between tries."""
    monkeypatch.setattr("spatial_workbench.engine.models.asking._FIRST_PAUSE_S", 0.01)
