"""The state between sweeps: damaged or hostile files start the sweeps anew, and harm nothing."""

import json

import numpy as np
import pytest

from ronmf.admm.factored import FactoredResidual
from ronmf.admm.loss import GroupLoss
from ronmf.admm.pace import Pace
from ronmf.admm.result import History
from ronmf.admm.saving import SavedSweeps
from ronmf.admm.steps import State
from ronmf.penalties import MCP
from ronmf.storage._checkpoint import Checkpoint
from ronmf.storage._disk_rows import DiskRows

X = np.random.default_rng(0).random((40, 6))
NUMBERS = {name: 1.0 for name in vars(History())}


def a_state(checkpoint):
    residual = FactoredResidual(DiskRows(X), GroupLoss(MCP()), 2.0, checkpoint.scratch())
    return State(np.eye(6)[:, :2], X[:, :2].copy(), np.eye(2), residual, None)


@pytest.fixture
def saved(tmp_path):
    """A folder with a state after two sweeps."""
    folder = tmp_path / "state"
    checkpoint = Checkpoint(folder)
    state, history = a_state(checkpoint), History()
    for _ in range(2):
        state.residual.advance(state.U, state.A)
        history.append(**NUMBERS)
    SavedSweeps(checkpoint, "key").save(state, Pace(1e-3, 1e-9), history, 1, 0)
    return folder, state


def restored(folder, key="key"):
    checkpoint = Checkpoint(folder)
    state, history = a_state(checkpoint), History()
    found = SavedSweeps(checkpoint, key).restore(state, Pace(1e-3, 1e-9), history)
    return found, state, history


def test_a_state_comes_back(saved):
    folder, before = saved
    (done, doublings), state, history = restored(folder)
    assert (done, doublings, len(history.objective)) == (2, 0, 2)
    U = np.eye(6)[:, :2]
    np.testing.assert_array_equal(state.residual.target_times(U), before.residual.target_times(U))


def test_a_state_of_another_problem_is_removed_with_its_files(saved):
    folder, _ = saved
    assert restored(folder, "other")[0] == (0, 0)
    assert list(folder.iterdir()) == []  # else a third run would look for files that are gone


@pytest.mark.parametrize("damage", ["missing", "short", "state", "empty"])
def test_damaged_files_start_the_sweeps_anew(saved, damage):
    folder, _ = saved
    model = min(folder.glob("array-*.bin"))
    content = model.read_bytes()
    if damage == "missing":
        model.unlink()
    if damage == "short":
        model.write_bytes(content[:-8])
    if damage == "state":
        (folder / "sweeps.npz").write_bytes(b"PK damaged")
    if damage == "empty":
        np.savez(folder / "sweeps.npz")
    assert restored(folder)[0] == (0, 0)


@pytest.mark.parametrize("name", ["../victim.dat", "array-000000.bin/../../victim.dat", "fit.json"])
def test_a_state_that_names_other_files_reaches_none(saved, name, tmp_path):
    folder, _ = saved
    victim = tmp_path / "victim.dat"
    victim.write_bytes(bytes(40 * 2 * 8))
    with np.load(folder / "sweeps.npz") as found:
        arrays = dict(found)
    told = json.loads(arrays["told"].tobytes())
    told["terms"][0][0] = name
    arrays["told"] = np.frombuffer(json.dumps(told).encode(), dtype=np.uint8)
    np.savez(folder / "sweeps.npz", **arrays)
    assert restored(folder)[0] == (0, 0)
    assert victim.read_bytes() == bytes(40 * 2 * 8)
