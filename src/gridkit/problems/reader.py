"""Reads judged inputs line by line, with errors that name line and column (both 1-based)."""

from __future__ import annotations

from gridkit.errors import InputError, ParseError

__all__ = ["LineReader"]


class LineReader:
    """Walks through the lines of an input.

    Blanks at line ends, blank lines at the end, Windows line ends and a missing final newline are
    accepted; everything else has to be where it is expected.

    Parameters
    ----------
    text : str
        The whole input; a byte-order mark in front is passed over.

    Examples
    --------
    >>> reader = LineReader("2 3\\n..#\\n...\\n")
    >>> rows, cols = reader.integers("the size", ("H", 1, 20), ("W", 1, 20))
    >>> [reader.grid_row("a row", cols, "#.") for _ in range(rows)]
    ['..#', '...']
    >>> reader.end()
    """

    def __init__(self, text: str) -> None:
        if not isinstance(text, str):
            raise InputError(f"expected a text, got {type(text).__name__}")
        self._lines = [line.rstrip(" \t\r") for line in text.removeprefix("\ufeff").split("\n")]
        while self._lines and not self._lines[-1]:
            self._lines.pop()
        self.line = 0  # lines read so far = 1-based number of the last one read

    def row(self, what: str) -> str:
        """Return the next line, which holds `what`."""
        if self.line == len(self._lines):
            instead = "the end of the input" if self._lines else "an empty input"
            raise ParseError(f"expected {what}, found {instead}", self.line + 1)
        self.line += 1
        return self._lines[self.line - 1]

    def grid_row(self, what: str, width: int, allowed: str) -> str:
        """Return the next line: exactly `width` characters out of `allowed`."""
        row = self.row(what)
        for column, mark in enumerate(row[:width], 1):
            if mark not in allowed:
                expected = " or ".join(repr(character) for character in allowed)
                raise ParseError(
                    f"invalid character {mark!r} (expected {expected})", self.line, column
                )
        if len(row) != width:
            raise ParseError(
                f"expected {what} of {width} characters, found {len(row)}",
                self.line,
                min(len(row), width) + 1,
            )
        return row

    def words(self, what: str) -> list[tuple[str, int]]:
        """Return the words of the next line, each with its 1-based column."""
        row = self.row(what)
        words, column = [], 0
        for word in row.split():
            column = row.index(word, column)
            words.append((word, column + 1))
            column += len(word)
        return words

    def integers(self, what: str, *ranges: tuple[str, int, int | None]) -> list[int]:
        """Return the next line's integers, one for each (name, least, greatest) given.

        Raises
        ------
        ParseError
            For a word that is no integer, one out of range, or a wrong number of words.
        """
        words = self.words(what)
        values = []
        for (word, column), (name, least, greatest) in zip(words, ranges, strict=False):
            values.append(self.integer(word, column, name, least, greatest))
        if len(words) != len(ranges):
            names = " ".join(name for name, _, _ in ranges)
            column = words[len(ranges)][1] if len(words) > len(ranges) else len(self._last()) + 1
            raise ParseError(
                f"expected {what} ({names}), found {len(words)} values", self.line, column
            )
        return values

    def integer(
        self, word: str, column: int, name: str, least: int, greatest: int | None = None
    ) -> int:
        """Read one word of the current line as an integer within bounds."""
        digits = word[1:] if word[:1] in "+-" else word
        if not (digits.isascii() and digits.isdigit()) or len(digits) > 1000:
            raise ParseError(f"expected an integer {name}, found {word[:40]!r}", self.line, column)
        value = int(word)
        if value < least or (greatest is not None and value > greatest):
            bound = f"at least {least}" if greatest is None else f"from {least} to {greatest}"
            raise ParseError(f"{name} must be {bound}, found {word[:40]}", self.line, column)
        return value

    def fail(self, message: str, column: int | None = None) -> ParseError:
        """Return an error at the current line, to be raised."""
        return ParseError(message, self.line, column)

    def end(self) -> None:
        """Check that nothing but blank lines is left."""
        for number in range(self.line, len(self._lines)):
            row = self._lines[number]
            if row:
                column = len(row) - len(row.lstrip()) + 1
                raise ParseError(
                    f"expected the end of the input, found {row.strip()[:40]!r}", number + 1, column
                )

    def _last(self) -> str:
        return self._lines[self.line - 1]
