"""Compiles the loops of the engine into a module for the bundle, which then needs no numba, a fifth of its size."""

import importlib
import pkgutil
import warnings
from pathlib import Path

import numba
from numba import types

from spatial_workbench import engine
from spatial_workbench.engine.geometry.compiled import ENTRIES, Kind

MODULE = "compiled_kernels"


def compile_kernels(folder: Path) -> None:
    """Writes the module `compiled_kernels` to a folder. Needs a C compiler and setuptools."""
    with warnings.catch_warnings():
        # Numba announces that it will replace this one day.
        warnings.simplefilter("ignore", numba.NumbaPendingDeprecationWarning)
        from numba.pycc import CC
    for module in pkgutil.walk_packages(engine.__path__, "spatial_workbench.engine."):
        if module.name.endswith("kernels"):
            importlib.import_module(module.name)
    compiler = CC(MODULE)
    folder.mkdir(parents=True, exist_ok=True)
    compiler.output_dir = str(folder)
    for name, (function, kinds) in ENTRIES.items():
        arguments = tuple(type_of(kind) for kind in kinds)
        function.compile(arguments)
        compiler.export(name, function.overloads[arguments].signature)(function.py_func)
    compiler.compile()


def type_of(kind: Kind) -> types.Type:
    """Numba's type of a kind of argument."""
    if isinstance(kind, tuple):
        return types.Tuple([type_of(part) for part in kind])
    name, _, axes = kind.rstrip("]").partition("[")
    number = types.bool_ if name == "bool" else getattr(types, name)
    return types.Array(number, int(axes), "C") if axes else number
