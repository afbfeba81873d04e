"""Where a server listens, under which address browsers reach it; nothing goes through a network in the clear."""

from __future__ import annotations

import ipaddress
import os
import socket
import ssl
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

_PORTS = {"http": 80, "https": 443}


class AddressRefused(ValueError):
    """The server cannot be reached in this way; says why in a sentence."""


@dataclass(frozen=True)
class ServingAddress:
    """How browsers reach a server.

    Attributes:
        host: The address of this machine on which it listens.
        port: The port on which it listens.
        url: The address under which browsers reach it, without a path.
        certificate: The file of its certificate, if it encrypts by itself.
        key: The file of the certificate's key.
        proxies: The addresses of proxies whose word is taken for where a request comes from. If there is no certificate
            and the url is encrypted, nobody else is served.
    """

    host: str
    port: int
    url: str
    certificate: Path | None = None
    key: Path | None = None
    proxies: tuple[str, ...] = ()

    @property
    def is_behind_proxy(self) -> bool:
        """Whether a proxy encrypts, so that only the proxy may be answered."""
        return self.certificate is None and self.url.startswith("https:")


def serving_address(
    listen: str,
    url: str = "",
    proxies: Iterable[str] = (),
    certificate: Path | None = None,
    key: Path | None = None,
) -> ServingAddress:
    """How browsers reach a server that listens at an address, such as "127.0.0.1:8420".

    Raises:
        AddressRefused: Something would go through a network in the clear, or what is given does not fit together.
    """
    host, port = address_of(listen)
    if certificate is not None or key is not None:
        _check_certificate(certificate, key)
    origin = _origin(url) if url else _own_origin(host, port, certificate is not None)
    address = ServingAddress(host, port, origin, certificate, key, tuple(map(_proxy, proxies)))
    _check_encryption(address)
    return address


def address_of(text: str) -> tuple[str, int]:
    """The host and the port in "127.0.0.1:8420".

    Raises:
        AddressRefused: It is no such address.
    """
    try:
        parts = urlsplit(f"//{text}")
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if not host or port is None or parts.netloc != text or "@" in text:
        raise AddressRefused(f"{text} is no address; it looks like 127.0.0.1:8420.")
    return host, port


def listening_at(host: str, port: int) -> socket.socket:
    """A socket that browsers reach at an address of this machine. Raises OSError."""
    return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)


def is_loopback(host: str) -> bool:
    """Whether only programs of this machine reach a host."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def is_one_of(host: str, networks: Iterable[str]) -> bool:
    """Whether a host is one of several addresses, or in one of several networks."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return any(address in ipaddress.ip_network(network) for network in networks)


def _own_origin(host: str, port: int, encrypts: bool) -> str:
    """The address of a server whose address browsers use as it is."""
    if host in ("0.0.0.0", "::"):
        raise AddressRefused(f"{host} is no address that browsers can open. Say which one they open with --url.")
    named = f"[{host}]" if ":" in host else host
    return _origin(f"{'https' if encrypts else 'http'}://{named}:{port}")


def _origin(url: str) -> str:
    """The address as browsers name it: small letters, and no port that goes without saying."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        parts, port = SplitResult("", "", "", "", ""), None
    has_more = parts.path not in ("", "/") or parts.query or parts.fragment or "@" in parts.netloc
    if parts.scheme not in _PORTS or not parts.hostname or not parts.hostname.isascii() or has_more:
        raise AddressRefused(f"{url} is no address of a server; it looks like https://study.example.")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    says_port = port is not None and port != _PORTS[parts.scheme]
    return f"{parts.scheme}://{host}:{port}" if says_port else f"{parts.scheme}://{host}"


def _proxy(text: str) -> str:
    try:
        return str(ipaddress.ip_network(text) if "/" in text else ipaddress.ip_address(text))
    except ValueError:
        raise AddressRefused(f"{text} is no address of a proxy; it looks like 127.0.0.1 or 10.0.0.0/24.") from None


def _check_encryption(address: ServingAddress) -> None:
    encrypted = address.url.startswith("https:")
    if address.certificate is not None and not encrypted:
        raise AddressRefused("With a certificate, --url begins with https://.")
    if encrypted and address.certificate is None and not address.proxies:
        raise AddressRefused(
            "An address with https needs a certificate (--certificate and --key), or the address of the proxy that "
            "has one (--trusted-proxy)."
        )
    is_private = is_loopback(address.host) and is_loopback(urlsplit(address.url).hostname or "")
    if not encrypted and not is_private:
        raise AddressRefused(
            "Without TLS, only addresses of this machine can be served, such as 127.0.0.1:8420. Give a certificate "
            "(--certificate and --key), or --url https://… and --trusted-proxy for a proxy that has one."
        )


def _check_certificate(certificate: Path | None, key: Path | None) -> None:
    if certificate is None or key is None:
        raise AddressRefused("--certificate and --key belong together.")
    for path in (certificate, key):
        try:
            path.read_bytes()
        except OSError as error:
            raise AddressRefused(f"{path} cannot be read: {os.strerror(error.errno or 0)}.") from None
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key, password=_no_password)
    except ssl.SSLError as error:
        if error.reason == "KEY_VALUES_MISMATCH":
            raise AddressRefused(f"The key in {key} does not belong to the certificate in {certificate}.") from None
        raise AddressRefused(f"{certificate} and {key} are no certificate with its key in PEM format.") from None
    except _HasPassword:
        raise AddressRefused(f"The key in {key} has a password, which nobody could type. Store it without.") from None


class _HasPassword(Exception):
    """A key cannot be used as it is."""


def _no_password() -> str:
    raise _HasPassword
