"""What makes rows of a user's own method stale: a changed line of its module, not its words."""

import pytest

from ronmf.bench.running.own_methods import own_method_digest, source_digest

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
