"""Numbers behind docs/errata.md: each printed formula beside the corrected one.

    python benchmarks/errata.py

Every figure comes from seeded random problems; the run takes a few seconds.
"""

import numpy as np
from scipy.linalg import solve_sylvester
from scipy.optimize import linear_sum_assignment

from ronmf import ETP, L21, MCP, SCAD, neighbor_graph
from ronmf.admm.buffered import BufferedResidual
from ronmf.admm.loss import GroupLoss
from ronmf.admm.memberships import MembershipQuadratic
from ronmf.admm.orthogonal import maximise_partition, maximise_penalty, project_oblique
from ronmf.admm.steps import (
    ExactSteps,
    PrintedSteps,
    State,
    update_A,
    update_error,
    update_U,
    update_Z,
)
from ronmf.graph._operator import GraphOperator, MembershipTerms
from ronmf.labels.anchor import LabelAnchor
from ronmf.numerics.block_pivoting import nonnegative_least_squares


def prox_gaps(penalty, step):
    """Return the largest distances of the exact and printed rule from a grid search.

    Last, the largest objective that the printed rule loses. Inputs are 0, 0.01, ..., 5.
    """
    v, grid = np.linspace(0, 5, 501), np.linspace(0, 6, 30001)
    exact = type(penalty)(**{**penalty.get_params(), "rule": "exact"})
    printed = type(penalty)(**{**penalty.get_params(), "rule": "printed"})
    paid = step * exact.value(grid)
    best = np.array([grid[np.argmin((grid - a) ** 2 / 2 + paid)] for a in v])
    x, y = exact.prox(v, step), printed.prox(v, step)
    lost = (y - v) ** 2 / 2 - (x - v) ** 2 / 2 + step * (exact.value(y) - exact.value(x))
    return np.abs(x - best).max(), np.abs(y - best).max(), lost.max()


def proximal_operators():
    print("1. prox of ETP, weight 1, sigma 1: largest distance from a grid search")
    print("   gamma     exact  printed  objective lost by the printed rule")
    for gamma in (0.5, 1.0, 2.0, 5.0):
        row = gamma, *prox_gaps(ETP(gamma=gamma), 1.0)
        print("   {:<5} {:9.0e} {:8.2f} {:8.2f}".format(*row))
    print(f"   the table itself, not cut at 0, for gamma 0.5 at v = 1.5: {1.5 - 1 / 0.5}")
    print("2. prox of MCP (tau 1.5) and SCAD (tau 3.7), weight 1/beta: the same")
    print("   loss  beta     exact  printed  objective lost by the printed rule")
    for penalty in (MCP(tau=1.5), SCAD(tau=3.7)):
        for beta in (1, 10):
            row = type(penalty).__name__, beta, *prox_gaps(penalty, 1 / beta)
            print("   {:<5} {:>4} {:9.0e} {:8.1e} {:8.1e}".format(*row))
    X = np.array([[1.0, 0.0], [2.0, 0.0]])  # the second group has no residual at all
    residual = BufferedResidual(X, GroupLoss(L21()), beta=1.0)
    residual.advance(np.zeros((2, 1)), np.zeros((2, 1)))
    with np.errstate(invalid="ignore"):
        printed = X[:, 1] / np.linalg.norm(X[:, 1])
    print(f"   zero group: printed V_g/|V_g| = {printed}, ours E_g = {residual.error()[:, 1]}")


def random_problem(rng, n=40, d=25, c=4, labelled=0.3):
    """Return unit-length samples of c classes, graph, given labels and random factors U, Z."""
    truth = rng.integers(c, size=n)
    truth[:c] = np.arange(c)
    X = rng.random((c, d))[truth] + 0.3 * rng.random((n, d))
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    codes = np.where((rng.random(n) < labelled) | (np.arange(n) < c), truth, -1)
    U = maximise_partition(rng.random((d, c)))
    return X, GraphOperator.build(neighbor_graph(X).affinity, X), codes, U, rng.random((c, c))


def terms_of(graph, codes, lam, mu):
    return MembershipTerms(graph, LabelAnchor.at(codes, 4, graph.like), lam, mu)


def slope_error(value, gradient, A, rng):
    """Compare slopes of `value` along 20 random directions with those of `gradient`."""
    directions = rng.standard_normal((20, *A.shape))
    slopes = [(value(A + 1e-5 * D) - value(A - 1e-5 * D)) / 2e-5 for D in directions]
    claimed = [np.sum(gradient * D) for D in directions]
    return np.linalg.norm(np.subtract(claimed, slopes)) / np.linalg.norm(slopes)


