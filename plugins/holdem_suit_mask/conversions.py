"""Three ways to convert a mask of cards to an index set in compiled code.

They are those of the article *More Bit Representations*. `holdem_suit_mask.layout` explains masks
and index sets, and converts Python integers. Which way is the fastest depends on the order of the
cards and on the processor; ``README.md`` has the times.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

import holdem
from holdem_suit_mask.layout import ACE_LOW_RANKS

_SPADES = np.uint64(ACE_LOW_RANKS)
_HEARTS = np.uint64(ACE_LOW_RANKS << 16)
_DIAMONDS = np.uint64(ACE_LOW_RANKS << 32)
_CLUBS = np.uint64(ACE_LOW_RANKS << 48)
_ALL = np.uint64(_SPADES | _HEARTS | _DIAMONDS | _CLUBS)
_3, _6, _9 = np.uint64(3), np.uint64(6), np.uint64(9)


@holdem.inlined
def branching(mask: np.uint64) -> np.uint64:
    """Convert the mask of one card to an index set by testing one section after another."""
    if mask & _SPADES:
        return np.uint64(mask & _SPADES)
    if mask & _HEARTS:
        return np.uint64((mask & _HEARTS) >> _3)
    if mask & _DIAMONDS:
        return np.uint64((mask & _DIAMONDS) >> _6)
    return np.uint64((mask & _CLUBS) >> _9)


@holdem.inlined
def shifting(mask: np.uint64) -> np.uint64:
    """Convert a mask to an index set by moving each section to its place."""
    return np.uint64(
        mask & _SPADES | (mask & _HEARTS) >> _3 | (mask & _DIAMONDS) >> _6 | (mask & _CLUBS) >> _9
    )


def _extract_bits(_context: Any, _mask: Any, _bits: Any) -> Any:
    def emit(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        word = ir.IntType(64)
        function = builder.module.declare_intrinsic(
            "llvm.x86.bmi.pext.64", (), ir.FunctionType(word, (word, word))
        )
        return builder.call(function, arguments)

    return types.uint64(types.uint64, types.uint64), emit


# The instruction `pext` of x86 processors with BMI2.
_pext: Any = intrinsic(_extract_bits)


def extracting(mask: np.uint64) -> np.uint64:
    """Convert a mask to an index set by one instruction that extracts 13 bits of each section.

    In plain Python, which cannot call the instruction, the mask is shifted.
    """
    return shifting(mask)


@overload(extracting, jit_options={"forceinline": True})
def _compile_extracting(mask):  # type: ignore[no-untyped-def] # noqa: ARG001 # numba compares names
    return lambda mask: np.uint64(_pext(mask, _ALL))
