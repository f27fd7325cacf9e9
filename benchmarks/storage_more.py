"""Parts of `storage.py`: equal results, Dask, a limit of memory, and kills."""

import argparse


def same(options: argparse.Namespace) -> None:
    pass


dask_million = wide = kills = same
