"""One loop of multiplicative updates for every objective that is a sum of terms.

``loop`` runs it; ``data_fits`` and ``cauchy_fit`` compare a product of factors with the data;
``terms`` adds graphs and labels; ``factor_maps`` makes coefficients from several factors;
``starts`` draws them. ``clusterer`` and ``graph_clusterer`` make estimators of such objectives.
"""
