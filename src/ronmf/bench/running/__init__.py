"""Internal room: from a plan to rows.

``settings`` declares what a run is, and ``plan_keys`` what a plan may say. ``plan`` reads it; an
``experiment`` is a product of runs. ``pixels_or_features`` loads what they name, ``runner`` runs
them in the order of ``schedule``, and ``rows`` keeps what came out. ``behaviour`` is the version
that rows name, ``origins`` tells which are stale, and ``earlier_rows`` reads those of earlier
versions, with ``renamed_parameters`` where a parameter got a new name. The leak guard is
``protocol`` (hides labels and scores), ``view`` (all that a method may see), ``worker`` (fits in
another process) and ``pool`` (starts these processes): hidden labels stay on this side of the pool.

Nothing here imports ``reporting``, nor pandas or matplotlib before rows are read.
"""
