"""Compiled functions of one Python object, called as Python calls its own functions of C.

numba's way to call a compiled function looks at the type of every argument, turns them into
plain numbers and lets go of the GIL: a quarter of a microsecond for seven numbers, most of what
ranking a hand a call would take. Here the compiled code gets the object itself, reads the
numbers through Python's C API (its stable part only), and answers with a new object.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from llvmlite import binding
from numba.core import types

from holdem.jit.decorators import inlined

_OBJECT = types.int64  # the address of an object; 0 for none, where an exception is set
_NUMBER = types.int64
_FUNCTIONS = {
    "PyErr_Occurred": _OBJECT(),
    "PyLong_AsLongLong": _NUMBER(_OBJECT),
    "PyLong_FromLongLong": _OBJECT(_NUMBER),
    "PyObject_Size": _NUMBER(_OBJECT),
    "PySequence_GetItem": _OBJECT(_OBJECT, _NUMBER),
    "Py_DecRef": types.void(_OBJECT),
}
_METH_O = 0x0008  # a function of one argument


def _function(name: str) -> Any:
    """Return a function of Python's C API, to be called by compiled code."""
    return types.ExternalFunction(name, _FUNCTIONS[name])


size_of, new_number = _function("PyObject_Size"), _function("PyLong_FromLongLong")
_item, _as_number = _function("PySequence_GetItem"), _function("PyLong_AsLongLong")
_error, _let_go = _function("PyErr_Occurred"), _function("Py_DecRef")


@inlined
def number_at(sequence: Any, place: Any) -> Any:
    """Return the whole number at a place of a Python sequence; -1 where there is none.

    Then an exception may be set, and the next thing to do is to return `failed`.
    """
    item = _item(sequence, place)  # ours, so that it stays while code of its own runs
    if not item:
        return _NUMBER(-1)
    number = _as_number(item)
    _let_go(item)
    return number


@inlined
def failed() -> Any:
    """Return what a function answers then: nothing where an exception is set, else 0."""
    return _OBJECT(0) if _error() else new_number(0)


class _Definition(ctypes.Structure):
    """Python's `PyMethodDef`."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


def as_function_of_c(compiled: Any, name: str) -> Callable[[Any], Any] | None:
    """Return a kernel as a function of C; None where this Python or this numba has no such thing.

    Args:
        compiled: a kernel of two objects, of which the first means nothing. It answers with a new
            object, or with 0 where it has left an exception set.
        name: what Python calls it.
    """
    if ctypes.sizeof(ctypes.c_void_p) != 8 or not all(map(binding.address_of_symbol, _FUNCTIONS)):
        return None
    signature = (_OBJECT, _OBJECT)
    try:
        compiled.compile(signature)
        result = compiled.overloads[signature]
        wrapper = result.fndesc.llvm_cfunc_wrapper_name
        address = result.library.get_pointer_to_function(wrapper)
        make = ctypes.pythonapi["PyCFunction_NewEx"]  # as an attribute it were everybody's
    except AttributeError:
        return None
    if not address:
        return None
    definition = _Definition(name.encode(), address, _METH_O, None)
    make.restype = ctypes.py_object
    make.argtypes = (ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)
    # The function keeps what it is made of.
    function: Callable[[Any], Any] = make(
        ctypes.addressof(definition), (compiled, definition), None
    )
    return function
