"""Ports of this machine that nobody uses."""

import socket


def free_port():
    """A port that nobody listens on at this moment."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        return server.getsockname()[1]
