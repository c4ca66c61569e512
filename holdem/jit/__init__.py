"""Compilation: all code that depends on the internals of numba or LLVM.

`kernels` compiles functions and decides when numpy answers instead, and `cache_directory` keeps
machine code.
"""
