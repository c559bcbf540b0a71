"""The page that plays plans and games, and the animated SVG, in a real browser.

Time is driven through the page's own object `player`; no test waits for a clock.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest

import gridkit as gk
from browser.devtools import Chromium, Page
from gridkit.render.palette import ROLES, hex_of
from gridkit.sliding.blocks.puzzle import SlidingState
from gridkit.sliding.plan import Plan

KLOTSKI = "ABBC\nABBC\nDEEF\nDGHF\nI..J"
TOLERANCE = 12  # of 255, for each of red, green and blue


@cache
def klotski() -> Plan:
    plan = gk.SlidingPuzzle.parse(KLOTSKI, goal={"B": (3, 1)}).solve(metric="step")
    assert plan is not None
    return plan


def small() -> Plan:
    plan = gk.SlidingPuzzle.parse("AAB\n.C.\n...", goal={"B": (2, 0)}).solve(metric="move")
    assert plan is not None
    return plan


def game() -> gk.StackingGame:
    return gk.StackingGame.parse(".0> .1< .  \n.2^ ~  .3v\n.   #  .  ")


@pytest.fixture
def page(chromium: Chromium, tmp_path: Path) -> Iterator[Page]:
    with opened(chromium, tmp_path, klotski().to_html("Klotski")) as tab:
        yield tab


@contextmanager
def opened(
    chromium: Chromium,
    folder: Path,
    content: str,
    name: str = "page.html",
    size: tuple[int, int] = (760, 480),
) -> Iterator[Page]:
    path = folder / name
    path.write_text(content, encoding="utf-8")
    with chromium.page(path.as_uri(), *size) as page:
        yield page


def number(page: Page, expression: str) -> float:
    value = page.evaluate(expression)
    assert isinstance(value, int | float)
    return value


def text(page: Page, expression: str) -> str:
    value = page.evaluate(expression)
    assert isinstance(value, str)
    return value


def colours(page: Page, points: list[tuple[float, float]]) -> list[tuple[int, int, int]]:
    """Return the colours of a screenshot at points of the board, in cells."""
    matrix = page.evaluate(
        "(m => [m.a, m.d, m.e, m.f])((document.getElementById('board') || "
        "document.documentElement).getScreenCTM())"
    )
    assert isinstance(matrix, list)
    a, d, e, f = (float(value) for value in matrix if isinstance(value, int | float))
    picture = page.picture()
    return [picture.at(a * x + e, d * y + f) for x, y in points]


def alike(seen: tuple[int, int, int], colour: str) -> bool:
    parts = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return all(abs(one - two) <= TOLERANCE for one, two in zip(seen, parts, strict=True))


def assert_shows(page: Page, state: SlidingState, dark: bool = False) -> None:
    """Compare a screenshot with a state: near a corner of each cell is its block's colour."""
    points, expected = [], []
    places = dict(zip(state.puzzle.names, state.places, strict=True))
    for block, (name, (top, left)) in enumerate(places.items()):
        for row, col in state.puzzle.shapes[block]:
            points.append((left + col + 0.22, top + row + 0.22))
            expected.append((name, hex_of(block)))
    covered = {
        (top + row, left + col)
        for block, (top, left) in enumerate(state.places)
        for row, col in state.puzzle.shapes[block]
    }
    for row in range(state.puzzle.rows):
        for col in range(state.puzzle.cols):
            if (row, col) not in covered:
                points.append((col + 0.22, row + 0.22))
                expected.append(("empty", ROLES["open"][dark]))
    for point, seen, (name, colour) in zip(points, colours(page, points), expected, strict=True):
        assert alike(seen, colour), (name, point, seen, colour)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_first_middle_and_last_frame(page: Page, theme: str) -> None:
    page.emulate(prefers_color_scheme=theme)
    states = list(klotski().states())
    for at in (0, 58, 116):
        page.evaluate(f"player.seek({at})")
        state = states[at]
        assert isinstance(state, SlidingState)
        assert_shows(page, state, theme == "dark")
    assert not page.errors()


