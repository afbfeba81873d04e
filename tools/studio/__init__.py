"""Makers of what the project shows of itself: screenshots and example projects."""
