"""What editors are made of: controls as data, gestures, and the frame that connects them to a document."""
