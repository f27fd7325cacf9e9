"""Embeddings in ONNX files of the user: every layout, every kind of output, and what is refused."""

import subprocess
import sys

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from ronmf.features import DeepFeatures, _onnx_format
from ronmf.features._networks import identity, load_network
from ronmf.features._onnx_format import _field, model, node, parameter
from ronmf.features._preparing import mean_and_deviation, resize
from support.networks import SHAPE

pytest.importorskip("onnxruntime", reason="needs onnxruntime: pip install 'ronmf[deep]'")

SIZE = (12, 10)
NCHW, NHWC = ["n", 3, *SIZE], ["n", *SIZE, 3]
AVERAGE = [node("GlobalAveragePool", ["x"], "maps")]
FLAT = [*AVERAGE, node("Flatten", ["maps"], "y")]


def write(folder, nodes, source=NCHW, result=("n", 3), parameters=(), name="y", extra=b""):
    path = folder / "net.onnx"
    path.write_bytes(model(nodes, parameters, ("x", source), (name, list(result))) + extra)
    return path


def averages(pictures, normalization=None, size=SIZE):
    """Return what networks that average colours give, both halves, by the definition."""
    mean, deviation = mean_and_deviation(normalization)
    white = 255 * np.repeat(pictures.reshape(-1, *SHAPE, 1), 3, axis=3)
    z = [((resize(x, size) - mean) / deviation).mean(axis=(0, 1)) for x in white]
    return np.concatenate([np.maximum(z, 0), np.maximum(np.negative(z), 0)], axis=1)


def features(path, pictures, **settings):
    return DeepFeatures(path, image_shape=SHAPE, white=1.0, cache=False, **settings).fit_transform(
        pictures
    )


@pytest.mark.parametrize(
    ("nodes", "source", "result"),
    [
        (FLAT, NCHW, ["n", 3]),
        ([node("GlobalAveragePool", ["x"], "y")], NCHW, ["n", 3, 1, 1]),
        ([node("Relu", ["x"], "z"), node("Sub", ["x", "nought"], "y")], NCHW, NCHW),
        ([node("Sub", ["x", "nought"], "y")], NHWC, NHWC),
        ([node("Sub", ["x", "nought"], "y")], [1, *SIZE, 3], [1, *SIZE, 3]),
        ([node("Sub", ["x", "nought"], "y")], [4, 3, *SIZE], [4, 3, *SIZE]),  # six pictures
        ([node("ReduceMean", ["x"], "y", axes=[1], keepdims=0)], NHWC, ["n", SIZE[1], 3]),
    ],
    ids=["vector", "map of a pixel", "maps", "maps, colours last", "one", "four", "tokens"],
)
def test_every_kind_of_model(pictures, tmp_path, nodes, source, result):
    path = write(tmp_path, nodes, source, result, [parameter("nought", np.zeros(1))])
    np.testing.assert_allclose(features(path, pictures), averages(pictures), atol=1e-4)
    network = load_network(str(path))
    assert (network.size, network.width) == (SIZE, 6)
    assert network.embed(np.zeros((0, 5, 5, 3), np.uint8)).shape == (0, 6)


def test_a_size_that_is_left_open_is_224(pictures, tmp_path):
    path = write(tmp_path, FLAT, ["n", "c", "h", "w"], ["n", "c"])
    assert load_network(str(path)).size == (224, 224)
    found = features(path, pictures)
    np.testing.assert_allclose(found, averages(pictures, size=(224, 224)), atol=1e-4)


def test_a_vector_goes_before_other_outputs(pictures, tmp_path):
    nodes = [node("Neg", ["x"], "first"), *FLAT]
    extra = _field(7, _field(12, _onnx_format._type("y", ["n", 3])))  # the graph has one more
    path = write(tmp_path, nodes, result=NCHW, name="first", extra=extra)
    np.testing.assert_allclose(features(path, pictures), averages(pictures), atol=1e-4)


def test_numbers_of_half_precision(pictures, tmp_path, monkeypatch):
    monkeypatch.setattr(_onnx_format, "_FLOAT", 10)  # their type in the format
    found = features(write(tmp_path, FLAT), pictures)
    np.testing.assert_allclose(found, averages(pictures), atol=5e-3)


def test_the_normalization_is_as_told(pictures, tmp_path):
    path = write(tmp_path, FLAT)
    for told in ("clip", "half", (0.1, (0.2, 0.3, 0.4)), [0.0, 1.0]):
        found = features(path, pictures, normalization=told)
        np.testing.assert_allclose(found, averages(pictures, told), atol=1e-4)
    keys = {identity(str(path), told) for told in (None, "imagenet", "clip", (0.5, 0.5), "half")}
    assert len(keys) == 3


