"""What a window says to its server."""

READY = "The window is there."
"""The line that it writes to its output."""
