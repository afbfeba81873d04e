"""Runs commands that judge: one answer in a process, or many answers with one process, a line for each.

Each command is a group of processes that ends with it, after its time, or as soon as whoever asks it has ended, however
that was: a guard in a process of its own sees to the last.
"""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from typing import IO

from spatial_workbench.engine.evaluation.laboratory.own.replies import MOST_BYTES, ReplyFault

_ERRORS_BYTES = 10_000
_LAST_SECOND = 1.0
_PIECE = 65_536
_GUARD = """
import os, signal, sys
groups = set()
for line in sys.stdin:
    groups ^= {int(line)}
for group in groups:
    try:
        os.killpg(group, signal.SIGKILL)
    except OSError:
        pass
"""
"""Takes the numbers of groups, each when it begins and when it has ended; ends those that are left with its parent."""


class GroupGuard:
    """Ends groups of processes when this process ends, even by force; does nothing where there are no groups."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def note(self, group: int) -> None:
        """Says that a group has begun, or, the second time, that it has ended."""
        if os.name != "posix":
            return
        if self._process is None:
            words = [sys.executable, "-I", "-S", "-c", _GUARD]
            self._process = subprocess.Popen(words, stdin=subprocess.PIPE, start_new_session=True)
        stream = self._process.stdin
        assert stream is not None
        try:
            stream.write(f"{group}\n".encode())
            stream.flush()
        except OSError:
            # Somebody has ended the guard; commands are still ended by those who ask them.
            self._process = None

    def close(self) -> None:
        """Ends the guard, with the groups that are left."""
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
            wait_for(self._process, _LAST_SECOND)
        self._process = None


class _Kept:
    """The beginning of a stream, read by a thread; whoever writes more finds nobody to read it."""

    def __init__(self, stream: IO[bytes] | None, most: int, ended: threading.Event | None = None) -> None:
        self._pieces: list[bytes] = []
        self._ended = ended
        self.thread = threading.Thread(target=self._read, args=(stream, most), daemon=True)
        self.thread.start()

    @property
    def contents(self) -> bytes:
        return b"".join(self._pieces)

    def _read(self, stream: IO[bytes] | None, most: int) -> None:
        if stream is None:
            return
        left = most
        while left and (piece := os.read(stream.fileno(), min(left, _PIECE))):
            self._pieces.append(piece)
            left -= len(piece)
        stream.close()
        if self._ended is not None:
            self._ended.set()


def printed_by(words: Sequence[str], case: bytes, seconds: float, guard: GroupGuard) -> bytes:
    """What a command prints on its standard output, at most a byte more than is read of a reply.

    A command that has ended has said everything, even if a child of it keeps its output open.

    Raises:
        ReplyFault: It cannot be started, or ended with an exit code.
        TimeoutError: It took too long, and was ended.
    """
    process = _started(words)
    guard.note(process.pid)
    done = threading.Event()
    printed = _Kept(process.stdout, MOST_BYTES + 1, done)
    errors = _Kept(process.stderr, _ERRORS_BYTES)
    # None of these threads is waited for in vain: a child of the command may keep the streams open after its end.
    threading.Thread(target=_feed, args=(process.stdin, case), daemon=True).start()
    threading.Thread(target=_tell_end, args=(process, done), daemon=True).start()
    is_late = not done.wait(seconds)
    if not is_late:
        # Who has said everything has a second to end, and what was said before the end a second to arrive.
        wait_for(process, _LAST_SECOND)
        if process.poll() is not None:
            printed.thread.join(_LAST_SECOND)
    code = process.poll()
    end_group(process)
    guard.note(process.pid)
    if is_late:
        raise TimeoutError(f"It took longer than {seconds:g} s.")
    if code not in (0, None) and len(printed.contents) <= MOST_BYTES:
        errors.thread.join(_LAST_SECOND)
        raise ReplyFault(f"It ended with the exit code {code}: {_last_line(errors.contents)}")
    return printed.contents


class LastingCommand:
    """A command that reads a case on each line of its standard input, and prints a verdict on a line for each.

    It is started when it is asked first, and again after it was ended because it took too long or said too much.
    """

    def __init__(self, words: Sequence[str], guard: GroupGuard) -> None:
        self._words = words
        self._guard = guard
        self._process: subprocess.Popen[bytes] | None = None
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._errors: _Kept | None = None

    def ask(self, case: bytes, seconds: float) -> bytes:
        """The line that it prints for a case, which is one line.

        Raises:
            ReplyFault: It cannot be started, has ended, or its line is too long.
            TimeoutError: It took too long, and was ended.
        """
        process = self._process or self._start()
        deadline = time.monotonic() + seconds
        threading.Thread(target=_feed_line, args=(process.stdin, case), daemon=True).start()
        try:
            line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            self.close()
            raise TimeoutError(f"It took longer than {seconds:g} s.") from None
        if not line.endswith(b"\n") or len(line) > MOST_BYTES:
            raise self._fault(process, line)
        return line

    def close(self) -> None:
        """Ends it."""
        if self._process is not None:
            end_group(self._process)
            self._guard.note(self._process.pid)
            self._process = None

    def _start(self) -> subprocess.Popen[bytes]:
        self._process = process = _started(self._words)
        self._guard.note(process.pid)
        self._lines = queue.SimpleQueue()
        self._errors = _Kept(process.stderr, _ERRORS_BYTES)
        threading.Thread(target=_read_lines, args=(process.stdout, self._lines), daemon=True).start()
        return process

    def _fault(self, process: subprocess.Popen[bytes], line: bytes) -> ReplyFault:
        wait_for(process, _LAST_SECOND)
        code = process.poll()
        self.close()
        if len(line) > MOST_BYTES:
            return ReplyFault(f"A line of the reply has more than {MOST_BYTES:,} bytes.")
        if self._errors is not None:
            self._errors.thread.join(_LAST_SECOND)
        said = _last_line(self._errors.contents if self._errors is not None else b"")
        return ReplyFault(f"It ended with the exit code {code} before it answered: {said}")


def _read_lines(stream: IO[bytes] | None, lines: queue.SimpleQueue[bytes]) -> None:
    """Puts each line into the queue, then what came after the last one, which may be empty."""
    if stream is None:
        return
    while (line := stream.readline(MOST_BYTES + 1)).endswith(b"\n"):
        lines.put(line)
    lines.put(line)


def _started(words: Sequence[str]) -> subprocess.Popen[bytes]:
    pipe = subprocess.PIPE
    try:
        return subprocess.Popen(list(words), stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True)
    except OSError as error:
        raise ReplyFault(f"{words[0]}: {error.strerror}") from None


def _tell_end(process: subprocess.Popen[bytes], done: threading.Event) -> None:
    process.wait()
    done.set()


def _feed(stream: IO[bytes] | None, case: bytes) -> None:
    try:
        if stream is not None:
            stream.write(case)
            stream.close()
    except OSError:
        # It did not read everything, which is its own affair.
        return


def _feed_line(stream: IO[bytes] | None, case: bytes) -> None:
    try:
        if stream is not None:
            stream.write(case + b"\n")
            stream.flush()
    except (OSError, ValueError):
        # It has ended, which its missing line tells.
        return


def end_group(process: subprocess.Popen[bytes]) -> None:
    """Ends a process with those that it has started, unless they have left its group."""
    try:
        if os.name == "posix":
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    except OSError:
        # Nobody is left.
        pass
    wait_for(process, _LAST_SECOND)


def wait_for(process: subprocess.Popen[bytes], seconds: float) -> None:
    """Waits until a process has ended, for some seconds at most."""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return


def _last_line(errors: bytes) -> str:
    lines = errors.decode("utf-8", "replace").strip().splitlines()
    return lines[-1][:300] if lines else "it printed nothing on its standard error"
