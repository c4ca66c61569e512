"""Instructions that numba does not offer, for use in kernels."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


def _popcount(_context: Any, _word: Any) -> Any:
    def emit(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), emit


def _no_vectorization(_context: Any) -> Any:
    def emit(context: Any, builder: Any, _signature: Any, _arguments: Any) -> Any:
        # Empty inline assembly with side effects: LLVM does not vectorize a loop around it.
        builder.asm(ir.FunctionType(ir.VoidType(), []), "", "", [], True)
        return context.get_dummy_value()

    return types.void(), emit


#: ``popcount(word)``: the number of set bits of a uint64, in one instruction.
popcount: Any = intrinsic(_popcount)

#: ``no_vectorization()``: prevent LLVM from vectorizing the enclosing loop; emits no instruction.
#: LLVM turns table look-ups into gathers, which are slower: 0.8 instead of 1.4 billion hands a
#: second in `scripts/benchmarks/benchmarking/every_hand.py`.
no_vectorization: Any = intrinsic(_no_vectorization)
