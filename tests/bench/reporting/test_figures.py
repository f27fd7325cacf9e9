"""Figures show the numbers of the rows, the same each time, or say what to run."""

import matplotlib
import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import same_color
from matplotlib.figure import Figure
from matplotlib.text import Text

from ronmf.bench import FIGURES, METHODS, save_figure
from ronmf.bench.reporting.figures._panels import taken_apart
from ronmf.bench.reporting.figures._style import looks
from support.tidy import example_rows, row

pytestmark = pytest.mark.slow  # drawing takes seconds; tables have quick tests


def class_rows():
    """Runs over classes, with scores that tell them."""
    runs = []
    for seed in range(3):
        for k in range(2, 6):
            for method in ("NMF", "RONMF-E"):
                score = 0.9 - 0.05 * k + 0.02 * seed
                runs.append(row("k", "yale", method, seed, n_classes=k, acc_unlabelled=score))
    return pd.DataFrame(runs)


@pytest.fixture(scope="module")
def rows():
    return pd.concat([example_rows(), class_rows()], ignore_index=True)


@pytest.fixture(scope="module")
def drawn(rows):
    return {name: draw(rows) for name, draw in FIGURES.items()}


def data_of(figure):
    """Every number that a figure shows."""
    found = []
    for ax in figure.axes:
        found += [line.get_xydata().tolist() for line in ax.get_lines()]
        found += [patch.get_path().vertices.tolist() for patch in ax.patches]
        found += [np.asarray(image.get_array()).tolist() for image in ax.get_images()]
        found += [text.get_text() for text in ax.texts]
    return repr(found)  # in which NaN, a box without runs, equals NaN


def test_every_figure_is_one(drawn):
    assert all(isinstance(figure, Figure) for figure in drawn.values())


@pytest.mark.parametrize("name", FIGURES)
def test_same_rows_same_figure_whatever_the_callers_style(rows, drawn, name):
    with matplotlib.rc_context({"font.size": 30.0, "axes.grid": True}):
        again = FIGURES[name](rows.copy())
    assert data_of(again) == data_of(drawn[name]) != "[]"
    assert (again.get_size_inches() == drawn[name].get_size_inches()).all()


def assert_nothing_is_cut_off(figure):
    figure.canvas.draw()
    box, (width, height) = figure.get_tightbbox(), figure.get_size_inches()
    assert min(box.x0, box.y0) > -0.02
    assert box.x1 < width + 0.02
    assert box.y1 < height + 0.02


@pytest.mark.parametrize("name", FIGURES)
def test_no_text_is_small_or_cut_off(drawn, name):
    figure = drawn[name]
    assert_nothing_is_cut_off(figure)
    assert all(text.get_fontsize() >= 8 for text in figure.findobj(Text) if text.get_text())


APART = sorted(set(FIGURES) - {"critical_difference"})  # which is too wide; its table stands by


@pytest.mark.parametrize("name", APART)
def test_nothing_is_cut_off_with_a_single_dataset(rows, name):
    assert_nothing_is_cut_off(FIGURES[name](rows[rows["dataset"] == "yale"]))


@pytest.mark.parametrize("name", APART)
def test_panels_of_their_own_fit_a_phone(rows, name):
    for figure in taken_apart(FIGURES[name](rows)):
        figure.canvas.draw()
        box, (width, height) = figure.get_tightbbox(), figure.get_size_inches()
        assert width <= 3.71
        assert all(t.get_fontsize() >= 8 for t in figure.findobj(Text) if t.get_text())
        assert min(box.x0, box.y0) > -0.02
        assert box.x1 < width + 0.02
        assert box.y1 < height + 0.02


@pytest.mark.parametrize("name", APART)
def test_panels_of_their_own_have_all_their_labels(rows, drawn, name):
    """They share them where they stand side by side."""
    titles = []
    for figure in taken_apart(FIGURES[name](rows)):
        for ax in filter(Axes.get_visible, figure.axes):
            titles.append(ax.get_title())
            figure.canvas.draw()
            for axis in (ax.xaxis, ax.yaxis):
                assert any(tick.label1.get_visible() for tick in axis.get_major_ticks())
            assert ax.xaxis.label.get_text()
            assert ax.xaxis.label.get_visible()
    assert titles == [ax.get_title() for ax in drawn[name].axes if ax.get_title()]


def test_classes_are_means_and_bands_of_one_deviation(drawn):
    (ax,) = drawn["classes"].axes
    line = next(line for line in ax.get_lines() if line.get_label() == "NMF")
    np.testing.assert_allclose(line.get_ydata()[:4], 0.92 - 0.05 * np.arange(2, 6))
    tops = [band.get_paths()[0].vertices[:, 1].max() for band in ax.collections]
    np.testing.assert_allclose(max(tops), 0.92 - 0.1 + np.std([0.0, 0.02, 0.04]))


