"""How exact the A-step is, and when sweeps end."""

import pytest

from ronmf.admm.pace import Pace
from ronmf.admm.result import History


def history(*sweeps):
    """Sweeps given as (objective, primal, dual, change, optimality)."""
    found = History()
    for objective, primal, dual, change, optimality in sweeps:
        found.append(
            objective=objective,
            lagrangian=objective,
            primal=primal,
            dual=dual,
            membership_change=change,
            optimality=optimality,
            orthogonality=0.0,
            beta=1.0,
        )
    return found


def test_small_residuals_end_the_run_only_with_optimal_memberships():
    assert Pace(1e-2, 1e-9).reason_to_stop(history((1.0, 1e-3, 1e-3, 1e-3, 1e-3))) is not None
    assert Pace(1e-2, 1e-9).reason_to_stop(history((1.0, 1e-3, 1e-3, 1e-3, 0.5))) is None
    assert Pace(1e-2, 1e-9).reason_to_stop(history((1.0, 1e-3, 0.5, 1e-3, 1e-3))) is None


@pytest.mark.parametrize(("fall", "ends"), [(1e-6, True), (1e-2, False)])
def test_a_settled_objective_ends_the_run_whatever_the_dual_residual(fall, ends):
    sweeps = [(10.0 * (1 - fall) ** i, 1e-3, 0.5, 1e-3, 1e-3) for i in range(7)]
    reason = Pace(1e-2, 1e-9).reason_to_stop(history(*sweeps))
    assert (reason is not None) == ends
    assert Pace(1e-2, 1e-9).reason_to_stop(history(*sweeps[:4])) is None  # too few to tell


def test_an_objective_that_comes_back_has_not_settled():
    sweeps = [(10.0 + (i % 5 == 2), 1e-3, 0.5, 1e-3, 1e-3) for i in range(11)]
    assert Pace(1e-2, 1e-9).reason_to_stop(history(*sweeps)) is None


def test_the_a_step_follows_the_residuals_down():
    pace = Pace(1e-3, 1e-9)
    seen = []
    for worst in (1.0, 0.05, 0.01, 2e-3):
        pace.reason_to_stop(history((1.0, worst, worst, worst, 0.0)))
        seen.append(pace.inner)
    assert seen == pytest.approx([1e-2, 1e-3, 2e-4, 4e-5])


def test_memberships_that_lag_behind_get_more_products():
    pace = Pace(1e-3, 1e-9)
    first = pace.max_products
    pace.reason_to_stop(history((1.0, 0.1, 0.1, 0.1, 0.01)))
    assert pace.max_products == first
    for _ in range(20):
        pace.reason_to_stop(history((1.0, 0.1, 0.1, 0.1, 0.2)))
    assert first < pace.max_products <= 320


def test_fifteen_sweeps_without_progress_are_a_stall():
    pace = Pace(1e-3, 1e-9)
    stalls = []
    for _ in range(40):
        pace.reason_to_stop(history((1.0, 0.1, 0.1, 0.1, 0.0)))
        stalls.append(pace.stalls())
    assert [i for i, stalled in enumerate(stalls) if stalled] == [15, 31]


def test_memberships_that_alone_hold_up_the_end_get_more_products():
    pace = Pace(1e-2, 1e-9)
    first = pace.max_products
    for lag in (0.08, 0.06, 0.04):  # getting there
        pace.reason_to_stop(history((1.0, 1e-3, 0.5, 1e-3, lag)))
    assert pace.max_products == first
    for _ in range(10):
        pace.reason_to_stop(history((1.0, 1e-3, 0.5, 1e-3, 0.04)))
    assert pace.max_products == 4 * first