def membership_equation(rng, lam, mu, beta):
    """Return the figures that `membership_step` prints, for one random A-step."""
    X, graph, codes, U, Z = random_problem(rng)
    terms = terms_of(graph, codes, lam, mu)
    H, K = terms.hessian(np.eye(len(X))), Z @ Z.T  # H = 2λL + 2μS, and U'U = I
    moment, SY = X @ U @ Z.T, terms.anchor.anchored[:, None] * terms.anchor.Y

    def value(A, share=1.0):
        return beta / 2 * np.sum((X - A @ Z @ U.T) ** 2) + share * terms.value(A)

    A = rng.random(terms.anchor.Y.shape)
    ours = H @ A + beta * A @ K - beta * moment - 2 * mu * SY
    printed = H @ A / 2 - A @ K - beta * moment - mu * SY
    low, curvature = np.linalg.eigvalsh(H)[0], np.linalg.eigvalsh(K)
    solved = solve_sylvester(H, beta * K, beta * moment + 2 * mu * SY)
    wrong = solve_sylvester(H / 2, -K, beta * moment + mu * SY)
    quadratic = MembershipQuadratic(Z, np.eye(4), X @ U, beta, terms)
    best = value(quadratic.nonnegative(A, tol=1e-9)[0])
    return [
        slope_error(value, ours, A, rng),
        slope_error(value, printed, A, rng),
        slope_error(lambda B: value(B, 0.5), printed, A, rng),
        low + beta * curvature[0],
        low / 2 - curvature[-1],
        value(np.maximum(solved, 0)) / best,
        value(np.maximum(wrong, 0)) / best,
    ]


def membership_step():
    print("3. A-equation, medians of 50 random problems; 'halved': λ, μ read as λ/2, μ/2")
    print("              relative gradient error   smallest eigenvalue  clipped objective/minimum")
    print("   λ,μ,β        ours  printed  halved      ours    printed      ours     printed")
    for weights in ((1.0, 1.0, 1.0), (1000.0, 1.0, 10.0)):
        rng = np.random.default_rng(0)
        rows = np.array([membership_equation(rng, *weights) for _ in range(50)])
        name = ",".join(f"{w:g}" for w in weights)
        line = "   {:10} {:6.0e} {:7.2f} {:7.2f} {:10.2f} {:9.2f} {:10.3f} {:10.1f}"
        print(line.format(name, *np.median(rows, axis=0)))
        print(f"   problems with an indefinite operator: ours {np.sum(rows[:, 3] <= 0)}", end="")
        print(f", printed {np.sum(rows[:, 4] < 0)} of 50")


def clipping():
    rng, worse, raised, ratios = np.random.default_rng(0), 0, 0, []
    while len(ratios) < 300:
        A, wanted = rng.random((30, 6)), rng.standard_normal(6)
        y = A @ wanted + 0.1 * rng.standard_normal(30)
        gram, moment = A.T @ A, A.T @ y
        free = np.linalg.solve(gram, moment)
        if free.min() < 0:  # otherwise clipping changes nothing
            best = nonnegative_least_squares(gram, moment[:, None], np.ones((6, 1)))[:, 0]
            loss = [np.sum((A @ z - y) ** 2) for z in (np.maximum(free, 0), best, 0.98 * best)]
            ratios.append(loss[0] / loss[1])
            worse += loss[0] > loss[1] * (1 + 1e-9)
            raised += loss[0] > loss[2]
    print("4. clipped least squares, 300 random problems with an active bound")
    print(f"   worse than the minimiser in {worse}; median objective ratio {np.median(ratios):.2f}")
    print(f"   worse than the feasible start 0.98 x minimiser in {raised}")


def lagrangian(state, E, multiplier):
    """Return L_β and the constraint violation R."""
    R = state.residual.X - state.A @ state.Z @ state.U.T - E
    loss = state.residual.loss
    fit = loss.value(np.linalg.norm(E, axis=loss.axis)) + state.terms.value(state.A)
    return fit - np.sum(multiplier * R) + state.residual.beta / 2 * np.sum(R * R), R


def sweep(state):
    """Run the five blocks; return the change of L_β in U, A, Z, E and Λ, and β|R|²."""
    residual = state.residual
    E, multiplier = residual.error(), residual.multiplier()
    values = [lagrangian(state, E, multiplier)[0]]
    update_U(state)
    values.append(lagrangian(state, E, multiplier)[0])
    target_basis = residual.target_times(state.U)
    for update in (update_A, update_Z):
        update(state, target_basis)
        values.append(lagrangian(state, E, multiplier)[0])
    update_error(state)
    E = residual.error()
    value, R = lagrangian(state, E, multiplier)
    values += [value, lagrangian(state, E, residual.multiplier())[0]]
    return [*np.diff(values), residual.beta * np.sum(R * R)]


def sweeps(penalty, beta, exact, count=30):
    rng = np.random.default_rng(1)
    X, graph, codes, U, Z = random_problem(rng, n=120, labelled=0.1)
    terms, A = terms_of(graph, codes, 0.1, 1.0), rng.random((len(X), 4))
    steps = ExactSteps() if exact else PrintedSteps()
    state = State(U, A, Z, BufferedResidual(X, GroupLoss(penalty), beta), terms, steps=steps)
    update_error(state)
    return np.array([sweep(state) for _ in range(count)])


