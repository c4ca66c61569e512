"""What a compiled loop can say to the processor and numba has no word for."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


def _count_bits(_context: Any, _word: Any) -> Any:
    def emit(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), emit


def _do_nothing(_context: Any) -> Any:
    def emit(context: Any, builder: Any, _signature: Any, _arguments: Any) -> Any:
        # Empty, but "with side effects": a loop around it cannot be turned into vectors.
        builder.asm(ir.FunctionType(ir.VoidType(), []), "", "", [], True)
        return context.get_dummy_value()

    return types.void(), emit


#: ``bits_in(word)``: how many bits of a uint64 are set, in one instruction.
bits_in: Any = intrinsic(_count_bits)

#: ``one_by_one()``: keeps the loop that it stands in from being turned into vectors; emits
#: nothing. LLVM turns table look-ups into gathers, which are slower: 0.8 instead of 1.4
#: billion hands a second in `holdem.evaluation.builtin.lookup.every_hand`.
one_by_one: Any = intrinsic(_do_nothing)
