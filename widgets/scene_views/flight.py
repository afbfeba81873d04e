"""A camera that flies from one place to another."""

from __future__ import annotations

import time

from spatial_workbench.widgets.render3d.camera import Camera

ANIMATION_S = 0.15


class CameraFlight:
    """Where the camera flies from and to; there is no flight until `begin`."""

    def __init__(self) -> None:
        self._course: tuple[float, Camera, Camera] | None = None
        """When it began, and its two ends."""

    @property
    def is_on(self) -> bool:
        """Whether the camera flies."""
        return self._course is not None

    @property
    def goal(self) -> Camera | None:
        """Where it flies to; None if it stands."""
        return None if self._course is None else self._course[2]

    def begin(self, start: Camera, goal: Camera) -> None:
        """Begins to fly now."""
        self._course = time.perf_counter(), start, goal

    def end(self) -> None:
        """Ends the flight where it is."""
        self._course = None

    def step(self) -> Camera | None:
        """Where the camera is by now; None if it stands. The flight ends when the goal is reached."""
        if self._course is None:
            return None
        begun, start, goal = self._course
        share = min(1.0, (time.perf_counter() - begun) / ANIMATION_S)
        if share >= 1.0:
            self._course = None
            return goal
        return start.towards(goal, share * share * (3 - 2 * share))
