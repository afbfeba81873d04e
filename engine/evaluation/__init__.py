"""Evaluations: batches of questions, their scores, what was published, and why attempts fail."""
