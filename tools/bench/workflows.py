"""Measurements of workflows: a default hierarchical run through a server that takes 3 s for every answer."""

from __future__ import annotations

import json
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spatial_workbench.engine.machines.building.tree import MachineBlock, Tree, write_tree
from spatial_workbench.engine.machines.levels.references import references

if TYPE_CHECKING:
    from tools.bench.main import Measurement

ANSWER_S = 3.0
STRUCTURES = 3
_TOPS = ((0, 4), (1, 5), (2, 5), (1, 6), (2, 6))
"""Blocks and faces of the example car on which something can be put, one after the other."""
_TYPES = (15, 35, 1, 63, 41)
_BY_FORM = {
    "build_order": "meta-designer",
    "<Summary of Design Defects>": "inspector",
    "has not been simulated yet": "blind refiner",
    "<Modification Steps>": "refiner",
    "<Required Feedback>": "querier",
}
"""What the system text of each role has that those above it have not."""


@dataclass
class StandInRequest:
    """A request in the log: who was asked, and when it began and ended, in seconds since the server's start."""

    role: str
    begun_s: float
    ended_s: float = float("inf")


class StandIn:
    """A server that answers for all roles of a workflow: every design is a car, and every machine a little different.

    Attributes:
        url: The address of its endpoint.
        log: The requests in the order in which they came.
    """

    def __init__(self, wait: Callable[[StandInRequest], None], first: int = 0) -> None:
        """Starts the server.

        Args:
            wait: Called in the request's thread before it is answered.
            first: The number of the first design; other numbers are other machines.
        """
        self.log: list[StandInRequest] = []
        self._wait = wait
        self._first = first
        self._lock = threading.Lock()
        self._begin = time.monotonic()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                outer._answer(self, body)

            def log_message(self, *arguments: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def close(self) -> None:
        """Ends the server."""
        self._server.shutdown()
        self._server.server_close()

    def phases(self) -> list[tuple[str, int]]:
        """The log in short: which role was asked, and how many at once, phase after phase.

        A phase holds the requests of a role that began before another one of them had ended.
        """
        found: list[tuple[str, int]] = []
        end = 0.0
        for request in self.log:
            if found and found[-1][0] == request.role and request.begun_s < end:
                found[-1] = request.role, found[-1][1] + 1
                end = min(end, request.ended_s)
            else:
                found.append((request.role, 1))
                end = request.ended_s
        return found

    def _answer(self, handler: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
        system, user = (message["content"] for message in body["messages"])
        request = StandInRequest(_role_in(system), time.monotonic() - self._begin)
        with self._lock:
            number = self._first + sum(other.role == request.role for other in self.log)
            self.log.append(request)
        self._wait(request)
        request.ended_s = time.monotonic() - self._begin
        choices = {"delta": {"content": _answer_of(request.role, user, number)}, "finish_reason": "stop"}
        events = {"id": "1", "model": "stand-in", "choices": [choices]}, {"id": "1", "choices": [], "usage": _USAGE}
        handler.send_response(200)
        handler.send_header("content-type", "text/event-stream")
        handler.end_headers()
        handler.wfile.write("".join(f"data: {json.dumps(event)}\n\n" for event in events).encode())
        handler.wfile.write(b"data: [DONE]\n\n")


_USAGE = {"prompt_tokens": 1000, "completion_tokens": 100}


def _role_in(system: str) -> str:
    return next((role for form, role in _BY_FORM.items() if form in system), "designer")


def _answer_of(role: str, user: str, number: int) -> str:
    """The answer to the request of that number to a role."""
    if role == "meta-designer":
        names = [f"part {k}" for k in range(STRUCTURES)]
        structures = {name: {"block_id": [*_TYPES, 2], "guidance": "so"} for name in names}
        return json.dumps({"build_order": names, "machine_structure": structures})
    if role == "designer":
        return f"So.\n```json\n{json.dumps(write_tree(_design(number)))}\n```"
    if role == "inspector":
        return "<Summary of Design Defects>[]</Summary of Design Defects>"
    if role == "querier":
        return '<Required Feedback>[{"id": 0, "duration": [0, 1], "properties": ["velocity"]}]</Required Feedback>'
    block, face = _TOPS[user.partition("3D INFORMATION")[0].count('"face_id"') - len(_design(0)) + 1]
    return f"<Modification Steps>\nAdd [{_TYPES[number % 5]}] to [{block}] in [{face}]\n</Modification Steps>"


def _car() -> Tree:
    return references()["M1"].tree


def _design(number: int) -> Tree:
    """The car with two blocks on top of it, and something at its nose; 125 different ones."""
    car = _car()
    count = len(_TYPES)
    kinds = _TYPES[number % count], _TYPES[number // count % count], _TYPES[number // count**2 % count]
    last = len(car)
    places = _TOPS[0], (last, 0), (1, 0)
    return (*car, *(MachineBlock(kind, last + k, *at) for k, (kind, at) in enumerate(zip(kinds, places, strict=True))))


def default_run() -> Iterator[float]:
    """Seconds of a run with all settings as usual, by seconds of one that asks and simulates one after the other."""
    from spatial_workbench.engine.machines.levels.catalogue import level_of
    from spatial_workbench.engine.physics.machine_results import simulated

    # Where nothing was simulated before, the first simulation compiles its loops.
    simulated(_car(), level_of("M1"))
    with tempfile.TemporaryDirectory() as folder:
        # Other machines, because what was simulated is remembered.
        serial_s = _run_s(Path(folder) / "serial.workbench", 24, {"parallel": 1})
        yield _run_s(Path(folder) / "usual.workbench", 0, {}) / serial_s


def _run_s(path: Path, first: int, limits: dict[str, int]) -> float:
    server = StandIn(lambda _: time.sleep(ANSWER_S), first)
    try:
        run_default(server.url, path, limits)
    finally:
        server.close()
    return server.log[-1].ended_s - server.log[0].begun_s


def run_default(url: str, path: Path, limits: dict[str, int] | None = None) -> None:
    """A batch with one run of the hierarchical workflow in a new project at a path, its options as usual.

    limits: Of the model, where they are not as usual.
    """
    from spatial_workbench.engine.core.agents import AgentPlan
    from spatial_workbench.engine.evaluation.planning.plan import BatchPlan, Contender
    from spatial_workbench.engine.evaluation.runner import run_batch
    from spatial_workbench.engine.models import ModelSettings, RateLimits
    from spatial_workbench.engine.store import Project

    settings = ModelSettings(name="stand-in", model="stand-in", base_url=url, limits=RateLimits(**limits or {}))
    agent = AgentPlan(kind="hierarchical")
    plan = BatchPlan(
        name="bench", contenders=(Contender(settings=settings),), addresses=("machine_movement:0",), agent=agent
    )
    with Project.create(path) as project:
        batch = project.batches.add(plan.name, plan.model_dump_json(), plan.questions())
    run_batch(path, batch)


def measurements() -> Iterator[Measurement]:
    """The line of the table."""
    from tools.bench.main import Measurement

    name = f"workflow: a default hierarchical run, {ANSWER_S:g} s an answer / one after the other"
    yield Measurement(name, "", "< 0.25", default_run)
