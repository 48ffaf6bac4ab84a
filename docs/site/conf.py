"""The documentation site: `make docs` builds it from docs/index.md, docs/site and docs/user into build/site (docs/internals/documentation.md)."""
import pathlib
import re

TREE = pathlib.Path(__file__).resolve().parent.parent.parent

project = 'Stampede'
author = copyright = 'the Stampede developers'
version = release = re.search(r'^#define STAMPEDE_VERSION "(.*)"$', (TREE / 'ext/module.h').read_text(), re.M).group(1)

extensions = ['myst_parser']
root_doc = 'index'
# Pages for those who change Stampede are read in the repository.
include_patterns = ['index.md', 'site/**', 'user/**']
exclude_patterns = ['site/parts/**']
myst_heading_anchors = 4
myst_enable_extensions = ['deflist', 'colon_fence']

smartquotes = False  # messages and commands are searched for as they are

html_theme = 'furo'
html_title = 'Stampede'
html_static_path = ['static']
html_css_files = ['site.css']
html_copy_source = False
html_show_sphinx = False
html_last_updated_fmt = None
pygments_style = 'default'
pygments_dark_style = 'monokai'
# Fences that no lexer reads cleanly (a transcript, a service unit) are shown as they are.
suppress_warnings = ['misc.highlighting_failure']
html_theme_options = {'navigation_with_keys': True}


PAGES = TREE / 'docs'


def without_marks(text):
    """Words after the language of a fence are for tests/docs/run alone: ```php file=app.php is shown as ```php."""
    return re.sub(r'^( *```[a-z-]+) +[^\n`]*$', r'\1', text, flags=re.M)


def without_links_out(text, folder):
    """A link to a file that is no page of the site says where the file is in the source."""
    def shown(match):
        words, target = match.groups()
        path = (folder / target.partition('#')[0]).resolve()
        is_page = path == PAGES / 'index.md' or any(path.is_relative_to(PAGES / room) for room in ('site', 'user'))
        return match.group(0) if is_page or not path.is_file() else f'{words} (`{path.relative_to(TREE)}` in the source)'
    return re.sub(r'(?<!!)\[([^\]\n]+)\]\(((?!https?:|#)[^)\s]+)\)', shown, text)


def prepare(app, docname, source):
    source[0] = without_links_out(without_marks(source[0]), (PAGES / docname).parent)


def complete_theme(app, failure):
    """Debian's Furo imports normalize.css from the root of a web server, its compiler of styles drops the rules for a dark system (a media query in another
    one), and its script is a module that pages load as a plain one. All three are mended, so that the site works from disk, in the dark, and with its button for it."""
    scripts = pathlib.Path(app.outdir) / '_static/scripts'
    script = (scripts / 'furo.js').read_text() if failure is None else ''
    module = re.match(r'import Gumshoe from "./(.+)";', script)
    if module:
        (scripts / 'furo.js').write_text((scripts / module.group(1)).read_text() + script[module.end():])
    styles = pathlib.Path(app.outdir) / '_static/styles/furo.css'
    text = styles.read_text() if failure is None else ''
    imported = re.match(r'@import url\(/javascript/([^)]+)\);', text)
    if imported:
        text = (pathlib.Path('/usr/share/javascript') / imported.group(1)).read_text() + text[imported.end():]
    if text and 'prefers-color-scheme' not in text:
        dark = re.search(r'body\[data-theme="dark"\] (\{[^}]+\})', text).group(1)
        text += f'\n@media not print {{ @media (prefers-color-scheme: dark) {{ body:not([data-theme="light"]) {dark} }} }}\n'
    if text:
        styles.write_text(text)


def setup(app):
    app.connect('source-read', prepare)
    app.connect('build-finished', complete_theme)
    return {'parallel_read_safe': True}
