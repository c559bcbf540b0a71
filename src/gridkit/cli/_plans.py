"""What the commands that plan moves share: how a plan, or that there is none, is shown."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from gridkit.cli._options import print_json, write_text

if TYPE_CHECKING:
    from gridkit.sliding.plan import Metric, Plan

__all__ = ["add_plan_files", "show_plan"]

_MANY = {"step": "steps", "slide": "slides", "move": "moves", "push": "pushes"}


def add_plan_files(parser: argparse.ArgumentParser) -> None:
    """Declare where a plan may be written to."""
    parser.add_argument("--html", metavar="FILE", help="write a page that plays the plan")
    parser.add_argument("--svg", metavar="FILE", help="draw the plan into a file")
    parser.add_argument("--animate", action="store_true", help="with --svg: a picture that moves")
    parser.add_argument("--gif", metavar="FILE", help="draw the plan as a GIF (gridkit[gif])")


def show_plan(
    options: argparse.Namespace,
    plan: Plan | None,
    metrics: tuple[Metric, ...],
    title: str,
    reason: str = "no solution",
) -> int:
    """Print a plan with its lengths, write the files asked for; 1 when there is no plan."""
    if plan is None:
        if options.json:
            print_json(options, {"plan": None, "reason": reason})
        else:
            print(reason)
        return 1
    if options.json:
        print_json(options, {"plan": json.loads(plan.to_json())})
    else:
        print(", ".join(f"{plan.length(metric)} {_MANY[metric]}" for metric in metrics))
        if len(plan):
            print(plan)
    if options.html:
        write_text(options.html, plan.to_html(title))
    if options.svg:
        write_text(options.svg, plan.to_svg(animate=options.animate))
    if options.gif:
        Path(options.gif).write_bytes(plan.to_gif())
    return 0
