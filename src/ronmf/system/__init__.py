"""Internal room: files, caches, and what differs between operating systems."""
