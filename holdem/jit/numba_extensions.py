"""Processor instructions that numba does not offer, as functions for kernels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from holdem.jit.decorators import HelperFunction


def _instruction(in_python: Callable[..., Any], define: Callable[..., Any]) -> Any:
    """Create a kernel helper from a definition for numba's `intrinsic` and a Python equivalent."""

    def make_compiled() -> Callable[..., Any]:
        from numba.extending import intrinsic

        defined: Any = intrinsic(define)
        return lambda *arguments: defined(*arguments)

    return HelperFunction(in_python, make_compiled, forceinline=True)


def _define_popcount(_context: Any, _word: Any) -> Any:
    from numba import types

    def emit(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), emit


def _define_no_vectorization(_context: Any) -> Any:
    from llvmlite import ir
    from numba import types

    def emit(context: Any, builder: Any, _signature: Any, _arguments: Any) -> Any:
        # Empty inline assembly with side effects: LLVM does not vectorize a loop around it.
        builder.asm(ir.FunctionType(ir.VoidType(), []), "", "", [], True)
        return context.get_dummy_value()

    return types.void(), emit


def _compare_bytes(predicate: str) -> Any:
    """Create a function that compares 64 bytes of one array with 64 bytes of another."""

    def define(_context: Any, first: Any, i: Any, second: Any, j: Any) -> Any:
        from llvmlite import ir
        from numba import types

        block = ir.VectorType(ir.IntType(8), 64)

        def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            def load(position: int) -> Any:
                array = context.make_array(signature.args[position])
                data = array(context, builder, arguments[position]).data
                start = builder.gep(data, [arguments[position + 1]])
                return builder.load(builder.bitcast(start, block.as_pointer()), align=1)

            found = builder.icmp_unsigned(predicate, load(0), load(2))
            return builder.bitcast(found, ir.IntType(64))

        return types.uint64(first, i, second, j), emit

    def in_python(first: Any, i: Any, second: Any, j: Any) -> Any:
        pairs = zip(first[i : i + 64].tolist(), second[j : j + 64].tolist(), strict=True)
        bits = (a == b if predicate == "==" else a > b for a, b in pairs)
        return type(i)(sum(bit << place for place, bit in enumerate(bits)))

    return _instruction(in_python, define)


#: ``popcount(word)``: the number of set bits of a uint64, in one instruction.
popcount: Any = _instruction(lambda word: type(word)(int(word).bit_count()), _define_popcount)

#: ``no_vectorization()``: prevent LLVM from vectorizing the enclosing loop; emits no instruction.
#: LLVM turns table look-ups into gathers, which are slower: 0.8 instead of 1.4 billion hands a
#: second in `scripts/benchmarks/benchmarking/every_hand.py`.
no_vectorization: Any = _instruction(lambda: None, _define_no_vectorization)

#: ``bytes_equal(x, i, y, j)``: for 64 bytes of two contiguous arrays, from the indices `i` and
#: `j` (uint64), whether they are equal, as the bits of a uint64. LLVM splits the comparison for
#: processors with shorter vectors. As a loop it would take three times as long.
bytes_equal: Any = _compare_bytes("==")

#: ``bytes_above(x, i, y, j)``: likewise, whether the bytes of `x` are greater.
bytes_above: Any = _compare_bytes(">")
