"""What is published: one version, the right files, and a package that works where it is alone."""

import os
import re
import shlex
import subprocess
import sys
import tarfile
import zipfile
from datetime import date
from pathlib import Path

import pytest

import ronmf

ROOT = Path(__file__).parents[1]
BIN = "Scripts" if os.name == "nt" else "bin"
# Neither this checkout nor a user's own settings reach the commands below.
ALONE = {
    name: value
    for name, value in os.environ.items()
    if not name.startswith(("RONMF_", "PYTHON", "VIRTUAL_ENV"))
}


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The sdist, and the wheel that was built from it."""
    for name in ("build", "hatchling"):
        pytest.importorskip(name, reason=f"needs {name}: pip install 'ronmf[test]'")
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    version = ronmf.__version__
    sdist, wheel = folder / f"ronmf-{version}.tar.gz", folder / f"ronmf-{version}-py3-none-any.whl"
    assert {*folder.iterdir()} - {folder / ".gitignore"} == {sdist, wheel}
    return sdist, wheel


def test_version_changelog_and_citation_agree():
    lines = (ROOT / "CITATION.cff").read_text("utf-8").splitlines()
    citation = dict(line.split(": ", 1) for line in lines if re.match(r"[a-z-]+: ", line))
    assert citation["version"] == ronmf.__version__
    assert date.fromisoformat(citation["date-released"])
    heading = rf"^## \[{re.escape(ronmf.__version__)}\](?: - (\d{{4}}-\d\d-\d\d))?$"
    found = re.findall(heading, (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert len(found) == 1, f"CHANGELOG.md needs one heading: ## [{ronmf.__version__}] - DATE"
    assert found[0] in ("", citation["date-released"])


def test_the_wheel_holds_the_package_and_nothing_else(built):
    with zipfile.ZipFile(built[1]) as wheel:
        names = set(wheel.namelist())
        metadata = wheel.read(next(name for name in names if name.endswith("/METADATA")))
    source = ROOT / "src"
    files = {path.relative_to(source).as_posix() for path in source.rglob("*") if path.is_file()}
    wanted = {name for name in files if "__pycache__" not in name}
    inside = {name for name in names if ".dist-info/" not in name}
    assert inside == wanted
    kinds = {".css", ".html", ".jinja", ".js", ".py", ".svg", ".typed"}
    assert {Path(name).suffix for name in inside} == kinds  # no data, no picture of the docs
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)
    assert f"\nVersion: {ronmf.__version__}\n" in metadata.decode()


def test_the_sdist_holds_what_tests_and_docs_need_and_no_data(built):
    with tarfile.open(built[0]) as sdist:
        names = {name.partition("/")[2] for name in sdist.getnames()}
    for name in ("LICENSE", "README.md", "CITATION.cff", "pyproject.toml", "Makefile"):
        assert name in names
    for name in ("docs/images/app.png", "docs/conf.py", "plans/paper.toml", "tests/conftest.py"):
        assert name in names
    assert not {name for name in names if name.endswith((".npz", ".mat", ".zip", ".sqlite"))}
    assert not {name for name in names if name.startswith((".github", ".venv", "demo", "dist"))}
    assert not {
        name
        for name in names
        if name.startswith(("docs/_build", "docs/api/generated", "docs/gallery"))
    }


@pytest.mark.slow
def test_the_wheel_works_in_an_empty_environment(built, tmp_path):
    def run(program, *arguments, code=0):
        command = [tmp_path / "empty" / BIN / program, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=ALONE)
        assert done.returncode == code, done.stdout + done.stderr
        return done

    subprocess.run([sys.executable, "-m", "venv", tmp_path / "empty"], check=True, env=ALONE)
    _skip_without_an_index(tmp_path)
    run("pip", "install", "--quiet", built[1])
    told = run("python", "-c", "import ronmf; print(ronmf.__version__, ronmf.__file__)").stdout
    assert told.startswith(f"{ronmf.__version__} {tmp_path}")

    refused = run("ronmf", "--help", code=2)
    assert refused.stdout == ""
    assert refused.stderr.count("\n") == 1
    advice = re.search("pip (install 'ronmf.*')", refused.stderr)[1]

    install, snippet = _python_of_the_readme()
    run("pip", *shlex.split(install.replace("'.", f"'{built[1]}")), "--quiet")
    (tmp_path / "snippet.py").write_text(snippet, encoding="utf-8")
    run("python", "snippet.py")
    assert (tmp_path / "report.html").stat().st_size > 100_000

    run("pip", *shlex.split(advice), "--quiet")
    assert "cluster" in run("ronmf", "--help").stdout
    assert run("ronmf", "--version").stdout == f"ronmf {ronmf.__version__}\n"
    assert "inside scikit-learn" in run("ronmf", "data", "list").stdout


def _python_of_the_readme():
    """Return how the README installs the package for Python, and what it then does with it.

    The accuracy that a comment names is checked where it is computed.
    """
    text = (ROOT / "README.md").read_text("utf-8")
    match = re.search(
        r"```sh\npip (install [^#\n]*).*\n```\n\n```python\n(.*?)```", text, re.DOTALL
    )
    accuracy = r"^(.*\.mean\(\))  # (\d\.\d\d).*$"
    checked, count = re.subn(
        accuracy, r"assert abs(float(\1) - \2) < 0.006, \1", match[2], flags=re.MULTILINE
    )
    assert count == 1
    return match[1], checked


def _skip_without_an_index(folder):
    """Skip the test if pip cannot get a small package that this one needs."""
    command = [folder / "empty" / BIN / "pip", "download", "--no-deps", "--dest", folder / "probe"]
    done = subprocess.run([*command, "joblib"], capture_output=True, text=True, env=ALONE)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        pytest.skip(f"no package index can be reached: {last}")
