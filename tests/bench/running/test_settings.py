"""Every fact about a setting is told once, and stored rows are known by their settings."""

import inspect
import math
from pathlib import Path

import pandas as pd
import pytest
from published import printed

from ronmf.bench import rank_methods, read_plan
from ronmf.bench.reporting.grid import ordered
from ronmf.bench.reporting.selection import comparable
from ronmf.bench.running.protocol import draw_case
from ronmf.bench.running.rows import RowFile
from ronmf.bench.running.settings import PAPER, SETTINGS, Run, names_of
from ronmf.datasets import CATALOG, load
from ronmf.metrics import METRICS, SCORE_COLUMNS, score
from support import tidy

RESULTS = next(p for p in Path(__file__).parents if (p / "plans").is_dir()) / "results"


@pytest.mark.parametrize("name", ["accuracy", "flips", "leak"])  # paper: tests/test_record.py
def test_stored_rows_are_the_runs_of_their_plan(name):
    rows = RowFile(RESULTS / name).read()
    runs = read_plan(RESULTS.parent / "plans" / f"{name}.toml").runs
    assert sorted(row["run"] for row in rows) == sorted(run.digest for run in runs)


def test_a_later_setting_changes_the_key_only_where_it_is_used():
    plain = dict.fromkeys(names_of(later=False))
    assert Run(**plain).digest == Run(**plain, labels_per_class=None, features="").digest
    runs = {Run(**plain, labels_per_class=n, features=f) for n in (None, 1) for f in ("", "a")}
    assert len({run.digest for run in runs}) == 4


def test_draws_take_the_drawn_settings_and_mean_by_default_what_rows_mean_by_a_missing_one():
    taken = list(inspect.signature(draw_case).parameters.values())[1:]
    assert {each.name for each in taken} == set(names_of(drawn=True))
    for each in taken:
        if each.name in PAPER and each.default is not None:
            assert each.default == PAPER[each.name]
        elif SETTINGS[each.name].missing is not None:
            open_end = SETTINGS[each.name].missing == math.inf
            assert each.default == (None if open_end else SETTINGS[each.name].missing)


def test_rows_that_lack_optional_columns_are_those_that_do_not_use_them():
    row = RowFile(RESULTS / "leak").read()[0] | {"leak": "none"}
    full = pd.DataFrame([row | {"labels_per_class": None, "features": "", "scaling": "unit"}])
    short = full.drop(columns=names_of(optional=True))
    columns = [*names_of("condition")]
    assert (
        comparable(short)[columns]
        .iloc[0]
        .drop("samples_per_class")
        .equals(comparable(full)[columns].iloc[0].drop("samples_per_class"))
    )
    assert comparable(short)["samples_per_class"].item() == math.inf
    with pytest.raises(ValueError, match="rows lack the columns n_classes"):
        comparable(full.drop(columns="n_classes"))


def test_metrics_are_named_in_one_place():
    assert list(score([0, 1], [1, 0], [True, True])) == list(SCORE_COLUMNS)
    assert set(printed()["metric"]) < set(METRICS)


def test_datasets_come_in_the_order_of_the_catalog_and_methods_in_that_of_the_registry():
    keys = [("mine:Own", "z"), ("RONMF-M", "digits"), ("NMF", "umist"), ("old", "a")]
    assert [key[0] for key in ordered(["method", "dataset"], keys)] == [
        *("NMF", "RONMF-M", "mine:Own", "old")
    ]
    names = [(name,) for name in reversed(CATALOG)]
    assert [name for (name,) in ordered(["dataset"], [("mine",), *names])] == [*CATALOG, "mine"]


@pytest.mark.parametrize("name", ["scaling", "leak"])
def test_draws_refuse_words_that_plans_refuse(name):
    with pytest.raises(ValueError, match=f"{name} cannot be 'max'; use"):
        draw_case(load("digits"), **{name: "max"})


def test_methods_of_equal_rank_stand_in_the_order_of_the_registry():
    rows = [
        {**tidy.row("clean", dataset, method, 0), "acc_unlabelled": 0.5}
        for dataset in ("yale", "umist")
        for method in ("a:Own", "RONMF-M", "NMF", "GNMF")
    ]
    assert rank_methods(pd.DataFrame(rows)).methods == ("NMF", "GNMF", "RONMF-M", "a:Own")
