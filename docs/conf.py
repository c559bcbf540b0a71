"""Sphinx configuration."""

from __future__ import annotations

import os
from pathlib import Path

from gridkit import __version__

project = "gridkit"
author = "The gridkit developers"
copyright = "2026, the gridkit developers"
release = version = __version__

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
    "sphinx_gallery.gen_gallery",
]
# The gallery makes the same page in several formats: only the text is read.
exclude_patterns = [
    "_build",
    *(f"gallery/*.{end}" for end in ("py", "ipynb", "zip", "json", "md5")),
]
html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["pictures.css"]
html_title = f"gridkit {version}"

# The pages import figures.py, which lies beside this file.
os.environ["PYTHONPATH"] = os.pathsep.join(
    [str(Path(__file__).parent), *filter(None, [os.environ.get("PYTHONPATH")])]
)
nb_execution_mode = "cache"
nb_execution_timeout = 300
nb_execution_raise_on_error = True
myst_enable_extensions = ["dollarmath", "colon_fence"]
myst_heading_anchors = 3

autosummary_generate = True
autodoc_typehints = "none"  # the docstrings name types in the reader's terms
napoleon_numpy_docstring = True
napoleon_use_ivar = True  # attributes stand in the class once, also where they are properties

sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "filename_pattern": r"/plot_",
    "capture_repr": ("_repr_html_", "__repr__"),
    "download_all_examples": False,
    "plot_gallery": True,
}
# Attributes named in prose (cells, rows) exist on several classes.
suppress_warnings = ["config.cache", "ref.python"]
