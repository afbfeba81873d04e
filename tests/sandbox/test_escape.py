"""Programs try to get out, and to take more than they may. All fail; each runs in a sandbox that was probed."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from spatial_workbench.engine.sandbox import ProgramFailed, SandboxLimits, SandboxUnavailable, bubblewrap, openscad

_READS = {
    "the list of users": "open('/etc/passwd').read()",
    "a file of the host": "open({canary!r}).read()",
    "a file of the host by its folder": "import os; os.listdir(os.path.dirname({canary!r}))",
    "memory of the first process": "open('/proc/1/mem', 'rb').read(1)",
    "the raw disk": "open('/dev/sda', 'rb').read(1)",
    "the kernel's log": "open('/dev/kmsg').read(1)",
}


@pytest.mark.parametrize("what", _READS)
def test_files_of_the_host_cannot_be_read(start, tmp_path, what):
    canary = tmp_path / "canary"
    canary.write_text("secret")
    assert start().run(_READS[what].format(canary=str(canary))).exception


def test_of_the_home_folder_nothing_is_visible_but_an_interpreter_that_lives_there(start):
    home = Path.home()
    base = Path(sys.base_prefix).resolve()
    listing = start().run(f"import os; print(*os.listdir({str(home)!r}) if os.path.exists({str(home)!r}) else [])")
    allowed = {base.relative_to(home).parts[0]} if base.is_relative_to(home) else set()
    assert set(listing.output.split()) <= allowed


def test_what_is_installed_beside_the_engine_is_not_visible(monkeypatch):
    monkeypatch.setattr(bubblewrap, "ROOT", Path("/usr/share"))
    try:
        session = bubblewrap.BubblewrapSession({}, SandboxLimits())
    except SandboxUnavailable as error:
        pytest.skip(str(error))
    with session:
        assert session.run("import os\nos.listdir('/usr/share')").output == "[]\n"
        assert "Read-only" in session.run("open('/usr/share/written', 'w')").exception


def test_the_environment_of_the_host_is_not_inherited(start, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    assert "secret" not in start().run("import os; dict(os.environ)").output


@pytest.mark.parametrize(
    "path", ["/written", "/usr/written", "/sandbox/guest.py", "/etc/passwd", "/packages/x", "../x"]
)
def test_nothing_can_be_written_outside_the_scratch_folder(start, path):
    assert start().run(f"open({path!r}, 'w')").exception


@pytest.mark.parametrize(
    "code",
    [
        "import socket; socket.socket()",
        "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
        "import socket; socket.socket(socket.AF_UNIX)",
        "import socket; socket.create_connection(('127.0.0.1', 22), 1)",
        "import urllib.request; urllib.request.urlopen('http://127.0.0.1/', timeout=1)",
        "import socket; socket.gethostbyname('example.org')",
        "import socket; socket.socketpair()",
    ],
)
def test_no_connection_can_be_opened(start, code):
    assert start().run(code).exception


@pytest.mark.parametrize(
    "code",
    [
        "import os; os.fork()",
        "import os; os.execv('/bin/sh', ['sh'])",
        "import os; assert os.system('true') == 0",
        "import subprocess; subprocess.run(['/bin/true'])",
        "import os; os.posix_spawn('/bin/true', ['true'], {})",
        "import multiprocessing as m; m.get_context('fork').Process(target=print).start()",
        "import os, signal; os.kill(1, signal.SIGKILL)",
        "import os; os.setuid(0); os.setgid(0); os.chroot('/tmp')",
        "import resource as r; r.setrlimit(r.RLIMIT_AS, (-1, -1))",
    ],
)
def test_no_process_can_be_started_and_no_limit_raised(start, code):
    result = start().run(code)
    assert result.exception or result.stopped


def test_system_calls_through_ctypes_are_refused(start, backend):
    if backend == "webassembly":
        pytest.skip("there are no system calls in WebAssembly")
    code = """
    import ctypes, os
    libc = ctypes.CDLL(None, use_errno=True)
    attempts = {
        "fork": lambda: libc.syscall(57),
        "ptrace": lambda: libc.ptrace(0, 0, 0, 0),
        "mount": lambda: libc.mount(b"none", b"/tmp", b"tmpfs", 0, None),
        "unshare": lambda: libc.unshare(0x10000000),
        "chroot": lambda: libc.chroot(b"/tmp"),
        "memfd": lambda: libc.memfd_create(b"x", 0),
        "raw socket": lambda: libc.socket(2, 1, 0),
        "clone3": lambda: libc.syscall(435, None, 0),
        "bpf": lambda: libc.syscall(321, 0, None, 0),
    }
    print([name for name, attempt in attempts.items() if attempt() != -1])
    """
    assert start().run(textwrap.dedent(code)).output == "[]\n"


_SEARCHES_EVERY_FILE = """
import os
marker = b"-".join([b"only", b"the", b"host", b"knows"])
places = ["/proc/self", "/proc/1", "/proc/2", "/dev/fd"]
for folder in ("/proc", "/sys", "/etc", "/run", "/tmp", "/sandbox"):
    places += [place for place, _, _ in os.walk(folder)]
