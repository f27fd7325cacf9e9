"""Internal room: the RONMF model and its solver.

``problem`` is everything that is minimised, ``start`` where it begins, ``solver`` the loop,
``parameters`` the object that users set it up with, ``pace`` how exact its steps are and when it
ends, and ``result`` what it hands back. A sweep is in
``steps``: parts U (``basis``, with ``orthogonal`` and ``partition`` behind it), memberships A
(``memberships``), amplitudes Z (``amplitudes``), error and multiplier (``residual``, the only code
that touches the data inside the loop). ``scales`` makes the weights free of the data's scale.

Imports go down to ``graph``, ``labels``, ``penalties`` and ``numerics``.
"""
