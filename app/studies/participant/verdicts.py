"""Verdicts that a running session needs: for feedback, practice and attention items."""

from __future__ import annotations

from spatial_workbench.app.background import judging
from spatial_workbench.app.background.jobs import Jobs
from spatial_workbench.engine.core import Verdict
from spatial_workbench.engine.studies.sessions.pages import Wanted
from spatial_workbench.engine.studies.sessions.sitting import Sitting


class Judge:
    """Computes verdicts in the background and passes them to the session.

    Attributes:
        verdicts: Those of the current session, by the position of their item.
    """

    def __init__(self, jobs: Jobs) -> None:
        self.verdicts: dict[int, Verdict] = {}
        self._jobs = jobs
        self._sitting: Sitting | None = None
        self._begun: set[Wanted] = set()

    def judge_wanted(self, sitting: Sitting) -> None:
        """Begins with whatever the session wants and was not begun yet."""
        if sitting is not self._sitting:
            self.forget()
            self._sitting = sitting
        for wanted in sitting.wanted:
            if wanted not in self._begun:
                self._begun.add(wanted)
                self._judge(sitting, wanted)

    def forget(self) -> None:
        """Forgets the person who has finished; the results of running jobs are dropped."""
        self._sitting = None
        self.verdicts.clear()
        self._begun.clear()

    def _judge(self, sitting: Sitting, wanted: Wanted) -> None:
        def told(verdict: Verdict | None) -> None:
            if self._sitting is not sitting:
                return
            if verdict is None:
                sitting.take_verdict(wanted, None, False)
                return
            self.verdicts[wanted.position] = verdict
            sitting.take_verdict(wanted, verdict.score, verdict.passed)

        self._jobs.live.run(
            "Checking the answer",
            judging.verify_submitted,
            wanted.address,
            wanted.answer,
            done=told,
            failed=lambda _: told(None),
            quiet=True,
        )
