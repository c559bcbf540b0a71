"""Compile every kernel, look at the machine, test every wing."""

from __future__ import annotations

import os
import pkgutil
import platform
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib import import_module, metadata
from pathlib import Path
from types import ModuleType

from gridkit import polyomino, problems, stacking
from gridkit._version import __version__
from gridkit.cover.decide import CountMethod
from gridkit.cover.exact_cover import Colored, ExactCover
from gridkit.cover.tiling import Tiling
from gridkit.errors import naming_packages
from gridkit.grid.board import Board
from gridkit.grid.box import Box
from gridkit.polyomino import pieces
from gridkit.polyomino.polyomino import Polyomino
from gridkit.run.limits import Progress, ProgressCallback
from gridkit.sliding import kings
from gridkit.sliding.blocks.puzzle import SlidingPuzzle
from gridkit.sliding.npuzzle.puzzle import NPuzzle
from gridkit.sliding.plan import Plan

__all__ = ["Check", "Kernels", "Report", "examine", "self_test", "warmup"]


@dataclass(frozen=True, slots=True)
class Kernels:
    """What `warmup` did.

    Attributes
    ----------
    modules : tuple of str
        The kernel modules, by name.
    compiled, loaded : int
        Specialisations compiled by this process, and read from the cache.
    folders : tuple of Path
        Where compiled kernels are kept; empty when they are not.
    seconds : float
        Wall-clock seconds.

    Examples
    --------
    >>> warmup().compiled  # doctest: +SKIP
    """

    modules: tuple[str, ...]
    compiled: int
    loaded: int
    folders: tuple[Path, ...]
    seconds: float


def warmup(*, progress: ProgressCallback | None = None) -> Kernels:
    """Compile every kernel of gridkit, or read it from the cache.

    Kernels compile when they are first needed (1 to 10 seconds each wing) and are kept on disk;
    after a warm-up, as part of an installation for instance, no call waits for that.

    Parameters
    ----------
    progress : callable, optional
        Called after each kernel module, which counts as a node.

    Returns
    -------
    Kernels
        What was compiled and where it is kept.

    Examples
    --------
    >>> import gridkit as gk
    >>> "gridkit.stacking.kernels.games" in gk.warmup().modules
    True
    """
    with naming_packages():
        from gridkit.run.jit import ready

    begun = time.perf_counter()
    names = sorted(_kernel_modules(import_module(__package__)))
    compiled = loaded = 0
    folders: dict[Path, None] = {}
    for number, name in enumerate(names, 1):
        for kernel in map(ready, _kernels(import_module(name))):
            loaded += sum(kernel.stats.cache_hits.values())
            compiled += sum(kernel.stats.cache_misses.values())
            if kernel.stats.cache_path is not None:
                folders[Path(kernel.stats.cache_path)] = None
        if progress is not None:
            seconds = time.perf_counter() - begun
            progress(Progress(number, compiled + loaded, number / len(names), seconds))
    seconds = time.perf_counter() - begun
    return Kernels(tuple(names), compiled, loaded, tuple(folders), seconds)


def _kernel_modules(package: ModuleType) -> Iterator[str]:
    """Find the modules that hold kernels by their names, importing none of them."""
    for module in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
        last = module.name.rpartition(".")[2]
        if module.ispkg and last != "cli":
            yield from _kernel_modules(import_module(module.name))
        elif last.startswith("kernels") or ".kernels." in module.name:
            yield module.name


def _kernels(module: ModuleType):  # type: ignore[no-untyped-def]  # numba's dispatchers
    """Return a module's compiled functions."""
    for value in vars(module).values():
        if hasattr(value, "declared") and value.py_func.__module__ == module.__name__:
            yield value


