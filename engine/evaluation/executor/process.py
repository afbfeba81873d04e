"""The parent's side of a child process that runs jobs."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import secrets
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, TypeAlias

from engine.core.interpreter import python_command, python_environment
from engine.evaluation.executor.contracts import TRIES, Finished, Job, Outcome, decode_job

_LAST_WORDS_BYTES = 2000
_LAST_WORDS_CHARS = 300

# Results must not depend on the number of cores or on the order of sets, and as many children as there are cores
# leave none for more threads.
_ENVIRONMENT = {
    "MKL_NUM_THREADS": "1",
    "NUMBA_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "PYTHONHASHSEED": "0",
}

# Ctrl-C in the terminal is for the parent; it decides what becomes of the children.
_OUT_OF_THE_TERMINAL: dict[str, Any] = {"start_new_session": True}
if sys.platform == "win32":
    _OUT_OF_THE_TERMINAL = {"creationflags": subprocess.CREATE_NO_WINDOW | subprocess.CREATE_NEW_PROCESS_GROUP}

_Inbox: TypeAlias = "queue.SimpleQueue[tuple[_Child | None, str]]"
"""What children say, "" being their end; and, from nobody, the keys of the jobs to stop."""


class JobProcess:
    """A child process that is kept from job to job, and replaced when it was killed or died.

    One thread runs jobs on it; `stop` may be called from any other.
    """

    def __init__(self, allowed: Iterable[str]) -> None:
        self._allowed = tuple(allowed)
        self._child: _Child | None = None
        self._inbox: _Inbox = queue.SimpleQueue()

    def run(self, text: str) -> Finished:
        """Runs an encoded job to its end, whatever that is.

        A job whose process dies on it or runs out of memory is tried again in a fresh process, since the jobs before
        it may have been the cause.
        """
        job = decode_job(text)
        for tries in range(1, TRIES + 1):
            finished = replace(self._try(job, text), tries=tries)
            if finished.outcome not in (Outcome.DONE, Outcome.FAILED):
                self.close()
            if finished.outcome not in (Outcome.CRASHED, Outcome.OUT_OF_MEMORY):
                break
        return finished

    def stop(self, key: str) -> None:
        """Cancels the job of that key if `run` is running it, or is about to."""
        self._inbox.put((None, key))

    def close(self) -> None:
        """Ends the child process; called by the thread that runs jobs."""
        child, self._child = self._child, None
        if child:
            child.close()

    def _try(self, job: Job, text: str) -> Finished:
        if self._child and not self._child.alive:
            self.close()
        child = self._child = self._child or _Child(self._allowed, self._inbox)
        began = time.monotonic()
        child.send(text)
        outcome, value, message = self._await(child, job.key, began + job.time_limit_s)
        if outcome is Outcome.TIMED_OUT:
            message = f"It was stopped at its time limit of {job.time_limit_s:g} s"
        return Finished(job.key, outcome, value, message, time.monotonic() - began, 1)

    def _await(self, child: _Child, key: str, deadline: float) -> tuple[Outcome, Any, str]:
        """What became of the job: outcome, value and message."""
        while True:
            try:
                sender, text = self._inbox.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                return Outcome.TIMED_OUT, None, ""
            if sender is None and text == key:
                return Outcome.CANCELLED, None, "It was cancelled"
            if sender is child and text:
                reply = json.loads(text)
                return Outcome(reply["outcome"]), reply.get("value"), reply.get("message", "")
            if sender is child:
                return Outcome.CRASHED, None, child.obituary()


class _Child:
    """One child process, from its start to its end."""

    def __init__(self, allowed: tuple[str, ...], inbox: _Inbox) -> None:
        token = secrets.token_hex()
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115
        self._process = subprocess.Popen(
            python_command("-m", "engine.evaluation.executor.child", token, *allowed),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env=python_environment(**_ENVIRONMENT),
            **_OUT_OF_THE_TERMINAL,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._requests, self._replies = self._process.stdin, self._process.stdout
        # It says its token when it is ready: its start does not count as the job's time, and what others print before
        # is no reply.
        while (line := self._replies.readline()) and line.strip() != token.encode():
            continue
        threading.Thread(target=self._listen, args=(inbox,), daemon=True).start()

    def _listen(self, inbox: _Inbox) -> None:
        with self._replies:
            for line in self._replies:
                inbox.put((self, line.decode()))
        inbox.put((self, ""))

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def send(self, text: str) -> None:
        # That it is dead is learnt from the end of its replies.
        with contextlib.suppress(OSError):
            self._requests.write(f"{text}\n".encode())
            self._requests.flush()

    def obituary(self) -> str:
        """How it died, in a sentence."""
        code = self._process.wait()
        cause = f"with exit code {code}" if code >= 0 else f"by {_signal_name(-code)}"
        if code == -9:
            cause += " (perhaps the machine ran out of memory)"
        said = self._last_words()
        return f"Its process died each time, the last time {cause}" + (f'. It said: "{said}"' if said else "")

    def _last_words(self) -> str:
        self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(0, self._errors.tell() - _LAST_WORDS_BYTES))
        lines = self._errors.read().decode(errors="replace").split("\n")
        return next((line.strip()[:_LAST_WORDS_CHARS] for line in reversed(lines) if line.strip()), "")

    def close(self) -> None:
        """Kills it, with all that it started."""
        if self.alive and sys.platform != "win32":
            os.killpg(self._process.pid, signal.SIGKILL)
        else:
            self._process.kill()
        self._process.wait()
        with contextlib.suppress(OSError):
            self._requests.close()
        self._errors.close()


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
