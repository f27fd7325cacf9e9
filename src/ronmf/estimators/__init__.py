"""Internal room: the estimator RONMF, and what all estimators share.

A fit is four objects in a row. ``evidence``: the graph, why it was chosen, what it predicts of
hidden labels; ``graph_search`` looks for it. ``fit_problem``: the problem with its weights, and
where to start. The solver of ``admm`` finds the factors. ``reading``: probabilities, outliers, what
to label next. ``fitting`` says this aloud. ``warm_start`` asks what of the last fit still holds,
``new_samples`` predicts, ``progress`` tells callbacks. In ``bench``, fits of one draw take their
chosen graph from ``shared_graphs``.

RONMF in ``ronmf`` is a GraphClusterer (``graph_clusterer``), and that is a SemiSupervisedClusterer:
``shell`` and ``input`` are what scikit-learn expects of an estimator. What can be asked of a fit is
a function of the fitted model in ``diagnosis``, ``label_issues``, ``reading``, ``results`` or
``reporting``, which the classes make a method. ``settings`` groups parameters by what they decide.

Imports go down to ``admm``, ``graph``, ``labels`` and below, never to ``baselines``.
"""