@dataclass(frozen=True, slots=True)
class Check:
    """A part of the self-test.

    Attributes
    ----------
    wing, what : str
        What was tested.
    expected, found : object
        The right answer, and the answer or the exception.
    seconds : float
        Wall-clock seconds.

    Examples
    --------
    >>> print(Check("cover", "8 queens", "92", "92", 0.004))
    cover       8 queens                                     0.004 s  ok
    """

    wing: str
    what: str
    expected: object
    found: object
    seconds: float

    @property
    def passed(self) -> bool:
        """Whether the answer was right."""
        return self.found == self.expected

    def __str__(self) -> str:
        verdict = "ok" if self.passed else f"WRONG: {self.found!r} instead of {self.expected!r}"
        return f"{self.wing:<11} {self.what:<42} {self.seconds:7.3f} s  {verdict}"


def self_test() -> tuple[Check, ...]:
    """Ask every wing, through public calls, what is known; about two seconds when warm.

    Examples
    --------
    >>> [str(check) for check in self_test() if not check.passed]  # doctest: +SKIP
    []
    """
    return tuple(_checked(*question) for question in _questions())


def _checked(wing: str, what: str, expected: object, ask: Callable[[], object]) -> Check:
    begun = time.perf_counter()
    try:
        found = ask()
    except Exception as error:
        found = error
    return Check(wing, what, expected, found, time.perf_counter() - begun)


Question = tuple[str, object, Callable[[], object]]


def _questions() -> Iterator[tuple[str, str, object, Callable[[], object]]]:
    for wing, ask in (
        ("polyomino", _of_polyominoes),
        ("cover", _of_covers),
        ("stacking", _of_stacks),
        ("sliding", _of_sliding_blocks),
        ("problems", _of_problems),
    ):
        for question in ask():
            yield wing, *question


def _of_polyominoes() -> Iterator[Question]:
    yield "fixed polyominoes of 13 cells", 1_903_890, partial(polyomino.count_fixed, 13)
    yield "free polyominoes of 9 cells", 1285, partial(polyomino.count_free, 9)


def _of_covers() -> Iterator[Question]:
    narrow = Tiling(Board.rectangle(4, 15), pieces.pentominoes().values(), reflect=True)
    searches: tuple[CountMethod, ...] = ("masks", "bitset")
    for method in searches:
        count = partial(narrow.count, method=method)
        yield f"pentominoes on 4 x 15, {method}", 4 * 368, count
    dominoes = Tiling(Board.rectangle(8, 8), [Polyomino.parse("##")], copies=None)
    sweeps: tuple[CountMethod, ...] = ("frontier", "kasteleyn")
    for method in sweeps:
        count = partial(dominoes.count, method=method)
        yield f"dominoes on 8 x 8, {method}", 12_988_816, count
    soma = Tiling(Box(3, 3, 3), pieces.soma().values())
    yield "Soma cubes", 24 * 480, soma.count
    options = [["p", "q", Colored("x", color)] for color in "ab"]
    colored = ExactCover(options, primary=["p", "q"], secondary=["x"])
    yield "colours, sparse", 2, partial(colored.count, method="sparse")


def _of_stacks() -> Iterator[Question]:
    yield "games one by one and all together", True, _stacking_agrees


def _of_sliding_blocks() -> Iterator[Question]:
    klotski = SlidingPuzzle.parse("ABBC\nABBC\nDEEF\nDGHF\nI..J", goal={"B": (3, 1)})
    yield "Klotski in steps", 116, lambda: _length(klotski.solve(metric="step"))
    eight = NPuzzle(3, 3, [8, 6, 7, 2, 5, 4, 3, 0, 1])
    yield "a hardest eight-puzzle", 31, lambda: _length(eight.solve(optimal=True))
    yield "two kings change places", True, _kings_change_places


def _of_problems() -> Iterator[Question]:
    for name in problems.names():
        yield f"sample of {name}", True, partial(_has_answer, name)


def _has_answer(name: str) -> bool:
    return problems.solve(name, problems.sample(name)) != ""


def _length(plan: Plan | None) -> int | None:
    if plan is None:
        return None
    plan.verify()
    return len(plan)


