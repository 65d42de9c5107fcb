"""Train the networks that come with the course and write them with their cards.

python -m attention_core.seq2seq                  all of them, two at a time
python -m attention_core.seq2seq french reverse   some
python -m attention_core.seq2seq --seeds 1 2 3 french   compare seeds on validation sentences; nothing is written
"""

from __future__ import annotations

import argparse
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from . import shipped


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="attention_core.seq2seq", description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*shipped.SHIPPED, []], help="which; all if none is named")
    parser.add_argument("--seeds", nargs="+", type=int)
    wanted = parser.parse_args()
    names = wanted.names or list(shipped.SHIPPED)
    shipped.FOLDER.mkdir(parents=True, exist_ok=True)
    # One thread each: sums are then always added up in the same order, and two networks at once use two processors.
    os.environ |= {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    with ProcessPoolExecutor(min(2, os.cpu_count() or 1), mp_context=get_context("spawn")) as pool:
        if wanted.seeds:
            jobs = [pool.submit(shipped.compare, name, seed) for name in names for seed in wanted.seeds]
        else:
            jobs = [pool.submit(shipped.make, name) for name in names]
        for job in jobs:
            sys.stdout.write(job.result() + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
