"""Weights as whole numbers, so that sums of them are exact.

The exact methods add and subtract millions of weights. In doubles that would leave dust: a
combo that never wins would come out as winning 3e-17. Whole numbers below 2^53 do not have
it, and they add up the same in any order. So weights are written as whole numbers over a
divisor: 0.25 and 0.5 are 25 and 50 of 100. Weights that are no short decimals are cut into
layers of so many bits each, and a method, being linear in them, runs once a layer.
"""

from __future__ import annotations

from math import frexp

import attrs
import numpy as np
from numpy.typing import NDArray

_DECIMALS = (1, 100, 10_000, 1_000_000)
_EXACT_BITS = 53  # whole numbers up to 2^53 are doubles


@attrs.frozen(eq=False)
class WholeWeights:
    """Weights that are the sum over layers of ``numbers / divisors``."""

    numbers: NDArray[np.float64]
    """``float64 (layer, combo)``: whole numbers."""

    divisors: NDArray[np.float64]
    """``float64 (layer,)``: smallest first."""

    def combine(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Turn sums of the numbers, ``float64 (layer, …)``, into sums of the weights.

        All terms have one sign, so that the relative error is that of a few roundings.
        """
        combined = sums[-1] / self.divisors[-1]
        for layer in range(len(self.divisors) - 2, -1, -1):  # the small ones first
            combined = combined + sums[layer] / self.divisors[layer]
        return combined


def whole_weights(weights: NDArray[np.float64], terms: int) -> WholeWeights:
    """Write weights as whole numbers of which `terms` may be added without rounding.

    Args:
        weights: ``float64 (combo,)``, 0..1.
        terms: how many of them, at most 2^50, a sum may have.
    """
    bits = max(_EXACT_BITS - frexp(terms)[1], 1)
    for divisor in _DECIMALS:
        numbers = np.rint(weights * divisor)
        if divisor <= 1 << bits and bool((numbers / divisor == weights).all()):
            return WholeWeights(numbers[None, :], np.array([float(divisor)]))
    layers, divisors = [], []
    rest, divisor_bits = weights, 0
    while bool(rest.any()) and divisor_bits < 1000:
        scaled = rest * 2.0**bits  # a shift: exact, as is taking off the whole part
        whole = np.floor(scaled)
        rest, divisor_bits = scaled - whole, divisor_bits + bits
        if bool(whole.any()):
            layers.append(whole)
            divisors.append(2.0**divisor_bits)
    return WholeWeights(np.array(layers), np.array(divisors))
