"""Everything that touches numba, LLVM or CPython's C API."""
