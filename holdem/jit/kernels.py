"""Functions that numba compiles on the first call, and the choice of numpy where it is faster.

Neither importing this module nor decorating a function imports numba.

numba's disk cache notices changes only in the file that a kernel is defined in. A changed table
or helper in another file would go unnoticed, so `kernel` places the cache in a directory whose
name is a digest of all code and tables; see `holdem.jit.cache_directory`.

Importing numba and loading a kernel takes longer than a small computation in numpy, and compiling a
kernel much longer. Functions in numpy therefore compute what kernels would, with the same results,
until a process has spent as much time in them as it saved, and always if numba cannot be imported
(`kernel_or_numpy`).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial, update_wrapper
from pathlib import Path
from typing import Any, TypeVar, cast
from weakref import WeakSet

from holdem.errors import ConfigurationError, HoldemRuntimeError
from holdem.jit.cache_directory import cache_directory, guard_cache, warn_not_cached
from holdem.jobs.stopwatch import is_preparing, preparing, start_preparing, stop_preparing
from holdem.jobs.workers import in_worker_thread
from holdem.messages import notify_once
from holdem.optional_packages import import_package

#: The message shown before the first kernel missing from the cache is compiled.
COMPILING = "compiling for this machine; only the first call of each kind waits"


_Function = TypeVar("_Function", bound=Callable[..., Any])

_creating = threading.RLock()


def import_numba() -> None:
    """Import numba; raise `HoldemRuntimeError` if it is missing or broken."""
    import_package(
        "numba",
        "this runs code compiled by numba",
        otherwise="; single hands, ranges and small exact questions work without it",
    )


@cache
def has_numba() -> bool:
    """Tell whether numba can be imported, by importing it where Ctrl-C does not cut it in two."""
    try:
        in_worker_thread(import_numba)
    except HoldemRuntimeError:
        return False
    return True


class CompiledFunction:
    """A function that numba compiles when it is first needed.

    Its `dispatcher`, numba's object for a compiled function, is created on first use. Kernels can
    call this object in place of the dispatcher, and attributes such as ``signatures`` are read from
    the dispatcher.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.py_func = function
        self._dispatcher: Any = None
        update_wrapper(cast(Any, self), function)

    @property
    def dispatcher(self) -> Any:
        """The numba dispatcher, which compiles the function for the argument types of each call."""
        if self._dispatcher is None:
            with _creating, preparing():
                if self._dispatcher is None:
                    import_numba()
                    self._dispatcher = self._create()
        return self._dispatcher

    def _create(self) -> Any:
        raise NotImplementedError

    @property
    def _numba_type_(self) -> Any:
        """The type of the dispatcher, which numba asks for when a kernel uses this function."""
        return self.dispatcher._numba_type_

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.dispatcher, name)

    def __reduce__(self) -> Any:
        return self.dispatcher.__reduce__()


class Kernel(CompiledFunction):
    """A compiled function that Python calls; see `kernel`."""

    # Whether a call has returned; later ones with arguments of the same types compile nothing.
    is_loaded = False
    is_cached = True

    def __call__(self, *arguments: Any) -> Any:
        if self.is_loaded:
            return self._dispatcher(*arguments)
        result = self.dispatcher(*arguments)
        self.is_loaded = True
        return result

    def _create(self) -> Any:
        from numba import config, njit

        if getattr(config, "DISABLE_JIT", False):
            raise ConfigurationError(
                "NUMBA_DISABLE_JIT switches off numba's compiler, without which kernels do not"
                " run: unset it"
            )
        observe_compilation()
        directory = cache_directory(self.py_func) if self.is_cached else None
        if directory is None:
            return njit(nogil=True)(self.py_func)
        return _create_with_cache(self.py_func, directory)


