"""Whole programs, OpenSCAD models, and machines without a sandbox."""

import pytest

from spatial_workbench.engine.sandbox import (
    ProgramFailed,
    SandboxLimits,
    SandboxUnavailable,
    availability,
    compile_openscad,
    open_session,
    openscad_availability,
    run_program,
    running,
)

pytestmark = pytest.mark.timeout(600)
"""Where only WebAssembly works, the first trial compiles for a minute or two."""


@pytest.fixture
def no_sandbox(monkeypatch):
    def refuse(*arguments):
        raise SandboxUnavailable("user namespaces are forbidden here")

    monkeypatch.setattr(running, "BACKENDS", dict.fromkeys(running.BACKENDS, refuse))
    availability.cache_clear()
    yield
    availability.cache_clear()


@pytest.fixture
def sandbox():
    if not availability().available:
        pytest.skip(availability().reason)


@pytest.fixture
def openscad():
    if not openscad_availability().available:
        pytest.skip(openscad_availability().reason)


def test_without_a_sandbox_the_reason_is_told(no_sandbox):
    assert "user namespaces are forbidden" in availability().reason


def test_without_a_sandbox_no_program_runs(no_sandbox):
    with pytest.raises(SandboxUnavailable, match="No sandbox works"):
        run_program("print(1)")
    with pytest.raises(SandboxUnavailable):
        open_session()


def test_a_sandbox_that_leaks_is_refused(monkeypatch, sandbox):
    backend = availability().backend
    monkeypatch.setattr(running, "_candidates", lambda: [backend])
    monkeypatch.setattr(running, "_PROBE", "print('opened a socket')")
    availability.cache_clear()
    assert "does not hold: a program opened a socket" in availability().reason
    availability.cache_clear()


def test_a_program_gives_what_it_prints(sandbox):
    assert run_program("for i in range(3):\n    print(i)\ni").output == "0\n1\n2\n"


def test_a_program_that_raises_has_failed_with_its_line(sandbox):
    with pytest.raises(ProgramFailed, match=r"ValueError: no \(line 1\)"):
        run_program("raise ValueError('no')")


def test_a_program_that_is_too_slow_has_failed(sandbox):
    with pytest.raises(ProgramFailed, match=r"longer than 0\.2 s"):
        run_program("while True: pass", limits=SandboxLimits(seconds=0.2))


def test_an_openscad_model_becomes_stl(openscad):
    assert compile_openscad("cube(2);").startswith(b"solid")


@pytest.mark.parametrize(
    "source",
    ["cube(", 'import("/etc/passwd");', 'surface("/etc/hostname");', "function f(x) = f(x + 1); cube(f(1));", ""],
)
def test_a_bad_openscad_model_has_failed(openscad, source):
    with pytest.raises(ProgramFailed, match="OpenSCAD made no solid"):
        compile_openscad(source)


def test_an_openscad_model_that_is_too_slow_has_failed(openscad):
    with pytest.raises(ProgramFailed, match="longer than"):
        compile_openscad("for (i = [0:400]) sphere(i, $fn = 200);", limits=SandboxLimits(seconds=0.3))


def test_without_openscad_its_absence_is_said(monkeypatch):
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(SandboxUnavailable, match="OpenSCAD is not installed"):
        compile_openscad("cube(1);")
