"""Truth values and infinities are no numbers, whatever Python thinks."""

import pytest

from ronmf.bench import read_plan

HEAD = '[[experiment]]\nname = "clean"\ndatasets = ["digits"]\nmethods = ["GNMF"]\n'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("timeout = true\n" + HEAD, "timeout = True is not a positive number of seconds"),
        ("timeout = inf\n" + HEAD, "timeout = inf is not a positive number of seconds"),
        (HEAD + "seeds = true", "seeds = True is neither"),
        (HEAD + "seeds = [0, false]", "seeds = [0, False] is neither"),
        (HEAD + "n_classes = true", "n_classes has True"),
        (HEAD + "n_classes = [true]", "n_classes has True"),
        (HEAD + "label_rate = true", "label_rate has True"),
        (HEAD + "label_rate = [0.1, true]", "label_rate has True"),
        (HEAD + "labels_per_class = true", "labels_per_class has True"),
        (HEAD + "samples_per_class = true", "samples_per_class = True is neither"),
        (HEAD + "samples_per_class = { digits = true }", "is neither a count"),
        (HEAD + 'noise = [{ kind = "gaussian", level = true }]', "level of gaussian has True"),
        (HEAD + 'noise = [{ kind = "gaussian", level = inf }]', "level of gaussian has inf"),
        (HEAD + "scaling = true", "scaling is True"),
        (HEAD + "leak = false", "leak is False"),
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
