"""The tables of the report: each selects the rows that it can show."""

import pandas as pd

from ...running.settings import SETTINGS
from ..captions import classes_sentence, features_sentences, labels_text
from ..published import printed
from ..selection import clean, few_labels, noisy, variants, varied
from .switched import SwitchedTable
from .views import switched_table

__all__ = ["ablation", "clean_scores", "few_labels_given", "under_noise", "varied_setting"]
__all__ += ["run_time"]

_MARKS = "Bold: best of its column, underlined: second, by the digits shown"


def clean_scores(rows: pd.DataFrame) -> SwitchedTable:
    """Return all metrics on clean data, the paper's cells beside them."""
    kept = clean(rows)
    said = _described(kept, _doubts(kept, "none"))
    return switched_table(kept, ["method"], ["dataset"], said, paper=True)


def run_time(rows: pd.DataFrame) -> SwitchedTable:
    """Return the seconds of a run on clean data."""
    kept = clean(rows)
    said = _described(kept, "")
    return switched_table(kept, ["method"], ["dataset"], said, metrics=["seconds"])


def under_noise(rows: pd.DataFrame) -> SwitchedTable:
    """Return all metrics by kind and level of noise, for each dataset and on their average."""
    kept = noisy(rows)
    more = "The paper gives no noise levels: a printed cell stands at every level of its kind"
    doubts = _doubts(kept[kept["noise"] != "none"], "")
    said = _described(kept, ". ".join(filter(None, [more, doubts])))
    sides = ["method"], ["noise", "noise_level"]
    return switched_table(kept, *sides, said, paged=True, paper=True)


def varied_setting(rows: pd.DataFrame, setting: str) -> SwitchedTable:
    """Return all metrics by the number of classes, or by the share of labels."""
    kept = varied(rows, setting)
    said = _described(kept, f"Columns: {SETTINGS[setting].heading}")
    return switched_table(kept, ["method"], [setting], said, paged=True)


def few_labels_given(rows: pd.DataFrame) -> SwitchedTable:
    """Return all metrics by the number of labels of each class."""
    kept = few_labels(rows)
    said = _described(kept, f"Columns: {SETTINGS['labels_per_class'].heading}")
    return switched_table(kept, ["method"], ["labels_per_class"], said, paged=True)


def ablation(rows: pd.DataFrame) -> SwitchedTable:
    """Return all metrics of the variants of a method, and of the method unchanged."""
    kept = variants(rows)
    changed = kept.loc[kept["variant"] != "", ["variant", "params"]].drop_duplicates()
    what = "; ".join(f"{line.variant}: {line.params}" for line in changed.itertuples())
    said = _described(kept, f"Changed parameters: {what}")
    return switched_table(kept, ["method", "variant"], ["dataset"], said)


def _described(rows: pd.DataFrame, more: str) -> str:
    """Return what a reader must know of the runs behind a table."""
    cell = ["dataset", "method", "variant", "n_classes", "label_rate", "labels_per_class"]
    runs = sorted(set(rows.groupby([*cell, "noise", "noise_level"], dropna=False).size()))
    draws = f"{runs[0]}" if len(runs) == 1 else f"{runs[0]} to {runs[-1]}"
    labels = labels_text(rows)
    said = [
        f"Means over {draws} draws",
        labels[:1].upper() + labels[1:],
        classes_sentence(rows),
        *features_sentences(rows),
        _MARKS,
        *([more] if more else []),
    ]
    return ". ".join(said) + "."


def _doubts(rows: pd.DataFrame, noise: str) -> str:
    """Return why printed cells beside these rows are doubtful."""
    cells = printed()
    same = cells["dataset"].isin(rows["dataset"]) & cells["method"].isin(rows["method"])
    same &= cells["noise"] == noise if noise else cells["noise"].isin(rows["noise"])
    doubts = cells.loc[same & (cells["doubt"] != ""), "doubt"]
    return ". ".join(f"† Doubtful in print: {doubt}" for doubt in dict.fromkeys(doubts))
