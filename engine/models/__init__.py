"""Whoever answers prompts, behind one interface: `Answerer`."""
