"""Which clusters are refused, and what is said then; no cluster is started here."""

import socket
import sys

import pytest

from spatial_workbench.engine.executor import ExecutorUnavailable, connection, open_executor
from spatial_workbench.engine.executor.remote import DISTRIBUTION

pytest.importorskip("distributed")


@pytest.fixture(autouse=True)
def environment(monkeypatch, tmp_path):
    """Names certificates that are files, if no certificates."""
    for name in connection._CERTIFICATES.values():
        (tmp_path / name).touch()
        monkeypatch.setenv(name, str(tmp_path / name))


def test_an_address_without_encryption_is_refused():
    with pytest.raises(ExecutorUnavailable, match="is not encrypted"):
        open_executor(cluster="tcp://198.51.100.7:8786")


@pytest.mark.parametrize("address", ["127.0.0.1:8786", "inproc://here", "nonsense"])
def test_an_address_of_another_kind_is_refused(address):
    with pytest.raises(ExecutorUnavailable, match="write tls://"):
        open_executor(cluster=address)


def test_a_certificate_without_its_key_is_refused(monkeypatch):
    monkeypatch.delenv("SPATIAL_WORKBENCH_TLS_KEY")
    with pytest.raises(ExecutorUnavailable, match="SPATIAL_WORKBENCH_TLS_KEY is not set"):
        open_executor(cluster="tls://127.0.0.1:8786")


def test_a_certificate_that_is_not_there_is_refused(monkeypatch):
    monkeypatch.setenv("SPATIAL_WORKBENCH_TLS_CA", "/nowhere/ca.pem")
    with pytest.raises(ExecutorUnavailable, match=r"TLS_CA is .*, which is not a file"):
        open_executor(cluster="tls://127.0.0.1:8786")


def test_a_scheduler_that_does_not_answer_is_named(monkeypatch):
    monkeypatch.setattr(connection, "_CONNECT_SECONDS", 1)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
    with pytest.raises(ExecutorUnavailable, match=f"No Dask scheduler can be reached at {address}"):
        open_executor(cluster=address)


def machine(python="3.11.7.final.0", ours="1.0"):
    return {"host": {"python": python}, "packages": {DISTRIBUTION: ours}}


@pytest.mark.parametrize(
    ("worker", "complaint"),
    [
        (machine(python="3.12.1.final.0"), "The worker at tls://w has Python 3.12, this machine 3.11"),
        (machine(ours="1.1"), "The worker at tls://w has spatial-workbench 1.1, this machine 1.0"),
        (machine(ours=None), r"The worker at tls://w has spatial-workbench \(not installed\)"),
    ],
)
def test_a_worker_of_another_version_is_refused(worker, complaint):
    with pytest.raises(ExecutorUnavailable, match=complaint):
        connection._check_versions({"client": machine(), "scheduler": machine(), "workers": {"tls://w": worker}})


def test_a_patch_release_of_python_makes_no_difference():
    connection._check_versions({"client": machine(), "scheduler": machine(python="3.11.9.final.0"), "workers": {}})


def test_without_dask_the_command_that_installs_it_is_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ExecutorUnavailable, match=r"pip install 'spatial-workbench\[cluster\]'"):
        open_executor(cluster="tls://scheduler:8786")
