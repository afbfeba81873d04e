"""Makers of what the project shows of itself: screenshots and example projects.

batches               made-up batches for screenshots; no model was asked anything
machine_references    the shipped machines of all levels: `python -m tools.studio.machine_references [--write]`
participants          the pages of the participant's window, for pictures
puzzles               a set of puzzles with a review under way, for screenshots and tests
quickstart            the example project: drafts and attempts to look at
results               a made-up evaluation with every kind of outcome, for screenshots and tests
runs                  attempts of a small made-up evaluation, for screenshots and tests
screenshots           screenshots of the real window, for the README, and to look at every page
studies               a study that people work through, for screenshots, tests and the benchmark
waiting               waiting for a window that is driven step by step
"""
