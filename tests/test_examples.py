"""The programs of the gallery: each runs to its end and leaves a picture."""

import runpy
from pathlib import Path

import pytest

from support.marks import slow

EXAMPLES = Path(__file__).parents[1] / "examples"
QUICK = ["plot_first_steps", "plot_own_features"]
OTHERS = sorted({path.stem for path in EXAMPLES.glob("plot_*.py")} - set(QUICK))


@pytest.fixture
def figures(monkeypatch):
    """Return a function that tells how many figures there are; none opens a window."""
    matplotlib = pytest.importorskip("matplotlib")
    monkeypatch.setitem(matplotlib.rcParams, "backend", "agg")
    from matplotlib import pyplot

    pyplot.close("all")
    yield lambda: [pyplot.figure(number) for number in pyplot.get_fignums()]
    pyplot.close("all")


@pytest.mark.parametrize("name", [*QUICK, *slow(*OTHERS)])
def test_example_ends_with_a_picture(name, figures, capsys):
    runpy.run_path(str(EXAMPLES / f"{name}.py"))
    assert capsys.readouterr().out, "an example prints what it found"
    assert figures()
    for figure in figures():
        assert any(ax.has_data() for ax in figure.get_axes())


def test_there_are_examples():
    assert len(OTHERS) >= 6
