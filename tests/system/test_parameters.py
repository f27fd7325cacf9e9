"""A parameter that there is not gets one sentence, in the name of the class, with what to do."""

import inspect
import re

import pytest
from sklearn.base import clone

from ronmf import ADMM, RONMF, GraphChoice, GraphRecipe, HarmonicLabelPropagation, baselines
from ronmf.features import HOG

CASES = [
    (RONMF, "beta", "but ADMM has: write RONMF(solver=ADMM(beta=...)), or solver__beta in"),
    (RONMF, "betta", "but ADMM has 'beta': write RONMF(solver=ADMM(beta=...)), or solver__beta"),
    (RONMF, "edge_weights", "write RONMF(graph=GraphChoice(edge_weights=...)), or graph__edge_w"),
    (RONMF, "n_neighbours", "did you mean 'n_neighbors'?"),
    (RONMF, "whatever", "it has assign, check_labels, checkpoint, class_prior, graph,"),
    (HarmonicLabelPropagation, "heat_width", "Propagation(graph=GraphChoice(heat_width=...))"),
    (HarmonicLabelPropagation, "beta", "it has check_labels, class_prior"),
    (ADMM, "betta", "did you mean 'beta'?"),
    (GraphChoice, "edge_weight", "did you mean 'edge_weights'?"),
    (GraphRecipe, "whitenning", "did you mean 'whitening'?"),
    (HOG, "orientations", "did you mean 'n_orientations'?"),
    *((getattr(baselines, name), "n_cluster", "did you mean 'n_clusters'?")
      for name in baselines.__all__),
]  # fmt: skip


@pytest.mark.parametrize(
    ("cls", "name", "said"), CASES, ids=lambda each: getattr(each, "__name__", each)
)
def test_unknown_parameters(cls, name, said):
    sentence = rf"^{cls.__name__} has no parameter '{name}'.*{re.escape(said)}"
    with pytest.raises(TypeError, match=sentence):
        cls(**{name: 1})
    with pytest.raises(ValueError, match=sentence):
        cls().set_params(**{name: 1})


def test_parameters_of_parts():
    with pytest.raises(ValueError, match=r"^ADMM has no parameter 'betta'; did you mean 'beta'"):
        RONMF().set_params(solver__betta=1)
    with pytest.raises(ValueError, match=r"^GraphChoice has no parameter 'edges'"):
        RONMF().set_params(graph__edges=1)


def test_a_subclass_has_parameters_of_its_own():
    class Mine(RONMF):
        def __init__(self, extra=1, n_clusters=None):
            super().__init__(n_clusters)
            self.extra = extra

    assert clone(Mine(extra=3)).set_params(extra=4).get_params() == {"extra": 4, "n_clusters": None}
    with pytest.raises(ValueError, match=r"^Mine has no parameter 'extras'; did you mean 'extra'"):
        Mine().set_params(extras=1)


def test_signatures_say_what_there_is():
    assert list(inspect.signature(ADMM).parameters)[:2] == ["beta", "balance"]
    assert inspect.signature(RONMF).parameters["penalty"].default == "mcp"
