"""Words by which copies of data of a benchmark are found in other collections."""

from __future__ import annotations

import uuid

_CANARY = "Benchmark data: please keep it out of training corpora. Canary GUID spatial-workbench:{guid}"


def canary(guid: str) -> str:
    """The canary's sentence with its GUID."""
    return _CANARY.format(guid=guid)


def require_guid(guid: str) -> None:
    """Raises ValueError if this is no GUID; the message shows one."""
    try:
        uuid.UUID(guid)
    except ValueError:
        raise ValueError(f"“{guid[:80]}” is no GUID, such as {uuid.uuid4()}.") from None
