"""Sphinx configuration; build with ``make docs``."""

import sys
from pathlib import Path

from sphinx_gallery.sorting import ExplicitOrder

from ronmf import __version__

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "ronmf"
author = "The ronmf developers"
release = version = __version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
    "mathml",
    "offline",
]
exclude_patterns = ["_build", "gallery/uses"]
templates_path = ["_templates"]
nitpicky = True
nitpick_ignore_regex = [("py:.*", r"(numpy|sklearn)\..*")]  # their pages are elsewhere

myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints = "none"
autosummary_generate = True
numpydoc_show_class_members = False

html_math_renderer = "mathml"

# In the order in which one might read them
EXAMPLES = ("first_steps", "one_label", "noise", "graph_choice", "label_next", "wrong_labels")
EXAMPLES += ("discover_classes", "parts", "own_features", "compare_methods", "big_data")
sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "filename_pattern": "plot_",
    "ignore_pattern": r"(demo|folder_to_dask)\.py$",
    "within_subsection_order": ExplicitOrder([f"plot_{name}.py" for name in EXAMPLES]),
    "backreferences_dir": "gallery/uses",
    "doc_module": ("ronmf",),
    "image_srcset": ["2x"],
    "remove_config_comments": True,
    "download_all_examples": False,
    "show_signature": False,
    "min_reported_time": 1e9,  # seconds belong to the machine that built the page
    "write_computation_times": False,
}

html_theme = "furo"
html_title = "ronmf"
html_static_path = ["_static"]
html_css_files = ["ronmf.css", "tables.css"]
html_show_copyright = html_show_sphinx = html_copy_source = html_show_sourcelink = False
html_theme_options = {"navigation_with_keys": True, "top_of_page_buttons": []}

copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
