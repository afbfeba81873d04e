"""Tables and values computed independently of the program: the geometry, and states with their measures."""

import json
from pathlib import Path

DATA = Path(__file__).parent / "data"
GEOMETRY = json.loads((DATA / "geometry.json").read_text("utf-8"))
VECTORS = json.loads((DATA / "check_vectors.json").read_text("utf-8"))["vectors"]


def moves_of(vector):
    """A name for a row of check values."""
    return vector["moves"].replace(" ", "") or "none"
