"""Internal room: linear algebra that knows nothing of clusters.

``arrays`` is what the array API standard leaves open; ``conjugate_gradients`` solves many systems;
``block_pivoting`` solves many small non-negative problems and ``nonnegative_quadratic`` a large
one; ``nearest_neighbors`` finds neighbours exactly, by the bounds of ``distance_bounds``, and
``approximate_neighbors`` nearly all of very many samples; ``principal`` finds the directions of
largest variance; ``threads`` says how many threads work; ``pictures`` lays out pictures as rows.

Imports nothing of the package but ``system``.
"""