def rises(rows):
    """Count the sweeps in which U, A, Z, E, Λ and the whole sweep raised L_β."""
    changes = np.column_stack([rows[:, :5], rows[:, :5].sum(axis=1)])
    return (changes > 1e-9 * np.abs(rows).max()).sum(axis=0)


def dual_step():
    print("5. change of L_β in each block (l2,1 loss, β = 1), and β|R|²")
    print("   sweep        U        A        Z        E        Λ    β|R|²   sweep")
    rows = sweeps(L21(), 1.0, exact=True)
    for k in (0, 1, 4, 9):
        print(f"   {k + 1:5}" + "".join(f"{x:9.4f}" for x in [*rows[k], rows[k, :5].sum()]))
    print("   of 30 sweeps, those in which L_β rose")
    print("   loss     β   exact: U,A,Z,E   whole sweep   clipped: A    Z   whole sweep")
    for penalty in (MCP(), ETP(), L21()):
        for beta in (1.0, 3.0, 10.0, 30.0):
            rows, clipped = (sweeps(penalty, beta, exact) for exact in (True, False))
            up = np.append(rises(rows)[:4].sum(), rises(rows)[5:])
            cells = *up, *rises(clipped)[[1, 2, 5]]
            name = type(penalty).__name__
            print("   {:5} {:4g} {:12} {:14} {:14} {:5} {:10}".format(name, beta, *cells))


def scale_degeneracy():
    rng = np.random.default_rng(2)
    X, graph, codes, U, Z = random_problem(rng)
    A = rng.random((len(X), 4))
    free, labelled = (terms_of(graph, y, 1.0, 1.0) for y in (np.full_like(codes, -1), codes))
    print("6. objective of (A/t, tZ)\n       t   no labels   30 % labels")
    for t in (1, 10, 100, 1000):
        loss = GroupLoss(MCP()).value(np.linalg.norm(X - (A / t) @ (t * Z) @ U.T, axis=0))
        print(f"   {t:5} {loss + free.value(A / t):11.5f} {loss + labelled.value(A / t):13.5f}")
    print(f"   loss alone {loss:.5f}")


def basis_step():
    C = np.random.default_rng(3).random((200, 6)) ** 3
    C /= np.linalg.norm(C)
    short = 0.4 * project_oblique(C)
    print("7. U-step, maximise <C, U>, C random 200 x 6")
    print(f"   |Uv|² - 1 for U = 0: {-1.0}; for six overlapping columns of length 0.4:", end="")
    print(f" {np.sum(short.sum(axis=1) ** 2) / 6 - 1:.2f}; the printed test passes both")
    for sigma in (0.01, 0.1, 1.0):
        U = project_oblique(C)
        for _ in range(2000):
            slope = sigma / 3 * U.sum(axis=1, keepdims=True) - C
            U = project_oblique(U - 0.5 / sigma * slope)
        miss = np.abs(U.T @ U - np.eye(6)).max()
        print(f"   fixed σ = {sigma:<4}: largest entry of |U'U - I| = {miss:.0e}")
    values = [np.sum(C * solver(C)) for solver in (maximise_penalty, maximise_partition)]
    print("   <C, U>: growing σ and rounding {:.6f}, partition {:.6f}".format(*values))


def metrics():
    truth = np.array([0] * 6 + [1] * 4)

    def table(found):
        return np.array([[np.sum((truth == t) & (found == k)) for k in range(3)] for t in (0, 1)])

    one, three, swap = table(0 * truth), table(np.arange(10) // 3 % 3), table(1 - truth)
    over = [one.max(axis=axis).sum() / 10 for axis in (1, 0)]
    print("8. metrics on 6 + 4 samples")
    print("   PUR of one cluster: over true classes {:.2f}, over clusters {:.2f}".format(*over))
    joint = three / 10
    p, q, used = joint.sum(axis=1), joint.sum(axis=0), joint > 0
    entropy = [-np.sum(x * np.log(x)) for x in (p, q)]
    shared = np.sum(joint[used] * np.log((joint / np.outer(p, q))[used]))
    scaled = shared / max(entropy), shared / np.mean(entropy)
    print("   NMI of three clusters: by larger entropy {:.3f}, by mean {:.3f}".format(*scaled))
    matched = swap[linear_sum_assignment(-swap)].sum() / 10
    both = np.trace(swap[:, :2]) / 10
    print(f"   ACC of swapped numbers: map on both sides {both:.2f}, on one {matched:.2f}")


PARTS = (proximal_operators, membership_step, clipping, dual_step)
PARTS += (scale_degeneracy, basis_step, metrics)

if __name__ == "__main__":
    for part in PARTS:
        part()
