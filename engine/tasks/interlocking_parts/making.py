"""From a part's contents to its solid. Programs run in the sandbox only, and only where `programs_may_run`.

Results are cached as binary STL in the user's cache folder, by the contents' hash and the version of the tool that ran
them, so that every process of the application finds them.
"""

import base64
import binascii
import hashlib
import os
import re
import tempfile
from collections.abc import Iterable
from pathlib import Path

from spatial_workbench.engine.core.consent import programs_may_run
from spatial_workbench.engine.core.progress import Progress, silent
from spatial_workbench.engine.core.reading.limits import MAX_TEXT_CHARS
from spatial_workbench.engine.core.reuse import notice_reuse
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.geometry.mesh_limits import MeshError
from spatial_workbench.engine.geometry.stl import Triangles, is_text, read_stl, write_binary_stl, write_stl
from spatial_workbench.engine.tasks.interlocking_parts.answer import Form, Part
from spatial_workbench.engine.tasks.interlocking_parts.solid import SolidResult, mesh_of, solid_of

KEPT_MESHES = 400
MAX_TEXT_TRIANGLES = 20_000
MAX_STL_BYTES = 20_000_000
"""Of one part; see docs/tasks/interlocking_parts.md."""
MAX_MESSAGE = 300
ASK_FIRST = "It is a program, and programs run only when they are asked to (Run, or Submit)"
_OTHER_FILES = re.compile(r"\b(import|surface)\s*\(|\b(include|use)\s*<")
_COMMENTS = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\])*\"", re.DOTALL)


class NotEvaluated(Exception):
    """The part's program was not run; the message says why."""


def make(part: Part, progress: Progress = silent) -> SolidResult:
    """The solid of a part, or what is wrong with it. Runs its program if that is allowed and no result is cached.

    Raises:
        Cancelled: Raised by `progress`.
    """
    if part.form is None:
        return SolidResult(problem=f"'{part.fileType[:40]}' is not a file type; there are {', '.join(Form)}")
    try:
        return solid_of(_stl_of(part.form, part.fileContents, progress))
    except MeshError as error:
        return SolidResult(problem=str(error))
    except NotEvaluated as error:
        return SolidResult(waiting=str(error))


def known(part: Part) -> SolidResult:
    """The mesh of a part if it is available without checking or running anything; fast enough for drawing."""
    if part.form is None:
        return SolidResult(problem="Unknown file type")
    if part.form.is_program:
        path = next(iter(_folder().glob(f"{_digest(part.form, part.fileContents)}-*.stl")), None)
        return mesh_of(path.read_bytes()) if path is not None else SolidResult(waiting=ASK_FIRST)
    try:
        return mesh_of(stl_bytes(part.fileContents))
    except MeshError as error:
        return SolidResult(problem=str(error))


def stl_bytes(contents: str) -> bytes:
    """The bytes of an STL part: text as it is, binary decoded from base64.

    Raises:
        MeshError: it is too long, or neither.
    """
    if len(contents) > MAX_STL_BYTES:
        raise MeshError(f"The STL is {len(contents) / 1e6:.0f} MB long; the limit is {MAX_STL_BYTES / 1e6:.0f} MB")
    data = contents.encode("utf-8", "replace")
    if is_text(data) or not data.strip():
        return data
    try:
        return base64.b64decode("".join(contents.split()), validate=True)
    except (binascii.Error, ValueError):
        raise MeshError("It is neither STL text (beginning with 'solid') nor binary STL in base64") from None


def contents_of(vertices: Floats, triangles: Triangles) -> str:
    """A mesh as the contents of an STL part: text, or binary in base64 if text would be long.

    Raises:
        MeshError: it does not fit into an answer.
    """
    if len(triangles) <= MAX_TEXT_TRIANGLES:
        return write_stl(vertices, triangles)
    contents = base64.b64encode(write_binary_stl(vertices, triangles)).decode()
    if len(contents) > MAX_TEXT_CHARS:
        raise MeshError(
            f"The mesh has {counted(len(triangles), 'triangle')}, more than fit into an answer (about 235,000)"
        )
    return contents


def _stl_of(form: Form, contents: str, progress: Progress) -> bytes:
    if not form.is_program:
        return stl_bytes(contents)
    version = _version(form)
    path = _folder() / f"{_digest(form, contents)}-{hashlib.sha256(version.encode()).hexdigest()[:12]}.stl"
    if path.is_file():
        notice_reuse()
        return path.read_bytes()
    if not programs_may_run():
        raise NotEvaluated(ASK_FIRST)
    data = _run(form, contents, progress)
    vertices, triangles = read_stl(data)
    data = write_binary_stl(vertices, triangles)
    _cache_mesh(path, data)
    return data


def _version(form: Form) -> str:
    """The name and version of the tool that runs programs of this form.

    Raises:
        NotEvaluated: nothing does on this machine.
    """
    from spatial_workbench.engine import sandbox

    tools = [] if form is Form.OPENSCAD else [sandbox.availability()]
    tools += [] if form is Form.PYTHON_STL else [sandbox.openscad_availability()]
    for tool in tools:
        if not tool.available:
            raise NotEvaluated(tool.reason)
    return " ".join(f"{tool.backend} {tool.version}" for tool in tools)


def _run(form: Form, contents: str, progress: Progress) -> bytes:
    """The STL that a program makes.

    Raises:
        MeshError: it failed; with the tool's words.
        NotEvaluated: the sandbox is gone.
    """
    from spatial_workbench.engine import sandbox

    try:
        if form is Form.OPENSCAD:
            return _compile(contents, progress)
        output = sandbox.run_program(contents, progress=progress).output
        return _compile(output, progress) if form is Form.PYTHON_OPENSCAD else output.encode()
    except sandbox.SandboxUnavailable as error:
        raise NotEvaluated(str(error)) from None
    except sandbox.ProgramFailed as error:
        raise MeshError(f"The program failed: {_plain(error)}") from None


def _compile(source: str, progress: Progress) -> bytes:
    from spatial_workbench.engine import sandbox

    if not source.strip():
        raise MeshError("The OpenSCAD program is empty")
    other = _OTHER_FILES.search(_COMMENTS.sub(" ", source))
    if other:
        raise MeshError(f"An OpenSCAD program may not read other files ({other[1] or other[2]})")
    return sandbox.compile_openscad(source, progress=progress)


def _plain(error: Exception) -> str:
    """An error message in one line, without control characters, shortened."""
    words = " ".join("".join(c if c.isprintable() else " " for c in str(error)).split())
    return words if len(words) <= MAX_MESSAGE else words[: MAX_MESSAGE - 3] + "..."


def _digest(form: Form, contents: str) -> str:
    return hashlib.sha256(f"{form}\n{contents}".encode("utf-8", "replace")).hexdigest()


def _folder() -> Path:
    import platformdirs

    return Path(platformdirs.user_cache_dir("spatial-workbench")) / "meshes"


def _cache_mesh(place: Path, data: bytes) -> None:
    """Caches a mesh, or does nothing if the cache is not writable."""
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=place.parent, suffix=".part")
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(name, place)
        _drop_oldest(place.parent.glob("*.stl"))
    except OSError:
        return


def _drop_oldest(meshes: Iterable[Path]) -> None:
    for mesh in sorted(meshes, key=lambda mesh: mesh.stat().st_mtime)[:-KEPT_MESHES]:
        mesh.unlink(missing_ok=True)
