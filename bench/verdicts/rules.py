"""The decision rules of tools in this field, as their documentation states them, on latencies.

Each rule gets the samples of every old run and of every new run of a case and says +1 (slower),
-1 (faster) or 0. Those that know no runs get all samples of a side thrown together, which is how
they are used with several files.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import scipy.stats

Runs = Sequence[np.ndarray]
Rule = Callable[[Runs, Runs], int]


def _sign(old: np.ndarray, new: np.ndarray) -> int:
    return int(np.sign(np.median(new) - np.median(old)))


def _together(runs: Runs) -> np.ndarray:
    return np.concatenate(list(runs))


def disjoint_iqrs(old: Runs, new: Runs) -> int:
    """Quartiles that do not meet."""
    (a1, a3), (b1, b3) = (np.quantile(_together(runs), (0.25, 0.75)) for runs in (old, new))
    return 1 if b1 > a3 else -1 if b3 < a1 else 0


def benchstat(old: Runs, new: Runs) -> int:
    """Mann-Whitney U test at 0.05."""
    a, b = _together(old), _together(new)
    p = scipy.stats.mannwhitneyu(a, b).pvalue if np.ptp(np.concatenate([a, b])) else 1.0
    return _sign(a, b) if p < 0.05 else 0


def pyperf(old: Runs, new: Runs) -> int:
    """Student's two-sample t test at 0.05 two-sided (``pyperf compare_to``: |t| over its table)."""
    a, b = _together(old), _together(new)
    if not np.ptp(a) and not np.ptp(b):
        return 0
    return int(np.sign(b.mean() - a.mean())) if scipy.stats.ttest_ind(a, b).pvalue < 0.05 else 0


def asv(old: Runs, new: Runs) -> int:
    """Medians apart by the factor 1.1 and a U test at 0.002."""
    a, b = _together(old), _together(new)
    ratio = np.median(b) / np.median(a)
    if 1 / 1.1 < ratio < 1.1:
        return 0
    return _sign(a, b) if scipy.stats.mannwhitneyu(a, b).pvalue < 0.002 else 0


def criterion(old: Runs, new: Runs) -> int:
    """Bootstrap interval of the relative change of means, 95 %, beyond a noise threshold of 1 %."""
    a, b = _together(old), _together(new)
    generator = np.random.default_rng(1)
    means = [
        values[generator.integers(0, values.size, (300, values.size))].mean(axis=1)
        for values in (a, b)
    ]
    low, high = np.quantile(means[1] / means[0] - 1, (0.025, 0.975))
    return 1 if low > 0.01 else -1 if high < -0.01 else 0


def nvbench(old: Runs, new: Runs) -> int:
    """Means apart by more than the smaller of the two relative standard deviations."""
    a, b = _together(old), _together(new)
    noise = min(a.std(ddof=1) / a.mean(), b.std(ddof=1) / b.mean())
    change = b.mean() / a.mean() - 1
    return int(np.sign(change)) if abs(change) > noise else 0


def rustc_perf(old: Runs, new: Runs) -> int:
    """Relative change beyond Q3 + 3 IQR of the changes between past runs; nothing without past."""
    medians = np.array([np.median(run) for run in old])
    if medians.size < 3:
        return 0
    past = np.abs(np.diff(medians) / medians[:-1])
    q1, q3 = np.quantile(past, (0.25, 0.75))
    change = np.median(_together(new)) / medians[-1] - 1
    return int(np.sign(change)) if abs(change) > q3 + 3 * (q3 - q1) else 0


def five_percent(old: Runs, new: Runs) -> int:
    """Medians apart by more than 5 %."""
    change = np.median(_together(new)) / np.median(_together(old)) - 1
    return int(np.sign(change)) if abs(change) > 0.05 else 0


RULES: dict[str, Rule] = {
    "disjoint IQRs": disjoint_iqrs,
    "benchstat (Mann-Whitney 0.05)": benchstat,
    "pyperf (t test)": pyperf,
    "asv (1.1 and U 0.002)": asv,
    "criterion (bootstrap, 1 %)": criterion,
    "nvbench (stdev)": nvbench,
    "rustc-perf (Q3 + 3 IQR)": rustc_perf,
    "5 % threshold": five_percent,
}
