"""Internal room: which graph? Part of the given labels is hidden, and graphs predict it.

``candidates`` lists the graphs that compete, ``scoring`` lets each predict hidden labels,
``choice`` blends the best, ``report`` tells why.

Imports go down to the graphs of ``ronmf.graph`` and to ``labels``; users import from
:mod:`ronmf.graph`.
"""
