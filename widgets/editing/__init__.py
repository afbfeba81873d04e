"""The editor kit: controls as data, shared gestures, and the base class that connects them to a document."""
