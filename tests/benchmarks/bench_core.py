"""How fast is the core, beside SciPy and on the small grids a slider moves?

Run from the project's root: ``python -m tests.benchmarks.bench_core [--pairs N]``. SciPy is needed for the comparison only. Each
pair runs ours and theirs one after the other, so that whatever else the machine does meets both; the ratio is the
median over pairs of ours / theirs, and below 1 means ours is faster.
"""

import argparse
import statistics
import time
from collections.abc import Callable

import numpy as np
import scipy.special
import scipy.stats

import attention_core as ac


def seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def compare(name: str, ours: Callable[[], object], theirs: Callable[[], object], pairs: int) -> None:
    ours(), theirs()  # the first call pays for memory and imports
    measured = []
    for turn in range(pairs):
        # Taking turns at going first evens out what the first leaves behind in the caches.
        if turn % 2:
            mine = seconds(ours)
            measured.append((mine, seconds(theirs)))
        else:
            other = seconds(theirs)
            measured.append((seconds(ours), other))
    mine, other = (statistics.median(column) * 1e3 for column in zip(*measured, strict=True))
    ratio = statistics.median(a / b for a, b in measured)
    print(f"{name:32} {mine:9.1f} ms {other:9.1f} ms   ratio {ratio:.2f}")


def microseconds(call: Callable[[], object], calls: int = 200, rounds: int = 25) -> float:
    def run() -> None:
        for _ in range(calls):
            call()

    run()
    return statistics.median(seconds(run) for _ in range(rounds)) / calls * 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=25)
    pairs = parser.parse_args().pairs

    rng = np.random.default_rng(0)
    scores = 3.0 * rng.standard_normal((2048, 2048))
    causal = np.where(np.tri(2048, dtype=bool), scores, -np.inf)
    weights = ac.softmax(scores)
    print(f"{'2048 x 2048':32} {'ours':>12} {'SciPy':>12}")
    compare("softmax", lambda: ac.softmax(scores), lambda: scipy.special.softmax(scores, axis=-1), pairs)
    compare("softmax, causal mask", lambda: ac.softmax(causal), lambda: scipy.special.softmax(causal, axis=-1), pairs)
    compare(
        "softmax, temperature 0.7",
        lambda: ac.softmax(scores, temperature=0.7),
        lambda: scipy.special.softmax(scores / 0.7, axis=-1),
        pairs,
    )
    compare("entropy", lambda: ac.entropy(weights), lambda: scipy.stats.entropy(weights, axis=-1), pairs)

    e, h, s = rng.standard_normal((4, 3)), rng.standard_normal((3, 4)), rng.standard_normal((4, 5))
    additive = ac.random_parameters("additive", rng, d_s=5, d_h=4, d_a=6)
    alpha = ac.softmax(e)
    small = {
        "softmax": lambda: ac.softmax(e),
        "softmax, temperature 0.7": lambda: ac.softmax(e, temperature=0.7),
        "softmax_stages": lambda: ac.softmax_stages(e),
        "entropy": lambda: ac.entropy(alpha),
        "attend, d_h = 4": lambda: ac.attend(e, h),
        "coverage": lambda: ac.coverage(alpha),
        "softmax_jacobian": lambda: ac.softmax_jacobian(alpha),
        "additive, d_s 5, d_h 4, d_a 6": lambda: ac.additive(s, h, **additive),
        "scipy.special.softmax": lambda: scipy.special.softmax(e, axis=-1),
        "scipy.stats.entropy": lambda: scipy.stats.entropy(alpha, axis=-1),
    }
    print("\n4 x 3")
    for name, call in small.items():
        print(f"{name:32} {microseconds(call):9.1f} us")


if __name__ == "__main__":
    main()