def _stacking_agrees() -> bool:
    """Whether a batch ends as its games do when they are played alone."""
    cells = [[(3 * row + 5 * col + row * col) % 7 for col in range(6)] for row in range(6)]
    board = [[code if code < 3 else 0 for code in row] for row in cells]
    games = [
        [(row, col, (row + col + turn) % 4) for row, col in ((0, 0), (2, 3), (5, 1), (4, 4))]
        for turn in range(4)
    ]
    outcomes, rounds = stacking.play_many([board] * len(games), games)
    order = list(stacking.Outcome)
    for number, pawns in enumerate(games):
        alone = stacking.StackingGame(board, pawns).play()
        if (order[int(outcomes[number])], int(rounds[number])) != (alone.outcome, alone.round):
            return False
    return True


def _kings_change_places() -> bool:
    start = [[1, 0, 2], [0, 0, 0], [0, 0, 0]]
    target = [[2, 0, 1], [0, 0, 0], [0, 0, 0]]
    plan = kings.plan(start, target)
    if plan is None:
        return False
    plan.verify()
    return bool(kings.reachable(start, target))


@dataclass(frozen=True, slots=True)
class Report:
    """What `examine` found; its text is what ``gridkit doctor`` prints.

    Examples
    --------
    >>> examine().healthy  # doctest: +SKIP
    """

    versions: tuple[tuple[str, str], ...]
    cpu: str
    threads: int
    kernels: Kernels
    writable: tuple[bool, ...]
    jit: bool
    checks: tuple[Check, ...]

    @property
    def healthy(self) -> bool:
        """Whether every answer of the self-test was right."""
        return all(check.passed for check in self.checks)

    def __str__(self) -> str:
        lines = [f"{name:<11} {version}" for name, version in self.versions]
        lines.append(f"{'cpu':<11} {self.cpu}")
        lines.append(f"{'threads':<11} {self.threads} usable of {os.cpu_count()}")
        lines += [f"{'cache':<11} {line}" for line in self._cache()]
        kernels = self.kernels
        if self.jit:
            lines.append(
                f"{'kernels':<11} {kernels.compiled} compiled, {kernels.loaded} from the cache, "
                f"in {kernels.seconds:.1f} s"
            )
        lines += ["", *map(str, self.checks), ""]
        wrong = sum(not check.passed for check in self.checks)
        lines.append(f"{wrong} of {len(self.checks)} tests failed" if wrong else "all is well")
        return "\n".join(lines)

    def _cache(self) -> list[str]:
        if not self.jit:
            return ["not used: NUMBA_DISABLE_JIT is set"]
        if not self.kernels.folders:
            return ["none can be written: kernels are compiled anew in every process"]
        return [
            f"{folder} ({'writable' if writable else 'not writable'})"
            for folder, writable in zip(self.kernels.folders, self.writable, strict=True)
        ]


def examine(*, progress: ProgressCallback | None = None) -> Report:
    """Compile every kernel, run the self-test and say what machine this is.

    Parameters
    ----------
    progress : callable, optional
        Told of the compilation, as by `warmup`.

    Examples
    --------
    >>> print(examine())  # doctest: +SKIP
    """
    kernels = warmup(progress=progress)
    from gridkit.run.jit import JIT_DISABLED

    system = f"{platform.python_version()} ({sys.implementation.name}, {platform.platform()})"
    return Report(
        versions=(
            ("gridkit", __version__),
            ("python", system),
            *((name, metadata.version(name)) for name in ("numpy", "numba", "llvmlite")),
        ),
        cpu=_cpu(),
        threads=_threads(),
        kernels=kernels,
        writable=tuple(map(_is_writable, kernels.folders)),
        jit=not JIT_DISABLED,
        # Without compiling, two seconds of kernels are many minutes.
        checks=() if JIT_DISABLED else self_test(),
    )


def _cpu() -> str:
    model = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        model = next(line.partition(":")[2].strip() for line in lines if line[:10] == "model name")
    except (OSError, StopIteration):
        pass  # not Linux, or a kind of processor that has no model name there
    from llvmlite.binding import get_host_cpu_name

    return f"{model} ({get_host_cpu_name()})"


def _threads() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _is_writable(folder: Path) -> bool:
    try:
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False
