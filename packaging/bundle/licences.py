"""Collects the licences of what a bundle contains: Python packages, libraries of the system, Python itself."""

import re
import shutil
import subprocess
import sysconfig
from collections.abc import Iterable
from importlib.metadata import Distribution, distributions
from pathlib import Path

OWN = Path(__file__).resolve().parents[2] / "LICENSE"
WORDS = re.compile("licen|copying|notice|authors", re.IGNORECASE)


def collect_licences(folder: Path, sources: Iterable[str]) -> None:
    """Writes a file for each package, and LIST.txt.

    sources: where the files of the bundle come from.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    paths = {Path(source).resolve() for source in sources}
    lines = [_package(folder, package) for package in distributions() if _is_inside(package, paths)]
    lines += _system_packages(folder, paths)
    shutil.copyfile(Path(sysconfig.get_path("stdlib")) / "LICENSE.txt", folder / "Python.txt")
    shutil.copyfile(OWN, folder / "Spatial Workbench.txt")
    lines.append("Python: PSF-2.0")
    (folder / "LIST.txt").write_text("\n".join(sorted(set(lines), key=str.lower)) + "\n", "utf-8")


def _is_inside(package: Distribution, paths: set[Path]) -> bool:
    return any(Path(str(file.locate())).resolve() in paths for file in package.files or ())


def _package(folder: Path, package: Distribution) -> str:
    data = package.metadata
    name = package.metadata["Name"]
    texts = [Path(str(file.locate())) for file in package.files or () if WORDS.search(file.name)]
    contents = [path.read_text("utf-8", errors="replace") for path in texts if path.is_file() and path.suffix != ".py"]
    if contents:
        (folder / f"{name}.txt").write_text("\n\n".join(contents), "utf-8")
    licence = data.get("License-Expression") or (data.get("License") or "").partition("\n")[0] or _classified(package)
    return f"{name} {package.version}: {licence or 'see its text'}"


def _classified(package: Distribution) -> str:
    classifiers = package.metadata.get_all("Classifier") or ()
    return ", ".join(line.rpartition(" :: ")[2] for line in classifiers if line.startswith("License"))


def _system_packages(folder: Path, paths: set[Path]) -> list[str]:
    """The packages of Debian or Ubuntu that libraries were taken from."""
    libraries = [str(path) for path in paths if str(path).startswith("/usr/lib/")]
    # Packages may list a library under /lib, which is a link to /usr/lib.
    libraries += [library.removeprefix("/usr") for library in libraries]
    if not libraries or shutil.which("dpkg") is None:
        return []
    done = subprocess.run(["dpkg", "-S", *libraries], capture_output=True, text=True, check=False)
    names = sorted({line.partition(":")[0] for line in done.stdout.splitlines()})
    for name in names:
        shutil.copyfile(f"/usr/share/doc/{name}/copyright", folder / f"{name} (system).txt")
    return [f"{name}, a package of the system: see its text" for name in names]
