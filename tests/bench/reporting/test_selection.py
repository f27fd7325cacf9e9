"""Which rows may stand in one table: the same draws, each method once."""

import pandas as pd
import pytest

from ronmf.bench.reporting.selection import noisy, variants, varied
from support.tidy import row

SETTINGS = {"n_classes": 6, "label_rate": 0.3}


def frame(*parts):
    return pd.DataFrame([run for part in parts for run in part])


def runs(seeds, experiment="clean", method="NMF", **changes):
    return [row(experiment, "yale", method, seed, **SETTINGS, **changes) for seed in seeds]


def test_noise_is_compared_with_the_same_draws_without_it():
    found = noisy(frame(runs(range(50)), runs(range(10), noise="gaussian", noise_level=0.5)))
    for _, part in found.groupby("noise"):
        assert sorted(part["seed"]) == list(range(10))


def test_clean_runs_of_methods_that_met_no_noise_are_left_out():
    found = noisy(
        frame(runs(range(3)), runs(range(3), method="GNMF"), runs(range(3), noise="poisson"))
    )
    assert set(found["method"]) == {"NMF"}


CHANGE = {"variant": "without graph", "params": '{"graph_weight": 0.0}'}


@pytest.mark.parametrize(
    ("named", "columns"),
    [(True, {"default", "without graph"}), (False, {"", "without graph"})],
)
def test_the_unchanged_method_stands_once_beside_its_variants(named, columns):
    """Under the plan's own name for it, or else from other experiments on the same draws."""
    parts = [runs(range(50)), runs(range(10), **CHANGE)]
    if named:
        parts.append(runs(range(10), variant="default", params="{}"))
    found = variants(frame(*parts))
    assert set(found["variant"]) == columns
    for _, part in found.groupby("variant"):
        assert sorted(part["seed"]) == list(range(10))


def test_a_curve_has_the_same_draws_at_every_point():
    """Fifty draws of six classes, ten of three; one method has met six classes alone."""
    many = [runs(range(50)), runs(range(50), method="GNMF")]
    few = [run | {"n_classes": 3} for run in runs(range(10), "classes")]
    found = varied(frame(*many, few), "n_classes")
    assert set(found["method"]) == {"NMF"}
    assert found.groupby("n_classes").size().to_dict() == {3: 10, 6: 10}
