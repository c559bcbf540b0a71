"""The one place that owns every numba option.

Kernel modules import `kernel` (compiled for explicit signatures when it is first called) and the
bit helpers from here, and kernels and constants from one another; engines import kernel modules
inside functions, so that ``import gridkit`` loads no numba.  A cache that cannot be read or
written costs the compilation, never a failure.
"""

# numba's classes are not annotated.
# mypy: allow-untyped-calls

from __future__ import annotations

import hashlib
import os
import pickle
import re
import stat
import sys
import tempfile
import warnings
from collections.abc import Callable
from functools import cache
from importlib.util import resolve_name
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

from gridkit.run.compilation import compilation
from gridkit.run.interrupts import uninterrupted

with uninterrupted():  # half imported, they would be broken for the rest of the process
    import numba
    import numpy as np
    from numba.core import caching, config, types
    from numba.core.compiler_lock import global_compiler_lock
    from numba.core.errors import NumbaWarning
    from numba.core.registry import CPUDispatcher
    from numba.extending import intrinsic
    from numpy.typing import NDArray

__all__ = ["JIT_DISABLED", "kernel", "popcount", "prefetch", "ready", "trailing_zeros"]

F = TypeVar("F", bound=Callable[..., Any])

JIT_DISABLED: bool = bool(getattr(config, "DISABLE_JIT", False))


def kernel(*signatures: str, allocates: bool = False, inline: bool = False) -> Callable[[F], F]:
    """Compile a function for explicit signatures, without the GIL, cached on disk.

    That happens when the function is first called, or when a kernel that calls it is compiled: a
    process waits for no kernel that it does not use.

    Parameters
    ----------
    *signatures : str
        numba signatures such as ``"int64(uint64[::1], int64)"``.  Arguments of another type are
        refused.  Several signatures make several specialisations.  A group of arguments is a
        NamedTuple of the function's module, whose fields are annotated with their numba types
        (``queue: Annotated[NDArray[np.int32], "int32[::1]"]``), and stands in the signature by
        its name; groups may hold groups.
    allocates : bool
        Whether the function makes arrays.  The others are compiled without counting references to
        arrays, which sweeps pay a fifth of their time for, and calls of small kernels most of it.
    inline : bool
        Whether the compiler puts the function in the place of every call: a call in an inner loop
        takes as long as the work of a small kernel.  Only a kernel that allocates nothing gains.

    Returns
    -------
    callable
        A decorator.  With ``NUMBA_DISABLE_JIT=1`` the function stays plain Python.
    """

    def decorate(function: F) -> F:
        if JIT_DISABLED:
            # Words wrap around in compiled code; numpy's scalars would warn of it.
            return np.errstate(over="ignore")(function)
        options: dict[str, Any] = {"nogil": True, "_nrt": allocates, "forceinline": inline}
        dispatcher: Any = numba.njit(**options)(function)
        dispatcher.declared = signatures
        dispatcher.__class__ = _Waiting
        waiting: F = dispatcher
        return waiting

    return decorate


def ready(kernel: Any) -> Any:
    """Return a kernel, compiled now or read from the cache if it was not yet."""
    with global_compiler_lock:
        if isinstance(kernel, _Waiting):
            kernel.load()
    return kernel


class _Waiting(CPUDispatcher):
    """A kernel that nobody called yet; once it is compiled, its class is that of numba again."""

    declared: tuple[str, ...]

    def load(self) -> None:
        """Compile all that is declared, or read it from the cache."""
        loading: Any = self
        with uninterrupted(), compilation.counted(), warnings.catch_warnings():
            warnings.simplefilter("ignore", NumbaWarning)
            cache = _Cache.of(loading.py_func)
            if cache is None:
                compilation.begin(kept=False)
            else:
                loading._cache = cache
            for signature in self.declared:
                loading.compile(_with_groups(loading.py_func, signature))
            loading.disable_compile()
            loading.__class__ = CPUDispatcher

    def __call__(self, *arguments: object) -> object:
        return ready(self)(*arguments)

    def get_call_template(self, args: Any, kws: Any) -> Any:  # asked for by kernels that call it
        return ready(self).get_call_template(args, kws)


def _with_groups(function: Callable[..., Any], signature: str) -> object:
    """Return a signature with the types of the groups that it names."""
    known = function.__globals__
    groups = {name: known[name] for name in re.findall(r"[A-Za-z_]\w*", signature) if name in known}
    named = {name: _group(kind) for name, kind in groups.items() if hasattr(kind, "_fields")}
    return eval(signature, {}, {**vars(types), **named}) if named else signature


