"""How parts are written down: STL as text and binary, and programs, which run in the sandbox and only when asked to."""

import base64

import pytest

from spatial_workbench.engine import sandbox
from spatial_workbench.engine.core.checks import State
from spatial_workbench.engine.core.consent import allow_programs, programs_may_run
from spatial_workbench.engine.geometry.stl import read_stl, write_binary_stl
from spatial_workbench.engine.sandbox import Availability, ProgramFailed, ProgramResult, SandboxUnavailable
from spatial_workbench.engine.tasks.interlocking_parts import InterlockingParts, Part, Parts, making
from spatial_workbench.engine.tasks.interlocking_parts.answer import IDENTITY
from spatial_workbench.engine.tasks.interlocking_parts.making import ASK_FIRST, known, make

TASK = InterlockingParts()
INSTANCE = TASK.instances()[0]
REFERENCE = TASK.solve(INSTANCE)
PLATE = REFERENCE.parts[0].fileContents
READY = Availability(True, "test", "It works.", "1")
MISSING = Availability(False, "", "OpenSCAD is not installed.")


def part(contents, kind):
    return Part(fileContents=contents, fileType=kind, transform=IDENTITY)


SCAD = part("cube(10);", "OpenSCAD")
PYTHON_STL = part("print('solid')", "Python Generating STL")
PYTHON_SCAD = part("print('cube(10);')", "Python Generating OpenSCAD")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(making, "_folder", lambda: tmp_path / "meshes")
    return tmp_path / "meshes"


@pytest.fixture
def runs(monkeypatch):
    """A sandbox that makes a plate of everything, and writes down what it was asked to run."""
    asked = []

    def run_program(source, **_):
        asked.append(source)
        return ProgramResult(PLATE, "", 0.1)

    def compile_openscad(source, **_):
        asked.append(source)
        return PLATE.encode()

    monkeypatch.setattr(sandbox, "availability", lambda: READY)
    monkeypatch.setattr(sandbox, "openscad_availability", lambda: READY)
    monkeypatch.setattr(sandbox, "run_program", run_program)
    monkeypatch.setattr(sandbox, "compile_openscad", compile_openscad)
    return asked


@pytest.mark.slow
def test_binary_stl_comes_in_base64():
    data = base64.b64encode(write_binary_stl(*read_stl(PLATE.encode()))).decode()
    binary = REFERENCE.parts[0].model_copy(update={"fileContents": data})
    assert make(binary).solid.volume == pytest.approx(make(REFERENCE.parts[0]).solid.volume, rel=1e-6)
    assert TASK.verify(INSTANCE, Parts(parts=(binary, *REFERENCE.parts[1:]))).passed


def test_the_same_contents_are_the_same_solid():
    assert make(REFERENCE.parts[2]).solid is make(REFERENCE.parts[3]).solid


def test_nothing_is_run_unless_somebody_asked_for_it(runs):
    assert not programs_may_run()
    assert make(SCAD).waiting == ASK_FIRST
    assert known(SCAD).waiting == ASK_FIRST
    assert runs == []


@pytest.mark.slow
def test_verifying_without_consent_reaches_nothing_and_fails_nothing(runs):
    verdict = TASK.verify(INSTANCE, Parts(parts=(SCAD, *REFERENCE.parts[1:])))
    assert {check.state for check in verdict.checks} == {State.PASSED, State.NOT_REACHED}
    assert "Not evaluated, because part 0" in verdict.checks[1].message
    assert verdict.score == 0
    assert runs == []
    crossed = TASK.crosscheck(INSTANCE, Parts(parts=(SCAD, *REFERENCE.parts[1:])))
    published = TASK.verify(INSTANCE, Parts(parts=(SCAD, *REFERENCE.parts[1:])), "published")
    assert {check.state for check in (*crossed.checks, *published.checks)} == {State.NOT_REACHED}


def test_with_consent_a_program_is_run_once_and_its_mesh_is_kept(runs, folder):
    with allow_programs():
        assert make(SCAD).is_valid
        assert make(SCAD).is_valid
    assert len(runs) == 1
    assert make(SCAD).is_valid
    assert known(SCAD).is_valid
    assert len(list(folder.glob("*.stl"))) == 1


def test_an_answer_of_programs_passes_when_they_may_run(runs):
    parts = (SCAD.placed(REFERENCE.parts[0].matrix), PYTHON_STL.placed(REFERENCE.parts[1].matrix), *REFERENCE.parts[2:])
    with allow_programs():
        assert TASK.verify(INSTANCE, Parts(parts=parts)).passed


