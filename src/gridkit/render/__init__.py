"""Pictures from scenes of polygons: SVG, text, TikZ, PNG; knows no puzzle.

Values say in ``_scene`` what is to be seen, in the names of this package, which load on first use:
who only counts does not wait for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gridkit._lazy import lazy_names

if TYPE_CHECKING:
    from gridkit.render.bars import bars_scene
    from gridkit.render.boxes import scene_text
    from gridkit.render.drawable import Drawable
    from gridkit.render.isometric import cube_scene, cubes_scene, hides_some, layers_scene
    from gridkit.render.layout import flowed, joined, stacked
    from gridkit.render.motion.animated import animated_svg
    from gridkit.render.motion.film import SUNK, Change, Film, Loop, Sprite, Stage, block, outlines
    from gridkit.render.motion.gif import film_gif
    from gridkit.render.motion.player import player_page
    from gridkit.render.palette import Fill, distinct_fills
    from gridkit.render.png import svg_png
    from gridkit.render.scene import (
        Label,
        Line,
        Owner,
        Point,
        Scene,
        SceneCell,
        disc,
        grid_scene,
        rectangle,
        square,
    )
    from gridkit.render.svg import Theme, scene_svg
    from gridkit.render.tikz import scene_tikz

__all__ = [
    "SUNK",
    "Change",
    "Drawable",
    "Fill",
    "Film",
    "Label",
    "Line",
    "Loop",
    "Owner",
    "Point",
    "Scene",
    "SceneCell",
    "Sprite",
    "Stage",
    "Theme",
    "animated_svg",
    "bars_scene",
    "block",
    "cube_scene",
    "cubes_scene",
    "disc",
    "distinct_fills",
    "film_gif",
    "flowed",
    "grid_scene",
    "hides_some",
    "joined",
    "layers_scene",
    "outlines",
    "player_page",
    "rectangle",
    "scene_svg",
    "scene_text",
    "scene_tikz",
    "square",
    "stacked",
    "svg_png",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "Change": "motion.film",
        "Film": "motion.film",
        "Loop": "motion.film",
        "SUNK": "motion.film",
        "Sprite": "motion.film",
        "Stage": "motion.film",
        "bars_scene": "bars",
        "block": "motion.film",
        "outlines": "motion.film",
        "animated_svg": "motion.animated",
        "film_gif": "motion.gif",
        "player_page": "motion.player",
        "Drawable": "drawable",
        "Fill": "palette",
        "Label": "scene",
        "Line": "scene",
        "Owner": "scene",
        "Point": "scene",
        "Scene": "scene",
        "SceneCell": "scene",
        "Theme": "svg",
        "cube_scene": "isometric",
        "cubes_scene": "isometric",
        "disc": "scene",
        "distinct_fills": "palette",
        "flowed": "layout",
        "grid_scene": "scene",
        "hides_some": "isometric",
        "joined": "layout",
        "layers_scene": "isometric",
        "rectangle": "scene",
        "scene_svg": "svg",
        "scene_text": "boxes",
        "scene_tikz": "tikz",
        "square": "scene",
        "stacked": "layout",
        "svg_png": "png",
    },
)
