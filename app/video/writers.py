"""Writes pictures as MP4 or WebM (PyAV, which has FFmpeg in it) or as GIF (Pillow)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.app.video.choices import VideoError

Bytes = NDArray[np.uint8]
Draw = Callable[[int], Bytes]
"""Draws the picture with this number: (height, width, 3) red, green, blue. Pictures are asked for in order, except for
a few at the beginning."""

_ENCODERS: dict[str, tuple[tuple[str, dict[str, str]], ...]] = {
    "mp4": (("libx264", {"crf": "18", "preset": "medium"}), ("libopenh264", {}), ("h264", {})),
    "webm": (("libvpx-vp9", {"crf": "30", "b": "0", "deadline": "good", "cpu-used": "4"}), ("libvpx", {"crf": "10"})),
}
"""For each container the encoders that are tried, with their options."""
_PALETTE_FROM = 6
"""How many pictures, spread over the video, the colours of a GIF are chosen from."""
_GIF_MOST_BYTES = 400_000_000
_BT709 = 1


def write_pictures(path: Path, suffix: str, draw: Draw, count: int, size: tuple[int, int], rate: int) -> None:
    """Writes a video.

    Args:
        suffix: ".mp4", ".webm" or ".gif".
        size: width and height of all pictures, in pixels.
        rate: pictures a second.

    Raises:
        VideoError: There is no encoder for it, or it is too large for a GIF.
        OSError: The file cannot be written.
    """
    with path.open("w+b") as file:
        if suffix == ".gif":
            _write_gif(file, draw, count, size, rate)
        else:
            _write_av(file, suffix.removeprefix("."), draw, count, size, rate)


def _write_av(file: BinaryIO, container_name: str, draw: Draw, count: int, size: tuple[int, int], rate: int) -> None:
    import av

    # Otherwise a WebM would have a random number in it.
    with av.open(file, "w", format=container_name, options={"fflags": "bitexact"}) as container:
        stream = _add_stream(container, container_name, rate)
        stream.width, stream.height = size
        stream.pix_fmt = "yuv420p"
        for name in ("colorspace", "color_primaries", "color_trc"):
            setattr(stream.codec_context, name, _BT709)
        for number in range(count):
            picture = av.VideoFrame.from_ndarray(draw(number), "rgb24")
            frame = picture.reformat(format="yuv420p", dst_colorspace="ITU709", dst_color_range="MPEG")
            frame.pts = number
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))


def _add_stream(container: Any, container_name: str, rate: int) -> Any:
    """A stream with the first encoder that this FFmpeg has."""
    import av

    for name, options in _ENCODERS[container_name]:
        if name in av.codecs_available:
            return container.add_stream(name, rate=rate, options=options)
    raise VideoError(f"The FFmpeg that is installed here has no encoder for {container_name.upper()}. Save it as GIF.")


def _write_gif(file: BinaryIO, draw: Draw, count: int, size: tuple[int, int], rate: int) -> None:
    from PIL import Image

    if count * size[0] * size[1] > _GIF_MOST_BYTES:
        raise VideoError(
            f"A GIF of {count:,} pictures of {size[0]} × {size[1]} is too large. Choose a smaller size, fewer pictures "
            "a second or a higher speed, or save it as MP4."
        )
    palette = _shared_palette([draw(number) for number in _spread(count)])

    def pictures() -> Iterator[Image.Image]:
        for number in range(count):
            yield Image.fromarray(draw(number)).quantize(palette=palette, dither=Image.Dither.NONE)

    drawn = pictures()
    first = next(drawn)
    first.save(file, "GIF", save_all=True, append_images=drawn, duration=round(1000 / rate), loop=0, disposal=1)


def _spread(count: int) -> Sequence[int]:
    """The numbers of a few pictures between the first and the last."""
    return sorted({round(float(number)) for number in np.linspace(0, count - 1, _PALETTE_FROM)})


def _shared_palette(pictures: Sequence[Bytes]) -> Any:
    """One palette for all pictures, so that still parts do not flicker."""
    from PIL import Image

    return Image.fromarray(np.concatenate(pictures)).quantize(256, method=Image.Quantize.MEDIANCUT)
