"""Heat maps and t-SNE show the numbers of the rows, or say what to run."""

import json

import numpy as np
import pandas as pd
import pytest
from embeddings import dataset_of, embed, fit_embeddings, tsne
from figures import main
from heat_maps import HEAT_MAPS
from matplotlib.text import Text

from ronmf.bench.reporting.figures._panels import taken_apart
from ronmf.datasets import load
from support.tidy import row

pytestmark = pytest.mark.slow  # drawing takes seconds


@pytest.fixture(scope="module")
def rows():
    """Runs over label rates and both weights, with scores that tell them."""
    rates = [
        row(
            *("grid", "yale", "RONMF-E", seed),
            label_rate=rate,
            params=json.dumps({"graph_weight": weight}),
            acc_unlabelled=0.5 + rate + weight / 100,
        )
        for seed in range(3)
        for rate in (0.1, 0.2, 0.3)
        for weight in (0.1, 1.0, 10.0)
    ]
    weights = [
        row(
            *("weights", dataset, "RONMF-E", seed),
            params=json.dumps({"graph_weight": graph, "label_weight": label}),
            acc_unlabelled=0.5 + graph / 100 + label / 100,
        )
        for dataset in ("umist", "yale", "usps")
        for seed in range(3)
        for graph in (1.0, 10.0)
        for label in (0.1, 1.0)
    ]
    return pd.DataFrame(rates + weights)


def test_heat_map_cells_are_the_numbers_of_params(rows):
    ax = HEAT_MAPS["label_rate_graph_weight"](rows).axes[0]
    expected = [[0.5 + r + w / 100 for w in (0.1, 1.0, 10.0)] for r in (0.1, 0.2, 0.3)]
    np.testing.assert_allclose(ax.get_images()[0].get_array(), expected)
    assert ".900" in [text.get_text() for text in ax.texts]
    ax = HEAT_MAPS["weights"](rows).axes[0]
    expected = [[0.5 + g / 100 + w / 100 for g in (1.0, 10.0)] for w in (0.1, 1.0)]
    np.testing.assert_allclose(ax.get_images()[0].get_array(), expected)


@pytest.mark.parametrize("name", HEAT_MAPS)
def test_panels_of_their_own_fit_a_phone(rows, name):
    for figure in taken_apart(HEAT_MAPS[name](rows)):
        figure.canvas.draw()
        box = figure.get_tightbbox()
        assert box.x0 > -0.02
        assert box.x1 < figure.get_size_inches()[0] + 0.02 < 3.74
        assert all(t.get_fontsize() >= 8 for t in figure.findobj(Text) if t.get_text())


@pytest.mark.parametrize(
    ("name", "missing"), [("label_rate_graph_weight", "label_rate"), ("weights", "label_weight")]
)
def test_absent_rows_are_one_sentence_that_says_what_to_run(name, missing):
    with pytest.raises(ValueError, match=missing) as caught:
        HEAT_MAPS[name](pd.DataFrame([row("clean", "yale", "NMF", 0)]))
    assert "run a plan" in str(caught.value)


def test_embed_few_samples_and_tsne_panels():
    points = embed(np.random.default_rng(0).random((9, 5)), seed=0)
    assert points.shape == (9, 2)
    np.testing.assert_array_equal(points, embed(np.random.default_rng(0).random((9, 5)), seed=0))
    figure = tsne([("data", points, np.arange(9) % 3), ("RONMF-E", points, np.arange(9) % 3)])
    assert [ax.get_title() for ax in figure.axes] == ["data", "RONMF-E"]
    shown = np.vstack([dots.get_offsets() for dots in figure.axes[0].collections])
    assert len(shown) == 9
    with pytest.raises(ValueError, match="at least 4 samples"):
        embed(np.ones((2, 2)), seed=0)
    with pytest.raises(ValueError, match="'data' has shape"):
        tsne([("data", points, np.arange(4))])
    with pytest.raises(ValueError, match="empty"):
        tsne([])


def test_what_methods_found_is_laid_out():
    (pixels, *_), (name, points, truth) = fit_embeddings(load("digits"), ["NMF"])
    assert (pixels, name) == ("pixels", "NMF")
    assert points.shape == (len(truth), 2)
    assert len(np.unique(truth)) == 6


def test_no_path_is_opened_because_rows_name_it(tmp_path):
    np.savez(tmp_path / "mine.npz", X=np.eye(6), y=np.arange(6))
    named = str(tmp_path / "mine.npz")
    rows = pd.DataFrame([row("clean", name, "NMF", 0) for name in (named, named, "digits")])
    assert dataset_of(rows, None, tmp_path).name == "digits"
    with pytest.raises(ValueError, match="is not opened unasked; name it with --dataset"):
        dataset_of(rows[rows.dataset == named], None, tmp_path)


def test_the_command_draws(rows, tmp_path, monkeypatch, capsys):
    (tmp_path / "rows.jsonl").write_text(rows.to_json(orient="records", lines=True))
    out = tmp_path / "weights.svg"
    monkeypatch.setattr("sys.argv", ["figures.py", str(tmp_path), "weights", "-o", str(out)])
    main()
    assert capsys.readouterr().out == f"Wrote {out}.\n"
    assert out.read_bytes().startswith(b"<?xml")