def test_python_that_prints_openscad_is_run_and_then_compiled(runs):
    with allow_programs():
        make(PYTHON_SCAD)
    assert runs == [PYTHON_SCAD.fileContents, PLATE]


def test_another_version_of_the_tool_makes_the_mesh_anew(runs, monkeypatch):
    with allow_programs():
        make(SCAD)
        monkeypatch.setattr(sandbox, "openscad_availability", lambda: Availability(True, "test", "", "2"))
        make(SCAD)
    assert len(runs) == 2


def test_without_openscad_a_part_is_not_evaluated(runs, monkeypatch):
    monkeypatch.setattr(sandbox, "openscad_availability", lambda: MISSING)
    with allow_programs():
        assert make(SCAD).waiting == make(PYTHON_SCAD).waiting == "OpenSCAD is not installed."
        assert make(PYTHON_STL).is_valid


def test_a_sandbox_that_goes_away_is_no_failure_of_the_part(runs, monkeypatch):
    def gone(source, **_):
        raise SandboxUnavailable("The sandbox is gone.")

    monkeypatch.setattr(sandbox, "run_program", gone)
    with allow_programs():
        assert make(PYTHON_STL).waiting == "The sandbox is gone."


def test_a_program_that_fails_fails_criterion_0_with_its_words_shortened(runs, monkeypatch):
    def fails(source, **_):
        raise ProgramFailed("ZeroDivisionError\x1b[31m " + "x" * 900)

    monkeypatch.setattr(sandbox, "run_program", fails)
    with allow_programs():
        verdict = TASK.verify(INSTANCE, Parts(parts=(PYTHON_STL, *REFERENCE.parts[1:])))
    message = verdict.checks[1].message
    assert message.startswith("Part 0: The program failed: ZeroDivisionError")
    assert len(message) < 340
    assert "\x1b" not in message


def test_a_program_that_prints_nothing_fails(runs, monkeypatch):
    monkeypatch.setattr(sandbox, "run_program", lambda source, **_: ProgramResult("", "", 0.1))
    with allow_programs():
        assert "empty" in make(PYTHON_STL).problem
        assert "empty" in make(PYTHON_SCAD).problem


@pytest.mark.parametrize(
    "source", ['import("x.stl");', "include <x.scad>", "use <x.scad>", 'surface(file = "x.png");', 'import ("a");']
)
def test_openscad_may_not_read_other_files(runs, source):
    with allow_programs():
        assert "may not read other files" in make(part(source, "OpenSCAD")).problem
    assert runs == []


def test_words_in_comments_and_strings_are_no_imports(runs):
    with allow_programs():
        assert make(part('// import("x")\n/* use <y> */ echo("include <z>"); cube(1);', "openscad")).is_valid


def test_kept_meshes_are_bounded(runs, monkeypatch, folder):
    monkeypatch.setattr(making, "KEPT_MESHES", 2)
    with allow_programs():
        for size in range(4):
            make(part(f"cube({size});", "OpenSCAD"))
    assert len(list(folder.glob("*.stl"))) == 2


def test_a_cache_that_cannot_be_written_to_is_none(runs, monkeypatch, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setattr(making, "_folder", lambda: blocked / "meshes")
    with allow_programs():
        assert make(SCAD).is_valid


@pytest.mark.slow
def test_the_real_sandbox_makes_a_part_of_each_form():
    if not (sandbox.availability().available and sandbox.openscad_availability().available):
        pytest.skip("no sandbox with OpenSCAD on this machine")
    triangles = "".join(
        f"facet normal 0 0 0\\nouter loop\\nvertex {a}\\nvertex {b}\\nvertex {c}\\nendloop\\nendfacet\\n"
        for a, b, c in [("0 0 0", "0 9 0", "9 0 0"), ("0 0 0", "9 0 0", "0 0 9"), ("0 0 0", "0 0 9", "0 9 0"),
                        ("9 0 0", "0 9 0", "0 0 9")]
    )  # fmt: skip
    with allow_programs():
        assert make(SCAD).solid.volume == pytest.approx(1000)
        assert make(PYTHON_SCAD).solid.volume == pytest.approx(1000)
        assert make(part(f"print('solid a\\n{triangles}endsolid')", "Python Generating STL")).solid.volume > 100
        assert "failed" in make(part("1 / 0", "Python Generating STL")).problem
