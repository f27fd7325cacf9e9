"""What users are told to install exists, and brings the module that they miss."""

import os
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from support.marks import slow

ROOT = Path(__file__).parents[1]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"][
    "optional-dependencies"
]
# A clone is what readers of these have; who reads a message has the package.
OF_A_CLONE = ["*.md", "docs/*.md", "examples/*.py", "benchmarks/*.py", "plans/*.toml"]
OF_THE_PACKAGE = ["src/**/*.py"]
LINE = re.compile(r"\bpip install (?:-\S+ )*(?P<what>'[^']*'|\S+)")
# Modules that are not there: not found, as in an installation without them.
HIDE = """
import importlib.machinery
find = importlib.machinery.PathFinder.find_spec
def find_others(name, *rest):
    return None if name.partition(".")[0] in {missing} else find(name, *rest)
importlib.machinery.PathFinder.find_spec = find_others
"""
FIT = """
import numpy as np
from ronmf import ADMM, RONMF
X = np.random.default_rng(0).random((12, 3, 3))
model = RONMF(graph="plain", n_neighbors=3, solver=ADMM(max_iter=3)).fit(X, [0, 1] + [-1] * 10)
"""
DEEP = "import numpy; from ronmf.features import DeepFeatures; X = numpy.ones((2, 3, 3))\n"
PARTS = """
import numpy as np
from ronmf.displays import PartsDisplay
PartsDisplay(np.eye(2, 4), ["a", "b"], (2, 2)).plot()
"""
COMMAND = "import sys; from ronmf.cli import main; sys.argv = ['ronmf', {}]; main()"
# What is done, and which modules are missing.
CASES = [
    ("from ronmf.bench import TABLES", ["pandas"]),
    ("from ronmf.storage import open_rows; open_rows('rows.h5')", ["h5py"]),
    (COMMAND.format("'--help'"), ["typer"]),
    *slow(
        (f"{FIT}model.report(X)", ["jinja2"]),
        (f"{FIT}model.report(X)", ["PIL"]),
        (f"{FIT}model.results_frame()", ["pandas"]),
        (PARTS, ["matplotlib"]),
        ("from ronmf.datasets import from_folder; from_folder('.')", ["PIL"]),
        ("from ronmf.storage import open_rows; open_rows('rows.zarr')", ["zarr"]),
        ("from ronmf.bench import FIGURES", ["matplotlib"]),
        ("from ronmf.bench import build_report", ["jinja2"]),
        ("from ronmf.bench import read_rows; read_rows('.')", ["pandas"]),
        (f"{DEEP}DeepFeatures().fit(X)", ["onnxruntime", "torch"]),
        (f"{DEEP}DeepFeatures(device='cuda').fit(X)", ["torch"]),
        (f"{DEEP}DeepFeatures('resnet18').fit(X)", ["timm", "torch"]),
        (COMMAND.format("'bench', 'table', '.'"), ["pandas"]),
        (COMMAND.format("'app', '.'"), ["starlette"]),
        (COMMAND.format("'app', '.'"), ["uvicorn"]),
    ),
]


def lines(patterns):
    """Yield the file and what it installs, for every line that installs something."""
    for pattern in patterns:
        for path in sorted(ROOT.glob(pattern)):
            for match in LINE.finditer(path.read_text("utf-8")):
                yield path.relative_to(ROOT).as_posix(), match["what"].strip("`")


def extras_in(requirement):
    """Return the extras that a requirement of this package names; None if it is of another form."""
    match = re.fullmatch(r"'?(?:ronmf|\.)(?:\[(?P<extras>[a-z,]+)\])?'?", requirement)
    return match and [name for name in (match["extras"] or "").split(",") if name]


def brought_by(extra):
    """Return the distributions of an extra and of those it takes in."""
    found = set()
    for requirement in EXTRAS[extra]:
        inner = re.fullmatch(r"ronmf\[(.*)\]", requirement)
        if inner:
            found |= set().union(*map(brought_by, inner[1].split(",")))
        else:
            found.add(_plain(re.match(r"[\w.-]+", requirement)[0]))
    return found


def _plain(name):
    return re.sub("[-_.]+", "-", name).lower()


@pytest.mark.parametrize(
    ("patterns", "start"), [(OF_A_CLONE, "."), (OF_THE_PACKAGE, "ronmf[")], ids=["docs", "src"]
)
def test_extras_exist_and_have_one_form(patterns, start):
    found = list(lines(patterns))
    assert len(found) > 8
    for path, what in found:
        if path.startswith("benchmarks/") and extras_in(what) is None:
            continue  # programs to compare with
        if "{" in what:
            continue  # filled in when it is shown: see below
        assert what.strip("'").startswith(start), f"{path}: pip install {what}"
        assert extras_in(what) is not None, f"{path}: pip install {what}"
        assert set(extras_in(what)) <= set(EXTRAS), f"{path}: pip install {what}"


@pytest.mark.parametrize(("code", "missing"), CASES, ids=str)
def test_a_message_names_the_extra_that_brings_the_module(code, missing, tmp_path):
    (tmp_path / "picture.png").write_bytes(b"x")
    (tmp_path / "rows.h5").write_bytes(b"x")
    (tmp_path / "rows.zarr").mkdir()
    done = subprocess.run(
        [sys.executable, "-c", HIDE.format(missing=missing) + code],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "RONMF_CACHE": str(tmp_path / "cache")},
    )
    last = done.stderr.strip().splitlines()[-1]
    told = LINE.search(last)
    assert told, done.stderr
    (extra,) = extras_in(told["what"])
    words = set(re.findall(r"[\w-]+", last[: told.start()].lower()))
    found = packages_distributions()
    names = {name: {_plain(each) for each in found.get(name, [name])} for name in missing}
    named = [name for name in missing if names[name] & words or name.lower() in words]
    assert named, last
    for name in named:
        assert brought_by(extra) & names[name], last
