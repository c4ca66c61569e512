"""Compiled code: everything that touches numba, LLVM or CPython's C API."""