def test_blocks_glide_between_states(page: Page) -> None:
    """In the middle of its first step, J stands half on the cell that it leaves."""
    page.evaluate("player.seek(0.5)")
    transform = text(page, "document.querySelectorAll('.gm-s')[9].getAttribute('transform')")
    assert transform == "translate(2.5 4)"
    middle, left = colours(page, [(2.72, 4.22), (3.72, 4.22)])
    assert alike(middle, hex_of(9))
    assert alike(left, ROLES["open"][False])


def test_buttons(page: Page) -> None:
    page.evaluate("player.clock = 'manual'")
    page.click("#play")
    assert page.evaluate("player.playing") is True
    assert text(page, "document.getElementById('play').ariaLabel") == "Pause"
    page.evaluate("player.advance(900)")
    assert 2 < number(page, "player.position") < 3
    page.click("#play")
    assert page.evaluate("player.playing") is False
    at = number(page, "player.position")
    page.evaluate("player.advance(5000)")
    assert number(page, "player.position") == at
    page.click("#last")
    assert number(page, "player.position") == 116
    page.click("#back")
    page.evaluate("player.advance(150)")
    assert 115 < number(page, "player.position") < 116
    page.evaluate("player.advance(5000)")
    assert number(page, "player.position") == 115
    page.click("#first")
    page.click("#next")
    page.evaluate("player.advance(5000)")
    assert number(page, "player.position") == 1
    page.click("#list li:nth-child(8) button")
    assert number(page, "player.position") == 7
    assert not page.errors()


def test_keys_and_speed(page: Page) -> None:
    page.evaluate("player.clock = 'manual'")
    for key, position in (("End", 116), ("ArrowLeft", 115), ("Home", 0), ("ArrowRight", 1)):
        page.press(key)
        page.evaluate("player.advance(5000)")
        assert number(page, "player.position") == position
    page.press("+")
    page.press("+")
    assert number(page, "player.speed") == 4
    page.press("-")
    assert number(page, "player.speed") == 2
    page.press(" ")
    page.evaluate("player.advance(500)")
    assert number(page, "player.position") > 3
    page.press(" ")
    assert page.evaluate("player.playing") is False


def test_the_current_move_is_marked_and_said(page: Page) -> None:
    page.evaluate("player.seek(60)")
    assert number(page, "document.querySelectorAll('[aria-current]').length") == 1
    marked = text(page, "document.querySelector('[aria-current]').textContent")
    assert marked.startswith("60")
    assert text(page, "document.getElementById('says').textContent").startswith("60 of 116: ")
    assert text(page, "document.getElementById('count').textContent") == "60 / 116"
    seen = page.evaluate(
        "(() => { const list = document.getElementById('list').getBoundingClientRect(),"
        "item = document.querySelector('[aria-current]').getBoundingClientRect();"
        "return item.top >= list.top && item.bottom <= list.bottom; })()"
    )
    assert seen is True


def test_scrubbing(page: Page) -> None:
    page.evaluate(
        "(() => { const bar = document.getElementById('scrub'); bar.value = 20.5;"
        "bar.dispatchEvent(new Event('input')); })()"
    )
    assert number(page, "player.position") == pytest.approx(20.5)
    says = text(page, "document.getElementById('scrub').getAttribute('aria-valuetext')")
    assert says.startswith("21 of 116")


def test_every_control_has_a_name(page: Page) -> None:
    nameless = page.evaluate(
        "[...document.querySelectorAll('footer button, footer input, select, #board, ol')]"
        ".filter(each => !each.getAttribute('aria-label')).length"
    )
    assert nameless == 0


def test_the_real_clock_plays_to_the_end(chromium: Chromium, tmp_path: Path) -> None:
    with opened(chromium, tmp_path, small().to_html()) as page:
        page.evaluate(
            "new Promise(resolve => { player.speed = 40; player.play(); const look = () => "
            "player.playing ? requestAnimationFrame(look) : resolve(); look(); })"
        )
        assert page.evaluate("player.position === player.last") is True
        page.click("#play")  # from the start again
        assert number(page, "player.position") < number(page, "player.last")


