"""What makes rows stale: a changed line of code that decides, and nothing else."""

import shutil
from pathlib import Path

import pytest

import ronmf
from ronmf.experiments.running.code_digest import own_method_digest, package_digest, source_digest

PACKAGE = Path(ronmf.__file__).parent
SOURCE = '''"""Doc."""
# why
def f(x):
    """Tell."""
    text = "# not a comment"
    return x + 1  # one more
'''


@pytest.mark.parametrize(
    "same",
    [
        SOURCE.replace("Tell.", "Tell more.\n\n    And more."),
        SOURCE.replace("# why\n", "# why not\n\n\n"),
        SOURCE.replace("  # one more", ""),
        SOURCE.replace('"""Doc."""', '"""Other."""'),
    ],
)
def test_words_do_not_count(same):
    assert same != SOURCE
    assert source_digest(same) == source_digest(SOURCE)


@pytest.mark.parametrize(
    "other",
    [
        SOURCE.replace("x + 1", "x + 2"),
        SOURCE.replace("# not a comment", "# a text"),
        SOURCE.replace("def f", "def g"),
    ],
)
def test_code_counts(other):
    assert source_digest(other) != source_digest(SOURCE)


def test_code_that_does_not_parse_has_a_digest():
    assert source_digest("def (") != source_digest("def )")


def test_which_modules_decide(tmp_path):
    copy = tmp_path / "ronmf"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    digest = package_digest.__wrapped__  # without its memory
    assert digest(copy) == package_digest()

    def after_a_line_in(*names, line="_MORE = 1"):
        for name in names:
            with open(copy / name, "a") as code:
                code.write(f"\n{line}\n")
        return digest(copy)

    before = package_digest()
    shown = ("cli/bench.py", "views/report.py", "__init__.py", "experiments/running/rows.py")
    assert after_a_line_in(*shown, "experiments/reporting/tables.py") == before
    deciding = ("admm/steps.py", "noise.py", "experiments/running/protocol.py")
    assert after_a_line_in(*deciding, line="# a word") == before
    found = [before, *(after_a_line_in(name) for name in deciding)]
    assert len(set(found)) == 4


def test_own_methods_are_found_and_not_run(tmp_path, monkeypatch):
    (tmp_path / "own_package").mkdir()
    (tmp_path / "own_package" / "__init__.py").write_text("raise SystemExit('was run')")
    module = tmp_path / "own_package" / "own_module.py"
    module.write_text("raise SystemExit('was run')")
    monkeypatch.chdir(tmp_path)
    before = own_method_digest("own_package.own_module:Mine")
    assert before
    module.write_text("raise SystemExit('was run again')")
    assert own_method_digest("own_package.own_module:Mine") not in ("", before)
    assert own_method_digest("own_package.nothing:Mine") == ""
    assert own_method_digest("no_such_package.nothing:Mine") == ""
