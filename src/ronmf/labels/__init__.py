"""Internal room: labels, before and after the fit.

``encoding`` reads `y`; ``anchor`` is the label term of an objective; ``hidden_labels`` hides part
of the given labels in turn, and nothing else ever does; ``class_prior`` scales memberships by
expected class sizes; ``calibration`` turns memberships into probabilities; ``uncertainty`` finds
strange samples and those worth a label; ``wrong_labels`` and ``judging`` ask the other labels about
each given one; ``cross_validation`` splits labelled samples.

Imports go down to ``numerics`` and ``system``.
"""
