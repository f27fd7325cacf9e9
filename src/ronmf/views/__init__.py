"""Internal room: what a person sees of a fit, as pages that need no other file.

``tiles`` are small pictures of samples, ``contents`` says what a report shows, ``report`` writes
it, ``summary`` is what a notebook shows of a fitted estimator, ``curves`` are small plots.

It knows estimators by their attributes only.
"""
