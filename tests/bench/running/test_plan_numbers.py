"""Truth values and infinities are no numbers, whatever Python thinks."""

import pytest

from ronmf.bench import read_plan

HEAD = '[[experiment]]\nname = "clean"\ndatasets = ["digits"]\nmethods = ["GNMF"]\n'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("timeout = true\n" + HEAD, "timeout cannot be True; use a positive number of seconds"),
        ("timeout = inf\n" + HEAD, "timeout cannot be inf; use a positive number of seconds"),
        (HEAD + "seeds = true", "seeds cannot be True"),
        (HEAD + "seeds = [0, false]", "seeds cannot be [0, False]"),
        (HEAD + "n_classes = true", "n_classes cannot be True"),
        (HEAD + "n_classes = [true]", "n_classes cannot be True"),
        (HEAD + "label_rate = true", "label_rate cannot be True"),
        (HEAD + "label_rate = [0.1, true]", "label_rate cannot be True"),
        (HEAD + "labels_per_class = true", "labels_per_class cannot be True"),
        (HEAD + "samples_per_class = true", "samples_per_class cannot be True"),
        (
            HEAD + "samples_per_class = { digits = true }",
            "samples_per_class cannot be {'digits': True}",
        ),
        (
            HEAD + 'noise = [{ kind = "gaussian", level = true }]',
            "noise cannot be {'kind': 'gaussian', 'level': True}",
        ),
        (
            HEAD + 'noise = [{ kind = "gaussian", level = inf }]',
            "noise cannot be {'kind': 'gaussian', 'level': inf}",
        ),
        (HEAD + "scaling = true", "scaling cannot be True"),
        (HEAD + "leak = false", "leak cannot be False"),
    ],
)
def test_true_is_not_one(tmp_path, text, words):
    file = tmp_path / "plan.toml"
    file.write_text(text)
    with pytest.raises(ValueError, match=r"plan\.toml") as caught:
        read_plan(file)
    assert words in str(caught.value)


def test_parameters_of_methods_may_be_true(tmp_path):
    file = tmp_path / "plan.toml"
    file.write_text(HEAD + "seeds = 1\nvariants = [{ label = 'a', flag = true }]")
    (run,) = read_plan(file).runs
    assert run.params == '{"flag": true}'
