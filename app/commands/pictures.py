"""Commands that draw instances, and those that make the project's own pictures."""

from __future__ import annotations

import argparse
from pathlib import Path

from spatial_workbench.app.commands.plumbing import (
    AddCommand,
    Refused,
    output_file,
    output_folder,
    printing_progress,
    read,
    resolve,
    show,
)
from spatial_workbench.app.source import in_checkout, tool

PICTURE_PX = (1200, 800)


def add_commands(add: AddCommand) -> None:
    """Adds the commands to the parser that `add` belongs to."""
    render = add("render", _render, "Draw an instance, with an answer if one is given, or make a video of what moves.")
    render.add_argument("address", metavar="TASK:N")
    render.add_argument("answer", metavar="ANSWER.json", nargs="?", help="a file, or - for standard input")
    _add_options(render, None, is_required=False)
    render.add_argument("--video", metavar="FILE", help="a video of what moves: .mp4, .webm (extra video) or .gif")
    render.add_argument("--rate", type=int, metavar="N", help="pictures a second of the video; 60 unless it is a GIF")
    render.add_argument("--speed", type=float, default=1.0, metavar="FACTOR", help="how fast the video plays")
    render.add_argument("--still-camera", action="store_true", help="the camera of the video follows nothing")
    screenshot = add("screenshot", _screenshot, "Take a picture of a page of the window.")
    screenshot.add_argument(
        "page",
        metavar="PAGE",
        help="catalogue, log, settings, palette, compare, runs, results, …, participant:item, … or TASK:N",
    )
    screenshot.add_argument(
        "--type-scale", type=_scale, default=1.0, metavar="1-2", help="how large text is on the participant's pages"
    )
    screenshot.add_argument("--language", default="en", help="what the participant's pages speak: en, de, …")
    _add_options(screenshot, (1440, 900))
    pictures = add("pictures", _pictures, "Redraw the catalogue's thumbnails.")
    pictures.add_argument("task", nargs="*", help="only these tasks")
    pictures.add_argument("-o", "--output", default="resources/thumbnails")
    controls = add("controls", _controls, "List the controls of editors with their aid classes.")
    controls.add_argument("task", nargs="*", help="only these tasks")
    controls.add_argument(
        "--write",
        action="store_true",
        help="in a checkout, also rewrite docs/aids.md and the list that the tests compare",
    )
    example = add("example", _example, "Recreate the example project.")
    example.add_argument("-o", "--output", default="projects/quickstart.workbench")


def _add_options(command: argparse.ArgumentParser, size: tuple[int, int] | None, is_required: bool = True) -> None:
    command.add_argument("-o", "--output", required=is_required, help="the PNG file to write")
    command.add_argument("--size", type=_size, default=size, help="WIDTHxHEIGHT in pixels")
    command.add_argument("--theme", choices=("light", "dark"), default="light")


def _render(options: argparse.Namespace) -> int:
    if options.video is not None:
        return _render_video(options)
    if options.output is None:
        raise Refused("Name the file to write: -o FILE.png for a picture, --video FILE.mp4 for a video.")
    return _render_picture(options)


def _render_video(options: argparse.Namespace) -> int:
    from spatial_workbench.app.video.choices import SIZES, VideoChoices, VideoError, format_of
    from spatial_workbench.app.video.films import AnswerFilm
    from spatial_workbench.app.video.saving import save_video

    if options.output is not None:
        raise Refused("Give either -o or --video, not both.")
    text = read(options.answer).decode("utf-8", "replace") if options.answer else None
    path = Path(options.video)
    try:
        rate = options.rate or format_of(path).rates[0]
        choices = VideoChoices(options.size or SIZES[0], rate, options.speed, options.theme, not options.still_camera)
        saved = save_video(AnswerFilm(path.stem, options.address, text), path, choices, printing_progress())
    except VideoError as error:
        raise Refused(str(error)) from None
    words = f"The video is in {path}: {saved.seconds:.1f} s, {saved.pictures:,} pictures."
    return show(options, {"video": str(path), "pictures": saved.pictures, "seconds": saved.seconds}, words)


def _render_picture(options: argparse.Namespace) -> int:
    from spatial_workbench.app.studio.drawing import drawer
    from spatial_workbench.engine.core.files import write_whole

    task, instance = resolve(options.address)
    answer = verdict = None
    if options.answer:
        answer = task.parse(read(options.answer))
        verdict = task.verify(instance, answer)
    size = options.size or PICTURE_PX
    with output_file(options, ".png") as path:
        write_whole(path, drawer().picture(task.scene(instance, answer, verdict), size, options.theme))
    return show(options, {"picture": options.output}, f"The picture is in {options.output}.")


def _screenshot(options: argparse.Namespace) -> int:
    with output_file(options, ".png") as path:
        tool("tools.studio.screenshots").save_screenshot(
            options.page, path, options.size, options.theme, options.type_scale, options.language
        )
    return show(options, {"screenshot": options.output}, f"The screenshot is in {options.output}.")


def _pictures(options: argparse.Namespace) -> int:
    from spatial_workbench.app.studio.thumbnails import make_thumbnails

    paths = [str(path) for path in make_thumbnails(output_folder(options), options.task)]
    return show(options, paths, paths)


def _controls(options: argparse.Namespace) -> int:
    from spatial_workbench.app.studio.census import aids_page, census_lines, tasks_with_controls
    from spatial_workbench.app.studio.pictures import offscreen_application

    offscreen_application()
    chosen = [resolve(name)[0] for name in options.task] or tasks_with_controls()
    lines = list(census_lines(chosen))
    if options.write:
        census = in_checkout("tests/editors/controls.txt")
        page = in_checkout("docs/aids.md")
        census.write_text("\n".join(lines) + "\n", "utf-8")
        page.write_text(aids_page(page.read_text("utf-8"), lines), "utf-8")
    return show(options, lines, lines)


def _example(options: argparse.Namespace) -> int:
    path = tool("tools.studio.quickstart").make_example(output_folder(options))
    return show(options, {"project": str(path)}, f"The example project is in {path}.")


def _scale(text: str) -> float:
    scale = float(text)
    if not 1 <= scale <= 2:
        raise argparse.ArgumentTypeError("text is shown at 1 to 2 times its size")
    return scale


def _size(text: str) -> tuple[int, int]:
    try:
        width, height = (int(part) for part in text.lower().split("x"))
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is not a size such as 1200x800") from None
    if not (16 <= width <= 8192 and 16 <= height <= 8192):
        raise argparse.ArgumentTypeError("a size lies between 16x16 and 8192x8192")
    return width, height
