"""Displays draw what the model has, where they are told to, and say what they lack."""

import subprocess
import sys

import numpy as np
import pytest

from ronmf import RONMF, HarmonicLabelPropagation
from ronmf.baselines import GNMF
from ronmf.displays import HistoryDisplay, MembershipDisplay, PartsDisplay, PrototypesDisplay
from ronmf.displays._membership import circle_of_classes

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
plt = pytest.importorskip("matplotlib.pyplot")
pytestmark = pytest.mark.filterwarnings("ignore:RONMF", "ignore:HarmonicLabelPropagation")


@pytest.fixture(scope="module")
def model(digits):
    X, y, _ = digits
    pictures = X[:200].reshape(-1, 8, 8)
    return RONMF(graph="plain", n_components=7, random_state=0).fit(pictures, y[:200])


@pytest.fixture(autouse=True)
def no_figure_is_left():
    yield
    plt.close("all")


def drawn(ax):
    return np.asarray(ax.images[0].get_array())


def test_prototypes_are_pictures_with_names(model):
    display = PrototypesDisplay.from_estimator(model)
    assert display.axes_.shape == (len(model.classes_),)
    assert [ax.get_title() for ax in display.axes_] == [str(name) for name in model.classes_]
    for ax, row in zip(display.axes_, model.prototypes_, strict=True):
        np.testing.assert_allclose(drawn(ax), row.reshape(8, 8) / row.max())
    assert display.figure_ is display.axes_[0].figure


def test_parts_are_drawn_into_given_axes(model):
    figure, axes = plt.subplots(2, 4)
    display = PartsDisplay.from_estimator(model, axes=axes, cmap="viridis")
    assert display.figure_ is figure
    assert len(display.axes_) == 7
    np.testing.assert_allclose(
        drawn(axes[0, 1]), model.components_[1].reshape(8, 8) / model.components_[1].max()
    )
    again = display.plot(n_columns=3)
    assert again is display
    assert again.figure_ is not figure
    with pytest.raises(ValueError, match="axes has 2 places but PartsDisplay needs 7"):
        PartsDisplay.from_estimator(model, axes=axes[0, :2])


def test_pictures_in_colour_and_a_zero_row():
    rows = np.zeros((2, 12))
    rows[0] = np.arange(12)
    display = PrototypesDisplay(rows, ["$a", "b"], (2, 2, 3)).plot()
    assert drawn(display.axes_[0]).shape == (2, 2, 3)
    display.figure_.canvas.draw()  # a lone dollar sign is no formula


def test_shapes_must_be_known_and_fit(model, digits):
    X, y, _ = digits
    rows = HarmonicLabelPropagation().fit(X[:100], y[:100])
    with pytest.raises(ValueError, match="image_shape is None"):
        PrototypesDisplay.from_estimator(rows)
    assert PrototypesDisplay.from_estimator(rows, image_shape=(8, 8)).image_shape == (8, 8, 1)
    with pytest.raises(ValueError, match="does not fit 64 features"):
        PrototypesDisplay.from_estimator(model, image_shape=(3, 3))
    with pytest.raises(ValueError, match="HarmonicLabelPropagation has no components_"):
        PartsDisplay.from_estimator(rows)


def test_a_map_has_every_sample_in_the_colour_of_its_class(model):
    display = MembershipDisplay.from_estimator(model)
    found = [collection.get_offsets() for collection in display.ax_.collections]
    assert sum(map(len, found)) == 200
    for j, places in enumerate(found):
        np.testing.assert_allclose(places, display.coordinates[model.labels_ == j])
    colours = {tuple(each.get_facecolor()[0]) for each in display.ax_.collections}
    assert len(colours) == len(model.classes_)
    rims = display.ax_.collections[0].get_edgecolors()
    own = model._known.codes[model.labels_ == 0] >= 0
    np.testing.assert_array_equal(rims[:, 3] > 0, own)
    _, ax = plt.subplots()
    given = np.random.default_rng(0).random((200, 2))
    other = MembershipDisplay.from_estimator(model, ax=ax, coordinates=given)
    assert other.ax_ is ax
    with pytest.raises(ValueError, match="coordinates has shape"):
        MembershipDisplay.from_estimator(model, coordinates=given[:5])


def test_sure_samples_are_near_the_corner_of_their_class_and_apart_from_each_other():
    labels = np.repeat(np.arange(5), 40)
    places = circle_of_classes(np.eye(5)[labels])
    angles = 2 * np.pi * np.arange(5) / 5
    corners = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    distances = np.linalg.norm(places[:, None] - corners, axis=2)
    np.testing.assert_array_equal(distances.argmin(axis=1), labels)
    assert len(np.unique(places.round(6), axis=0)) == 200


def test_the_history_of_both_kinds_of_methods(model, digits):
    display = HistoryDisplay.from_estimator(model)
    lines = {line.get_label(): line.get_ydata() for line in display.axes_[1].lines}
    assert list(lines) == ["primal", "dual", "membership change", "tol"]
    np.testing.assert_array_equal(lines["primal"], model.history_.primal)
    change = np.array(model.history_.membership_change)
    np.testing.assert_array_equal(np.nan_to_num(lines["membership change"]), change)
    np.testing.assert_array_equal(display.axes_[0].lines[0].get_ydata(), model.history_.objective)
    X, y, _ = digits
    other = GNMF(10, max_iter=12, random_state=0).fit(X[:100], y[:100])
    single = HistoryDisplay.from_estimator(other)
    assert len(single.axes_) == 1
    np.testing.assert_array_equal(single.axes_[0].lines[0].get_xdata(), other.history_.iteration)
    with pytest.raises(ValueError, match="has no history_"):
        HistoryDisplay.from_estimator(HarmonicLabelPropagation().fit(X[:100], y[:100]))


def test_matplotlib_waits_until_something_is_drawn_and_is_asked_for_by_name():
    code = (
        "import sys, numpy as np; from ronmf.displays import PartsDisplay\n"
        "assert 'matplotlib' not in sys.modules\n"
        "sys.modules['matplotlib'] = None\n"
        "try: PartsDisplay(np.eye(2, 4), ['a', 'b'], (2, 2)).plot()\n"
        "except ImportError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "PartsDisplay needs matplotlib: pip install 'ronmf[plot]'"
