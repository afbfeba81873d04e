"""Lists of blocks that break a rule, one for each code."""

import json

ROOT = {"type": 0, "id": 0, "parent": -1, "face_id": -1}

ROWS = {
    "BAD_KEYS": {"type": 1, "id": 1},
    "BAD_NUMBER": {"type": 1, "id": 1, "parent": "x", "face_id": 0},
    "BAD_ID": {"type": 1, "id": 5, "parent": 0, "face_id": 0},
    "SECOND_ROOT": {"type": 0, "id": 1, "parent": 0, "face_id": 0},
    "UNKNOWN_TYPE": {"type": 99, "id": 1, "parent": 0, "face_id": 0},
    "BAD_PARENT": {"type": 1, "id": 1, "parent": 1, "face_id": 0},
    "NO_SUCH_FACE": {"type": 1, "id": 1, "parent": 0, "face_id": 9},
    "LINEAR_MISMATCH": {"type": 7, "id": 1, "parent": 0, "face_id": 0},
}
"""For each code an entry after the starting block that breaks the rule."""

SPACE = {
    "FACE_OCCUPIED": [(36, 1, 0, 4), (36, 2, 0, 4)],
    "OVERLAP": [(36, 1, 0, 4), (36, 2, 0, 3)],
    "SIZE": [(63, k, k - 1, 0) for k in range(1, 7)],
}
"""For each code blocks after the starting one that break the rule: type, id, parent, face."""


def _rows(blocks):
    return [dict(zip(("type", "id", "parent", "face_id"), block, strict=True)) for block in blocks]


TEXTS = (
    {"NOT_A_LIST": '{"type": 0}', "BAD_ROOT": json.dumps([{**ROOT, "type": 1}])}
    | {code: json.dumps([ROOT, row]) for code, row in ROWS.items()}
    | {"PARENT_INVALID": json.dumps([ROOT, ROWS["UNKNOWN_TYPE"], {"type": 1, "id": 2, "parent": 1, "face_id": 0}])}
    | {code: json.dumps([ROOT, *_rows(blocks)]) for code, blocks in SPACE.items()}
)
"""For each code a whole answer."""
