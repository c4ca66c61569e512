"""All code that depends on the internals of numba or LLVM."""
