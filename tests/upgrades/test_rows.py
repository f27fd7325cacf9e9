"""Rows of an earlier version are read, belong to the runs of their plan, and are never lost."""

import gzip
import json

from ronmf.bench import plan_state, read_plan, read_rows, run_plan


def told(runs):
    return json.loads((runs / "rows.json").read_text(encoding="utf-8"))


def comparable(rows):
    """Return the runs and what they scored, whatever else a row tells."""
    texts = ("experiment", "dataset", "method", "variant", "status")
    return sorted(
        (*(row[name] for name in texts), row["seed"], round(row["acc_unlabelled"] or 0.0, 8))
        for row in rows
    )


def rows_on_disk(folder):
    found = []
    for path in folder.glob("*.jsonl*"):
        with gzip.open(path, "rt") if path.suffix == ".gz" else open(path) as file:
            found += map(json.loads, file)
    return found


def test_rows_are_read_packed_or_not(runs):
    """Those of renamed parameters too: what a row says of its settings is text."""
    found = read_rows(runs / "rows")
    assert comparable(json.loads(found.to_json(orient="records"))) == comparable(told(runs))
    assert (found["n_labelled"] == 9).all()
    failed = found[found["status"] == "failed"]
    assert failed["reason"].str.contains("n_neighbors").all()


def test_rows_still_belong_to_the_runs_of_their_plan(runs):
    """They may be stale, if methods behave otherwise now; but none has become unknown."""
    state = plan_state(read_plan(runs / "plan.toml"), runs / "rows")
    assert len(state.states) == 4
    assert not state.runs("missing", "failed")


def test_a_plan_that_is_run_again_loses_no_row(runs):
    end = run_plan(read_plan(runs / "plan.toml"), runs / "rows")
    assert (end.done, end.failed) == (4, 0)
    kept = comparable(rows_on_disk(runs / "rows"))
    assert set(comparable(told(runs))) <= set(kept)
    rows = read_rows(runs / "rows", allow_stale=True)
    clean = rows[rows["experiment"] == "clean"]
    assert clean["status"].tolist() == ["ok"] * 4
    assert clean["acc_unlabelled"].min() > 0.8
