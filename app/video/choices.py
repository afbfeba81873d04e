"""The choices for a video: format, size, pictures a second, speed, theme."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

SIZES = ((1280, 720), (1920, 1080), (854, 480), (640, 360), (720, 720))
"""Width and height in pixels; the first is chosen unless somebody says otherwise."""
LEAST_PX, MOST_PX = 16, 4096
SPEEDS = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0)
MISSING = "MP4 and WebM need PyAV, which the extra “video” installs: pip install 'spatial-workbench[video]'."


class VideoError(RuntimeError):
    """A video cannot be made; the message is a sentence that says why."""


@dataclass(frozen=True)
class VideoFormat:
    """A kind of file.

    rates: Pictures a second that can be chosen, the usual one first. needs_av: Whether PyAV writes it.
    """

    title: str
    suffix: str
    rates: tuple[int, ...]
    sizes: tuple[tuple[int, int], ...] = SIZES
    needs_av: bool = True

    @property
    def is_here(self) -> bool:
        """Whether it can be written here."""
        return not self.needs_av or find_spec("av") is not None


FORMATS = (
    VideoFormat("MP4 (H.264)", ".mp4", (60, 30, 25, 24)),
    VideoFormat("WebM (VP9)", ".webm", (60, 30, 25, 24)),
    # A picture of a GIF lasts whole hundredths of a second, and browsers slow down those below two.
    VideoFormat("GIF", ".gif", (20, 50, 25, 10), ((640, 360), (854, 480), (360, 360), (1280, 720)), needs_av=False),
)


def format_of(path: Path) -> VideoFormat:
    """The format that the name of a file asks for.

    Raises:
        VideoError: There is none of this suffix, or it cannot be written here.
    """
    for kind in FORMATS:
        if kind.suffix == path.suffix.lower():
            if not kind.is_here:
                raise VideoError(MISSING)
            return kind
    known = ", ".join(kind.suffix for kind in FORMATS)
    raise VideoError(f"“{path.name}” names no format of video; its name has to end in one of {known}.")


@dataclass(frozen=True)
class VideoChoices:
    """How a video is made.

    size: width and height in pixels, even numbers. rate: pictures a second. speed: how many seconds of the scene pass
    in one of the video. theme: "light" or "dark". follows: Whether the camera follows what the scene is about.
    """

    size: tuple[int, int] = SIZES[0]
    rate: int = 60
    speed: float = 1.0
    theme: str = "light"
    follows: bool = True

    def __post_init__(self) -> None:
        if any(side % 2 or not LEAST_PX <= side <= MOST_PX for side in self.size):
            width, height = self.size
            raise VideoError(
                f"A video cannot have {width} × {height} pixels: both must be even, from {LEAST_PX} to {MOST_PX}."
            )
        if not 1 <= self.rate <= 120:
            raise VideoError(f"A video cannot have {self.rate} pictures a second; 1 to 120 are possible.")
        if not 0.01 <= self.speed <= 100:
            raise VideoError(f"A video cannot be {self.speed:g} times as fast; 0.01 to 100 are possible.")
