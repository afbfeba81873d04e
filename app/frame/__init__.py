"""Shared by all pages: the window as a host, its tabs, settings, themes and people."""
