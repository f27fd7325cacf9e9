"""What users import from ``ronmf.bench``."""

import subprocess
import sys

import pytest

from ronmf import bench


def test_everything_promised_is_there():
    assert set(bench.__all__) <= set(dir(bench))


def test_what_is_not_there_is_said_as_python_says_it():
    with pytest.raises(AttributeError, match=r"'ronmf\.bench' has no attribute 'nothing'"):
        bench.nothing  # noqa: B018


def test_plans_need_neither_pandas_nor_matplotlib():
    hidden = "import sys; sys.modules['pandas'] = sys.modules['matplotlib'] = None;"
    code = f"{hidden} from ronmf.bench import run_plan; print(run_plan.__name__)"
    command = [sys.executable, "-c", code]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.stdout.strip() == "run_plan", result.stderr
