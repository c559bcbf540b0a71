"""Bars: as many as there are counts above 0, as high as they say."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gridkit.render.bars import bars_scene


@given(st.lists(st.integers(0, 99), max_size=60), st.integers(0, 59))
def test_bars_are_as_high_as_the_counts(counts: list[int], marked: int) -> None:
    scene = bars_scene(counts, fills={marked: 7})
    heights = {cell.owner: -min(y for _, y in cell.corners) for cell in scene.cells}
    assert heights.keys() == {number for number, count in enumerate(counts) if count}
    for number, height in heights.items():
        assert isinstance(number, int)
        assert abs(height * max(counts) - 10 * counts[number]) < 1e-6
    assert [cell.fill == 7 for cell in scene.cells] == [n == marked for n in heights]
    numbers = {label.text for label in scene.labels[:-1]}
    assert numbers == {str(number) for number in (0, max(0, len(counts) - 1), marked)}
