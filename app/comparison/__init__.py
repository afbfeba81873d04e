"""Compares two answers side by side."""
