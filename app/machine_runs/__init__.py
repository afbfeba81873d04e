"""Runs that make machines, as trees to browse: workflows of models, and searches."""
