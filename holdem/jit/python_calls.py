"""Kernels that Python can call as built-in functions.

A call of a numba function from Python inspects the type of each argument, unboxes it and
releases the GIL, which takes about 0.25 µs for a sequence of seven numbers. A kernel called as a
built-in function receives the Python object itself and reads it through the C API.

Only functions of the stable ABI are called, and reference counts change only through them, so
the kernels also work on a free-threaded build.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from llvmlite import binding
from numba import cfunc, types

from holdem.jit.decorators import inlined

_OBJECT = types.intp  # the address of a Python object; 0 if an exception is set
_C_API = {
    "PyErr_Occurred": _OBJECT(),
    "PyLong_AsLongLong": types.longlong(_OBJECT),
    "PyLong_FromLongLong": _OBJECT(types.longlong),
    "PyObject_Size": types.intp(_OBJECT),
    "PySequence_GetItem": _OBJECT(_OBJECT, types.intp),
    "Py_DecRef": types.void(_OBJECT),
}
_METH_O = 0x0008  # the calling convention of a function of one argument


def _c_function(name: str) -> Any:
    """Declare a function of Python's C API for use in kernels."""
    return types.ExternalFunction(name, _C_API[name])


#: ``length(sequence)``: ``len``; -1 if an exception is set.
length = _c_function("PyObject_Size")

#: ``new_integer(number)``: a new Python int.
new_integer = _c_function("PyLong_FromLongLong")

_get_item, _as_integer = _c_function("PySequence_GetItem"), _c_function("PyLong_AsLongLong")
_exception, _release = _c_function("PyErr_Occurred"), _c_function("Py_DecRef")


@inlined
def integer_at(sequence: Any, index: Any) -> Any:
    """Return an item of a Python sequence as an integer.

    If it returns a negative number an exception may be set, and the kernel must return
    `no_result()` next.
    """
    item = _get_item(sequence, index)  # a strong reference: `__index__` may change the sequence
    if not item:
        return types.longlong(-1)
    number = _as_integer(item)
    _release(item)
    return number


@inlined
def no_result() -> Any:
    """Return the value for a failed kernel: NULL if a Python exception is set, else the int 0."""
    return _OBJECT(0) if _exception() else new_integer(0)


class _MethodDefinition(ctypes.Structure):
    """CPython's C structure ``PyMethodDef``, which describes a built-in function."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


def as_builtin_function(
    kernel: Callable[[Any, Any], Any], name: str
) -> Callable[[Any], Any] | None:
    """Wrap a kernel as a built-in function of one argument; return None if the C API is missing.

    The function is compiled in the calling thread.

    Args:
        kernel: a kernel of two objects that returns a new reference, or 0 if it has set an
            exception. The first object is not used.
        name: the function's ``__name__``.
    """
    try:
        create = ctypes.pythonapi["PyCFunction_NewEx"]  # an attribute would be shared by all users
    except AttributeError:  # not CPython
        return None
    if not all(map(binding.address_of_symbol, _C_API)):
        return None

    # The kernel's machine code is cached; only this call of it is compiled in each process.
    @cfunc(_OBJECT(_OBJECT, _OBJECT))
    def call(module: Any, argument: Any) -> Any:
        return kernel(module, argument)

    definition = _MethodDefinition(name.encode(), call.address, _METH_O, None)
    create.restype = ctypes.py_object
    create.argtypes = (ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)
    # The function keeps `call` and `definition` alive.
    function: Callable[[Any], Any] = create(ctypes.addressof(definition), (call, definition), None)
    return function