def test_reduced_motion_jumps(page: Page) -> None:
    page.emulate(prefers_reduced_motion="reduce")
    page.evaluate("player.clock = 'manual'")
    page.press("ArrowRight")
    assert number(page, "player.position") == 1
    page.evaluate("player.seek(1.5)")
    places = page.evaluate(
        "[...document.querySelectorAll('.gm-s')].map(each => each.getAttribute('transform'))"
    )
    assert isinstance(places, list)
    assert not any("." in str(place) for place in places)


@pytest.mark.parametrize(("width", "height"), [(1300, 800), (420, 800), (800, 420)])
def test_the_board_fills_the_window_and_keeps_its_shape(
    chromium: Chromium, tmp_path: Path, width: int, height: int
) -> None:
    with opened(chromium, tmp_path, klotski().to_html(), size=(width, height)) as page:
        matrix = page.evaluate("(m => [m.a, m.d])(document.getElementById('board').getScreenCTM())")
        assert isinstance(matrix, list)
        assert matrix[0] == matrix[1]
        cell = matrix[0]
        assert isinstance(cell, int | float)
        assert 5 * cell > 0.45 * height
        overflow = page.evaluate("document.documentElement.scrollWidth > innerWidth")
        assert overflow is False


def test_a_game_is_played_with_turning_arrows(chromium: Chromium, tmp_path: Path) -> None:
    result = game().play()
    with opened(chromium, tmp_path, result.to_html()) as page:
        last = number(page, "player.last")
        page.evaluate("player.seek(player.last)")
        turns = page.evaluate(
            "[...document.querySelectorAll('.gm-s g path')]"
            ".map(each => each.getAttribute('transform'))"
        )
        way = ["rotate(0)", "rotate(180)", "rotate(270)", "rotate(90)"]
        rounds = result.round
        if result.cycle_start is not None and result.cycle_length is not None:
            rounds = result.cycle_start + result.cycle_length
        *_, end = game().states(rounds)
        assert turns == [way[direction] for direction in end.directions]
        assert last > 3
        # Nothing is hidden while arrows turn.
        for part in range(40):
            page.evaluate(f"player.seek({part / 8})")
            hidden = page.evaluate("document.querySelectorAll('.gm-s[visibility=hidden]').length")
            assert hidden == 0
        assert not page.errors()


def test_the_animated_svg_shows_the_states(chromium: Chromium, tmp_path: Path) -> None:
    svg = klotski().to_svg(animate=True, cell_size=60)
    states = list(klotski().states())
    with opened(chromium, tmp_path, svg, "plan.svg") as page:
        page.evaluate("document.documentElement.pauseAnimations()")
        for at, seconds in ((0, 0.2), (58, 0.5 + 0.4 * 58 - 0.05), (116, 0.5 + 0.4 * 116 + 0.5)):
            page.evaluate(f"document.documentElement.setCurrentTime({seconds})")
            state = states[at]
            assert isinstance(state, SlidingState)
            assert_shows(page, state)
        page.emulate(prefers_reduced_motion="reduce")
        page.evaluate("document.documentElement.setCurrentTime(0)")
        state = states[116]
        assert isinstance(state, SlidingState)
        assert_shows(page, state)


def test_long_plans_stay_usable(chromium: Chromium, tmp_path: Path) -> None:
    steps = [(0, at, at + 1) if (number // 39) % 2 == 0 else (0, at + 1, at)
             for number in range(12_000)
             for at in [number % 39 if (number // 39) % 2 == 0 else 38 - number % 39]]  # fmt: skip
    plan = Plan(gk.SlidingPuzzle.parse("A" + "." * 39, goal={"A": (0, 39)}), steps)
    with opened(chromium, tmp_path, plan.to_html()) as page:
        assert number(page, "player.last") == 4000
        page.evaluate("player.seek(4000)")
        assert "steps 11998 to 12000" in text(page, "document.body.textContent")
        assert not page.errors()
