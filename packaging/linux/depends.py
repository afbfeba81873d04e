#!/usr/bin/env python3
"""Tells which libraries a bundle needs from the system, and whether packaging/linux/nfpm.yaml lists their packages.

packaging/linux/depends.py dist/spatial-workbench
"""

import re
import subprocess
import sys
from pathlib import Path

GLIBC = re.compile(r"ld-linux|lib(c|m|dl|rt|pthread|resolv)\.so")
CONFIGURATION = Path(__file__).with_name("nfpm.yaml")


def main() -> int:
    libraries = missing_libraries(Path(sys.argv[1]))
    listed = CONFIGURATION.read_text("utf-8")
    wanted = {*libraries, *(package for library in libraries for package in packages_of(library))}
    missing = sorted(name for name in wanted if f"- {name}" not in listed)
    for name in missing:
        print(f"{CONFIGURATION} does not list {name}", file=sys.stderr)
    return 1 if missing else 0


def missing_libraries(folder: Path) -> set[str]:
    """The libraries, besides the C library, that some file of the folder names and no file of the folder is."""
    files = [path for path in folder.rglob("*") if path.is_file() and is_elf(path)]
    named = {name for path in files for name in named_by(path)} - {path.name for path in folder.rglob("*.so*")}
    return {name for name in named if not GLIBC.match(name)}


def is_elf(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def named_by(path: Path) -> list[str]:
    done = subprocess.run(["readelf", "-d", str(path)], capture_output=True, text=True, check=True)
    return re.findall(r"\(NEEDED\).*\[(.+)\]", done.stdout)


def packages_of(library: str) -> set[str]:
    """The packages of this Debian or Ubuntu that bring a library."""
    done = subprocess.run(["dpkg", "-S", f"*/{library}"], capture_output=True, text=True, check=False)
    return {line.partition(":")[0] for line in done.stdout.splitlines()}


if __name__ == "__main__":
    sys.exit(main())
