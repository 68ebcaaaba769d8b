"""Configures Sphinx for the handbook; every warning, such as a link to a heading that is not there, is an error."""

import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))  # for the extension

project = "Idlebrush"
author = "The Idlebrush developers"
version = release = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
html_title = "Idlebrush handbook"
language = "en"

extensions = ["myst_parser", "docs.handbook.tried_commands"]
exclude_patterns = ["handbook", "pictures", "uplot"]
nitpicky = True
myst_heading_anchors = 4
"""Headings down to this level can be linked to, by the names that they have on GitHub too."""
myst_fence_as_directive = ["sh"]

html_theme = "furo"
templates_path = ["templates"]
html_static_path = ["static", "../../assets/logo-dark.svg", "../../coordinator/web/static/vendor"]
html_css_files = ["handbook.css"]
html_logo = html_favicon = "../../assets/logo.svg"
html_theme_options: dict[str, list[str]] = {"top_of_page_buttons": []}
html_copy_source = html_show_sourcelink = False
html_use_index = False
html_show_copyright = False
pygments_style = "a11y-light"
pygments_dark_style = "a11y-dark"
