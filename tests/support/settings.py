"""Settings that several tests of RONMF share."""

# The model alone: no choice of a graph before it, no scaling of clusters after it.
PLAIN = {"graph": "plain", "class_prior": None}
