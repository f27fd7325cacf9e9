"""Internal room: which graph? Part of the given labels is hidden, and graphs predict it.

``candidates`` lists the graphs that compete, ``compared`` the samples they compete on,
``preparing`` makes their features, ``scoring`` lets each predict hidden labels, ``judging`` says
how well, ``weighing`` what it counts, ``guessing`` makes tentative labels, ``competing`` is the
contest, ``blending`` builds the chosen graphs of all samples, ``choice`` calls them in turn, and
``report`` tells why.

Imports go down to the graphs of ``ronmf.graph`` and to ``labels``; users import from
:mod:`ronmf.graph`.
"""
