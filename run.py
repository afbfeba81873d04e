#!/usr/bin/env python3
"""Sets everything up and starts Spatial Workbench, or runs its tests.

    python3 run.py            set up everything, start the application
    python3 run.py test       set up everything, run the tests; --all tries every case of every sweep
    python3 run.py serve PROJECT STUDY
                              set up everything that serving a study to browsers needs, and serve it
    python3 run.py serve PROJECT --person NAME
                              the same for the whole workbench, to one person whom you trust
    python3 run.py check      run the linters and the nearest tests of the files that are named, or of what has changed

Needs only a Python; whatever is missing is installed into .venv beside this file. Further arguments are handed on.
The syntax is that of Python 3.8, so that old versions get an explanation instead of a syntax error.
"""

import hashlib
import os
import shutil
import ssl
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
WINDOWS = os.name == "nt"
BIN = "Scripts" if WINDOWS else "bin"
PYTHON = ROOT / ".venv" / BIN / ("python.exe" if WINDOWS else "python")
STAMP = ROOT / ".venv" / "set-up-from"
NPM_LOCK = ROOT / "packaging" / "npm" / "package-lock.json"
LOCK, FULL_LOCK, SOLVER_LOCK = (ROOT / "requirements{}.lock".format(name) for name in ("", "-full", "-solver"))
APT_INSTALL = ("env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "-y", "-qq", "--no-install-recommends")
WITH_TESTS = "tests"
"""The word in the stamp where the packages of tests are installed, too."""
ROOMS = ("app", "docs", "engine", "resources", "widgets")
LONGEST_TEST_RUN_S = 60 * 60
TESTS_OF_THE_WINDOW = ["tests/app", "tests/editors", "tests/widgets"]
TESTS_FAILED = 1
"""The exit status of pytest where all tests ran and some failed; others but 0 tell of a fault of the run."""
SUPPORTED = ((3, 11), (3, 12), (3, 13))


def main(arguments):
    link_rooms()
    set_up(with_tests=arguments[:1] in (["test"], ["check"]))
    if arguments[:1] == ["test"]:
        return run_tests(arguments[1:])
    if arguments[:1] == ["check"]:
        return subprocess.run([str(PYTHON), "-m", "tools.check", *arguments[1:]], cwd=str(ROOT)).returncode
    if arguments[:1] == ["serve"]:
        install_system_packages("debian-serve-packages.txt")
        is_workbench = any(word.startswith("--person") for word in arguments)
        return start(arguments if is_workbench else ["study", *arguments])
    return start(arguments)


def link_rooms():
    """Sees that the package holds the folders beside it: where Git cannot store links, by junctions of Windows."""
    for name in ROOMS:
        link = ROOT / "spatial_workbench" / name
        if link.is_dir():
            continue
        if link.exists():
            link.unlink()  # Git wrote the link's target into a file.
        if WINDOWS:
            import _winapi

            _winapi.CreateJunction(str(ROOT / name), str(link))
        else:
            link.symlink_to(os.path.join("..", name))


def set_up(with_tests):
    """Brings .venv to what the lock files say; does nothing where it is so already.

    The application's packages are installed, or those of all extras and tests. Who has the latter keeps them.
    """
    state = wanted_state()
    stamp = STAMP.read_text().split() if STAMP.is_file() and PYTHON.exists() else []
    if stamp[:1] == [state] and (WITH_TESTS in stamp or not with_tests):
        return
    with_tests = with_tests or WITH_TESTS in stamp
    interpreter = find_python()
    install_system_packages()
    uv = find_uv(interpreter)
    if not PYTHON.exists():
        say("Making .venv with {}".format(interpreter))
        run([*uv, "venv", "--quiet", "--python", interpreter, str(ROOT / ".venv")])
    say("Installing the locked packages (about {} on the first time)".format("3.4 GB" if with_tests else "2.2 GB"))
    install_packages(uv, with_tests)
    own = ["pip", "install", "--quiet", "--python", str(PYTHON), "--no-deps", "--no-build-isolation", "-e", str(ROOT)]
    run([*uv, *own])
    compile_sources()
    run([str(PYTHON), "-P", "-m", "spatial_workbench.app.commands.self_test"])
    STAMP.write_text(state + (" " + WITH_TESTS if with_tests else ""))


def wanted_state():
    parts = [path.read_bytes() for path in (LOCK, FULL_LOCK, SOLVER_LOCK, ROOT / "pyproject.toml", debian_list())]
    return hashlib.sha256(b"".join(parts) + str(ROOT).encode()).hexdigest()


def install_packages(uv, with_tests):
    """What is needed, and of what is optional as much as this machine can have."""
    options = ["--quiet", "--compile-bytecode", "--python", str(PYTHON), "--require-hashes"]
    uv = fetch(uv, "pip", "sync", *options, str(FULL_LOCK if with_tests else LOCK))
    if not with_tests:
        return
    if not (shutil.which("gcc") or shutil.which("cc") or shutil.which("cl")):
        say("No C compiler: going on without the optional cube solver")
    elif not succeeds([*uv, "pip", "install", *options, "--no-deps", "-r", str(SOLVER_LOCK)]):
        say("The optional cube solver could not be compiled; going on without it")


def fetch(uv, *arguments):
    """Runs a command of uv that downloads; once more with the system's certificates where a proxy signs its own.

    Returns uv as it has worked.
    """
    if succeeds([*uv, *arguments]):
        return uv
    say("That failed; trying once more with the certificates of this system")
    trusting = [*uv, "--system-certs"]
    run([*trusting, *arguments])
    return trusting


def compile_sources(*more):
    """Makes starts faster where Python is told to keep no compiled modules."""
    run([str(PYTHON), "-m", "compileall", "-q", "spatial_workbench", *more])


def succeeds(command):
    return subprocess.run(command, cwd=str(ROOT)).returncode == 0


def find_python():
    """A Python that the packages are made for.

    Exits with an explanation where there is none.
    """
    if sys.version_info[:2] in SUPPORTED:
        return sys.executable
    for major, minor in reversed(SUPPORTED):
        found = shutil.which("python{}.{}".format(major, minor))
        if found:
            return found
    stop(
        "Spatial Workbench needs Python 3.11, 3.12 or 3.13; this is {}.{}.".format(*sys.version_info[:2]),
        "Install one of them (python.org, your system's packages, or pyenv) and start this again with it.",
    )


def find_uv(interpreter):
    """The command for uv; it is installed into .venv-boot where the machine has none."""
    boot = ROOT / ".venv-boot"
    own = boot / BIN / ("uv.exe" if WINDOWS else "uv")
    if not own.exists():
        say("Fetching the installer, uv")
        run([interpreter, "-m", "venv", str(boot)])
        pip = [str(boot / BIN / PYTHON.name), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        if not succeeds([*pip, "uv>=0.13"]):
            run([*pip, *certificates_of_system(), "uv>=0.13"])
    return [str(own)]


def certificates_of_system():
    """Options for a pip that is too old to trust by itself what the system trusts."""
    paths = ssl.get_default_verify_paths()
    places = [place for place in (paths.cafile, paths.capath) if place]
    return ["--cert", places[0]] if places else []


def debian_list(name="debian-packages.txt"):
    return ROOT / "packaging" / name


def packages_in(path):
    lines = path.read_text().splitlines()
    return [line.strip().split("|") for line in lines if line.strip() and not line.startswith("#")]


def install_system_packages(name="debian-packages.txt"):
    """Sees to the system's packages in a list on Debian and Ubuntu; elsewhere on Linux says which ones are needed."""
    if not sys.platform.startswith("linux"):
        return
    wanted = packages_in(debian_list(name))
    if not (shutil.which("dpkg-query") and shutil.which("apt-get")):
        say("This is neither Debian nor Ubuntu. If the start fails, install what these packages hold there:")
        say("  " + " ".join(names[0] for names in wanted))
        return
    missing = [names for names in wanted if not any(is_installed(name) for name in names)]
    if not missing:
        return
    prefix = privileges()
    if prefix is None:
        stop(
            "These system packages are missing, and installing them needs rights that you do not have here:",
            "  apt-get install --no-install-recommends " + " ".join(names[0] for names in missing),
            "Ask somebody who may run that command, then start this again.",
        )
    say("Installing system packages: " + " ".join(names[0] for names in missing))
    run([*prefix, "apt-get", "update", "-qq"])
    names = [pick_name(names) for names in missing]
    run([*prefix, *APT_INSTALL, *names], quiet=True)


def install_test_packages():
    """What only tests need; where it cannot be had, they are skipped."""
    if not (shutil.which("dpkg-query") and shutil.which("apt-get")):
        return
    lists = ("debian-test-packages.txt", "debian-serve-packages.txt")
    wanted = [names for name in lists for names in packages_in(debian_list(name))]
    missing = [names for names in wanted if not any(shutil.which(name) or is_installed(name) for name in names)]
    prefix = privileges()
    if not missing or prefix is None:
        return
    say("Installing system packages for tests: " + " ".join(names[0] for names in missing))
    done = subprocess.run([*prefix, "apt-get", "update", "-qq"]).returncode == 0
    names = [pick_name(names) for names in missing] if done else []
    if not done or subprocess.run([*prefix, *APT_INSTALL, *names], stdout=subprocess.DEVNULL).returncode != 0:
        say("They cannot be had here; the tests that need them are skipped")


def install_npm_packages():
    """The rules of accessibility that pages are tested by; where they cannot be had, these tests are skipped."""
    place = PYTHON.parent.parent / "npm"
    own_lock = place / NPM_LOCK.name
    if own_lock.is_file() and own_lock.read_bytes() == NPM_LOCK.read_bytes():
        return
    npm = shutil.which("npm")
    if npm is None:
        say("There is no npm here; the tests of the pages' accessibility are skipped")
        return
    shutil.rmtree(str(place), ignore_errors=True)
    shutil.copytree(str(NPM_LOCK.parent), str(place))
    say("Installing the rules of accessibility for tests")
    if not succeeds([npm, "ci", "--prefix", str(place), "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]):
        shutil.rmtree(str(place))
        say("They cannot be had here; the tests of the pages' accessibility are skipped")


def is_installed(name):
    query = ["dpkg-query", "-W", "-f", "${Status}", name]
    answer = subprocess.run(query, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return b"install ok installed" in answer.stdout


def pick_name(names):
    """The first of the names that this release knows."""
    for name in names:
        if (
            subprocess.run(["apt-cache", "show", name], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
            == 0
        ):
            return name
    return names[0]


def privileges():
    """What to put before a command that needs root: nothing, sudo, or None where neither works."""
    if os.geteuid() == 0:
        return []
    return ["sudo"] if shutil.which("sudo") and sys.stdin.isatty() else None


def start(arguments):
    """Starts the application; says how where there is no display."""
    needs_screen = not arguments or arguments[0].endswith(".workbench")
    if needs_screen and sys.platform.startswith("linux") and not has_display():
        stop(
            "Everything is set up, but no display was found, so no window can open.",
            "On a virtual screen:    xvfb-run -s '-screen 0 1600x1000x24' python3 run.py",
            "Without any screen:     .venv/bin/spatial-workbench --help",
        )
    return subprocess.run([str(PYTHON), "-P", "-m", "spatial_workbench", *arguments]).returncode


def has_display():
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def run_tests(arguments):
    install_test_packages()
    install_npm_packages()
    compile_sources()
    if arguments not in ([], ["--all"]):
        return run_pytest(arguments)
    parallel = ["-n", "auto", "--dist", "worksteal", "--max-worker-restart", "8", *arguments]
    # One after the other: a process that ran both would hold what both have imported and remembered, 2 GB in the end.
    say("Tests without a window:")
    without = run_pytest(parallel + ["--ignore=" + folder for folder in TESTS_OF_THE_WINDOW] + ["tests"])
    say("Tests of the window:")
    statuses = without, run_pytest(parallel + TESTS_OF_THE_WINDOW)
    faults = [status for status in statuses if status not in (0, TESTS_FAILED)]
    if faults:
        return faults[0]
    if TESTS_FAILED not in statuses:
        return 0
    # Thousands of tests share the processors, and one that waits for a child or a disk can be late by that alone.
    say("Tests that failed, once more, with nothing beside them:")
    return run_pytest(["-n", "0", "--verbose", "--last-failed", "--exitfirst", *arguments, "tests"])


def run_pytest(arguments):
    """Runs pytest with its arguments; returns its exit status."""
    command = [str(PYTHON), "-m", "pytest", *arguments]
    # Tests whose assertions pytest has prepared are kept from run to run, which saves seconds in every process.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    try:
        return subprocess.run(command, cwd=str(ROOT), env=environment, timeout=LONGEST_TEST_RUN_S).returncode
    except subprocess.TimeoutExpired:
        stop("The tests did not end within {} minutes and were stopped.".format(LONGEST_TEST_RUN_S // 60))


def run(command, quiet=False):
    """Runs a step of the set-up; stops with its command line where it fails."""
    output = subprocess.PIPE if quiet else None
    done = subprocess.run(command, cwd=str(ROOT), stdout=output, stderr=subprocess.STDOUT if quiet else None)
    if done.returncode != 0:
        if quiet:
            sys.stdout.buffer.write(done.stdout)
        stop("This step failed: " + " ".join(command), "Nothing else was changed; start again once it is mended.")


def say(text):
    print(text, flush=True)


def stop(*lines):
    sys.exit("\n".join(lines))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
