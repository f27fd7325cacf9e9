"""A folder compared by a network of the user's own."""

import json
import zipfile

import pytest

from ronmf.features._onnx_format import model, node
from ronmf.saving import read_extra
from ronmf.sorting import cluster_folder, predict_folder
from support.picture_folders import digit_folder

pytestmark = pytest.mark.usefixtures("cache")  # an empty one, and no network
pytest.importorskip("onnxruntime", reason="needs onnxruntime: pip install 'ronmf[deep]'")


@pytest.fixture
def network(tmp_path):
    """A network whose embedding is the picture, shrunk to 8 x 8, in three colours."""
    path = tmp_path / "own.onnx"
    nodes = [node("Flatten", ["x"], "y")]
    path.write_bytes(model(nodes, (), ("x", ["n", 3, 8, 8]), ("y", ["n", 192])))
    return path


def test_the_network_is_asked_for_again_and_known_by_its_content(network, tmp_path):
    digit_folder(tmp_path / "digits", 80, 3)
    out = tmp_path / "out"
    cluster_folder(tmp_path / "digits", out, n_clusters=3, features=network)
    kept = json.dumps(read_extra(out / "model.ronmf"))
    assert str(network) not in kept  # a place on this machine is nobody's business
    with pytest.raises(ValueError, match=r"give that \.onnx file"):
        predict_folder(out, tmp_path / "digits")
    moved = network.rename(tmp_path / "moved.onnx")
    assert len(predict_folder(out, tmp_path / "digits", features=moved).classes) == 80
    other = tmp_path / "other.onnx"
    other.write_bytes(
        model(
            [node("GlobalAveragePool", ["x"], "y")],
            (),
            ("x", ["n", 3, 8, 8]),
            ("y", ["n", 3, 1, 1]),
        )
    )
    with pytest.raises(ValueError, match="another network"):
        predict_folder(out, tmp_path / "digits", features=other)


def test_no_file_is_opened_because_a_model_names_it(network, tmp_path):
    digit_folder(tmp_path / "digits", 60, 3)
    out = tmp_path / "out"
    cluster_folder(tmp_path / "digits", out, n_clusters=3)
    with zipfile.ZipFile(out / "model.ronmf") as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    found = json.loads(members["model.json"])
    assert "pictures" in json.dumps(found)
    hostile = members["model.json"].replace(
        json.dumps("pixels").encode(), json.dumps("deep").encode()
    )
    hostile = hostile.replace(b'"model": null', json.dumps({"model": str(network)})[1:-1].encode())
    with zipfile.ZipFile(tmp_path / "hostile.ronmf", "w") as archive:
        for name, content in members.items():
            archive.writestr(name, hostile if name == "model.json" else content)
    with pytest.raises(ValueError, match=r"give that \.onnx file|hostile\.ronmf"):
        predict_folder(tmp_path / "hostile.ronmf", tmp_path / "digits")
