"""What the page of a link says of the check before somebody begins, and of how the window looks."""

from __future__ import annotations

from spatial_workbench.app.serving.rfb import LARGEST, SMALLEST
from spatial_workbench.engine.core.languages.translation import tr

FLAGGED_MS = 250
"""Round trips above this at the 95 % mark flag an item (the rule `connection`)."""


def size_words() -> dict[str, str]:
    """What is said of the size of the browser's window; the page puts in what it finds."""
    width, height = SMALLEST
    found = {"width": "%width", "height": "%height"}
    least = {"least_width": width, "least_height": height}
    return {
        "least": f"{width} {height}",
        "most": "{} {}".format(*LARGEST),
        "fits": tr("Your window has {width} × {height} pixels: large enough.", **found),
        "small": tr(
            "Your window has {width} × {height} pixels. It has to have {least_width} × {least_height}: enlarge it, or "
            "switch to full screen with F11.",
            **found,
            **least,
        ),
        "zoomed_out": tr("Your browser makes pages smaller, at about {percent} %. Press Ctrl and 0.", percent="%zoom"),
        "zoomed_in": tr(
            "Your window has {width} × {height} pixels. It has to have {least_width} × {least_height}: enlarge it, "
            "switch to full screen with F11, or press Ctrl and 0, since your browser makes pages larger, at about "
            "{percent} %.",
            **found,
            **least,
            percent="%zoom",
        ),
        "ratio": tr("Pixel ratio: {ratio}", ratio="%ratio"),
    }


def check_words() -> dict[str, str]:
    """The words of the trials."""
    figures = {"median": "%median", "worst": "%worst"}
    return {
        "title": tr("Check of this computer"),
        "keys_only": tr("I use the keyboard alone; skip mouse and touchpad."),
        "window": tr("Window"),
        "keyboard": tr("Keyboard"),
        "pointer": tr("Mouse or touchpad"),
        "connection": tr("Connection"),
        "type": tr("Type three characters, then undo with Ctrl+Z (on a Mac ⌘Z)."),
        "typed": tr("Typed. Now undo with Ctrl+Z."),
        "typing_works": tr("Typing and undoing work."),
        "drag": tr("Drag the disc into the ring."),
        "wheel": tr("Turn the wheel here, or move two fingers on the touchpad."),
        "dragged": tr("Dragging works."),
        "wheeled": tr("The wheel works."),
        "skipped": tr("Skipped."),
        "touch": tr("A touch screen alone is not enough: use a mouse or a touchpad."),
        "measuring": tr("Being measured, for ten seconds…"),
        "good": tr("{median} ms there and back, at most {worst} ms: good.", **figures),
        "slow": tr(
            "{median} ms there and back, at most {worst} ms: slow. You can take part, but everything reacts later, and "
            "the study marks that the connection was slow.",
            **figures,
        ),
        "lost": tr("The server does not answer. Check your connection, then load this page again."),
        "todo": tr("Still to do: {parts}.", parts="%parts"),
        "ready": tr("Everything works. You can begin."),
        "no_script": tr("This page needs JavaScript. Switch it on, or use another browser."),
        "cannot": tr(
            "If this computer does not pass the check, you can leave the study here. Nothing about you is kept."
        ),
        "leave": tr("It does not work here"),
    }


def display_words(contact: str) -> dict[str, str]:
    """The words of what can be chosen.

    contact: whom people can ask; empty if nobody is named.
    """
    not_read = tr("The tasks are pictures. A screen reader can read pages and fields for text, but not the tasks.")
    ask = tr("If you need that, ask {contact}.", contact=contact)
    return {
        "not_read": f"{not_read} {ask}" if contact else not_read,
        "display": tr("How the study looks"),
        "type_size": tr("Size of text"),
        "high_contrast": tr("High contrast"),
        "reduced_motion": tr("Less motion"),
        "page_field": tr("Type texts in a field of the page (for screen readers, dictation and input methods)"),
        "noted": tr("The study notes what you choose here."),
    }
