"""A row of results, made up."""

__all__ = ["row"]


def row(**changes):
    """Return a row of a good run with some values changed."""
    plain = {"status": "ok", "experiment": "clean", "dataset": "digits"}
    plain |= {"method": "k-means", "variant": "", "params": "{}", "n_classes": 2, "label_rate": 0.3}
    plain |= {"leak": "none", "noise": "none", "noise_level": 0.0, "seed": 1}
    return plain | changes
