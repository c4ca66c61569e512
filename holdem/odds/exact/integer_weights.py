"""Representation of combo weights as integers over common denominators, so that sums are exact.

The exact methods add and subtract millions of weights. In doubles, rounding errors would
remain: a combo that never wins might win 3e-17 deals. Sums of integers below 2^53 have no
rounding errors and do not depend on the order of the terms. So weights are written as integers
over a divisor: 0.25 and 0.5 are 25 and 50 over 100. Weights that are not short decimals are
split into layers of at most `MAX_BITS` bits. The methods are linear in the weights and run once
for each layer.
"""

from __future__ import annotations

from functools import reduce
from typing import TypeAlias

import attrs
import numpy as np
from numpy.typing import NDArray

#: The most bits of an integer, so that the sum over a whole range is exact in doubles.
MAX_BITS = 40

_DECIMAL_DIVISORS = (1, 100, 10_000, 1_000_000)

#: Sums of weights, as doubles or as integers.
Sums: TypeAlias = NDArray[np.float64] | NDArray[np.int64]


@attrs.frozen(eq=False)
class IntegerWeights:
    """Combo weights, expressed by one or more integers for each combo.

    A *layer* has one integer for each combo. The weight of a combo is the sum of ``numbers *
    units`` over all layers, divided by `divisor`.
    """

    numbers: NDArray[np.float64]
    """The integers, ``float64 (layer, combo)``."""

    units: NDArray[np.float64]
    """The power of two by which each layer is multiplied, ``float64 (layer,)``, largest first."""
    divisor: float = 1.0
    """The number by which the sum over the layers is divided."""

    def combine(self, sums: Sums) -> NDArray[np.float64]:
        """Convert sums of the integers, ``(layer, …)``, to sums of the weights that they express.

        The sums of each layer are multiplied by its unit, divided by `divisor`, and added. None of
        them is negative, so the relative error is that of a few roundings.
        """
        terms = [own * unit / self.divisor for own, unit in zip(sums, self.units, strict=True)]
        return reduce(np.add, reversed(terms))  # small terms first


def express_as_integers(weights: NDArray[np.float64], largest: int) -> IntegerWeights:
    """Express combo weights, 0 or from `holdem.ranges.weights.SMALLEST` to 1, as integers.

    Short decimals, such as 0.25, take one layer of `IntegerWeights`; other weights may take more.
    `largest` is the upper limit of the integers, at least 2; limits above 2^40 act as 2^40. The
    smaller the limit, the more layers may be needed.
    """
    bits = min(largest.bit_length() - 1, MAX_BITS)
    for divisor in _DECIMAL_DIVISORS:
        numbers = np.rint(weights * divisor)
        if divisor <= 1 << bits and bool((numbers / divisor == weights).all()):
            return IntegerWeights(numbers[None, :], np.ones(1), float(divisor))
    layers, units = [], []
    rest, unit = weights, 1.0
    while bool(rest.any()):
        scaled = rest * 2.0**bits  # exact, as is the subtraction of the integer part
        numbers = np.floor(scaled)
        rest, unit = scaled - numbers, unit / 2.0**bits
        if bool(numbers.any()):
            layers.append(numbers)
            units.append(unit)
    return IntegerWeights(np.array(layers), np.array(units))
