"""Helper functions of kernels, compiled without the code for calls from Python and C.

Kernels compile in three quarters of the time that way. But a call of such a function from Python
would crash the interpreter, so Python gets a `HelperFunction`, for which numba takes the compiled
function. The options that leave the code out are not documented by numba; releases with which
they have not been tested compile it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Any

from numba import njit, types
from numba.extending import typeof_impl

from holdem.jit.numba_versions import is_tested


class HelperFunction:
    """A compiled function in kernels, and the function itself in Python.

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