def _group(kind: type) -> Any:
    """Return the type of a NamedTuple whose fields say their types."""
    fields = [
        eval(get_args(hint)[1], {}, vars(types)) if get_origin(hint) is Annotated else _group(hint)
        for hint in get_type_hints(kind, include_extras=True).values()
    ]
    return types.BaseTuple.from_types(fields, kind)  # fields of one type make another kind


class _SealedFiles(caching.IndexDataCacheFile):
    """numba's cache files, proof against damage and against each other.

    numba believes what it reads: a damaged file fails the import or, worse, runs; two processes
    that save at once, or one killed between index and data, leave an index entry that points to
    another version's code.  Code of called kernels is part of a kernel's code, and numba does not
    look at their files.  So each data file carries a digest and says what it is the code of:
    signature, sources and the options that change code without changing sources.
    """

    def __init__(self, path: str, name: str, stamp: object, sources: tuple[str, ...]) -> None:
        super().__init__(path, name, stamp)
        self._sources = sources

    def save(self, key: object, data: object) -> None:
        try:
            super().save(key, (self._identity(key), data))
        except OSError:
            raise
        except Exception:  # a damaged index (unpickling raises almost anything): begin a new one
            self.flush()
            super().save(key, (self._identity(key), data))

    def load(self, key: object) -> object:
        sealed = super().load(key)
        if sealed is None:
            return None
        identity, data = sealed
        return data if identity == self._identity(key) else None

    def _identity(self, key: object) -> str:
        facts = (
            key,
            self._source_stamp,
            self._sources,
            numba.__version__,
            getattr(config, "BOUNDSCHECK", None),
        )
        return repr(facts)

    def _save_data(self, name: str, data: object) -> None:
        content = self._dump(data)
        with self._open_for_write(self._data_path(name)) as file:
            file.write(hashlib.sha256(content).digest() + content)

    def _load_data(self, name: str) -> object:
        content = Path(self._data_path(name)).read_bytes()
        digest, content = content[:32], content[32:]
        if hashlib.sha256(content).digest() != digest:
            return None
        return pickle.loads(content)


_UserWide: Any = next(  # some versions write it with an underscore
    place
    for place in caching.CacheImpl._locator_classes
    if place.__name__.lstrip("_") == "UserWideCacheLocator"
)


class _PrivateFolder(_UserWide):  # type: ignore[misc]  # numba's class is found by its name
    """The last resort: a folder of this user, nobody else's, beside other temporary files.

    What lies in a cache is run, so a folder that another user made or may write to is refused.
    """

    def __init__(self, function: Callable[..., Any], file: str) -> None:
        super().__init__(function, file)
        self._cache_path = str(_private_folder() / self.get_suitable_cache_subpath(file))


def _private_folder() -> Path:
    """Return the user's folder of kernels under the temporary one; OSError without one."""
    if not hasattr(os, "getuid"):
        raise OSError("no owners of files here")
    folder = Path(tempfile.gettempdir()) / f"gridkit-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    facts = folder.lstat()
    if not stat.S_ISDIR(facts.st_mode) or facts.st_uid != os.getuid() or facts.st_mode & 0o077:
        raise OSError(f"{folder} is not this user's alone")
    return folder


class _Places(caching.CompileResultCacheImpl):
    """Where a cache may lie: without a home, numba would make a folder named ``~``."""

    _locator_classes = [  # noqa: RUF012 - overrides numba's attribute of the same kind
        *(
            place
            for place in caching.CacheImpl._locator_classes
            if os.path.isabs(os.path.expanduser("~")) or place is not _UserWide
        ),
        _PrivateFolder,
    ]


class _Cache(caching.FunctionCache):
    """numba's cache of compiled functions, which never fails: it misses instead."""

    _impl_class = _Places

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        files = self._cache_file
        self._cache_file = _SealedFiles(
            self._cache_path,
            self._impl.filename_base,
            files._source_stamp,
            _sources(function.__module__),
        )

    @classmethod
    def of(cls, function: Callable[..., Any]) -> _Cache | None:
        """Return the cache of a function, or None where no folder can hold one."""
        try:
            return cls(function)
        except Exception:
            return None

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            loaded = super().load_overload(sig, target_context)
        except Exception:
            loaded = None
        if loaded is None:
            compilation.begin(kept=True)
        return loaded

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except Exception:
            return


