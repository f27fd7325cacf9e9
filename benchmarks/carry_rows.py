"""Let files of results say what today's program reads in them.

    python benchmarks/carry_rows.py results/paper results/accuracy results/flips results/leak

Rows of earlier versions are read as if today's program had written them: rows of ronmf 0.1.0 are
of behaviour 1, and parameters have the names of today. This writes the files that way too, and
changes no score: the tables made from them stay as they are.
"""

import argparse
from collections import Counter

from ronmf.bench.running.rows import RowFile


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+", help="folders with rows.jsonl or rows.jsonl.gz")
    for folder in parser.parse_args().folders:
        file = RowFile(folder)
        with file.writing() as rows:
            rows.rewrite()
        if file.packed.exists() and not file.path.stat().st_size:
            file.path.unlink()  # made to lock the folder
        versions = Counter(row["behaviour"] for row in file.read())
        print(folder, ", ".join(f"{n} rows of behaviour {v}" for v, n in sorted(versions.items())))


if __name__ == "__main__":
    main()
