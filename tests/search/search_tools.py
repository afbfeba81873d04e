"""An executor for tests of searches, and the name of what it runs in place of the physics."""

import json

from spatial_workbench.engine.executor import Finished, JobOutcome
from spatial_workbench.engine.executor.child import run

STUB = "tests.search.search_jobs:by_weight"


class Direct:
    """An executor that runs each job when it is asked for, the first or the last submitted first."""

    def __init__(self, takes_last=False, most=10**6, outcome=JobOutcome.DONE):
        self.takes_last = takes_last
        self.most = most
        self.outcome = outcome
        self.waiting = []
        self.begun = []

    @property
    def pending(self):
        return len(self.waiting)

    def submit(self, job):
        self.waiting.append(job)

    def cancel(self, key):
        self.waiting = [job for job in self.waiting if job.key != key]

    def finished(self, timeout_s):
        if len(self.begun) == self.most:
            raise KeyboardInterrupt
        job = self.waiting.pop(-1 if self.takes_last else 0)
        self.begun.append(job)
        if self.outcome is not JobOutcome.DONE:
            return [Finished(job.key, self.outcome, None, "it went wrong", 0.0, 1)]
        value = json.loads(run(job, ("tests.",)))["value"]
        return [Finished(job.key, JobOutcome.DONE, value, "", 0.0, 1)]
