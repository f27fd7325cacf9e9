"""The state of a fit that an earlier version began: it serves, or is left as it is."""

import re

import numpy as np
import pytest

from ronmf import RONMF

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix != ".lock"}


@pytest.fixture
def data(runs):
    return np.load(runs / "X.npy", mmap_mode="r"), np.load(runs / "y.npy")


def test_the_fit_goes_on_or_is_refused_in_one_sentence(runs, data):
    """Refused, it takes nothing away: an earlier version can still go on from that folder."""
    before, rows = contents(runs / "state"), (runs / "X.npy").read_bytes()
    model = RONMF(random_state=0, checkpoint=runs / "state")
    said = ""
    try:
        model.fit(*data)
    except ValueError as error:
        said = str(error)
    if said:
        place = re.escape(str(runs / "state"))
        assert re.fullmatch(rf"checkpoint='{place}' holds .*; name an empty folder\.", said)
        assert contents(runs / "state") == before
        model.set_params(checkpoint=runs / "another").fit(*data)
    else:
        assert contents(runs / "state") == {}  # done
    np.testing.assert_array_equal(model.labels_, np.load(runs / "labels.npy"))
    assert (runs / "X.npy").read_bytes() == rows


def test_the_state_of_another_fit_stays(runs, data):
    """Of other labels, whatever the version: never taken for one's own."""
    before = contents(runs / "state")
    X, y = data
    with pytest.raises(ValueError, match="state of another fit"):
        RONMF(random_state=0, checkpoint=runs / "state").fit(X, y[::-1])
    assert contents(runs / "state") == before
