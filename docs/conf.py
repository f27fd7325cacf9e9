"""Sphinx configuration; build with ``sphinx-build -W -b html docs docs/_build/html``."""

from ronmf import __version__

project = "ronmf"
author = "The ronmf developers"
release = version = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "numpydoc"]
exclude_patterns = ["_build"]

myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints = "none"
numpydoc_show_class_members = False

html_theme = "alabaster"
html_static_path = ["_static"]
html_css_files = ["tables.css"]
html_theme_options = {
    "description": "Robust orthogonal NMF with label propagation",
    "page_width": "1080px",
    "body_max_width": "none",
}
