"""Internal room: from rows to tables, figures and the report.

``selection`` says which rows compare and ``grid`` takes their means, each a ``summary``. ``tables``
puts these in tables with the help of ``captions``; ``table`` writes one. ``reference`` is results
from elsewhere, to stand beside ours. ``ranking`` compares methods over datasets, ``opponents`` says
which of them count, ``contest`` finds who won and ``verdict`` says it. ``figures`` draws, ``page``
and ``report`` are all of it in one file.

These modules import those of ``running``, never the other way round.
"""
