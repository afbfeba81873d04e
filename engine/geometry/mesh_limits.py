"""Limits for reading mesh files from untrusted sources, the same for every format. See docs/files.md."""

from spatial_workbench.engine.core.bodies import CannotRepresent

MAX_FILE_BYTES = 64_000_000
MAX_UNPACKED_BYTES = 256_000_000
"""Of all models in an archive together."""
MAX_TRIANGLES = 500_000
MAX_POINTS = 3 * MAX_TRIANGLES
MAX_BODIES = 5_000
MAX_PLACEMENTS = 50_000
"""Objects and groups in a file, each counted as often as it is placed."""
MAX_NESTING = 16
"""How deeply objects may hold others."""
MAX_SECONDS = 60.0
MAX_MEMORY_MB = 2_000
"""Of the process that reads a file, its libraries included."""


class MeshError(CannotRepresent):
    """A mesh file that cannot be read; the message is a sentence for a person."""
