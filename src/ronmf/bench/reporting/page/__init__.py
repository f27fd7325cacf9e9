"""Internal room: the parts of the report's page.

``dots`` is the picture of the first screen, ``switched`` a table with switches and ``plain`` one
without, which tells of the runs. What they look like is in ``report.html.jinja``, ``report.css``
and ``report.js``.
"""
