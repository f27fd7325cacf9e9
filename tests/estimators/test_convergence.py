"""When a fit stops, and how beta moves on the way."""

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from ronmf import ADMM, RONMF
from support.settings import PLAIN


@pytest.mark.parametrize(("beta", "grows"), [(500.0, False), (0.01, True)])
def test_balancing_moves_beta_towards_the_middle(digits, beta, grows):
    X, y, _ = digits
    solver = ADMM(beta=beta, balance=True, tol=1e-6, max_iter=30)
    model = RONMF(**PLAIN, solver=solver, random_state=0).fit(X, y)
    first, last = model.history_.beta[0], model.history_.beta[-1]
    assert last > first if grows else last < first


@pytest.mark.parametrize("beta", [3.0, 10.0])
def test_stops_only_when_all_quantities_are_small_or_the_objective_has_settled(digits, beta):
    X, y, _ = digits
    model = RONMF(**PLAIN, solver=ADMM(beta=beta, max_iter=300), random_state=0).fit(X, y)
    history, tol = model.history_, model.solver_.tol
    worst = np.max(
        [history.primal, history.dual, history.membership_change, history.optimality], axis=0
    )
    assert model.converged_
    assert (worst[:-1] >= tol).all()
    if worst[-1] >= tol:
        fall = abs(history.objective[-6] - history.objective[-1])
        assert fall < 0.2 * tol * history.objective[-1]
        assert max(history.primal[-1], history.membership_change[-1]) < tol
        assert "settled" in model.stop_reason_


def test_a_large_beta_does_not_pass_for_convergence(digits):
    X, y, _ = digits
    advice = r"reached max_iter=5 .*raise max_iter or tol, as in set_params\(solver__max_iter=10\)"
    with pytest.warns(ConvergenceWarning, match=advice):
        model = RONMF(**PLAIN, solver=ADMM(beta=1e6, max_iter=5), random_state=0).fit(X, y)
    assert not model.converged_
