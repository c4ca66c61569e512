"""Exact equity: the methods, each with its kernels, and the code they share.

`candidates` lists the methods that apply to a spot and their costs, and which are asked first.
`method` is their base class, and `exact_run` the job that answers a spot with one of them. A
kernel's twin in numpy, which counts small queries while the kernel is not loaded, is beside it.
"""
