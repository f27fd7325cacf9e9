"""Internal room: the page of ``ronmf app``, on which one looks, labels a few and clusters again.

``project`` is what is kept of a folder of pictures: ``label_log`` (every click), ``results`` (the
last two fits), ``thumbnails``. ``fits`` runs ``worker`` in a process of its own. ``guard`` refuses
requests that do not come from the page, ``answers`` are what the page asks for, ``server`` serves.

Begin at ``server.serve_folder``. Nothing is imported here: workers need no server.

It imports public modules of the package and ``ronmf.system`` only: what it does, a user can do.
"""
