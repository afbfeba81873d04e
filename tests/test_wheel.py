"""The wheel installs one package, and works beside whatever a user's working folder holds."""

import shutil
import subprocess
import sys
import tarfile
import zipfile

import pytest

from spatial_workbench.root import ROOT

pytestmark = pytest.mark.skipif(not (ROOT / "pyproject.toml").is_file(), reason="not installed from source")

PROGRAM = """
import spatial_workbench as sw

answer = sw.solve("shikaku:0")
assert sw.verify("shikaku:0", answer).passed
assert [judged.passed for judged in sw.evaluate("reference", "shikaku:0-1", workers=1)] == [True, True]
print(sw.__file__)
"""

PROGRAMS = ROOT / "tests" / "library" / "programs"
TYPED = """
import spatial_workbench as sw
from spatial_workbench.engine.core.scene import Scene

def share_passed(judged: list[sw.Judged]) -> float:
    return sum(one.passed for one in judged) / len(judged)

def best(place: str, answers: list[sw.Answer]) -> sw.Judged:
    return max((sw.verify(place, answer) for answer in answers), key=lambda one: one.score)

def drawing(place: str, answer: sw.Answer) -> Scene:
    instance = sw.instance(place)
    return sw.task(instance.task).scene(instance, answer)

reveal_type(sw.instance("shikaku:0"))
"""


def build(folder, function, out):
    """What a build of the sources in `folder` makes; the name of a function of setuptools' build backend."""
    code = f"from setuptools import build_meta; build_meta.{function}({str(out)!r})"
    subprocess.run([sys.executable, "-c", code], cwd=folder, check=True, capture_output=True)
    return next(out.iterdir())


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    """A source distribution, unpacked. It is made from a copy, since building leaves files beside the sources."""
    checkout = tmp_path_factory.mktemp("checkout")
    made = tmp_path_factory.mktemp("made")
    for name in ("pyproject.toml", "README.md", "LICENSE", "MANIFEST.in", "packaging", "spatial_workbench"):
        (checkout / name).symlink_to(ROOT / name)
    archive = build(checkout, "build_sdist", made)
    unpacked = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(archive) as packed:
        packed.extractall(unpacked, filter="data")
    return next(unpacked.iterdir())


@pytest.fixture(scope="module")
def wheel(sources, tmp_path_factory):
    return build(sources, "build_wheel", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """A folder for modules with the wheel in it."""
    folder = tmp_path_factory.mktemp("installed")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(folder)
    return folder


@pytest.fixture
def hostile(tmp_path):
    """A working folder with modules that are called as our folders are, and that end any process that imports them."""
    for name in ("app", "docs", "widgets"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise SystemExit('the wrong module')")
    for name in ("engine", "resources"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('the wrong module')")
    return tmp_path


def run(installed, folder, *arguments):
    environment = {"PYTHONPATH": str(installed), "PATH": "/usr/bin:/bin", "HOME": str(folder)}
    return subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.slow
def test_a_source_distribution_holds_files_and_no_links(sources):
    assert [path for path in sources.rglob("*") if path.is_symlink()] == []
    assert not (sources / "engine").exists()


@pytest.mark.slow
def test_the_wheel_installs_one_package(wheel):
    with zipfile.ZipFile(wheel) as packed:
        tops = {name.partition("/")[0] for name in packed.namelist()}
    assert {name for name in tops if not name.endswith(".dist-info")} == {"spatial_workbench"}


@pytest.mark.slow
def test_it_holds_every_module_and_all_data_that_the_sources_hold(installed):
    package = installed / "spatial_workbench"
    ours = {
        path.relative_to(ROOT)
        for room in ("app", "docs", "engine", "resources", "widgets")
        for path in (ROOT / room).rglob("*")
        if path.is_file() and path.suffix in (".py", ".json", ".md", ".svg") and "pictures" not in path.parts
    }
    assert [path for path in sorted(ours) if not (package / path).is_file()] == []


@pytest.mark.slow
def test_a_program_runs_beside_files_that_are_called_as_our_folders_are(installed, hostile):
    (hostile / "program.py").write_text(PROGRAM + "\nif __name__ == '__main__': print('done')\n")
    done = run(installed, hostile, "program.py")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(str(installed))


@pytest.mark.slow
def test_a_notebook_s_process_runs_beside_them_too(installed, hostile):
    # A notebook's kernel looks for modules in its working folder first.
    done = run(installed, hostile, "-c", PROGRAM)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.slow
def test_importing_the_package_loads_next_to_nothing(installed, tmp_path):
    code = "import sys, spatial_workbench; print({'numpy', 'pydantic', 'PySide6', 'gymnasium'} & set(sys.modules))"
    assert run(installed, tmp_path, "-c", code).stdout.strip() == "set()"


@pytest.mark.slow
def test_the_programs_of_users_pass_strict_type_checks_against_it(installed, tmp_path):
    (tmp_path / "program.py").write_text(TYPED)
    programs = [path.name for path in PROGRAMS.glob("[a-z]*.py")]
    for name in programs:
        shutil.copy(PROGRAMS / name, tmp_path)
    settings = tmp_path / "mypy.ini"
    settings.write_text(
        f"[mypy]\nstrict = true\nmypy_path = {installed}\n[mypy-spatial_workbench.*]\nfollow_imports = silent\n"
    )
    done = run(installed, tmp_path, "-m", "mypy", "--config-file", str(settings), "program.py", *programs)
    assert "spatial_workbench.engine.core.instance.Instance" in done.stdout
    assert "Success" in done.stdout, done.stdout
