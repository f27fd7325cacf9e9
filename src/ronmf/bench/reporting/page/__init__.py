"""Internal room: the parts of the report's page.

``dots`` is the picture of the first screen, ``switched`` a table with switches; the tables of
``plain`` tell of the runs. What they look like is in ``report.html.jinja``, ``report.css``
and ``report.js``.
"""
