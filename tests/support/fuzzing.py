"""How many hostile inputs are tried: a fixed few in the tests, many new ones in ``make fuzz``."""

import os
import secrets
import time

from hypothesis import HealthCheck, settings

__all__ = ["FUZZ", "fuzz_seeds", "small_fits", "with_changed_bytes"]

FUZZ = "RONMF_FUZZ" in os.environ
_SECONDS = 10.0  # that each test with seeds spends in `make fuzz`, where a dozen of them take turns
_FITS = 750  # of each estimator there


def fuzz_seeds(first=0):
    """Yield seeds: one that is always the same, or new ones for some seconds."""
    if not FUZZ:
        yield first
        return
    end = time.monotonic() + _SECONDS
    while time.monotonic() < end:
        seed = secrets.randbits(32)
        print(f"seed {seed}")  # pytest shows it if the test fails
        yield seed


def with_changed_bytes(content, rng, most, marks=b""):
    """Return bytes of which up to `most` are changed, to any value or, more often, to `marks`."""
    content = bytearray(content)
    for place in rng.randint(len(content), size=rng.randint(1, most + 1)):
        content[place] = rng.choice([rng.randint(256), *marks])
    return bytes(content)


def small_fits():
    """Return Hypothesis settings for fits: the same few in the tests, many new ones in a fuzz."""
    return settings(
        max_examples=_FITS if FUZZ else 25,
        derandomize=not FUZZ,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
