"""What the columns of a header are, by name and alias, in any order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kreport.model import Side
from kreport.units import split_unit


def words(text: str) -> frozenset[str]:
    """Return the words of a table that is written as running text."""
    return frozenset(text.split())


ALIASES = {
    "kernel": "kernel name kernel_name op op_name operator operator_name routine benchmark",
    "family": "family kernel_family",
    "variant_label": "variant_label variant",
    "variant_index": "variant_index",
    "shape": "shape_summary_json shape_summary shape shapes input_shapes input_shape problem_size",
    "timer": "timer clock",
    "device": "device device_name chip gpu npu accelerator",
    "device_index": "device_index device_id",
    "run": "run run_id",
    "run_at": "run_at",
    "status": "status state result",
    "correct": "correct correctness",
    "reason": "reason error error_message failure failure_reason",
    "limitations": "baseline_limitations_json limitations_json limitations",
    "report_path": "report_path report",
    "spec": "spec",
    "side": "side provider backend impl implementation",
    "unit": "unit time_unit units",
    "metric": "metric",
    "sample_index": "sample_index sample repeat repetition iteration",
    "latency": "latency time duration elapsed real_time",
    "notices": "notices",
    "parameters": "parameters_json",
    "stored_class": "kernel_class",
    "stored_blocker": "blocker",
    "noise_source": "noise_source",
    "ratio_low": "ratio_low_pct",
    "ratio_high": "ratio_high_pct",
}
"""Role -> folded column names. The first name that a header has wins."""


_ROLE_OF = {name: role for role, names in ALIASES.items() for name in names.split()}

STATISTICS = {
    "median": "median median_time median_latency p50 latency time duration",
    "mean": "mean avg average mean_time",
    "q1": "q1 q25 p25",
    "q3": "q3 q75 p75",
    "min": "min minimum min_time",
    "max": "max maximum max_time",
    "n": "n count n_samples num_samples",
    "samples": "samples",
    "resolution": "resolution",
    "outliers": "outliers",
}
_STATISTIC_OF = {name: stat for stat, names in STATISTICS.items() for name in names.split()}

_IMPLICIT = frozenset({"", "latency", "time", "duration", "task_duration", "real_time"})
"""Names of a latency that leave it to be understood that it is the median."""

_SIDE_PREFIX = {"baseline": Side.BASELINE, "pto": Side.PTO}
_SIDE_TEXT = {
    "status": "status",
    "correct": "correct",
    "reason": "reason",
    "device": "device",
    "error": "reason",
    "state": "status",
}
_RATIOS = {
    "baseline_over_pto_pct": 1.0,
    "baseline_over_pto": 100.0,
    "ratio": 100.0,
    "ratio_pct": 1.0,
    "speedup": 100.0,
}
_OWN = words("tier verdict confirmed detectable_pct runs partial")
_ANNOTATIONS = words("""
    note notes comment comments message label log url link path file command cmd
    repro_command timestamp date time_stamp host hostname user commit sha git version driver
    worker rank pid index id iterations iteration repeats repeat warmup warmups tag tags
    title description owner start_time task_start_time error_occurred case_tag result_key
""")
_MEASURE_WORDS = words("""
    gflops tflops flops gops tops bytes gb mb kb gbps gb/s tb/s bandwidth bw mean avg std
    stddev stdev sd sem cv var variance ratio delta speedup diff change throughput iqr mad
    p1 p5 p10 p20 p80 p90 p95 p99 q5 q10 q20 q80 q90 q95 q99 min max median power temp
    temperature utilization util occupancy cycles freq mem memory score err rmse mse cosine
    gap percent peak energy joules watts flop/s tb_per_sec per_second rate intensity
    flops/byte total