def test_noise_starts_at_the_clean_runs(rows, drawn):
    kept = rows[(rows.dataset == "yale") & (rows.method == "RONMF-E") & (rows.n_classes == 15)]
    plain = kept[(kept.noise == "none") & (kept.params == "{}") & (kept.label_rate == 0.3)]
    expected = plain.drop_duplicates("seed").acc_unlabelled.mean()
    titles = {ax.get_title(): ax for ax in drawn["noise"].axes}
    for name in ("yale, Gaussian", "yale, Poisson"):
        line = next(li for li in titles[name].get_lines() if li.get_label() == "RONMF-E")
        clean = np.argmax(line.get_xdata()) if "Poisson" in name else 0
        assert line.get_ydata()[clean] == pytest.approx(expected)


def runs_of(method, **columns):
    """Clean runs of a method on yale, with these values by seed."""
    count = len(next(iter(columns.values())))
    return [
        row("clean", "yale", method, seed, **{name: v[seed] for name, v in columns.items()})
        for seed in range(count)
    ]


def test_boxes_reach_from_quartile_to_quartile_with_the_median_between():
    scores = [0.3, 0.5, 0.6, 0.8, 0.9]
    (ax,) = FIGURES["boxes"](pd.DataFrame(runs_of("NMF", acc_unlabelled=scores))).axes
    (box,) = ax.patches
    assert set(box.get_path().vertices[:, 0]) == {0.5, 0.8}
    ends = [set(line.get_xdata()) for line in ax.get_lines()]
    assert {0.6} in ends
    assert {0.3, 0.5} in ends
    assert {0.8, 0.9} in ends


def test_time_is_the_median_of_seconds_and_the_mean_of_scores():
    seconds, scores = [1.0, 2.0, 9.0], [0.4, 0.5, 0.9]
    rows = pd.DataFrame(runs_of("NMF", seconds=seconds, acc_unlabelled=scores))
    (ax,) = FIGURES["time"](rows).axes
    (point,) = [line for line in ax.get_lines() if line.get_label() == "NMF"]
    np.testing.assert_allclose(point.get_xydata(), [[2.0, 0.6]])


def test_runs_that_saw_hidden_labels_are_never_shown(rows):
    cheat = rows.assign(leak="authors", acc_unlabelled=1.0)
    mixed = pd.concat([rows, cheat], ignore_index=True)
    assert data_of(FIGURES["boxes"](mixed)) == data_of(FIGURES["boxes"](rows))


@pytest.mark.parametrize(
    ("name", "missing"),
    [
        ("classes", "n_classes"),
        ("noise", "noise"),
        ("ablation", "variant"),
        ("boxes", "seeds"),
        ("critical_difference", "3 methods"),
    ],
)
def test_absent_rows_are_one_sentence_that_says_what_to_run(name, missing):
    lonely = pd.DataFrame([row("clean", "yale", "NMF", 0)])
    with pytest.raises(ValueError, match=missing) as caught:
        FIGURES[name](lonely)
    assert "run a plan" in str(caught.value)
    assert str(caught.value).endswith(".")


@pytest.mark.parametrize("name", FIGURES)
def test_empty_rows(name):
    with pytest.raises(ValueError, match="rows is empty"):
        FIGURES[name](example_rows().iloc[:0])


@pytest.mark.parametrize("name", FIGURES)
def test_only_failed_rows(rows, name):
    with pytest.raises(ValueError, match=r"\.$"):
        FIGURES[name](rows.assign(status="failed", acc_unlabelled=np.nan))


def test_unknown_metric(rows):
    with pytest.raises(ValueError, match=r"accuracy.*acc_unlabelled"):
        FIGURES["boxes"](rows, metric="accuracy")


def test_missing_number_of_classes_means_all(rows):
    whole = rows[rows.experiment == "clean"].assign(n_classes=None)
    assert data_of(FIGURES["boxes"](whole)) == data_of(
        FIGURES["boxes"](rows[rows.experiment == "clean"])
    )


def test_looks_tell_methods_apart_and_stay():
    names = [*METHODS, "mine", "other"]
    all_looks = looks(names)
    points = {(look.color, look.marker, look.filled) for look in all_looks.values()}
    assert len(points) == len(names)
    assert looks(["LNP", "RONMF-E"])["LNP"] == all_looks["LNP"]
    assert same_color(all_looks["RONMF-E"].color, "#D55E00")
    assert [m for m in names if all_looks[m].strong] == [
        *("RONMF", "RONMF-M", "RONMF-S", "RONMF-E"),
    ]


@pytest.mark.parametrize(
    ("suffix", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")]
)
def test_save_by_suffix_the_same_bytes_each_time(rows, tmp_path, suffix, start):
    contents = []
    for name in ("one", "two"):
        save_figure(FIGURES["ablation"](rows), tmp_path / f"{name}.{suffix}")
        contents.append((tmp_path / f"{name}.{suffix}").read_bytes())
    assert contents[0].startswith(start)
    assert contents[0] == contents[1]


def test_save_leaves_nothing_half_written(drawn, tmp_path, monkeypatch):
    path = tmp_path / "figure.png"
    path.write_bytes(b"before")
    monkeypatch.setattr("os.replace", lambda *_: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        save_figure(drawn["boxes"], path)
    assert path.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(ValueError, match=r"\.png, \.svg or \.pdf"):
        save_figure(drawn["boxes"], tmp_path / "figure.gif")
    with pytest.raises(FileNotFoundError, match="folder"):
        save_figure(drawn["boxes"], tmp_path / "absent" / "figure.png")