found = []
for place in places:
    try: names = os.listdir(place)
    except OSError: continue
    for name in names:
        try:
            descriptor = os.open(os.path.join(place, name), os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
            if marker in os.read(descriptor, 1 << 20): found.append(os.path.join(place, name))
            os.close(descriptor)
        except OSError: pass
print(found, marker.decode() in str(dict(os.environ)))
"""


def test_no_file_inside_holds_a_variable_of_the_hosts_environment(start, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "only-the-host-knows")
    assert start().run(_SEARCHES_EVERY_FILE).output == "[] False\n"


def test_bubblewrap_hands_no_environment_on_if_it_keeps_the_user_of_this_process(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "only-the-host-knows")
    monkeypatch.setattr(bubblewrap, "identity", lambda *needed: {})
    try:
        session = bubblewrap.BubblewrapSession({}, SandboxLimits())
    except SandboxUnavailable as error:
        pytest.skip(str(error))
    with session:
        assert session.run(_SEARCHES_EVERY_FILE).output == "[] False\n"


def test_openscad_gets_nothing_of_the_environment(monkeypatch):
    started = []
    monkeypatch.setenv("OPENAI_API_KEY", "only-the-host-knows")
    monkeypatch.setattr(openscad.shutil, "which", lambda name: "/usr/bin/true")
    popen = subprocess.Popen
    monkeypatch.setattr(openscad.subprocess, "Popen", lambda *a, **k: started.append(k["env"]) or popen(*a, **k))
    try:
        with pytest.raises(ProgramFailed):
            openscad.compile_openscad("cube(1);")
    except SandboxUnavailable as error:
        pytest.skip(str(error))
    assert started == [bubblewrap.ENVIRONMENT]


def test_no_process_is_visible(start):
    assert start().run("import os; os.path.exists('/proc/self') or os.path.exists('/proc/1')").output == "False\n"


@pytest.mark.parametrize(
    "code", ["x = [0] * (1 << 30)", "x = bytearray(1 << 30)", "x = []\nwhile True: x.append('a' * (1 << 20))"]
)
def test_memory_beyond_the_limit_is_refused_and_the_program_goes_on(start, code):
    session = start(memory_bytes=512 << 20)
    assert "MemoryError" in session.run(code).exception
    session.run("x = None")
    assert session.run("1 + 1").output == "2\n"


def test_the_scratch_folder_cannot_be_filled_beyond_its_size(start):
    code = "with open('/tmp/big', 'wb') as file:\n    for _ in range(80): file.write(b'x' * (1 << 20))"
    assert start(scratch_bytes=16 << 20).run(code).exception


_IGNORE_SIGNALS = """
import signal
for number in range(1, 32):
    try: signal.signal(number, signal.SIG_IGN)
    except Exception: pass
while True: pass
"""


@pytest.mark.parametrize(
    "code",
    [
        "while True: pass",
        "sum(range(10 ** 13))",
        "import time; time.sleep(60)",
        _IGNORE_SIGNALS,
        "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
    ],
)
def test_a_step_cannot_outlive_its_time(start, code):
    began = time.monotonic()
    result = start().run(code, seconds=0.5)
    assert result.stopped == "it took longer than 0.5 s"
    assert time.monotonic() - began < 30


@pytest.mark.slow
def test_a_flood_of_output_stops_the_program(start):
    result = start(output_bytes=100_000).run("while True: print('x' * 1000)", seconds=3)
    assert "printed more than 100,000 bytes" in result.stopped


_WRITE_TO_ALL = """
import os
for descriptor in range(3, 20):
    try:
        {loop} os.write(descriptor, {data})
    except OSError: pass
"""


def test_a_flood_of_forged_frames_stops_the_program(start, backend):
    if backend == "webassembly":
        pytest.skip("there is no connection to write to")
    assert start().run(_WRITE_TO_ALL.format(loop="while True:", data=b"x" * 65536), seconds=10).stopped


def test_a_forged_end_of_a_step_reaches_no_tool_that_does_not_exist(start, backend):
    if backend == "webassembly":
        pytest.skip("there is no connection to write to")
    moves = []
    forged = b'{"call": "secret", "args": [], "kwargs": {}}\n{"done": null}\n'
    result = start({"move": moves.append}).run(_WRITE_TO_ALL.format(loop="", data=forged))
    assert (moves, result.exception) == ([], None)


@pytest.mark.parametrize("code", ["import os; os._exit(3)", "import ctypes; ctypes.string_at(0)"])
def test_a_crash_is_told_and_no_step_follows(start, code):
    session = start()
    result = session.run(code)
    assert result.stopped or result.exception


def test_a_deep_recursion_is_an_exception_and_the_program_goes_on(start):
    session = start()
    assert "RecursionError" in session.run("def f(): f()\nf()").exception
    assert session.run("1").output == "1\n"


_HOST = """
from spatial_workbench.engine.sandbox import open_session
session = open_session()
print("up", flush=True)
session.run("while True: pass")
"""


def test_the_sandbox_is_gone_when_the_host_is_killed(backend):
    if backend == "webassembly":
        pytest.skip("it lives in the host's process")
    process = subprocess.Popen([sys.executable, "-c", _HOST], stdout=subprocess.PIPE, text=True, start_new_session=True)
    assert process.stdout.readline() == "up\n"
    time.sleep(0.3)
    children = _descendants(process.pid)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert children
    _until(lambda: not any(_lives(pid) for pid in children))


def _descendants(pid):
    descendants = []
    todo = [pid]
    while todo:
        try:
            with open(f"/proc/{todo[0]}/task/{todo.pop(0)}/children") as file:
                children = [int(word) for word in file.read().split()]
        except OSError:
            continue
        descendants += children
        todo += children
    return descendants


def _lives(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def _until(condition):
    end = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_as_root_the_host_starts_it_as_nobody_where_it_can(backend):
    if backend == "webassembly" or os.geteuid() != 0:
        pytest.skip("only for root on Linux")
    from spatial_workbench.engine.sandbox.bubblewrap import identity

    assert identity(Path("/usr"))["user"] == 65534
