"""Internal room: which graph? Part of the given labels is hidden, and graphs predict it.

``choice`` calls the others in turn: ``candidates`` lists the graphs that compete, ``features``
makes their coordinates, ``folds`` hides labels, ``contest`` lets each candidate predict them,
``shares`` says how much each one counts, ``blend`` makes the chosen graphs of all samples,
``guesses`` labels samples tentatively, and ``report`` tells why. ``tuning`` has the numbers that
decide.

Imports go down to the graphs of ``ronmf.graph`` and to ``labels``; users import from
:mod:`ronmf.graph`.
"""
