"""``import ronmf`` brings what the estimators need, and nothing else."""

import subprocess
import sys

import pytest

from support.marks import slow

UNWANTED = {
    "PIL",
    "http.client",
    "matplotlib",
    "msgspec",
    "onnxruntime",
    "pandas",
    "rich",
    "ronmf.cli",
    "ronmf.datasets",
    "ronmf.bench",
    "sqlite3",
    "torch",
    "typer",
    "urllib.request",
}
SCIENTIFIC = ("array_api_compat", "joblib", "numpy", "scipy", "sklearn", "threadpoolctl")


def loaded_by(*modules: str) -> set[str]:
    """Return the modules in a fresh interpreter that imports these."""
    code = (
        "import importlib, sys\n"
        "for name in sys.stdin.read().split():\n"
        "    importlib.import_module(name)\n"
        "print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=" ".join(modules),
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.split())


@pytest.mark.parametrize(
    "module", ["ronmf.baselines", *slow("ronmf.estimators.ronmf", "ronmf.features", "ronmf.graph")]
)
def test_an_import_loads_nothing_that_fitting_does_not_need(module):
    loaded = loaded_by(module)
    # scikit-learn looks for optional packages of its own; those are not ours to avoid.
    below = sorted(name for name in loaded if name.split(".")[0] in SCIENTIFIC)
    assert len(below) > 100
    assert not (loaded - loaded_by(*below)) & UNWANTED


def test_the_top_level_waits_until_it_is_asked():
    assert not {name.split(".")[0] for name in loaded_by("ronmf")} & {*SCIENTIFIC, *UNWANTED}