def _sources(module: str) -> tuple[str, ...]:
    """Return digests of the files of a module, of all it imports to any depth, and of this file.

    What comes with Python, numpy and numba is left out.  The module's imports have to stand above
    its kernels, as they do everywhere.
    """
    digests: dict[str, str] = {}
    left = [module, __name__]
    while left:
        name = left.pop()
        if name in digests or name.partition(".")[0] in _FOREIGN or name in _APART:
            continue
        owner = sys.modules[name]
        path = owner.__file__
        if path is None:
            continue  # a package that is no more than a folder
        facts = os.stat(path)
        digests[name], imports = _read(path, facts.st_mtime_ns, facts.st_size)
        for origin, names in imports:
            relative = origin.startswith(".")
            base = resolve_name(origin, owner.__package__) if relative else origin
            candidates = [base, *(f"{base}.{part}" for part in names)]
            left += [candidate for candidate in candidates if candidate in sys.modules]
    return tuple(f"{name} {digests[name]}" for name in sorted(digests))


@cache
def _read(path: str, _mtime: int, _size: int) -> tuple[str, list[tuple[str, list[str]]]]:
    """Return a file's digest and its imports, as (module, names); the stamps see it change.

    The imports are found as text: to parse a file takes longer than to load its kernels.
    """
    content = Path(path).read_bytes()
    imports = []
    for origin, names, modules in _IMPORT.findall(content.decode("utf-8", "replace")):
        if origin:
            imports.append((origin, re.findall(r"\w+", names)))
        imports += [(name, []) for name in re.findall(r"[\w.]+", modules)]
    return hashlib.sha256(content).hexdigest(), imports


_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]*(\([^)]*\)|.*)|import[ \t]+(.*))", re.MULTILINE
)
_FOREIGN = sys.stdlib_module_names | {"numpy", "numba"}
# What this file uses beside numba has no part in what kernels compute.
_APART = {"gridkit.run.compilation", "gridkit.run.interrupts"}


if JIT_DISABLED:

    def trailing_zeros(word: np.uint64) -> int:
        """Number of zero bits below the lowest set bit (64 for 0)."""
        value = int(word)
        return (value & -value).bit_length() - 1 if value else 64

    def popcount(word: np.uint64) -> int:
        """Return the number of set bits."""
        return int(word).bit_count()

    def prefetch(array: NDArray[np.uint8], index: np.uint64) -> None:
        """Ask for a byte that is going to be read soon."""

else:

    @intrinsic
    def _cttz(typing_context: Any, word: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            from llvmlite import ir

            return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

        return types.uint64(types.uint64), codegen

    @intrinsic
    def _ctpop(typing_context: Any, word: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.ctpop(args[0])

        return types.uint64(types.uint64), codegen

    @intrinsic
    def _llvm_prefetch(typing_context: Any, array: Any, index: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            from llvmlite import ir
            from numba.core import cgutils
            from numba.np.arrayobj import make_array

            data = make_array(array)(context, builder, args[0]).data
            byte = builder.gep(data, [args[1]])
            word = ir.IntType(32)
            shape = ir.FunctionType(ir.VoidType(), [byte.type, word, word, word])
            call = cgutils.get_or_insert_function(builder.module, shape, "llvm.prefetch.p0")
            builder.call(call, [byte, word(0), word(3), word(1)])  # to read, keep, data
            return context.get_dummy_value()

        return types.void(array, index), codegen

    _count_zeros: Any = _cttz
    _count_ones: Any = _ctpop
    _prefetch: Any = _llvm_prefetch

    # Compiled when a kernel that calls them is, so that kernels from the cache do not wait.
    @numba.njit(nogil=True)
    def trailing_zeros(word: np.uint64) -> int:
        """Number of zero bits below the lowest set bit (64 for 0)."""
        return np.int64(_count_zeros(np.uint64(word)))  # type: ignore[return-value]  # int64 there

    @numba.njit(nogil=True)
    def popcount(word: np.uint64) -> int:
        """Return the number of set bits."""
        return np.int64(_count_ones(np.uint64(word)))  # type: ignore[return-value]  # int64 there

    @numba.njit(nogil=True)
    def prefetch(array: NDArray[np.uint8], index: np.uint64) -> None:
        """Ask for a byte that is going to be read soon."""
        _prefetch(array, index)
