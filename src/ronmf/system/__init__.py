"""Internal room: what the operating system offers, and what differs between systems.

``files`` are whole or absent, ``writing`` opens them so that no link leads elsewhere, ``cache``
says where downloads and features are kept, ``platform`` has locks, memory and cores,
``user_warnings`` point at the user's line, ``suggestions`` tell what a mistyped name may mean.

Imports nothing of the package.
"""