class HelperFunction(CompiledFunction):
    """A function that is compiled into the kernels that call it, and runs uncompiled elsewhere.

    It is compiled without the code for calls from Python and C, so that kernels compile in three
    quarters of the time. A call of the compiled function from Python would crash the interpreter.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        make_compiled: Callable[[], Callable[..., Any]] | None = None,
        **options: Any,
    ) -> None:
        """Prepare a function, which is compiled with `options` of `numba.njit`.

        When a kernel is compiled, `make_compiled` returns what is compiled in its place, if not
        None.
        """
        super().__init__(function)
        self._make_compiled = make_compiled
        self._options: dict[str, Any] = options

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        return self.py_func(*arguments, **keywords)

    def _create(self) -> Any:
        from numba import njit

        function = self._make_compiled() if self._make_compiled else self.py_func
        options = self._options | {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        return njit(nogil=True, **options)(function)


def kernel(function: _Function) -> _Function:
    """Make a kernel: numba compiles the function on its first call, to run without the GIL.

    Use it for functions that are called from Python. Kernels do not validate their arguments: card
    ids must be 0..51, and shapes and dtypes must be those that the docstring states.

    The machine code is cached on disk for functions of packages. A function of a script, a
    notebook or a module outside a package is compiled in each process.

    Numba compiles in the calling thread, where Ctrl-C may be lost. Call a kernel for the first
    time in a worker thread if the main thread must stay interruptible.

    The first call raises `ConfigurationError` if ``NUMBA_DISABLE_JIT`` is set: kernels rely on
    wrapping integer arithmetic and would be a thousand times slower as Python code.
    """
    return Kernel(function)  # type: ignore[return-value]


def kernel_of(function: _Function) -> _Function:
    """Make a kernel of a function that is made at run time, whose machine code is not cached.

    Two of such functions have the same name and place, by which numba would tell them apart.
    """
    found = Kernel(function)
    found.is_cached = False
    return found  # type: ignore[return-value]


def inlined(function: _Function) -> _Function:
    """Make a helper function that is inlined into every kernel that calls it.

    Called from Python, it runs uncompiled: integers do not wrap around.
    """
    return HelperFunction(function, forceinline=True)  # type: ignore[return-value]


def reordered(function: _Function) -> _Function:
    """Make an inlined helper function in which floating-point terms are added in any order.

    Such sums are vectorized, which makes them several times as fast. Use it for sums of
    integers below 2^53, or where the last digits do not matter: the rounding depends on the
    vector length of the processor. Called from Python, the function runs uncompiled.
    """
    fastmath = {"reassoc", "contract", "nsz"}
    return HelperFunction(function, fastmath=fastmath, forceinline=True)  # type: ignore[return-value]


def _create_with_cache(function: Callable[..., Any], directory: Path) -> Any:
    """Return numba's dispatcher for a kernel, which caches the machine code in `directory`.

    If numba cannot cache it there, a warning is shown, and the dispatcher has no cache.
    """
    from numba import njit

    with _numba_cache_in(directory):
        compiled: Any = njit(nogil=True, cache=True)(function)
    place = Path(compiled.stats.cache_path)
    if directory not in place.parents:  # e.g. NUMBA_CACHE_LOCATOR_CLASSES is set
        warn_not_cached(f"numba places it in {place}, not in {directory}")
        return njit(nogil=True)(function)
    try:
        guard_cache(compiled)
    except AttributeError as error:  # another version of numba
        warn_not_cached(f"its files cannot be checked for damage with this numba: {error}")
        return njit(nogil=True)(function)
    announce_compilation(compiled)
    return compiled


@contextmanager
def _numba_cache_in(directory: Path) -> Iterator[None]:
    """Context manager that sets numba's cache directory for the functions decorated in it.

    numba reads ``config.CACHE_DIR`` while it decorates a function, not later. The caches of
    other packages stay where they are.
    """
    import numba

    config: Any = numba.config  # its attributes are set at run time
    before = config.CACHE_DIR
    config.CACHE_DIR = str(directory)
    try:
        yield
    finally:
        config.CACHE_DIR = before


_announced: WeakSet[Any] = WeakSet()


def announce_compilation(dispatcher: Any) -> None:
    """Have the message `COMPILING` shown before numba compiles for this dispatcher."""
    _announced.add(dispatcher)


@cache
def observe_compilation() -> None:
    """Have numba report when it compiles; later calls have no effect.

    Stopwatches then leave out the time of compilations, and the message `COMPILING` is shown once,
    before the compilation of a dispatcher for which `announce_compilation` was called.
    """
    try:
        from numba.core import event

        class Listener(event.Listener):
            def on_start(self, event: Any) -> None:
                if event.data["dispatcher"] in _announced:
                    notify_once(COMPILING)
                start_preparing()

            def on_end(self, event: Any) -> None:  # noqa: ARG002
                stop_preparing()

        register: Any = event.register  # untyped
        register("numba:compile", Listener())
    except (ImportError, AttributeError, ValueError):
        pass  # a numba release without these events


# --- instructions that numba lacks ----------------------------------------------------------


def _instruction(in_python: Callable[..., Any], define: Callable[..., Any]) -> Any:
    """Create a helper function for kernels that is a few LLVM instructions.

    `in_python` computes the same outside kernels. `define` has the form that numba's decorator
    `intrinsic` requires: it returns the signature and a function that emits the instructions.
    """

    def make_compiled() -> Callable[..., Any]:
        from numba.extending import intrinsic

        defined: Any = intrinsic(define)
        return lambda *arguments: defined(*arguments)

    return HelperFunction(in_python, make_compiled, forceinline=True)


def _define_popcount(_context: Any, _word: Any) -> Any:
    from numba import types

    def emit(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), emit


def _define_unowned(_context: Any, array: Any) -> Any:
    from numba import types

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return context.make_array(signature.args[0])(context, builder, arguments[0]).data

    pointer: Any = types.CPointer  # untyped
    return pointer(array.dtype)(array), emit


def _compare_bytes(predicate: str) -> Any:
    """Create the helper function `bytes_equal` or `bytes_above`.

    They compare 64 bytes of two arrays. `predicate` is ``"=="`` or ``">"``.
    """

    def define(_context: Any, first: Any, i: Any, second: Any, j: Any) -> Any:
        from llvmlite import ir
        from numba import types

        block = ir.VectorType(ir.IntType(8), 64)

        def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            def load(position: int) -> Any:
                array = context.make_array(signature.args[position])
                data = array(context, builder, arguments[position]).data
                start = builder.gep(data, [arguments[position + 1]])
                return builder.load(builder.bitcast(start, block.as_pointer()), align=1)

            found = builder.icmp_unsigned(predicate, load(0), load(2))
            return builder.bitcast(found, ir.IntType(64))

        return types.uint64(first, i, second, j), emit

    def in_python(first: Any, i: Any, second: Any, j: Any) -> Any:
        pairs = zip(first[i : i + 64].tolist(), second[j : j + 64].tolist(), strict=True)
        bits = (a == b if predicate == "==" else a > b for a, b in pairs)
        return type(i)(sum(bit << place for place, bit in enumerate(bits)))

    return _instruction(in_python, define)


#: ``popcount(word)``: the number of set bits of a uint64, in one instruction.
popcount: Any = _instruction(lambda word: type(word)(int(word).bit_count()), _define_popcount)

#: ``unowned(array)``: a contiguous array that helpers read without counting references to it. Numba
#: counts those of an array argument in each call of a helper, inlined or not: hands compared on a
#: board's last cards would take half as long again. The array itself must outlive the calls.
unowned: Any = _instruction(lambda array: array, _define_unowned)

#: ``bytes_equal(x, i, y, j)``: for 64 bytes of two contiguous arrays, from the indices `i` and
#: `j` (uint64), whether they are equal, as the bits of a uint64. LLVM splits the comparison for
#: processors with shorter vectors. As a loop it would take three times as long.
bytes_equal: Any = _compare_bytes("==")

#: ``bytes_above(x, i, y, j)``: like `bytes_equal`, but whether the bytes of `x` are greater.
bytes_above: Any = _compare_bytes(">")


# --- numpy in place of kernels that are not loaded ----------------------------------------

_Result = TypeVar("_Result")

#: The highest cost of a computation in numpy. An evaluation, which is a hand that is ranked, takes
#: some 25 ns.
MOST_EVALUATIONS = 1 << 23

#: A larger batch of hands loads its kernel at once: numpy would take longer than loading a kernel
#: from the cache, which is 5 to 20 ms once numba is imported.
MOST_HANDS = 1 << 16

# After this time in numpy, a process loads the kernels: numba and the first take half a second.
_NUMPY_SECONDS = 0.3

_spent_in_numpy = 0.0
_counting = threading.Lock()  # held to add to `_spent_in_numpy`
_kernels_only = False
_loading_threads: set[int] = set()  # the threads that load kernels for others


def kernel_or_numpy(
    kernel: Callable[..., _Result],
    in_numpy: Callable[..., _Result],
    evaluations: int,
    most: int = MOST_EVALUATIONS,
) -> Callable[..., _Result]:
    """Choose between a kernel and a numpy function that computes the same.

    Small computations are usually left to numpy until the kernel is loaded; a kernel that is not
    loaded is called in a worker thread. `evaluations` is the cost of all intended calls together,
    as the number of hands that numpy would rank in the same time; up to `most`, numpy is preferred
    to loading the kernel.
    """
    if getattr(kernel, "is_loaded", True):
        return kernel
    must_load = _kernels_only or threading.get_ident() in _loading_threads
    is_preferred = evaluations <= most and _spent_in_numpy < _NUMPY_SECONDS
    if (evaluations <= MOST_EVALUATIONS and not must_load) and (
        is_preferred or _loading_threads or is_preparing() or not has_numba()
    ):
        return partial(_time_numpy, in_numpy)
    return interruptible(kernel)


def interruptible(kernel: Callable[..., _Result]) -> Callable[..., _Result]:
    """Return a function that calls a kernel in a worker thread; return a loaded kernel unchanged.

    In the main thread, Ctrl-C would be lost while the kernel compiles.
    """
    if getattr(kernel, "is_loaded", True):
        return kernel
    return lambda *arguments: in_worker_thread(partial(kernel, *arguments))


def always_use_kernels() -> None:
    """Make `kernel_or_numpy` choose kernels for the rest of the process, whatever the cost."""
    global _kernels_only
    _kernels_only = True


@contextmanager
def loading_for_others() -> Iterator[None]:
    """Context manager for a thread that loads kernels in the background by calling them.

    In it, `kernel_or_numpy` chooses the kernel in this thread. In other threads it chooses numpy
    for small computations until the kernel is loaded.
    """
    _loading_threads.add(threading.get_ident())
    try:
        yield
    finally:
        _loading_threads.remove(threading.get_ident())


def _time_numpy(in_numpy: Callable[..., _Result], *arguments: Any) -> _Result:
    global _spent_in_numpy
    started = time.perf_counter()
    try:
        return in_numpy(*arguments)
    finally:
        elapsed = time.perf_counter() - started
        with _counting:
            _spent_in_numpy += elapsed
