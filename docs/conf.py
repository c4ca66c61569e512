"""Configuration of the documentation: ``python -m sphinx -n -W docs site``."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_args, get_origin

import numpy as np
from click import Context
from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.ext import intersphinx
from sphinx.util.inspect import TypeAliasForwardRef

import holdem

project = "holdem"
author = "the holdem developers"
version = release = holdem.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.intersphinx",
    "sphinx.ext.napoleon",
    "sphinx_click",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["_build", "examples", "notebooks", "gallery/GALLERY_HEADER.rst"]
default_role = "code"
nitpicky = True
pygments_style = "friendly"

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
smartquotes_action = "qe"  # not of dashes: the two of an option stay

# The prompt is not part of what a reader copies.
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

# --- reference -------------------------------------------------------------------------------

toc_object_entries_show_parents = "hide"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_default_options = {"members": True}
napoleon_numpy_docstring = False
napoleon_use_rtype = False
napoleon_use_ivar = True
# Types are shown as they are written in the code, not as what their aliases stand for.
_TYPES = {
    *(
        "ArrayLike",
        "BatchFunction",
        "CardArray",
        "CardsLike",
        "ComboLike",
        "EvaluatorLike",
        "Method",
        "NDArray",
        "Number",
        "PlayerLike",
    ),
    *("Seed", "Source", "Stop", "Suit", "What"),
}
autodoc_type_aliases = {name: name for name in _TYPES}
# Sphinx prints such a name in a union as the representation of its own placeholder.
TypeAliasForwardRef.__repr__ = lambda self: self.name
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 80
# Classes of libraries whose inventories are not part of the repository.
nitpick_ignore = [("py:class", "click.Command"), ("py:class", "pluggy._manager.PluginManager")]

# Inventories are part of the repository, so that a build needs no network.
_INVENTORIES = Path(__file__).parent / "_inventories"
intersphinx_mapping = {
    "python": ("https://docs.python.org/3", str(_INVENTORIES / "python.inv")),
    "numpy": ("https://numpy.org/doc/stable", str(_INVENTORIES / "numpy.inv")),
}

# --- gallery ---------------------------------------------------------------------------------

sphinx_gallery_conf = {
    "examples_dirs": "../scripts/examples",
    "gallery_dirs": "gallery",
    "filename_pattern": r"\.py$",
    "within_subsection_order": "FileNameSortKey",  # 1_simulate.py, 2_equity.py, …
    "download_all_examples": False,
    "show_memory": False,
    "show_signature": False,
    "write_computation_times": False,
    "min_reported_time": 1e9,
    "remove_config_comments": True,
    "plot_gallery": "True",
    "abort_on_example_error": True,
    "image_srcset": ["2x"],
}

# --- pages -----------------------------------------------------------------------------------

html_theme = "pydata_sphinx_theme"
html_title = "holdem"
html_static_path = ["_static"]
html_css_files = ["custom.css"]
html_show_sourcelink = False
html_sidebars = {page: [] for page in ("index", "start/*", "benchmarks/*")}
html_theme_options = {
    "navbar_align": "left",
    "navbar_end": ["theme-switcher"],
    "footer_start": [],
    "footer_end": [],
    "search_bar_text": "Search",
    "secondary_sidebar_items": ["page-toc"],
    "show_toc_level": 2,
    "header_links_before_dropdown": 7,
}


#: Types that appear in signatures under other names than those that the reference has.
_ABBREVIATIONS = {
    "np": "numpy",
    "NDArray": "numpy.typing.NDArray",
    "ArrayLike": "numpy.typing.ArrayLike",
    "Fraction": "fractions.Fraction",
    "numpy.random._generator": "numpy.random",
}
#: Classes that users make; all others are made by the library.
_CONSTRUCTED = {"Card", "Combo", "Deck", "EvaluatorSpec", "Range"}


def _show_types(result: type[Any], given: dict[str, Any] | None = None) -> dict[str, Any]:
    """Replace the type variables of a class by what they stand for in it, in its annotations.

    The columns of tables and of their records are declared in generic classes.
    """
    own = given or {}
    found: dict[str, Any] = {}
    for base in getattr(result, "__orig_bases__", result.__bases__):
        generic = get_origin(base) or base
        names = (variable.__name__ for variable in getattr(generic, "__parameters__", ()))
        arguments = (own.get(getattr(of, "__name__", ""), _written(of)) for of in get_args(base))
        found |= _show_types(generic, dict(zip(names, arguments, strict=False)))
    annotations = vars(result).get("__annotations__", {})
    found |= {name: own[text] for name, text in annotations.items() if text in own}
    if given is None:
        result.__annotations__ = annotations | found
    return found


def _written(of: Any) -> Any:
    """Write the type of an array as the code does."""
    if get_origin(of) is not np.ndarray:
        return of
    return f"NDArray[np.{get_args(get_args(of)[1])[0].__name__}]"


for _name in dir(holdem):
    if isinstance(_result := getattr(holdem, _name), type) and _name.endswith(
        ("Result", "Record", "Table")
    ):
        _show_types(_result)


def _site_pages(app: Sphinx, name: str, source: list[str]) -> None:
    """Redirect links to a plugin's README and to the examples, which work in a checkout."""

    def page(link: re.Match[str]) -> str:
        return f"](/evaluators/{link[1].replace('_', '-')}.md"

    text = re.sub(r"\]\([./]+/plugins/holdem_(\w+)/README\.md", page, source[0])
    source[0] = re.sub(r"\]\([./]+/scripts/examples/\)", "](/gallery/index.rst)", text)


