"""A server that acts as a model, batches in new projects, and an executor that runs its jobs at once."""

import importlib

import pytest

from spatial_workbench.engine.core import resolve
from spatial_workbench.engine.evaluation.planning.plan import BatchPlan, Contender, select
from spatial_workbench.engine.evaluation.runner import BatchRunner
from spatial_workbench.engine.executor import Finished, JobOutcome
from spatial_workbench.engine.executor.contracts import cancelled
from spatial_workbench.engine.models import ModelSettings
from spatial_workbench.engine.store import Project
from tests.models.conftest import chat, no_pauses, own_keyring, server

__all__ = ["no_pauses", "own_keyring", "server"]


class AtOnce:
    """An executor without processes."""

    def __init__(self):
        self.done = []
        self.jobs = []

    def submit(self, job):
        self.jobs.append(job)
        module, _, name = job.function.partition(":")
        try:
            value = getattr(importlib.import_module(module), name)(**job.arguments)
            self.done.append(Finished(job.key, JobOutcome.DONE, value, "", 0.0, 1))
        except Exception as error:
            self.done.append(Finished(job.key, JobOutcome.FAILED, None, f"{type(error).__name__}: {error}", 0.0, 1))

    def cancel(self, key):
        self.done = [cancelled(key) if finished.key == key else finished for finished in self.done]

    def finished(self, timeout_s):
        done = self.done
        self.done = []
        return done

    @property
    def pending(self):
        return len(self.done)

    @property
    def running(self):
        return {}


def oracle(wrong=()):
    """Answers each prompt as the reference solution would; the instances in `wrong` are answered with nonsense."""
    known = {}

    def answer(body):
        text = body["messages"][-1]["content"]
        text = text if isinstance(text, str) else text[0]["text"]
        for address, (prompt, solution) in known.items():
            if prompt in text:
                return chat("I do not know." if address in wrong else solution)
        return chat("Who are you?")

    def learn(addresses):
        for address in addresses:
            task, instance = resolve(address)
            known.setdefault(address, (task.prompt(instance).text, task.format(task.solve(instance))))
        return answer

    return learn


@pytest.fixture
def project(tmp_path):
    with Project.create(tmp_path / "batch.workbench") as opened:
        yield opened


@pytest.fixture
def batch_of(project):
    """Stores a batch that asks the model at an address; gives its number and its plan."""

    def make(url, tasks, settings=None, **plan):
        settings = {"name": "tiny", "model": "tiny", "timeout_s": 10, "silence_s": 5, "max_wait_s": 2} | (
            settings or {}
        )
        asked = Contender(settings=ModelSettings(base_url=url, **settings))
        return store(project, BatchPlan(name="test", contenders=(asked,), addresses=select(tasks), **plan))

    return make


def store(project, plan):
    return project.batches.add(plan.name, plan.model_dump_json(), plan.questions()), plan


def run(project, batch, plan, executor=None):
    """Runs a batch in this process."""
    return BatchRunner(project, batch, plan, executor or AtOnce()).run()


def states(project, batch):
    return [item.state.value for item in project.items.of_batch(batch)]
