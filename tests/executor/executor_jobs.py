"""The functions that the executors' tests run as jobs."""

import ctypes
import mmap
import os
import signal
import subprocess
import sys
import time
from pathlib import Path


def add(a, b):
    return a + b


def echo(value):
    return value


def nothing():
    return None


def sleep(seconds):
    time.sleep(seconds)


def burn(seconds):
    """Computes without giving way to any signal handler or other thread of the process."""
    libc = ctypes.PyDLL(None)
    libc.usleep(int(seconds * 1e6))


def begin(path):
    """Says which process it is in, and takes a minute."""
    Path(path).write_text(str(os.getpid()))
    time.sleep(60)


def begin_and_burn(path):
    """As `begin`, within one call of a library."""
    Path(path).write_text(str(os.getpid()))
    burn(60)


def begin_with_offspring(path):
    """Starts a program that takes a minute, says which process that is, and waits for it."""
    program = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    Path(path).write_text(str(program.pid))
    program.wait()


def sleep_under(path, seconds):
    """Says which process is the parent of this one, and sleeps."""
    Path(path).write_text(str(os.getppid()))
    time.sleep(seconds)


def kill_parent():
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(60)


def process_id():
    return os.getpid()


def fail(text):
    raise ValueError(text)


def leave(code):
    sys.exit(code)


def die(number=signal.SIGKILL):
    os.kill(os.getpid(), number)


def exit_hard(code, words=""):
    print(words, flush=True)
    os._exit(code)


def die_once(path):
    """Dies the first time only."""
    mark = Path(path)
    if not mark.exists():
        mark.touch()
        die()
    return "survived"


def allocate(megabytes):
    return len(bytearray(megabytes << 20))


def reserve(megabytes):
    """Reserves address space without using it, as WebAssembly does."""
    return len(mmap.mmap(-1, megabytes << 20, prot=mmap.PROT_READ, flags=mmap.MAP_PRIVATE))


def chatter():
    """Writes to standard output in every possible way, and reads standard input."""
    print('{"outcome": "done", "value": "forged"}', flush=True)
    os.write(1, b"not JSON\n")
    subprocess.run([sys.executable, "-c", "print('from a program')"], check=True)
    return sys.stdin.read()


def unfit():
    return {1, 2}


def environment(name):
    return os.environ.get(name)
