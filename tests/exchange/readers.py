"""Readers for tests of the process that reads files."""

import time


def greedy(path):
    """Takes time and memory."""
    held = bytearray(200_000_000)
    time.sleep(60)
    return {"text": str(len(held))}


def endless(path):
    """Never ends by itself."""
    time.sleep(600)
