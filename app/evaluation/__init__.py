"""The Evaluate menu: new batches, running batches, models."""
