"""How Sphinx makes build/docs: scripts/docs.sh collects the sources and runs it."""
import logging
import os
import posixpath
import re
import sys

from docutils import nodes
from sphinx.domains.cpp import CPPDomain

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

root = os.environ['VERNE_ROOT']
with open(f'{root}/CMakeLists.txt', encoding='utf-8') as lists:
    release = re.search(r'project\(verne VERSION ([\d.]+)', lists.read())[1]

project = 'Verne'
author = 'The Verne developers'
copyright = '2026, the Verne developers'
extensions = ['myst_parser', 'breathe', 'katex']
root_doc = 'docs/README'

myst_enable_extensions = ['dollarmath']
myst_dmath_double_inline = True
myst_dmath_allow_labels = False
myst_heading_anchors = 4

breathe_projects = {'verne': os.environ['VERNE_DOXYGEN_XML']}
breathe_default_project = 'verne'
primary_domain = 'cpp'
highlight_language = 'none'
cpp_id_attributes = ['VERNE_API']

html_theme = 'furo'
html_title = f'Verne {release}'
html_static_path = [os.environ['VERNE_DOCS_STATIC']]
html_css_files = ['katex.min.css', 'style.css']
html_copy_source = False
html_show_sphinx = False
html_show_search_summary = False  # would be fetched, which browsers refuse from disk
pygments_style = 'friendly'
pygments_dark_style = 'monokai'

# The contents, as the side bar shows them. The last entry of a part takes what was not named before it.
CONTENTS = [
    ('Start', ['docs/your-robot', 'docs/quickstart', 'docs/how-do-i', 'docs/features', 'docs/install', 'docs/speed']),
    ('Use', ['docs/cli', 'docs/model-format', 'models/README', 'docs/tasks', 'tasks/README', 'docs/tuning', 'docs/gait', 'docs/work', 'docs/study',
             'docs/report', 'docs/cpp', 'docs/python', 'docs/codegen', 'docs/conventions']),
    ('Reference', ['api/cpp', 'api/python']),
    ('Theory and proof', ['docs/theory/dynamics', 'docs/theory/*', 'docs/reproduction', 'docs/validation', 'docs/errata',
                          'docs/one-algorithm']),
    ('Project', ['README', 'docs/architecture', 'CONTRIBUTING', 'CHANGELOG', 'SECURITY', 'docs/roadmap', 'docs/*']),
]


def add_contents(app, name, source):
    if name != root_doc:
        return
    listed = set()
    for title, pages in CONTENTS:
        found = []
        for page in pages:
            pattern = re.compile(page.replace('*', '[^/]*') + '$')
            found += sorted(doc for doc in app.env.found_docs if pattern.match(doc) and doc not in listed | {root_doc, *found})
        listed.update(found)
        source[0] += f'\n```{{toctree}}\n:hidden:\n:caption: {title}\n:titlesonly:\n\n' + '\n'.join('/' + page for page in found) + '\n```\n'


def resolve(app, env, node, contents):
    """Links that only a browser of the sources follows: to `<a id="...">` within a page, and to files that are not pages."""
    path, _, anchor = node['reftarget'].partition('#')
    page = posixpath.normpath(posixpath.join(posixpath.dirname(node['refdoc']), path)) if path else node['refdoc'] + '.md'
    docname = page.removesuffix('.md')
    if docname in env.found_docs:
        with open(env.doc2path(docname), encoding='utf-8') as text:
            if f'<a id="{anchor}">' not in text.read():
                return None
        uri = app.builder.get_relative_uri(node['refdoc'], docname) if path else ''
        return nodes.reference('', '', contents, refuri=f'{uri}#{anchor}', internal=True)
    return contents if os.path.exists(os.path.join(root, page)) else None


class NamespacesAreOpenedAgain(logging.Filter):
    """Breathe declares a namespace in every header that has a part of it."""

    def filter(self, record):
        text = record.getMessage()
        return not (text.startswith('Duplicate C++ declaration') and re.search(r"cpp:type:: (verne|nlp|codegen)'", text))


class Reference(CPPDomain):
    """C++ without parameters of functions and templates among what a search finds."""

    def get_objects(self):
        return (entry for entry in super().get_objects() if not entry[2].endswith('Param'))


def setup(app):
    app.add_domain(Reference, override=True)
    app.connect('source-read', add_contents)
    app.connect('missing-reference', resolve)
    logging.getLogger('sphinx.sphinx.domains.cpp').addFilter(NamespacesAreOpenedAgain())
