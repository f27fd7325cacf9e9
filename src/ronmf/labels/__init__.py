"""Internal room."""
