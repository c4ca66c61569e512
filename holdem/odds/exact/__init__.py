"""Exact equity: the exact methods with their kernels, and the code they share.

`method` contains the base class of the methods. `candidates` lists the methods that apply to a spot
and their costs, and chooses one. `exact_run` contains the job that runs a method and builds the
result. Some kernels, which are functions compiled by numba, have a twin in numpy, which answers
small queries while the kernel is not loaded.
"""
