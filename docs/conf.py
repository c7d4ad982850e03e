"""Configuration of Sphinx, which `docs/site.py` runs."""

project = "arrayapi_unify"
html_title = "arrayapi_unify"
extensions = ["myst_parser", "sphinx_copybutton"]
myst_enable_extensions = ["attrs_block", "deflist"]
# Headings are linked to as in the repository.
myst_heading_anchors = 4
exclude_patterns = [".doctrees"]
add_function_parentheses = False
add_module_names = False
toc_object_entries_show_parents = "hide"
# One parameter a line where a signature is long, as on a phone.
maximum_signature_line_length = 70
# Annotations name types, many of them aliases that a page explains; other references are checked.
nitpick_ignore_regex = [("py:class", ".*")]

html_theme = "furo"
pygments_dark_style = "github-dark"
html_static_path = ["style.css"]
html_css_files = ["style.css"]
html_copy_source = False
html_show_copyright = False
html_show_sourcelink = False
copybutton_prompt_text = r">>> |\.\.\. "
copybutton_prompt_is_regexp = True
