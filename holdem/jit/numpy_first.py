"""The choice between loading a kernel and computing with numpy instead.

Importing numba and loading a kernel takes longer than a small computation in numpy, and compiling a
kernel much longer. Functions in numpy therefore compute what kernels would, with the same results,
until a process has spent as much time in them as it saved.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeVar

from holdem.jobs.compile_time import is_preparing
from holdem.jobs.workers import in_worker_thread

_Result = TypeVar("_Result")

#: The highest cost of a computation in numpy. An evaluation, which is a hand that is ranked, takes
#: some 25 ns.
MOST_EVALUATIONS = 1 << 23

# After this time in numpy, a process loads the kernels.
_SECONDS = 0.3

_spent = 0.0
_counting = threading.Lock()  # held to add to `_spent`
_kernels_required = False
_loading: set[int] = set()  # the threads that load kernels for others


def kernel_or_numpy(
    kernel: Callable[..., _Result], in_numpy: Callable[..., _Result], evaluations: int
) -> Callable[..., _Result]:
    """Choose between a kernel and a numpy function that takes the same arguments.

    Args:
        kernel: the kernel.
        in_numpy: the function in numpy.
        evaluations: the cost in numpy of all calls together.
    """
    if getattr(kernel, "is_loaded", True):
        return kernel
    must_load = _kernels_required or threading.get_ident() in _loading
    is_small = evaluations <= MOST_EVALUATIONS and not must_load
    if is_small and (_spent < _SECONDS or _loading or is_preparing()):
        return partial(_measure, in_numpy)
    return interruptible(kernel)


def interruptible(kernel: Callable[..., _Result]) -> Callable[..., _Result]:
    """Wrap a kernel that is not loaded yet, so that it is called in a worker thread.

    Ctrl-C in the main thread would be lost while it compiles.
    """
    if getattr(kernel, "is_loaded", True):
        return kernel
    return lambda *arguments: in_worker_thread(partial(kernel, *arguments))


def require_kernels() -> None:
    """From now on, load kernels even for small computations."""
    global _kernels_required
    _kernels_required = True


@contextmanager
def loading_for_others() -> Iterator[None]:
    """Context manager in which this thread loads kernels while other threads use numpy."""
    _loading.add(threading.get_ident())
    try:
        yield
    finally:
        _loading.remove(threading.get_ident())


def _measure(in_numpy: Callable[..., _Result], *arguments: Any) -> _Result:
    global _spent
    started = time.perf_counter()
    try:
        return in_numpy(*arguments)
    finally:
        elapsed = time.perf_counter() - started
        with _counting:
            _spent += elapsed
