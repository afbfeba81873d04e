"""What somebody has told on the page of a link: how the check went, and how the window should look."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

KEYS_ONLY = "keys_only"
HIGH_CONTRAST = "high_contrast"
REDUCED_MOTION = "reduced_motion"
PAGE_FIELD = "page_field"
TYPE_PERCENT = "type_percent"
TYPE_PERCENTS = (100, 125, 150, 200)
ROUND_TRIPS = ("round_trip_median", "round_trip_p95", "round_trip_worst")
MOST_ROUND_TRIP_MS = 60_000
SCALE = "scale"
_SCALE = re.compile(r"1(\.\d{1,3})?|2")


@dataclass(frozen=True)
class EntryForm:
    """What was sent with *Begin* or *Go on*.

    Attributes:
        keys_only: Whether the person uses the keyboard alone, and has not tried a pointer.
        round_trips: Median, 95 % mark and longest of the round trips in the check, in milliseconds; None if there was
            no check.
        type_percent: How large text is, compared with usual.
        high_contrast, reduced_motion: How the window looks otherwise.
        types_in_page: Whether texts are typed in a field of the page, such as by dictation.
        scale: How many pixels of the browser's screen a pixel of a page takes, 1 to 2, as far as the picture may be so
            large.
        language: The code of the language in which the person read the page; "" if nothing was read.
    """

    keys_only: bool = False
    round_trips: tuple[int, int, int] | None = None
    type_percent: int = TYPE_PERCENTS[0]
    high_contrast: bool = False
    reduced_motion: bool = False
    types_in_page: bool = False
    scale: float = 1.0
    language: str = ""

    def told(self) -> dict[str, Any]:
        """What the window is told of it, for the session's log."""
        told: dict[str, Any] = {
            "keys_only": self.keys_only,
            "type_scale": self.type_percent / 100,
            "high_contrast": self.high_contrast,
            "reduced_motion": self.reduced_motion,
            "page_field": self.types_in_page,
            "scale": self.scale,
            "language": self.language,
        }
        if self.round_trips is not None:
            median, high, worst = self.round_trips
            told["round_trips"] = {"median_ms": median, "p95_ms": high, "worst_ms": worst}
        return told

    def fields(self) -> dict[str, str]:
        """The fields of a form that says the same again, for a page that sends it later."""
        ticked = {
            KEYS_ONLY: self.keys_only,
            HIGH_CONTRAST: self.high_contrast,
            REDUCED_MOTION: self.reduced_motion,
            PAGE_FIELD: self.types_in_page,
        }
        fields = {name: "on" for name, is_ticked in ticked.items() if is_ticked}
        fields[TYPE_PERCENT] = str(self.type_percent)
        fields[SCALE] = f"{self.scale:g}"
        if self.round_trips is not None:
            fields |= dict(zip(ROUND_TRIPS, map(str, self.round_trips), strict=True))
        return fields


NOTHING_TOLD = EntryForm()


def entry_form_of(fields: Mapping[str, str]) -> EntryForm:
    """What a form says; what is not as expected is left out."""
    trips = [_milliseconds(fields.get(name, "")) for name in ROUND_TRIPS]
    known = [trip for trip in trips if trip is not None]
    is_whole = len(known) == len(trips)
    percents = {str(percent): percent for percent in TYPE_PERCENTS}
    return EntryForm(
        fields.get(KEYS_ONLY) == "on",
        (known[0], known[1], known[2]) if is_whole else None,
        percents.get(fields.get(TYPE_PERCENT, ""), NOTHING_TOLD.type_percent),
        fields.get(HIGH_CONTRAST) == "on",
        fields.get(REDUCED_MOTION) == "on",
        fields.get(PAGE_FIELD) == "on",
        scale_of(fields),
    )


def _milliseconds(text: str) -> int | None:
    is_number = text.isascii() and text.isdigit() and len(text) <= len(str(MOST_ROUND_TRIP_MS))
    return min(int(text), MOST_ROUND_TRIP_MS) if is_number else None


def scale_of(fields: Mapping[str, str]) -> float:
    """How many pixels of the browser's screen a pixel of its page takes, 1 to 2; 1 if it does not say so."""
    scale = fields.get(SCALE, "")
    return float(scale) if _SCALE.fullmatch(scale) else 1.0
