# Settings of Sphinx for the site that scripts/site makes of the pages of this repository.
import re
from pathlib import Path

pages = Path(__file__).resolve().parent
project = "Invar"
author = "the Invar authors"
version = release = (pages / "VERSION").read_text(encoding="utf-8").strip()
extensions = ["myst_parser"]
myst_heading_anchors = 5  # named as on code hosts
myst_disable_syntax = ["dollarmath"]
suppress_warnings = ["myst.header", "misc.highlighting_failure"]  # … stands in code for what is left out
html_theme = "furo"
html_title = f"Invar {version}"
html_static_path = ["site.css"]
html_css_files = ["site.css"]
html_show_sphinx = False
html_copy_source = False
highlight_language = "none"
pygments_style = "tango"
pygments_dark_style = "monokai"
nitpicky = True
