"""The file with the addresses of several servers that share an entrance: JSON, or TOML if its name ends in `.toml`."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

from spatial_workbench.app.serving.recruiting.recruiters_file import LOOPBACK, RecruitersFileError, read_data


def read_servers(path: Path) -> tuple[str, ...]:
    """The addresses of servers in a file, without a path.

    Raises:
        RecruitersFileError: It cannot be read, or names something else.
    """
    data = read_data(path)
    servers = data.get("servers") if isinstance(data, dict) else None
    if not isinstance(servers, list) or not servers or not all(isinstance(server, str) for server in servers):
        raise RecruitersFileError(f"{path.name}: servers: has to be a list of addresses.")
    if len(set(servers)) < len(servers):
        raise RecruitersFileError(f"{path.name}: servers: has an address twice.")
    for number, server in enumerate(servers):
        address = urlsplit(server)
        is_safe = address.scheme == "https" or (address.scheme == "http" and address.hostname in LOOPBACK)
        if not (is_safe and address.netloc) or server != f"{address.scheme}://{address.netloc}":
            raise RecruitersFileError(f"{path.name}: servers[{number}]: has to be such as https://a.study.example.")
    return tuple(servers)
