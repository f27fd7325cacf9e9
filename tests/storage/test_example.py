"""The script of the docs, from a folder to the workers of Dask, as a user would run it."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

for module in ("dask.distributed", "zarr"):
    pytest.importorskip(module)
SCRIPT = Path(__file__).parents[2] / "examples" / "folder_to_dask.py"


@pytest.mark.slow
def test_a_folder_becomes_zarr_and_is_clustered_on_workers(tmp_path):
    rng = np.random.default_rng(0)
    for name, place in (("dark", 0), ("bright", 160)):
        (tmp_path / "in" / name).mkdir(parents=True)
        for i in range(30):
            folder = tmp_path / "in" / name if i < 6 else tmp_path / "in"
            pixels = rng.integers(place, place + 90, (10, 12), dtype=np.uint8)
            Image.fromarray(pixels).save(folder / f"{name}{i}.png")
    (tmp_path / "in" / "broken.jpg").write_bytes(b"no picture")
    line = [sys.executable, str(SCRIPT), str(tmp_path / "in"), str(tmp_path / "out.zarr")]
    ended = subprocess.run(line, capture_output=True, text=True, check=False, timeout=120)
    assert ended.returncode == 0, ended.stderr
    assert "left out" in ended.stderr
    assert "broken.jpg" in ended.stderr
    assert "60 pictures, 12 labelled, 2 classes:" in ended.stdout
    assert "bright: 30" in ended.stdout
