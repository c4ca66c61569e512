"""Weights as whole numbers, so that sums of them are exact.

The exact methods add and subtract millions of weights. In doubles that would leave dust: a
combo that never wins would come out as winning 3e-17. Whole numbers below 2^53 do not have
it, and they add up the same in any order. So weights are written as whole numbers over a
divisor: 0.25 and 0.5 are 25 and 50 of 100. Weights that are no short decimals are cut into
layers of so many bits each, and a method, being linear in them, runs once a layer.
"""

from __future__ import annotations

from typing import TypeAlias

import attrs
import numpy as np
from numpy.typing import NDArray

#: The weights of a whole range, as numbers up to 2^40, add up exactly in doubles.
MOST_BITS = 40

_DECIMALS = (1, 100, 10_000, 1_000_000)

#: Sums of weights: exact whole numbers, as doubles or integers.
Sums: TypeAlias = NDArray[np.float64] | NDArray[np.int64]


@attrs.frozen(eq=False)
class WholeWeights:
    """Weights that are the sum over layers of ``numbers / divisors``."""

    numbers: NDArray[np.float64]
    """``float64 (layer, combo)``: whole numbers."""

    divisors: NDArray[np.float64]
    """``float64 (layer,)``: smallest first."""

    def combine(self, sums: Sums) -> NDArray[np.float64]:
        """Turn sums of the numbers, ``(layer, …)``, into sums of the weights, ``float64 (…)``.

        All terms have one sign, so that the relative error is that of a few roundings.
        """
        combined: NDArray[np.float64] = sums[-1] / self.divisors[-1]
        for layer in range(len(self.divisors) - 2, -1, -1):  # the small ones first
            combined = combined + sums[layer] / self.divisors[layer]
        return combined


def whole_weights(weights: NDArray[np.float64], most: int) -> WholeWeights:
    """Write weights as whole numbers.

    Args:
        weights: ``float64 (combo,)``, 0..1.
        most: the largest number wanted, at least 2. No number is larger than that, nor than
            2^40; the smaller it is, the more layers odd weights take.
    """
    bits = min(most.bit_length() - 1, MOST_BITS)
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
