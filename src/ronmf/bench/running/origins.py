"""What decides a result besides the settings of its run, and which rows it makes stale."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...datasets._locations import dataset_digest
from .behaviour import BEHAVIOUR, UNKNOWN
from .own_methods import own_method_digest
from .plan import Plan
from .rows import RowFile
from .settings import Run

__all__ = ["Origins", "PlanState", "plan_state"]


@dataclass(frozen=True)
class Origins:
    """The behaviour, the users' own methods and the data that a plan has today.

    Attributes
    ----------
    behaviour : int
        The version of what the package does.
    methods : dict of str to str
        Digests of the modules of a user's own methods; "" where one is not found.
    data : dict of str to str
        Digests of the datasets; "" where one is not here.
    """

    behaviour: int
    methods: dict[str, str]
    data: dict[str, str]

    @classmethod
    def of(cls, plan: Plan, data: str | Path | None = None) -> "Origins":
        """Look up what a plan's runs come from; nothing is imported or downloaded."""
        datasets = dict.fromkeys(run.dataset for run in plan.runs)
        return cls(
            BEHAVIOUR,
            {name: own_method_digest(text) for name, text in plan.classes.items()},
            {name: dataset_digest(plan.paths.get(name, name), data) for name in datasets},
        )

    def columns(self, run: Run) -> dict[str, Any]:
        """Return what the row of a run says of its origin."""
        return {
            "run": run.digest,
            "behaviour": self.behaviour,
            "method_code": self.methods.get(run.method, ""),
            "data": self.data[run.dataset],
        }

    def why_stale(self, run: Run, row: dict[str, Any]) -> str:
        """Return why a row of a run is not what it would be today, in words; "" if it is.

        What cannot be found here, a dataset or a user's own module, is not compared.
        """
        today = self.columns(run)
        if row["behaviour"] != today["behaviour"]:
            number = row["behaviour"]
            version = "unknown" if number == UNKNOWN else f"version {number}"
            return f"another behaviour ({version}; today's is version {today['behaviour']})"
        if today["method_code"] not in ("", row["method_code"]):
            return f"another version of {run.method}"
        if today["data"] not in ("", row["data"]):
            return f"other data of {run.dataset}"
        return ""


@dataclass(frozen=True)
class PlanState:
    """How much of a plan is done.

    Attributes
    ----------
    states : dict of Run to str
        Of every run, in order: "done", "failed", "stale" (of another behaviour, or of other data)
        or "missing".
    reasons : dict of str to int
        Why stale runs are stale, and how many of them each reason has.
    origins : Origins
        What was compared with.
    """

    states: dict[Run, str]
    reasons: dict[str, int]
    origins: Origins

    def runs(self, *states: str) -> list[Run]:
        """Return the runs in some states, in the order of the plan."""
        return [run for run, state in self.states.items() if state in states]

    def describe(self) -> str:
        """Return one or two sentences: complete, or what is left and why."""
        failed, left = len(self.runs("failed")), len(self.runs("stale", "missing"))
        if not left:
            failures = f"{failed} failed" if failed else "no failures"
            return (
                f"complete: {len(self.states)} runs, behaviour version {self.origins.behaviour},"
                f" {failures}."
            )
        stale = ", ".join(f"{count} from {why}" for why, count in self.reasons.items())
        return (
            f"{left} of {len(self.states)} runs are left"
            + f"; stale: {stale}" * bool(stale)
            + ". `ronmf bench run` makes them."
        )


def plan_state(plan: Plan, folder: str | Path, data: str | Path | None = None) -> PlanState:
    """Compare a plan with the rows of a folder.

    Parameters
    ----------
    plan : Plan
        What to run.
    folder : str or Path
        Folder of results; it need not exist.
    data : str or Path, default=None
        Data directory. Datasets that are not there are not compared with those of the rows.
    """
    origins = Origins.of(plan, data)
    rows: dict[str, list[dict[str, Any]]] = {}
    for row in RowFile(folder).read():
        rows.setdefault(row["run"], []).append(row)
    states, reasons = {}, Counter[str]()
    for run in plan.runs:
        rows_of_run = rows.get(run.digest, [])
        why = {origins.why_stale(run, row): row for row in rows_of_run}
        if "" in why:
            states[run] = "done" if why[""]["status"] == "ok" else "failed"
        else:
            states[run] = "stale" if rows_of_run else "missing"
            reasons.update(list(why)[-1:])
    return PlanState(states, dict(reasons), origins)
