"""Tables, figures and the report through the real command line, from rows of a real run."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from support.command_line import sentences
from support.marks import slow

# The default run has tests/cli/test_own_method.py and bench/running/test_runner.py.
pytestmark = pytest.mark.slow

PLAN = """
[defaults]
seeds = 2
samples_per_class = 30
datasets = ["digits"]

[[experiment]]
name = "clean"
methods = ["k-means", "NMF", "GNMF", "LpCNMF", "RSNMF", "HarmonicLabelPropagation", "RONMF-M"]
n_classes = [3]

[[experiment]]
name = "classes"
methods = ["k-means", "RONMF-M"]
n_classes = [2, 4]

[[experiment]]
name = "noise"
methods = ["k-means", "HarmonicLabelPropagation", "RONMF-M"]
n_classes = [3]
noise = [{ kind = "gaussian", level = [0.3, 0.7] }]

[[experiment]]
name = "ablation"
methods = ["RONMF-M"]
n_classes = [3]
variants = [
  { label = "default", graph = "plain" },
  { label = "without graph", graph = "plain", graph_weight = 0.0 },
]

[[experiment]]
name = "few labels"
methods = ["LabelSpreading", "SelfTraining", "RONMF-M"]
n_classes = "all"
labels_per_class = [1, 5]

[[experiment]]
name = "labels"
methods = ["HarmonicLabelPropagation"]
n_classes = [3]
label_rate = [0.1, 0.3]

[[experiment]]
name = "all classes"
methods = ["LabelSpreading", "HarmonicLabelPropagation"]
n_classes = "all"
"""
FIGURES = ["boxes", "classes", "noise", "ablation", "time"]


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A folder with a plan, finished."""
    folder = tmp_path_factory.mktemp("bench")
    (folder / "tiny.toml").write_text(PLAN)
    result = ronmf(folder, "run", "tiny.toml")
    assert result.returncode == 0, result.stderr
    return folder


def ronmf(folder: Path, *arguments: str):
    return subprocess.run(
        [sys.executable, "-m", "ronmf", "bench", *arguments],
        cwd=folder, capture_output=True, text=True, timeout=240, check=False,
        env={**os.environ, "MPLBACKEND": "Agg"},
    )  # fmt: skip


@pytest.mark.parametrize("name", ["noise", *slow("ablation", "classes", "time")])
def test_tables_are_printed(home, name):
    markdown = ronmf(home, "table", "tiny.toml", name)
    assert markdown.returncode == 0, markdown.stderr
    assert "| digits |" in markdown.stdout


@pytest.mark.parametrize("name", ["clean", *slow("labels")])
def test_tables_in_every_format(home, name):
    markdown = ronmf(home, "table", "tiny.toml", name)
    assert markdown.returncode == 0, markdown.stderr
    assert "| digits |" in markdown.stdout
    latex = ronmf(home, "table", "results/tiny", name, "--format", "latex")
    assert "\\toprule" in latex.stdout
    page = ronmf(home, "table", "results/tiny", name, "--format", "html", "-o", "table.html")
    assert page.returncode == 0, page.stderr
    assert "<table" in (home / "table.html").read_text()


def test_a_table_of_one_experiment(home):
    result = ronmf(home, "table", "tiny.toml", "clean", "-e", "all classes")
    assert result.returncode == 0, result.stderr
    assert "| dataset | HarmonicLabelPropagation | LabelSpreading |" in result.stdout
    assert "Classes all." in result.stdout


def assert_figure(home, name):
    result = ronmf(home, "figure", "tiny.toml", name, "-o", f"{name}.png")
    assert result.returncode == 0, result.stderr
    assert (home / f"{name}.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("name", [*FIGURES[:1], *slow(*FIGURES[1:])])
def test_figures_are_files_of_the_kind_asked_for(home, name):
    assert_figure(home, name)


@pytest.mark.slow
def test_the_name_of_the_file_says_its_kind(home):
    result = ronmf(home, "figure", "tiny.toml", FIGURES[0], "-o", "figure.pdf")
    assert result.returncode == 0, result.stderr
    assert (home / "figure.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.slow
def test_the_report_is_one_file(home):
    result = ronmf(home, "report", "tiny.toml")
    assert result.returncode == 0, result.stderr
    page = (home / "results/tiny/report.html").read_text()
    for name in FIGURES:
        assert f'id="figure-{name}"' in page, name
    assert "://" not in page
    assert page.count("<table") > 8
    stages = [line.partition(":")[0] for line in sentences(result.stderr)]
    assert stages == ["rows", "figures", "tables"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["table", "nowhere"], "there are no rows in nowhere"),
        (["table", "tiny.toml", "clean", "--format", "docx"], "'docx' is not known"),
        (
            ["table", "tiny.toml", "clean", "-o", "no/where.md"],
            "the folder no of path does not exist",
        ),
        (["figure", "tiny.toml", "pie"], "the figure 'pie' is not known"),
        (["report", "missing.toml"], "there is no plan at missing.toml"),
        *slow(
            (["table", "tiny.toml", "pie"], "the table 'pie' is not known; use one of clean"),
            (["table", "tiny.toml", "clean", "--metric", "r2"], "r2"),
            (["table", "tiny.toml", "clean", "-e", "some"], "--experiment 'some' has no rows"),
            (["figure", "tiny.toml", "boxes", "-o", "boxes.docx"], "docx"),
            (["figure", "tiny.toml", "critical_difference"], "dataset"),
            (["report", "tiny.toml", "-o", "no/report.html"], "no"),
        ),
    ],
)
def test_errors_are_one_sentence(home, arguments, message):
    result = ronmf(home, *arguments)
    assert result.returncode == 2
    assert message in result.stderr
    assert len(sentences(result.stderr)) == 1
    assert "Traceback" not in result.stderr
