"""What commands that serve have in common: where they listen, how browsers reach them, and what the system needs."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from spatial_workbench.app.commands.plumbing import Refused

if TYPE_CHECKING:
    import socket

    from spatial_workbench.app.serving.addresses import ServingAddress
    from spatial_workbench.app.serving.system_parts import SystemParts

LISTEN = "127.0.0.1:8420"


def add_address_options(command: argparse.ArgumentParser) -> None:
    """Adds the options that say how browsers reach a server."""
    command.add_argument("--listen", default=LISTEN, metavar="ADDRESS:PORT", help=f"by default {LISTEN}")
    command.add_argument(
        "--url", default="", metavar="https://…", help="the address that browsers open; by default the same"
    )
    command.add_argument(
        "--certificate", type=Path, metavar="FILE", help="the certificate for https, with its chain (PEM)"
    )
    command.add_argument("--key", type=Path, metavar="FILE", help="the certificate's key (PEM)")
    command.add_argument(
        "--trusted-proxy",
        action="append",
        default=[],
        metavar="ADDRESS",
        help="a proxy that encrypts, whose word is taken for where people come from",
    )


def parts_of_system(confines: bool = True) -> SystemParts:
    """The programs and files of the system that serving needs.

    confines: whether windows run in sandboxes.

    Raises:
        Refused: Something is missing.
    """
    from spatial_workbench.app.serving.system_parts import PartsMissing, found_parts

    try:
        return found_parts(confines)
    except PartsMissing as error:
        raise Refused(str(error)) from None


def chosen_address(options: argparse.Namespace) -> ServingAddress:
    """How browsers reach the server, as the options say.

    Raises:
        Refused: Something would go through a network in the clear, or what was given does not fit together.
    """
    from spatial_workbench.app.serving.addresses import AddressRefused, serving_address

    try:
        return serving_address(options.listen, options.url, options.trusted_proxy, options.certificate, options.key)
    except AddressRefused as error:
        raise Refused(str(error)) from None


def listening_socket(options: argparse.Namespace, address: ServingAddress) -> socket.socket:
    """The socket on which browsers reach the server.

    Raises:
        Refused: The address is in use, or is none of this machine.
    """
    from spatial_workbench.app.serving.addresses import listening_at

    try:
        return listening_at(address.host, address.port)
    except OSError as error:
        raise Refused(f"{options.listen} cannot be served: {os.strerror(error.errno or 0)}.") from None
