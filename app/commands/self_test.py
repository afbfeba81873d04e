"""Reports after the set-up what works on this machine, and warms the compilers' caches."""

import importlib
import sys
import time
from collections.abc import Callable


def main() -> int:
    """Prints one line per subject; returns 1 if the application cannot start."""
    checks: list[tuple[str, bool, Callable[[], str]]] = [
        ("Packages", True, _packages),
        ("3D drawing", False, _opengl),
        ("Compiled kernels", False, _kernels),
        ("Sandbox", False, _sandbox),
        ("OpenSCAD", False, _openscad),
        ("Cube solver", False, _cube_solver),
    ]
    return max(_report(*check) for check in checks)


def _report(name: str, needed: bool, check: Callable[[], str]) -> int:
    start = time.perf_counter()
    try:
        text = check()
        failed = False
    except Exception as error:
        text = f"not available: {error}"
        failed = needed
    print(f"  {name + ':':18} {text} ({time.perf_counter() - start:.1f} s)", flush=True)
    return int(failed)


def _packages() -> str:
    for name in ("PySide6.QtWidgets", "vtkmodules.vtkRenderingOpenGL2", "pyqtgraph", "manifold3d", "shapely", "numba"):
        importlib.import_module(name)
    return "all import"


def _opengl() -> str:
    from spatial_workbench.widgets.render3d.probe import probe

    return str(probe())


def _kernels() -> str:
    from spatial_workbench.engine.core import task
    from spatial_workbench.engine.tasks.fluid_simulation import warm_up

    warm_up()
    machines = task("machine_movement")
    first = machines.instances()[0]
    machines.verify(first, machines.solve(first))
    return "compiled"


def _sandbox() -> str:
    from spatial_workbench.engine.sandbox import availability

    sandbox = availability()
    if not sandbox.available:
        raise RuntimeError(sandbox.reason)
    return sandbox.version


def _openscad() -> str:
    from spatial_workbench.engine.sandbox import openscad_availability

    openscad = openscad_availability()
    if not openscad.available:
        raise RuntimeError(openscad.reason)
    return openscad.version


def _cube_solver() -> str:
    importlib.import_module("kociemba")
    return "kociemba is installed"


if __name__ == "__main__":
    sys.exit(main())
