"""Where one person works on one instance."""
