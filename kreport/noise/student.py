"""Student's t distribution in NumPy: tail probabilities and critical values.

Importing SciPy's statistics takes longer than a whole diff. The incomplete beta function is
evaluated by its continued fraction with the modified Lentz method (Press et al., Numerical
Recipes, section 6.4); tests hold it against SciPy.
"""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]

_TINY = 1e-300
_TERMS = 200
_PRECISION = 1e-14


def two_sided_p(t: ArrayLike, df: ArrayLike) -> Floats:
    """Probability that |T| is at least |t| with `df` degrees of freedom; NaN in, NaN out."""
    t, df = np.broadcast_arrays(np.asarray(t, np.float64), np.asarray(df, np.float64))
    p = np.full(t.shape, np.nan)
    usable = np.isfinite(df) & ~np.isnan(t)
    if usable.any():
        p[usable] = _tail(np.minimum(np.abs(t[usable]), 1e150), df[usable])
    return p


def critical(p: float, df: ArrayLike) -> Floats:
    """Return the |t| that is reached with probability `p` (both tails), per degrees of freedom."""
    degrees = np.asarray(df, np.float64)
    distinct, where = np.unique(degrees, return_inverse=True)
    found = [_critical(p, value) if math.isfinite(value) else math.nan for value in distinct]
    return np.array(found)[where].reshape(degrees.shape)


@cache
def _critical(p: float, df: float) -> float:
    """Newton's method on log p over log t, which is concave: it cannot run away."""
    degrees = np.array([df])
    log_norm = math.lgamma((df + 1) / 2) - math.lgamma(df / 2) - 0.5 * math.log(df * math.pi)
    log_t = 0.0
    for _ in range(50):
        t = math.exp(log_t)
        tail = max(float(_tail(np.array([t]), degrees)[0]), _TINY)
        density = math.exp(log_norm - (df + 1) / 2 * math.log1p(t * t / df))
        step = (math.log(tail) - math.log(p)) * tail / (2 * density * t)
        log_t += max(min(step, 20.0), -20.0)
        if abs(step) < 1e-12:
            break
    return math.exp(log_t)


def _tail(t: Floats, df: Floats) -> Floats:
    """Both tails: the regularised incomplete beta function I_x(df/2, 1/2) at x = df/(df + t^2)."""
    whole = df + t * t
    x, rest = df / whole, t * t / whole
    a, b = df / 2, 0.5
    log_beta = np.array([math.lgamma(v) - math.lgamma(v + b) for v in a]) + math.lgamma(b)
    with np.errstate(divide="ignore"):
        front = np.exp(a * np.log(x) + b * np.log(rest) - log_beta)
    flip = x > (a + 1) / (a + b + 2)
    first, second = np.where(flip, b, a), np.where(flip, a, b)
    part = front * _continued_fraction(np.where(flip, rest, x), first, second) / first
    return np.asarray(np.where(flip, 1 - part, part))


def _continued_fraction(x: Floats, a: Floats, b: Floats) -> Floats:
    c = np.ones_like(x)
    d = 1 / _away_from_zero(1 - (a + b) * x / (a + 1))
    total = d
    for m in range(1, _TERMS):
        for numerator in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / _away_from_zero(1 + numerator * d)
            c = _away_from_zero(1 + numerator / c)
            step = c * d
            total = total * step
        if np.all(np.abs(step - 1) < _PRECISION):
            break
    return np.asarray(total)


def _away_from_zero(values: Floats) -> Floats:
    return np.where(np.abs(values) < _TINY, _TINY, values)
