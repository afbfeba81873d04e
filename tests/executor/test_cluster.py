"""Jobs on a Dask cluster over TLS, on this machine: the same results as the local executor's, and what is refused."""

import os
import signal
import subprocess
import sys

import pytest

from spatial_workbench.engine.executor import ExecutorUnavailable, JobOutcome, connection, open_executor
from tests.executor.executor_tools import ALLOWED, all_of, is_alive, job, number_in, run, wait_for
from tests.ports import free_port

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True, scope="module")
def needed():
    pytest.importorskip("distributed")


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    """A busy machine takes its time to connect; that a connection comes about is what counts."""
    monkeypatch.setattr(connection, "_CONNECT_SECONDS", 60)


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    """A folder with a certificate authority, a certificate of a node, and its key."""
    return issue(tmp_path_factory.mktemp("certificates"))


def issue(folder):
    import trustme

    authority = trustme.CA()
    node = authority.issue_cert("node")
    authority.cert_pem.write_to_path(str(folder / "ca.pem"))
    node.cert_chain_pems[0].write_to_path(str(folder / "node.pem"))
    node.private_key_pem.write_to_path(str(folder / "node.key"))
    return folder


def show(monkeypatch, folder):
    """Lets this process show the certificates of a folder."""
    for name, file in (("CA", "ca.pem"), ("CERT", "node.pem"), ("KEY", "node.key")):
        monkeypatch.setenv(f"SPATIAL_WORKBENCH_TLS_{name}", str(folder / file))


class Cluster:
    """A scheduler and workers, each a process started by the command that the documentation names."""

    def __init__(self, certificates, folder):
        self.folder = folder
        self.options = [f"--tls-ca-file={certificates}/ca.pem", f"--tls-cert={certificates}/node.pem"]
        self.options += [f"--tls-key={certificates}/node.key", "--no-dashboard"]
        self.address = f"tls://127.0.0.1:{free_port()}"
        self.processes = []
        self.scheduler = self.start(
            "scheduler", "--protocol=tls", "--host=127.0.0.1", f"--port={self.address.split(':')[-1]}"
        )

    def start(self, kind, *arguments):
        command = [sys.executable, "-m", "dask", kind, *arguments, *self.options]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        with (self.folder / f"{kind}-{len(self.processes)}.log").open("w") as log:
            self.processes.append(subprocess.Popen(command, stdout=log, stderr=log, env=environment, cwd=self.folder))
        return self.processes[-1]

    def start_worker(self):
        return self.start("worker", self.address, "--nthreads=1", "--memory-limit=0")

    def close(self):
        for process in reversed(self.processes):
            process.terminate()
        for process in reversed(self.processes):
            process.wait(30)


@pytest.fixture(scope="module")
def cluster(certificates, tmp_path_factory):
    cluster = Cluster(certificates, tmp_path_factory.mktemp("cluster"))
    for _ in range(2):
        cluster.start_worker()
    yield cluster
    cluster.close()


@pytest.fixture
def executor(cluster, certificates, monkeypatch):
    show(monkeypatch, certificates)
    with open_executor(cluster=cluster.address, allowed=ALLOWED) as executor:
        yield executor


MIXED = [
    job("sum", "add", a=2, b=3),
    job("nested", "echo", value={"a": [1, None, "día"]}),
    job("large", "echo", value="x" * 3_000_000),
    job("failing", "fail", text="no grid"),
    job("leaving", "leave", code=3),
    job("unfit", "unfit"),
    job("printing", "chatter"),
    job("slow", "sleep", seconds=30, time_limit_s=0.5),
    job("greedy", "allocate", megabytes=1000, memory_limit_mb=600),
    job("dying", "die"),
    job("breaking", "exit_hard", code=7, words="the joint is singular"),
]


def test_jobs_end_as_they_do_on_this_machine(executor):
    def ends(executor):
        for mixed in MIXED:
            executor.submit(mixed)
        ended = all_of(executor)
        return {key: (end.outcome, end.value, end.message, end.tries) for key, end in ended.items()}

    with open_executor(1, allowed=ALLOWED) as local:
        assert ends(executor) == ends(local)


def test_every_job_of_many_is_given_once(executor):
    for number in range(300):
        executor.submit(job(str(number), "add", a=number, b=1))
    seen = []
    while executor.pending:
        seen += [(int(finished.key), finished.value) for finished in executor.finished(30)]
    assert sorted(seen) == [(number, number + 1) for number in range(300)]


