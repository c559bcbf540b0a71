"""Plans and plays as pages, animated SVG and GIF: sizes, options, and what cannot be played."""

from __future__ import annotations

import builtins
import json
import pickle
from io import BytesIO

import pytest

import gridkit as gk
from gridkit.errors import InputError, UnsupportedError
from gridkit.render.motion.film import SUNK, poses
from gridkit.render.palette import hex_of
from gridkit.sliding.plan import Plan
from gridkit.stacking import Outcome, StackingResult, StackingRules

KLOTSKI = gk.SlidingPuzzle.parse("ABBC\nABBC\nDEEF\nDGHF\nI..J", goal={"B": (3, 1)})


def solved(puzzle: gk.SlidingPuzzle | gk.NPuzzle) -> Plan:
    plan = puzzle.solve()
    assert plan is not None
    return plan


def test_klotski_is_small() -> None:
    plan = solved(KLOTSKI)
    assert len(plan) == 116
    assert len(plan.to_html("Klotski").encode()) < 25_000
    svg = plan.to_svg(animate=True)
    assert len(svg.encode()) < 8_000
    assert "<script" not in svg
    assert plan.to_svg(animate=False) == plan.to_svg() != svg


def test_films_end_where_plans_end() -> None:
    tiles = gk.NPuzzle(2, 4, [1, 1, 2, 0, 2, 2, 1, 0])  # equal tiles
    for plan in (solved(KLOTSKI), solved(tiles)):
        film, facts = plan._film()
        *_, last = poses(film)
        names = plan.puzzle.block_names()
        drawn = sorted((pose.y, pose.x, name) for pose, name in zip(last, names, strict=True))
        *_, end = plan.states()
        text = str(end)
        if plan.puzzle is tiles:
            cells = [word for line in text.splitlines() for word in line.split()]
            assert [name for _, _, name in drawn] == [cell for cell in cells if cell != "0"]
        else:
            for y, x, name in drawn:
                assert text.splitlines()[int(y)][int(x)] == name
        assert facts.startswith(f"{len(plan)} step")


def test_a_pushed_row_moves_as_one() -> None:
    plan = Plan(
        gk.NPuzzle(1, 4, [1, 2, 3, 0], [0, 1, 2, 3]), [(2, 2, 3), (1, 1, 2), (0, 0, 1)], "push"
    )
    film, facts = plan._film()
    assert [len(changes) for changes in film.moves] == [3]
    assert film.captions == ["3, 2, 1 →"]
    assert facts.startswith("1 push, 3 steps")


def test_games_play_as_far_as_the_result_says() -> None:
    game = gk.StackingGame.parse(".0> . .1< .2<", StackingRules(stop_height=3))
    result = game.play()
    film, facts = result._film()
    *_, last = poses(film)
    assert facts == str(result) == "stopped in round 2, turn 1"
    assert len({pose.x for pose in last}) == 1
    steps = sorted(pose.y for pose in last)
    assert steps[1] - steps[0] == pytest.approx(steps[2] - steps[1])
    assert "round 2" in result.to_html()
    assert result.to_svg(animate=True).startswith("<svg")
    assert pickle.loads(pickle.dumps(result)).to_html() == result.to_html()
    assert eval(repr(result), {"Outcome": Outcome, "StackingResult": StackingResult,
                               "Cell": gk.Cell}) == result  # fmt: skip


def test_pieces_sink() -> None:
    game = gk.StackingGame([[0, 0]], [(0, 0, 0), (0, 1, 2)], StackingRules(border="sink"))
    film, _ = game.play()._film()
    *_, last = poses(film)
    assert [pose.turn for pose in last] == [SUNK, SUNK]
    assert film.captions[-1].endswith("sinks")


def test_a_long_play_is_cut_and_says_so() -> None:
    pieces = [(row, 0, 0) for row in range(10)]
    result = gk.StackingGame([[0] * 2_000] * 10, pieces).play()
    film, facts = result._film()
    assert len(film.moves) == 5_000
    assert facts.endswith("(here: the first 5000 turns)")


def test_what_cannot_be_played() -> None:
    by_hand = StackingResult(Outcome.STOPPED, 1, 1, {})
    with pytest.raises(UnsupportedError, match="only a result of"):
        by_hand.to_html()
    plan = solved(gk.SlidingPuzzle.parse("A.", goal={"A": "right"}))
    with pytest.raises(InputError, match="animate must be"):
        plan.to_svg(animate="yes")  # type: ignore[arg-type]  # what is tested
    with pytest.raises(InputError, match="theme must be one of"):
        plan.to_svg(animate=True, theme="pink")  # type: ignore[arg-type]  # likewise
    with pytest.raises(InputError, match="cell_size must be an int from 1 to 1000"):
        plan.to_svg(animate=True, cell_size=0)
    with pytest.raises(InputError, match="title must be a text"):
        plan.to_html(3)  # type: ignore[arg-type]  # likewise


def test_a_plan_without_steps_is_a_still() -> None:
    plan = Plan(gk.SlidingPuzzle.parse("A.", goal={"A": "left"}), [])
    assert '"moves":[]' in plan.to_html()
    assert "animateTransform" not in plan.to_svg(animate=True)


def test_gif() -> None:
    image_module = pytest.importorskip("PIL.Image", reason="Pillow is not installed")
    plan = solved(gk.SlidingPuzzle.parse("AB\nA.\n..", goal={"A": (1, 1)}))
    data = plan.to_gif(cell_size=30, frames=3)
    with image_module.open(BytesIO(data)) as image:
        assert image.n_frames == 1 + 3 * len(plan)
        assert image.info["loop"] == 0
        assert image.size == (70, 100)
        film, _ = plan._film()
        for frame, state in ((0, next(poses(film))), (image.n_frames - 1, [*poses(film)][-1])):
            image.seek(frame)
            rgb = image.convert("RGB")
            for sprite, pose in zip(film.stage.sprites, state, strict=True):
                colour = rgb.getpixel(
                    (round(30 * (pose.x + 0.25 + 0.16)), round(30 * (pose.y + 0.25 + 0.16)))
                )
                assert isinstance(sprite.fill, int)
                expected = hex_of(sprite.fill)
                parts = [int(expected[at : at + 2], 16) for at in (1, 3, 5)]
                assert max(abs(a - b) for a, b in zip(colour, parts, strict=True)) < 16
    with pytest.raises(InputError, match="frames must be an int from 1 to 20"):
        plan.to_gif(frames=0)


def test_without_pillow_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = builtins.__import__

    def refuse(name: str, *rest: object) -> object:
        if name.startswith("PIL"):
            raise ImportError(name)
        return usual(name, *rest)  # type: ignore[arg-type]  # passed on as it came

    monkeypatch.setattr(builtins, "__import__", refuse)
    plan = Plan(gk.SlidingPuzzle.parse("A.", goal={"A": "left"}), [])
    with pytest.raises(UnsupportedError, match=r"pip install 'gridkit\[gif\]'"):
        plan.to_gif()


def test_the_data_of_the_page_is_the_plan() -> None:
    plan = solved(KLOTSKI)
    page = plan.to_html()
    data = json.loads(page.split('id="film">')[1].split("</script>")[0])
    assert [change[0][2:] for change in data["moves"]] == [
        [after % 4, after // 4] for _, _, after in plan.steps.tolist()
    ]