def test_vectors_are_kept_by_the_content_of_the_file(pictures, tmp_path):
    def embedded(path, folder):
        return DeepFeatures(path, image_shape=SHAPE, cache=folder).fit_transform(pictures)

    path, cache = write(tmp_path, FLAT), tmp_path / "cache"
    first = embedded(path, cache)
    assert [file.name for file in cache.iterdir()] == ["net.onnx.sqlite"]
    # The same name, another network: nothing of the first is taken for the second.
    write(tmp_path, [*AVERAGE, node("Neg", ["maps"], "less"), node("Flatten", ["less"], "y")])
    np.testing.assert_allclose(embedded(path, cache), np.roll(first, 3, axis=1), atol=1e-5)
    # The same network, another name: the same key.
    copy = tmp_path / "copy.ONNX"
    copy.write_bytes(path.read_bytes())
    assert identity(str(copy)) == identity(str(path))


def test_a_vector_depends_neither_on_the_batch_nor_on_threads(pictures, tmp_path):
    path = write(tmp_path, FLAT)
    together = features(path, pictures)
    np.testing.assert_array_equal(features(path, pictures, batch_size=1), together)
    np.testing.assert_array_equal(features(path, pictures[::-1])[::-1], together)
    for threads in (1, 3):
        with threadpool_limits(threads, user_api="blas"):  # our own threads are as many
            np.testing.assert_array_equal(features(path, pictures), together)


EXTERNAL = _field(1, 1) + _field(2, 1) + _field(8, "w") + _field(14, 1)
EXTERNAL += _field(13, _field(1, "location") + _field(2, "secret.bin"))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"nodes": [node("Add", ["x", "w"], "y")], "parameters": [EXTERNAL]}, "other files; save"),
        ({"nodes": [node("Go", ["x"], "y") + _field(7, "evil")]}, "needs operators of evil, which"),
        ({"nodes": [node("Nonsense", ["x"], "y")]}, r"cannot be loaded by onnxruntime \("),
        ({"nodes": FLAT, "source": ["n", 1, *SIZE]}, r"takes tensor\(float\) of shape"),
        ({"nodes": [node("Neg", ["x"], "y")], "source": ["n", 3]}, "float pictures of three"),
        ({"nodes": [node("Shape", ["x"], "y")]}, "gives no vector, maps or tokens|cannot be"),
        (
            {"nodes": [node("Add", ["x", "w"], "y")], "parameters": [parameter("w", np.zeros(7))],
             "source": ["n", 3, "h", "w"], "result": ["n", 3, "h", "w"]},
            r"cannot be run by onnxruntime \(",
        ),
    ],
)  # fmt: skip
def test_a_model_that_does_not_do_is_one_sentence(pictures, tmp_path, settings, message, capfd):
    np.zeros(1, np.float32).tofile(tmp_path / "secret.bin")
    path = write(tmp_path, **{"result": NCHW, **settings})
    with pytest.raises(ValueError, match=rf"^the model net\.onnx .*({message}).*\.$"):
        features(path, pictures)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    "content", [b"", b"no model", b"\x00" * 100, b"\x08\x07ORTM" + b"\x00" * 50]
)
def test_a_file_that_is_no_model_is_one_sentence(pictures, tmp_path, content):
    path = tmp_path / "net.onnx"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"^the model net\.onnx (is no ONNX model|cannot be lo)"):
        features(path, pictures)


def test_two_inputs_are_one_sentence(pictures, tmp_path):
    extra = _field(7, _field(11, _onnx_format._type("input_ids", ["n", 3, *SIZE])))
    path = write(tmp_path, [node("Add", ["x", "input_ids"], "y")], result=NCHW, extra=extra)
    with pytest.raises(ValueError, match=r"takes 2 inputs \(x, input_ids\); export the part for"):
        features(path, pictures)


def test_numbers_that_are_not_finite_are_one_sentence(pictures, tmp_path):
    path = write(tmp_path, [node("Log", ["x"], "y")], result=NCHW)
    with pytest.raises(ValueError, match="the network gives values that are not finite"):
        features(path, pictures)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"model": "absent.onnx"}, r"model='absent\.onnx': there is no such file"),
        ({"model": "absent.onnx", "normalization": "vgg"}, "normalization is 'vgg'; give"),
        ({"normalization": "clip"}, "normalization is for models in ONNX files"),
        ({"backend": "tensorflow"}, "'backend' parameter of DeepFeatures"),
        ({"backend": "onnxruntime", "device": "cuda"}, "cannot be run with backend='onnxruntime'"),
        ({"model": "resnet18", "backend": "onnxruntime"}, "torch runs .* models of timm"),
    ],
)
def test_settings_that_contradict_are_one_sentence(pictures, settings, message):
    with pytest.raises((ValueError, FileNotFoundError), match=message):
        DeepFeatures(image_shape=SHAPE, **settings).fit(pictures)


@pytest.mark.slow
def test_nothing_is_printed(tmp_path):
    path = write(tmp_path, FLAT)
    code = (
        "import sys, numpy as np; from ronmf.features._networks import load_network;"
        "load_network(sys.argv[1]).embed(np.zeros((3, 5, 5, 1), np.uint8))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, path], capture_output=True, text=True, check=True
    )
    assert (done.stdout, done.stderr) == ("", "")