def test_two_batches_on_one_cluster_may_use_the_same_keys(executor, cluster):
    with open_executor(cluster=cluster.address, allowed=ALLOWED) as other:
        executor.submit(job("1", "echo", value="mine"))
        other.submit(job("1", "echo", value="theirs"))
        assert (all_of(executor)["1"].value, all_of(other)["1"].value) == ("mine", "theirs")


def test_cancelling_a_running_job_kills_its_process_and_others_go_on(executor, tmp_path):
    executor.submit(job("long", "begin", path=str(tmp_path / "pid")))
    process = number_in(tmp_path / "pid")
    executor.cancel("long")
    executor.submit(job("next", "add", a=1, b=1))
    results = all_of(executor)
    assert (results["long"].outcome, results["next"].value) == (JobOutcome.CANCELLED, 2)
    wait_for(lambda: not is_alive(process))


def test_jobs_that_wait_are_cancelled_before_they_begin(executor, tmp_path):
    for key in ("first", "second"):
        executor.submit(job(key, "begin", path=str(tmp_path / key)))
    number_in(tmp_path / "first")
    number_in(tmp_path / "second")
    executor.submit(job("third", "begin", path=str(tmp_path / "third")))
    for key in ("third", "first", "second"):
        executor.cancel(key)
    assert {finished.outcome for finished in all_of(executor).values()} == {JobOutcome.CANCELLED}
    assert run(executor, "add", a=1, b=1).value == 2
    assert not (tmp_path / "third").exists()


def test_closing_ends_what_runs_on_the_cluster(cluster, certificates, monkeypatch, tmp_path):
    show(monkeypatch, certificates)
    executor = open_executor(cluster=cluster.address, allowed=ALLOWED)
    executor.submit(job("long", "begin", path=str(tmp_path / "pid")))
    process = number_in(tmp_path / "pid")
    executor.close()
    assert (executor.pending, executor.finished(10)) == (0, [])
    wait_for(lambda: not is_alive(process))


def test_a_job_whose_worker_dies_is_run_by_another(executor, tmp_path):
    executor.submit(job("long", "sleep_under", path=str(tmp_path / "worker"), seconds=2))
    for number in range(10):
        executor.submit(job(str(number), "sleep", seconds=0.1))
    os.kill(number_in(tmp_path / "worker"), signal.SIGKILL)
    assert {finished.outcome for finished in all_of(executor).values()} == {JobOutcome.DONE}


def test_a_job_that_takes_every_worker_with_it_has_crashed(executor):
    finished = run(executor, "kill_parent")
    assert (finished.outcome, finished.message) == (JobOutcome.CRASHED, "Every worker that started it died")
    assert run(executor, "add", a=1, b=1).value == 2


def test_whoever_waits_learns_that_the_scheduler_is_gone(certificates, monkeypatch, tmp_path):
    show(monkeypatch, certificates)
    cluster = Cluster(certificates, tmp_path)
    with open_executor(cluster=cluster.address, allowed=ALLOWED) as executor:
        executor.submit(job("it", "nothing"))
        assert executor.finished(0.5) == []
        cluster.scheduler.kill()
        with pytest.raises(ExecutorUnavailable, match="The cluster was lost"):
            executor.finished(60)
    cluster.close()


def test_a_cluster_is_not_entered_without_a_certificate(cluster, monkeypatch):
    for name in connection._CERTIFICATES.values():
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(ExecutorUnavailable, match="needs certificates: set SPATIAL_WORKBENCH_TLS_CA"):
        open_executor(cluster=cluster.address)


def test_a_certificate_of_another_authority_is_refused(cluster, monkeypatch, tmp_path):
    show(monkeypatch, issue(tmp_path))
    monkeypatch.setattr(connection, "_CONNECT_SECONDS", 1)
    with pytest.raises(ExecutorUnavailable, match="can be reached"):
        open_executor(cluster=cluster.address)


def test_a_worker_of_another_version_that_joins_later_is_not_used(executor):
    executor._version = "0.0.0"
    executor.submit(job("it", "nothing"))
    with pytest.raises(ExecutorUnavailable, match="Install the same version on every machine"):
        executor.finished(60)
