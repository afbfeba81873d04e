"""Connects to a Dask cluster, unless that would be unsafe or could change results."""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from spatial_workbench.engine.core.extras import how_to_get
from spatial_workbench.engine.executor.contracts import ExecutorUnavailable
from spatial_workbench.engine.executor.remote import DISTRIBUTION

if TYPE_CHECKING:
    from distributed import Client, Security

_CERTIFICATES = {
    "tls_ca_file": "SPATIAL_WORKBENCH_TLS_CA",
    "tls_client_cert": "SPATIAL_WORKBENCH_TLS_CERT",
    "tls_client_key": "SPATIAL_WORKBENCH_TLS_KEY",
}
_CONNECT_SECONDS = 15


def connect(address: str) -> Client:
    """Connects to the scheduler at an address such as "tls://host:8786".

    Raises:
        ExecutorUnavailable: Dask is not installed, the address is unsafe, nobody answers there, or the machines have
            different versions.
    """
    try:
        from distributed import Client
    except ImportError:
        raise ExecutorUnavailable(how_to_get("cluster")) from None
    security = _security(address)
    try:
        client = Client(address, security=security, timeout=_CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ExecutorUnavailable(f"No Dask scheduler can be reached at {address}: {error}") from error
    try:
        _check_versions(client.get_versions(check=True, packages=[DISTRIBUTION]))
    except BaseException:
        client.close()
        raise
    return client


def _security(address: str) -> Security:
    """The certificates to present; only a scheduler on this machine may be used without any.

    Whoever can reach a scheduler can run code on every worker.
    """
    from distributed import Security

    scheme, separator, _ = address.partition("://")
    if not separator or scheme not in ("tls", "tcp"):
        raise ExecutorUnavailable(f"'{address}' is not the address of a scheduler; write tls://host:8786")
    if scheme == "tcp":
        if not _is_loopback(urlsplit(address).hostname or ""):
            raise ExecutorUnavailable(f"{address} is not encrypted; a cluster on other machines needs tls://")
        return Security(require_encryption=False)
    security = Security(require_encryption=True, **_certificates())
    if not (security.tls_ca_file and security.tls_client_cert):
        raise ExecutorUnavailable(f"{address} needs certificates: set {', '.join(_CERTIFICATES.values())}")
    return security


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _certificates() -> dict[str, str]:
    """Paths from the environment; if it names none, the result is empty and Dask's own configuration applies."""
    paths = {field: os.environ[name] for field, name in _CERTIFICATES.items() if os.environ.get(name)}
    for field, name in _CERTIFICATES.items():
        if paths and field not in paths:
            raise ExecutorUnavailable(f"{name} is not set; it belongs with {_CERTIFICATES[next(iter(paths))]}")
        if paths and not Path(paths[field]).is_file():
            raise ExecutorUnavailable(f"{name} is '{paths[field]}', which is not a file")
    return paths


def _check_versions(client_versions: Mapping[str, Any]) -> None:
    """Raises ExecutorUnavailable if a machine might give other results than this one.

    Args:
        client_versions: The result of `Client.get_versions`.
    """
    needed = _versions(client_versions["client"])
    machines = {"The scheduler": client_versions["scheduler"]}
    machines |= {f"The worker at {address}": versions for address, versions in client_versions["workers"].items()}
    for who, versions in machines.items():
        for name, version in _versions(versions).items():
            if version != needed[name]:
                raise ExecutorUnavailable(
                    f"{who} has {name} {version or '(not installed)'}, this machine {needed[name]}. "
                    "Install the same version on every machine of the cluster."
                )


def _versions(machine: Mapping[str, Any]) -> dict[str, str | None]:
    python = ".".join(machine["host"]["python"].split(".")[:2])
    return {"Python": python, DISTRIBUTION: machine["packages"][DISTRIBUTION]}
