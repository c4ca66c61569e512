"""Compilation: all code that depends on the internals of numba or LLVM.

`kernels` compiles functions, and decides when numpy computes in their place. `cache_directory`
finds the directory in which machine code is cached, and replaces damaged files in it.
"""
