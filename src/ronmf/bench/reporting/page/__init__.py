"""Internal room: the parts of the report's page.

``dots`` is the picture of the first screen, ``switched`` a table with switches and
``switched_tables`` those of the report, ``pictures`` puts figures on a page, ``accounts`` tells of
the runs, and ``sections`` puts all of it in the order of the paper. What they look like is in
``report.html.jinja``, ``report.css`` and ``report.js``.
"""
