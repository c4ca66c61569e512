"""What the engine adds to numba: helper functions of kernels, and two instructions.

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


#: ``popcount(word)``: the number of set bits of a uint64, in one instruction.
popcount: Any = intrinsic(_popcount)

#: ``no_vectorization()``: prevent LLVM from vectorizing the enclosing loop; emits no instruction.
#: LLVM turns table look-ups into gathers, which are slower: 0.8 instead of 1.4 billion hands a
#: second in `scripts/benchmarks/benchmarking/every_hand.py`.
no_vectorization: Any = intrinsic(_no_vectorization)
