"""What the engine adds to numba: helper functions of kernels, and a few instructions.

It imports numba, which `holdem.jit.decorators` does only when a function is decorated.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Any

from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic, typeof_impl

from holdem.jit.numba_versions import is_tested


class HelperFunction:
    """A compiled function in kernels, and the function itself in Python.

    It is compiled without the code for calls from Python and C, so that kernels compile in three
    quarters of the time. A call of such a function from Python would crash the interpreter;
    Python therefore gets this object, for which numba takes the compiled function. The options
    that leave the code out are not documented by numba: untested releases compile it.

    Attributes:
        py_func: the function itself.
        compiled: the compiled function.
    """

    def __init__(self, function: Callable[..., Any], **options: Any) -> None:
        """Prepare a function; it is compiled with the kernels that call it.

        Args:
            function: the function.
            **options: options of `numba.njit`.
        """
        if is_tested():
            options |= {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        self.py_func = function
        self.compiled: Any = njit(nogil=True, **options)(function)
        update_wrapper(self, function)

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        """Call the function as Python."""
        return self.py_func(*arguments, **keywords)


@typeof_impl.register(HelperFunction)
def _type_of_helper_function(helper: HelperFunction, _context: Any) -> types.Dispatcher:
    return types.Dispatcher(helper.compiled)


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


def _compare_bytes(predicate: str) -> Any:
    """Make an intrinsic that compares 64 bytes of one array with 64 bytes of another."""
    block = ir.VectorType(ir.IntType(8), 64)

    def compare(_context: Any, first: Any, i: Any, second: Any, j: Any) -> Any:
        def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            def load(position: int) -> Any:
                array = context.make_array(signature.args[position])
                data = array(context, builder, arguments[position]).data
                start = builder.gep(data, [arguments[position + 1]])
                return builder.load(builder.bitcast(start, block.as_pointer()), align=1)

            found = builder.icmp_unsigned(predicate, load(0), load(2))
            return builder.bitcast(found, ir.IntType(64))

        return types.uint64(first, i, second, j), emit

    return intrinsic(compare)


#: ``popcount(word)``: the number of set bits of a uint64, in one instruction.
popcount: Any = intrinsic(_popcount)

#: ``no_vectorization()``: prevent LLVM from vectorizing the enclosing loop; emits no instruction.
#: LLVM turns table look-ups into gathers, which are slower: 0.8 instead of 1.4 billion hands a
#: second in `scripts/benchmarks/benchmarking/every_hand.py`.
no_vectorization: Any = intrinsic(_no_vectorization)

#: ``bytes_equal(x, i, y, j)``: for 64 bytes of two contiguous arrays, from the indices `i` and
#: `j` (uint64), whether they are equal, as the bits of a uint64. LLVM splits the comparison for
#: processors with shorter vectors. As a loop it would take three times as long.
bytes_equal: Any = _compare_bytes("==")

#: ``bytes_above(x, i, y, j)``: likewise, whether the bytes of `x` are greater.
bytes_above: Any = _compare_bytes(">")
