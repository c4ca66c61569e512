"""Everything that touches internals of numba or LLVM."""
