"""One name for a dataset and a method, however a plan gives them."""

import pytest

from ronmf.bench import read_plan

HEAD = """
[[experiment]]
name = "clean"
seeds = 1
"""


def plan_of(folder, datasets, methods):
    (folder / "plan.toml").write_text(f"{HEAD}datasets = {datasets}\nmethods = {methods}\n")
    return read_plan(folder / "plan.toml")


def names(plan, column):
    return list(dict.fromkeys(getattr(run, column) for run in plan.runs))


def test_datasets(tmp_path):
    plan = plan_of(
        tmp_path, '["YALE", "some/where/coil20.npz", "my/Owls", "a/moths.mat"]', '["NMF"]'
    )
    assert names(plan, "dataset") == ["yale", "coil20", "Owls", "moths"]
    assert plan.paths == {
        "yale": "YALE", "coil20": "some/where/coil20.npz", "Owls": "my/Owls", "moths": "a/moths.mat"
    }  # fmt: skip
    assert len(plan.select(datasets=["some/where/coil20.npz", "Yale"]).runs) == 2


def test_two_files_may_differ_in_capital_letters_alone(tmp_path):
    with pytest.raises(ValueError, match="are both called 'own'"):
        plan_of(tmp_path, '["Data/own.npz", "data/own.npz"]', '["NMF"]')


def test_two_datasets_of_one_name(tmp_path):
    with pytest.raises(ValueError, match=r"'a/owls.npz' and 'b/owls.npz' are both called 'owls'"):
        plan_of(tmp_path, '["a/owls.npz", "b/owls.npz"]', '["NMF"]')


def test_methods(tmp_path):
    mine = '{ name = "My own", class = "package.module:Mine" }'
    plan = plan_of(tmp_path, '["digits"]', f'["NMF", "module:Other", {mine}, "RONMF"]')
    assert names(plan, "method") == ["NMF", "Other", "My own", "RONMF"]
    assert plan.classes == {"Other": "module:Other", "My own": "package.module:Mine"}
    assert names(plan.select(methods=["package.module:Mine"]), "method") == ["My own"]


def test_all_and_more(tmp_path):
    every = names(plan_of(tmp_path, '["digits"]', '"all"'), "method")
    more = names(plan_of(tmp_path, '["digits"]', '["all", "LabelSpreading", "NMF"]'), "method")
    assert more == [*every, "LabelSpreading"]


@pytest.mark.parametrize(
    ("methods", "words"),
    [
        ('["RONMFM"]', "method 'RONMFM' is not known; .*did you mean 'RONMF"),
        ("[]", "methods is an empty list"),
        ("3", "methods cannot be 3; use"),
        ("[3]", "methods cannot be 3; use .*tables such as"),
        ('[{ name = "Mine" }]', "use .*names, or tables such as"),
        ('[{ name = "Mine", klass = "a:B" }]', "methods cannot be .*'klass'.*; use"),
        ('["module:NMF"]', "the name 'NMF' of module:NMF is taken"),
        ('["a:Mine", "b:Mine"]', "the name 'Mine' of b:Mine is taken"),
    ],
)
def test_wrong_methods(tmp_path, methods, words):
    with pytest.raises(ValueError, match=words):
        plan_of(tmp_path, '["digits"]', methods)