def _public_name(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, content: nodes.Element
) -> nodes.Element | None:
    """Resolve the module of a name, as annotations have it, to the name in the reference."""
    if node["refdomain"] != "py":
        return None
    path = node["reftarget"]
    name = path.rpartition(".")[2]
    if name in holdem.__all__:
        path = f"holdem.{name}"
    for short, long in _ABBREVIATIONS.items():
        if path == short or path.startswith(f"{short}."):
            path = long + path.removeprefix(short)
    node["reftarget"] = path
    for kind in ("class", "func", "obj"):
        found = env.domains.python_domain.resolve_xref(
            env, node["refdoc"], app.builder, kind, path, node, content
        ) or intersphinx.resolve_reference_any_inventory(env, False, node, content)
        if found is not None:
            return found
    return None


def _hide_constructor(
    app: Sphinx, what: str, name: str, obj: Any, options: Any, signature: str, result: str
) -> tuple[str, str] | None:
    """Show the constructors of the classes that users make only."""
    if what == "class" and obj.__name__ not in _CONSTRUCTED:
        return "", ""
    return None


def _keep_colons(
    app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]
) -> None:
    """Keep napoleon from reading the text before a colon as the type of an attribute."""
    if what in ("attribute", "property") and lines:
        lines[:1] = lines[0].replace(": ", ":\n", 1).split("\n")


def _literal_examples(app: Sphinx, context: Context, lines: list[str]) -> None:
    """Make the examples of a command literal; sphinx-click marks their lines with ``|``."""
    literal: list[str] = []
    for before, line in zip(["", *lines], lines, strict=False):
        example = line.removeprefix("| ")
        if example == line:
            literal.append(line)
            continue
        if not before.startswith("| "):
            literal += [".. code-block:: console", ""]
        literal.append(f"   $ {example}")
    lines[:] = literal


def setup(app: Sphinx) -> None:
    """Connect the functions above."""
    app.connect("source-read", _site_pages)
    app.connect("missing-reference", _public_name, priority=400)
    app.connect("autodoc-process-signature", _hide_constructor)
    app.connect("autodoc-process-docstring", _keep_colons, priority=400)
    app.connect("sphinx-click-process-description", _literal_examples)
