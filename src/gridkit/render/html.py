"""Small self-contained HTML pages: an animation stepped by a slider, and many pictures."""

from __future__ import annotations

from collections.abc import Sequence

from gridkit.render.text import escaped

__all__ = ["animation", "picture_page"]

_PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<style>body{{font:16px sans-serif;margin:1.5em}}.frame{{display:none}}.frame.now{{display:block}}
input{{width:20em;vertical-align:middle}}</style></head>
<body><h1>{title}</h1>
<p><button id="play">Play</button>
<input id="at" type="range" min="0" max="{last}" value="0" aria-label="frame">
<output id="says"></output></p>
{frames}
<script>
const frames=[...document.querySelectorAll(".frame")],at=document.getElementById("at");
const says=document.getElementById("says"),play=document.getElementById("play");let timer=null;
function show(){{frames.forEach((f,i)=>f.classList.toggle("now",i==at.value));
says.textContent=frames[at.value].dataset.caption;}}
function stop(){{clearInterval(timer);timer=null;play.textContent="Play";}}
at.oninput=show;
play.onclick=()=>{{if(timer)return stop();if(+at.value===frames.length-1)at.value=0;
play.textContent="Pause";
timer=setInterval(()=>{{at.value=+at.value+1;show();if(+at.value===frames.length-1)stop();}},{delay});}};
show();
</script></body></html>
"""

_PICTURES = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<style>:root{{color-scheme:light dark}}body{{font:16px sans-serif;margin:1.5em}}
main{{display:flex;flex-wrap:wrap;gap:1.5em}}figure{{margin:0}}</style></head>
<body><h1>{title}</h1>
<main>
{body}
</main></body></html>
"""


def animation(
    frames: Sequence[str],
    captions: Sequence[str] | None = None,
    *,
    title: str = "gridkit",
    milliseconds: int = 400,
) -> str:
    """Return a page that plays SVG frames, with a slider and a play button.

    Parameters
    ----------
    frames : sequence of str
        ``<svg>`` elements, at least one.
    captions : sequence of str, optional
        A line for each frame; "k / n" when left out.
    title : str
        Heading of the page.
    milliseconds : int
        Time a frame is shown.

    Examples
    --------
    >>> "<svg" in animation(["<svg></svg>"])
    True
    """
    last = len(frames) - 1
    if captions is None:
        captions = [f"{number} / {last}" for number in range(len(frames))]
    body = "\n".join(
        f'<div class="frame" data-caption="{escaped(caption)}">{frame}</div>'
        for frame, caption in zip(frames, captions, strict=True)
    )
    return _PAGE.format(title=escaped(title), last=last, frames=body, delay=milliseconds)


def picture_page(pictures: Sequence[str], *, title: str = "gridkit") -> str:
    """Return a page that shows SVG pictures side by side, light or dark as the reader's browser is.

    Examples
    --------
    >>> "<svg" in picture_page(["<svg></svg>"])
    True
    """
    body = "\n".join(f"<figure>{picture}</figure>" for picture in pictures)
    return _PICTURES.format(title=escaped(title), body=body)
