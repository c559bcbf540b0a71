"""Checkpoints: the books of a run in parts, kept in an SQLite file.

Every change is one transaction, on the disk when it is made, so a run killed at any moment (or a
machine that loses its power) continues with at most the last second of work lost.  Several
processes may work on one file: each takes parts by writing its name on them, and the parts of a
dead process, or of one that was silent for a minute, are free again.  Whether a part is ours to go
on with is what the file says within a transaction, whatever the clocks say.  The result never
depends on names or clocks: it is the sum over parts, a part's line holds a state together with
what was found up to it, and a line that is done does not change.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from gridkit._version import __version__
from gridkit.errors import CheckpointError, InputError
from gridkit.run._owner import Owner
from gridkit.run._plain import part_of, row_of
from gridkit.run.control import Run
from gridkit.run.interrupts import is_pressed
from gridkit.run.parallel import Part

__all__ = ["Checkpoint", "books_of"]

FORMAT = 1
_APPLICATION = 0x67726B74  # "grkt", in SQLite's field for it
_LEASE_SECONDS = 60.0
_TEND_SECONDS = 0.25
# How long another process may hold the lock, and how long Ctrl-C waits meanwhile.
_BUSY_SECONDS = 30.0
_SHORT_WAIT_SECONDS = 0.05
# A commit waits for the disk (1 to 50 ms): commits take at most about a twentieth of the time.
_SYNCHRONOUS = "FULL"
_COMMIT_SHARE = 0.05
_LONGEST_DELAY = 2.0

_TABLES = f"""
PRAGMA application_id = {_APPLICATION};
PRAGMA user_version = {FORMAT};
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE parts (
    number INTEGER PRIMARY KEY,
    weight REAL NOT NULL,
    state TEXT NOT NULL,
    value TEXT NOT NULL,
    nodes INTEGER NOT NULL,
    found TEXT NOT NULL,
    fraction REAL NOT NULL,
    done INTEGER NOT NULL,
    seal TEXT NOT NULL,
    owner TEXT NOT NULL DEFAULT '',
    lease REAL NOT NULL DEFAULT 0
);
"""


class Checkpoint:
    """A checkpoint file, open: a `gridkit.run.parallel.Ledger`.

    Parameters
    ----------
    path : str or path-like
        The file; made when it is not there.
    problem : str
        A digest of the problem: a file of another problem is refused.
    engine : str
        Name and version of the engine whose states the file keeps.
    split : callable
        Makes the parts, for a new file.  The values of parts are exact integers; states are
        nested tuples of integers, floats, strings, bytes, None and numpy arrays.

    Raises
    ------
    CheckpointError
        For a file that is damaged, too new, no checkpoint at all or that of another problem or
        engine (it is left as it was), and for one that cannot be read or written.
    """

    shared = True

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        problem: str,
        engine: str,
        split: Callable[[], Sequence[Part]],
    ) -> None:
        if not isinstance(path, str | os.PathLike):
            raise InputError(f"checkpoint must be a path, got {type(path).__name__}")
        self.path = Path(path)
        self._about = {"problem": problem, "engine": engine, "gridkit": __version__}
        self._owner = Owner.here()
        self._patience = _BUSY_SECONDS
        self._claimed: set[int] = set()
        self._pending: dict[int, Part] = {}
        self._next_commit = 0.0
        self._last_claim, self._batch = 0.0, 1
        self._tended = self._renewed = time.monotonic()
        parts = None if self.path.exists() else split()
        with self._told():
            if parts is not None:
                self._create(parts)
            self._check_header()
            self._connection = _connect(self.path)
        try:
            size = self._check()
            lines = self._read()
            if sorted(lines) != list(range(len(lines))) or str(len(lines)) != size:
                raise self._error(f"is damaged: {len(lines)} parts instead of {size}")
            self._parts = [lines[number] for number in range(len(lines))]
            with self._told():
                self._execute("PRAGMA journal_mode = TRUNCATE")
                self._execute(f"PRAGMA synchronous = {_SYNCHRONOUS}")
        except BaseException:
            self._close()
            raise
        self._open = {number for number, part in enumerate(self._parts) if not part.done}
        self._version = self._data_version()

    # The books

    def parts(self) -> Sequence[Part]:
        """Return all parts in order, as last read."""
        return self._parts

    def remaining(self) -> int:
        """Return how many parts are not done."""
        return len(self._open)

    def is_ours(self, number: int) -> bool:
        """Return whether a part that was claimed is still to be worked on here."""
        return number in self._claimed

    def claim(self, most: int) -> list[int]:
        """Take parts that nobody alive works on, the heaviest first.

        More than `most` when they go so fast that taking them one by one would cost too much.
        """
        if len(self._open) == len(self._claimed):
            return []
        began = time.monotonic()
        self._batch = 2 * self._batch if began - self._last_claim < 0.5 else 1
        self._last_claim = began
        now = time.time()
        with self._transaction():
            free = self._free(now)
            chosen = free[: max(most, min(self._batch, len(free) // 4))]
            self._connection.executemany(
                "UPDATE parts SET owner = ?, lease = ? WHERE number = ?",
                [(str(self._owner), now + _LEASE_SECONDS, number) for number in chosen],
            )
            for number in chosen:
                self._parts[number] = self._read("WHERE number = ?", number)[number]
        self._claimed.update(chosen)
        return chosen

    def _free(self, now: float) -> list[int]:
        """Return the parts that are not done, ours or in the hands of somebody alive."""
        alive: dict[str, bool] = {"": False}
        free = []
        for number, owner, lease in self._execute(
            "SELECT number, owner, lease FROM parts WHERE done = 0 "
            "ORDER BY nodes > 0 DESC, weight DESC, number"
        ):
            if number in self._claimed or number not in self._open:  # done, not yet committed
                continue
            if owner not in alive:
                alive[owner] = Owner.parse(owner).may_live()
            if not alive[owner] or not now < lease < now + 2 * _LEASE_SECONDS:
                free.append(number)
        return free

    def record(self, changed: Mapping[int, Part]) -> None:
        """Enter what came back; in the file at once, or with the next commits on a slow disk."""
        for number, part in changed.items():
            if number in self._claimed or part.done:  # else somebody took it over
                self._enter(number, part)
                self._pending[number] = part
        if self._pending and time.monotonic() >= self._next_commit:
            self._commit()

    def _commit(self) -> None:
        begun = time.monotonic()
        lost = []
        with self._transaction():
            for number, part in self._pending.items():
                if not self._write(number, part):
                    lost.append(number)
        self._pending.clear()
        for number in lost:
            self._claimed.discard(number)
            self._parts[number] = self._read("WHERE number = ?", number)[number]
            if self._parts[number].done:
                self._open.discard(number)
        now = time.monotonic()
        self._next_commit = now + min((now - begun) / _COMMIT_SHARE, _LONGEST_DELAY)

    def _write(self, number: int, part: Part) -> bool:
        """Write a part's line; return False when it was taken over, or done, by another.

        A part that is done is written in any case: whoever finishes it finds the same.
        """
        row = row_of(part)
        name = str(self._owner)
        owner = ("", 0.0) if part.done else (name, time.time() + _LEASE_SECONDS)
        changed = self._execute(
            "UPDATE parts SET weight = ?, state = ?, value = ?, nodes = ?, found = ?, "
            "fraction = ?, done = ?, seal = ?, owner = ?, lease = ? "
            "WHERE number = ? AND done = 0 AND (owner = ? OR ?)",
            (*row, self._seal(number, row), *owner, number, name, part.done),
        ).rowcount
        return changed == 1

    def tend(self) -> None:
        """Renew the claims and read what other processes entered, every so often."""
        now = time.monotonic()
        if self._pending and now >= self._next_commit:
            self._commit()
        if now - self._tended < _TEND_SECONDS:
            return
        self._tended = now
        with self._told():
            if now - self._renewed >= _LEASE_SECONDS / 4:
                self._renewed = now
                with self._transaction():
                    self._execute(
                        "UPDATE parts SET lease = ? WHERE owner = ? AND done = 0",
                        (time.time() + _LEASE_SECONDS, str(self._owner)),
                    )
            version = self._data_version()
            if version != self._version:
                self._version = version
                self._refresh()

    def release(self) -> None:
        """Give the claims back and close the file."""
        interrupted = self._patience == 0
        try:
            if self._pending:
                self._commit()
            if self._claimed:
                with self._transaction():
                    self._execute(
                        "UPDATE parts SET owner = '', lease = 0 WHERE owner = ?",
                        (str(self._owner),),
                    )
            with self._told():  # takes the emptied journal away
                self._execute("PRAGMA journal_mode = DELETE")
        except (CheckpointError, KeyboardInterrupt):
            if not interrupted:
                raise
            # After Ctrl-C nothing waits for the lock: the claims are those of nobody alive now.
        finally:
            self._close()

    def _enter(self, number: int, part: Part) -> None:
        if number in self._open:
            self._parts[number] = part
        if part.done:
            self._open.discard(number)
            self._claimed.discard(number)

    def _refresh(self) -> None:
        """Read the parts that other processes changed, those that they took over among them."""
        for number, part in self._read("WHERE owner != ?", str(self._owner)).items():
            if number in self._open and number not in self._pending:
                self._claimed.discard(number)
                self._enter(number, part)

    # The file

    def _create(self, parts: Sequence[Part]) -> None:
        """Make the file whole, then put it in its place: nobody ever sees a half of it."""
        with closing(sqlite3.connect(":memory:")) as memory:
            memory.executescript(_TABLES)
            memory.executemany("INSERT INTO about VALUES (?, ?)", self._about.items())
            rows = ((number, row_of(part)) for number, part in enumerate(parts))
            memory.executemany(
                "INSERT INTO parts (number, weight, state, value, nodes, found, fraction, done, "
                "seal) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [(number, *row, self._seal(number, row)) for number, row in rows],
            )
            memory.execute("INSERT INTO about VALUES ('parts', ?)", (str(len(parts)),))
            memory.commit()
            content = memory.serialize()
        draft = self.path.with_name(f".{self.path.name}.{uuid.uuid4().hex[:8]}")
        try:
            with open(draft, "xb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            _put_in_place(draft, self.path)
        finally:
            draft.unlink(missing_ok=True)

    def _check_header(self) -> None:
        """Look at the first bytes before SQLite touches the file."""
        with open(self.path, "rb") as file:
            header = file.read(100)
        if not header:
            raise self._error("is empty; remove it to begin anew")
        if header[:16] != b"SQLite format 3\0" or len(header) < 100:
            raise self._error("is no gridkit checkpoint (or its beginning is damaged)")
        if int.from_bytes(header[68:72], "big") != _APPLICATION:
            raise self._error("is an SQLite file, but no gridkit checkpoint")
        version = int.from_bytes(header[60:64], "big")
        if version > FORMAT:
            raise self._error(
                f"has format {version}, newer than the format {FORMAT} that gridkit {__version__} "
                "reads"
            )
        if version != FORMAT:
            raise self._error(f"has the unknown format {version}")

    def _check(self) -> str:
        """Check that the file is sound and ours; return the number of parts it should have."""
        with self._told():
            ask = self._execute
            ask("BEGIN")  # nobody writes meanwhile
            found = ask("PRAGMA integrity_check").fetchall()
            about = dict(ask("SELECT name, value FROM about").fetchall())
            pages = ask("PRAGMA page_count").fetchone()[0] * ask("PRAGMA page_size").fetchone()[0]
            length = self.path.stat().st_size
            ask("COMMIT")
        if found != [("ok",)]:
            raise self._error(f"is damaged: {str(found[0][0])[:80]}")
        if length != pages:
            raise self._error(f"is damaged: {length} bytes instead of {pages}")
        if about.get("problem") != self._about["problem"]:
            raise self._error("belongs to another problem")
        if about.get("engine") != self._about["engine"]:
            raise self._error(
                f"was written by {about.get('engine')} of gridkit {about.get('gridkit')}, "
                f"here it is {self._about['engine']} of gridkit {__version__}"
            )
        return str(about.get("parts"))

    def _read(self, which: str = "", *values: object) -> dict[int, Part]:
        with self._told():
            rows = self._execute(
                "SELECT number, weight, state, value, nodes, found, fraction, done, seal "
                f"FROM parts {which}",
                values,
            ).fetchall()
            parts = {}
            for number, *row, seal in rows:
                if seal != self._seal(number, row):
                    raise self._error(f"is damaged: part {number} does not match its seal")
                parts[number] = part_of(row)
        return parts

    def _seal(self, number: int, row: Sequence[object]) -> str:
        """A digest of a part's line: SQLite does not notice a changed digit."""
        line = json.dumps([self._about["problem"], number, *row])
        return hashlib.sha256(line.encode()).hexdigest()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._told():
            self._execute("BEGIN IMMEDIATE")
            try:
                yield
                self._execute("COMMIT")
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise

    def _execute(self, statement: str, values: Sequence[object] = ()) -> sqlite3.Cursor:
        """Run a statement, waiting for the lock of another process; Ctrl-C does not wait."""
        deadline = time.monotonic() + self._patience
        while True:
            try:
                return self._connection.execute(statement, values)
            except sqlite3.OperationalError as error:
                busy = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
                if not busy or time.monotonic() >= deadline:
                    raise
            except KeyboardInterrupt:
                self._patience = 0.0
                raise
            if is_pressed():
                self._patience = 0.0
                raise KeyboardInterrupt

    def _data_version(self) -> int:
        """Return a number that changes whenever another process commits."""
        with self._told():
            return int(self._execute("PRAGMA data_version").fetchone()[0])

    def _close(self) -> None:
        self._owner.retire()
        self._connection.close()

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Turn the errors of the file system and of SQLite into `CheckpointError`."""
        try:
            yield
        except CheckpointError:
            raise
        except sqlite3.OperationalError as error:
            raise self._error(f"cannot be used: {error}") from error
        except (sqlite3.Error, ValueError, TypeError, KeyError) as error:
            raise self._error(f"is damaged: {error}") from error
        except OSError as error:
            raise self._error(f"cannot be used: {error.strerror or error}") from error

    def _error(self, message: str) -> CheckpointError:
        return CheckpointError(f"checkpoint {str(self.path)!r} {message}")


def _connect(path: Path) -> sqlite3.Connection:
    # mode=rw: a file that vanished is not made anew, empty.
    address = f"{path.absolute().as_uri()}?mode=rw"
    return sqlite3.connect(address, uri=True, timeout=_SHORT_WAIT_SECONDS, isolation_level=None)


def _put_in_place(draft: Path, path: Path) -> None:
    """Give the draft its name unless another process was first."""
    try:
        os.link(draft, path)
    except FileExistsError:
        return
    except OSError:  # a file system without links
        if not path.exists():
            os.replace(draft, path)


def books_of(
    run: Run, call: str, engine: str, split: Callable[[], Sequence[Part]]
) -> Sequence[Part] | Checkpoint:
    """Return the parts of a call: those of its token, of its file, or new ones."""
    state = run.resumed(call, engine)
    if state is None and run.checkpoint is not None:
        return Checkpoint(run.checkpoint, problem=call, engine=engine, split=split)
    if state is None:
        return split()
    if not isinstance(state, tuple) or not all(isinstance(part, Part) for part in state):
        raise InputError("resume: the token is damaged")
    return state