""")
_FOLDS = re.compile(r"[\s\-.]+")


@dataclass(frozen=True, slots=True)
class Measure:
    """A numeric column of one side (or of whichever side a row names, where `side` is None)."""

    index: int
    side: Side | None
    statistic: str
    unit: str
    explicit: bool = True
    """Whether the name says which statistic it is."""


@dataclass(frozen=True, slots=True)
class Header:
    """Columns by what they are. Indexes are positions in `names`."""

    names: tuple[str, ...]
    roles: dict[str, int]
    side_text: dict[tuple[Side, str], int]
    measures: tuple[Measure, ...]
    rivals: tuple[tuple[int, int], ...]
    """Pairs of columns that claim to be the same statistic of the same side."""
    ratio: tuple[int, float] | None
    """Column of a stored ratio and what makes it percent."""
    extra: tuple[int, ...]
    """Columns nothing is known of by name: they may be parameters."""

    def has(self, *roles: str) -> bool:
        """Whether every role has a column."""
        return all(role in self.roles for role in roles)

    def sides_measured(self) -> frozenset[Side | None]:
        """Which sides have a median, or samples, in columns of their own."""
        kinds = ("median", "samples", "mean")
        return frozenset(m.side for m in self.measures if m.statistic in kinds)


def fold_name(name: str) -> str:
    """A column name as it is compared: case, blanks, hyphens and dots folded to ``_``."""
    return _FOLDS.sub("_", name.strip().casefold())


def recognise(names: Sequence[str]) -> Header:
    """Say what each column is; never raises, an unknown name is `extra`.

    Names differing only in case are different columns: the first that fits a role takes it.
    """
    roles: dict[str, int] = {}
    side_text: dict[tuple[Side, str], int] = {}
    measures: list[Measure] = []
    ratio: tuple[int, float] | None = None
    extra: list[int] = []
    sizes = {"m", "k"} & {fold_name(name) for name in names}
    for index, name in enumerate(names):
        folded = fold_name(name)
        if folded in _RATIOS and ratio is None:
            ratio = (index, _RATIOS[folded])
            continue
        text = _side_text(folded)
        if text is not None:
            side_text.setdefault(text, index)
            continue
        role = _ROLE_OF.get(folded)
        if role is not None and role not in roles and role != "latency":
            roles[role] = index
            continue
        measure = _measure(index, folded)
        if measure is not None and not (folded == "n" and sizes):  # n beside m and k is a size
            measures.append(measure)
            continue
        if _may_be_parameter(folded):
            extra.append(index)
    kept, rivals = _one_each(measures)
    return Header(tuple(names), roles, side_text, kept, rivals, ratio, tuple(extra))


def misspelt(header: Header) -> Iterator[tuple[str, str]]:
    """Columns named after a side that say nothing known of it, each with what it may be meant as.

    Such a column would be a parameter, and tell cases apart by what it holds.
    """
    for index in header.extra:
        name = header.names[index]
        head, _, rest = fold_name(name).partition("_")
        if head in _SIDE_PREFIX:
            from difflib import get_close_matches  # hardly ever needed

            close = get_close_matches(rest, [*_SIDE_TEXT, *_STATISTIC_OF], n=1)
            yield name, f"{head}_{close[0]}" if close else ""


def _one_each(
    measures: Sequence[Measure],
) -> tuple[tuple[Measure, ...], tuple[tuple[int, int], ...]]:
    """One column for each statistic of a side, and the pairs of which neither can be preferred.

    A column that names its statistic (``baseline_median_us``) goes before one that leaves it to
    be understood (``baseline_us``, ``latency_us``).
    """
    kept: dict[tuple[Side | None, str], Measure] = {}
    rivals = []
    for measure in measures:
        key = (measure.side, measure.statistic)
        known = kept.get(key)
        if known is None or (measure.explicit and not known.explicit):
            kept[key] = measure
        elif measure.explicit == known.explicit:
            rivals.append((known.index, measure.index))
    return tuple(kept.values()), tuple(rivals)


def _side_text(folded: str) -> tuple[Side, str] | None:
    head, _, rest = folded.partition("_")
    if head in _SIDE_PREFIX and rest in _SIDE_TEXT:
        return _SIDE_PREFIX[head], _SIDE_TEXT[rest]
    return None


def _measure(index: int, folded: str) -> Measure | None:
    named = split_unit(folded)
    head, _, rest = named.stem.partition("_")
    if head in _SIDE_PREFIX:
        statistic = "median" if not rest else _STATISTIC_OF.get(rest)
        if statistic is None:
            return None
        return Measure(index, _SIDE_PREFIX[head], statistic, named.unit, rest not in _IMPLICIT)
    if not named.stem:
        return Measure(index, None, "median", named.unit, explicit=False)
    statistic = _STATISTIC_OF.get(named.stem)
    if statistic is None and named.unit and named.stem in ("task_duration", "real_time"):
        statistic = "median"
    if statistic is None:
        return None
    return Measure(index, None, statistic, named.unit, named.stem not in _IMPLICIT)


def _may_be_parameter(folded: str) -> bool:
    if not folded or folded in _OWN or folded in _ANNOTATIONS or split_unit(folded).unit:
        return False
    words = set(re.split(r"[_ ()\[\]]+", folded))
    return not words & _MEASURE_WORDS and folded not in _MEASURE_WORDS
