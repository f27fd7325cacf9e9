"""Internal room: what the operating system offers: files, folders, locks, memory, warnings.

Imports nothing of the package.
"""
