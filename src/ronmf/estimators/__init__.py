"""Internal room: the estimator RONMF, and what all estimators share.

A fit is four objects in a row. ``evidence``: the graph, why it was chosen, what it predicts of
hidden labels. ``posing``: the problem with its weights, and where to start. The solver of ``admm``
finds the factors. ``reading``: probabilities, outliers, what to label next. ``ronmf`` says this
aloud. ``warm_start`` asks what of the last fit still holds, ``new_samples`` predicts, ``progress``
tells callbacks; ``shell`` and ``input`` are what scikit-learn expects of an estimator, and
``settings``, ``graph_parameters`` and ``ronmf_parameters`` hold parameters.

Imports go down to ``admm``, ``graph``, ``labels`` and below, never to ``baselines``.
"""
