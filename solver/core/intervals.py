"""Confidence intervals of rates."""

from math import sqrt

DEVIATIONS = 1.959963984540054
"""Standard deviations about the mean of a normal distribution that hold 95 % of it."""


def wilson(count: float, deals: int) -> tuple[float, float]:
    """The 95 % score interval (low, high) of a rate of ``count`` in ``deals``; (0, 1) if ``deals`` is 0.

    Source: E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", 1927.
    """
    if not deals:
        return 0.0, 1.0
    square = DEVIATIONS**2
    middle = (count + square / 2) / (deals + square)
    half = DEVIATIONS / (deals + square) * sqrt(count * (deals - count) / deals + square / 4)
    low, high = max(0.0, middle - half), min(1.0, middle + half)
    return low if count else 0.0, high if count < deals else 1.0
