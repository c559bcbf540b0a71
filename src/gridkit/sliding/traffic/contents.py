"""What the rows and columns of a Rush Hour board may hold, as tables for the walk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from gridkit.sliding.traffic.kernels import RECORD_HEAD, WIDTH, Tables

__all__ = ["LENGTHS", "Contents"]

LENGTHS = (2, 3)
Content = tuple[int, ...]
Starts = tuple[int, ...]


class Contents:
    """The contents of the lines of a board: its rows, then its columns.

    Parameters
    ----------
    rows, cols : int
    walls : frozenset of int
        Row-major cells that are fixed.

    Attributes
    ----------
    exit : int
        The row of the car that is to leave: the last one of its row, of two cells.
    contents : list of (line, lengths, placements)
        A placement says where each car begins along its line.
    tables : Tables
    """

    def __init__(self, rows: int, cols: int, walls: frozenset[int]) -> None:
        self.rows, self.cols, self.walls = rows, cols, walls
        self.exit = (rows - 1) // 2
        self.contents: list[tuple[int, Content, list[Starts]]] = []
        line_ends = [0]
        for line in range(rows + cols):
            length = cols if line < rows else rows
            for content in _contents(length):
                if line == self.exit and content[-1:] != (2,):
                    continue
                placements = [
                    starts
                    for starts in _placements(content, length)
                    if not self._mask(line, content, starts) & self._wall_mask()
                ]
                if placements:
                    self.contents.append((line, content, placements))
            line_ends.append(len(self.contents))
        self.tables = self._tables(line_ends)

    @property
    def lines(self) -> int:
        """Number of rows and columns."""
        return self.rows + self.cols

    def _wall_mask(self) -> int:
        return sum(1 << cell for cell in self.walls)

    def _cell(self, line: int, along: int) -> int:
        if line < self.rows:
            return line * self.cols + along
        return along * self.cols + line - self.rows

    def _mask(self, line: int, content: Content, starts: Starts) -> int:
        return sum(
            1 << self._cell(line, start + offset)
            for length, start in zip(content, starts, strict=True)
            for offset in range(length)
        )

    def _tables(self, line_ends: list[int]) -> Tables:
        masks: list[int] = []
        solved: list[bool] = []
        place_ends, slide_ends, slide_to, swept = [0], [0], [], []
        for line, content, placements in self.contents:
            number = {starts: place for place, starts in enumerate(placements)}
            for starts in placements:
                masks.append(self._mask(line, content, starts))
                is_exit = line == self.exit
                solved.append(is_exit and starts[-1] + 2 == self.cols)
                for to, passed in self._slides(line, content, starts, number):
                    slide_to.append(to)
                    swept.append(passed)
                slide_ends.append(len(slide_to))
            place_ends.append(len(masks))
        return Tables(
            line_contents=np.array(line_ends, dtype=np.int32),
            content_places=np.array(place_ends, dtype=np.int32),
            masks=np.array(masks, dtype=np.uint64),
            place_slides=np.array(slide_ends, dtype=np.int32),
            slide_to=np.array(slide_to, dtype=np.int32),
            slide_swept=np.array(swept, dtype=np.uint64),
            solved=np.array(solved, dtype=np.uint8),
            exit=np.array([self.exit], dtype=np.int32),
        )

    def _slides(
        self, line: int, content: Content, starts: Starts, number: dict[Starts, int]
    ) -> Iterator[tuple[int, int]]:
        """Iterate over slides of one car: the placement reached, and the cells passed."""
        for car, (length, start) in enumerate(zip(content, starts, strict=True)):
            for direction in (-1, 1):
                passed, at = 0, start
                while True:
                    at += direction
                    moved = (*starts[:car], at, *starts[car + 1 :])
                    if moved not in number:  # another car, the edge, or a wall is in the way
                        break
                    front = at if direction < 0 else at + length - 1
                    passed |= 1 << self._cell(line, front)
                    yield number[moved], passed

    def board(self, record: Sequence[int]) -> str:
        """Return the board of a record as rows of marks: o empty, x wall, A the car to leave."""
        marks = ["o"] * (self.rows * self.cols)
        for cell in self.walls:
            marks[cell] = "x"
        cars: list[list[int]] = []
        leaving: list[int] = []
        for line in range(self.lines):
            _, content, placements = self.contents[record[RECORD_HEAD + line]]
            place = record[2] >> WIDTH * (self.lines - 1 - line) & (1 << WIDTH) - 1
            for length, start in zip(content, placements[place], strict=True):
                cars.append([self._cell(line, start + offset) for offset in range(length)])
            if line == self.exit:
                leaving = cars.pop()
        for name, car in zip("BCDEFGHIJKLMNOPQRSTUVWXYZ", sorted(cars), strict=False):
            for cell in car:
                marks[cell] = name
        for cell in leaving:
            marks[cell] = "A"
        return "".join(marks)


def _contents(length: int) -> Iterator[Content]:
    """Iterate over the lengths of cars that fit a line, in order."""
    yield ()
    for first in LENGTHS:
        if first <= length:
            for rest in _contents(length - first):
                yield (first, *rest)


def _placements(content: Content, length: int, begin: int = 0) -> Iterator[Starts]:
    """Iterate over where the cars of a line may begin, in lexicographic order."""
    if not content:
        yield ()
        return
    for start in range(begin, length - sum(content) + 1):
        for rest in _placements(content[1:], length, start + content[0]):
            yield (start, *rest)
