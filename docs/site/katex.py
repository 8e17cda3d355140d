"""Sphinx renders equations by KaTeX while it builds: pages need no script. One node process serves all equations."""
import json
import os
import subprocess

from docutils import nodes
from sphinx.errors import ExtensionError

HERE = os.path.dirname(os.path.abspath(__file__))
_renderer = None


def render(tex, display, where):
    """HTML of an equation; a mistake in it ends the build with its place."""
    global _renderer
    if _renderer is None:
        _renderer = subprocess.Popen(['node', os.path.join(HERE, 'katex.mjs')], stdin=subprocess.PIPE,
                                     stdout=subprocess.PIPE, text=True, encoding='utf-8')
    _renderer.stdin.write(json.dumps({'tex': tex, 'display': display}) + '\n')
    _renderer.stdin.flush()
    answer = _renderer.stdout.readline()
    if not answer:
        raise ExtensionError('node ended; is katex installed (scripts/docs.sh does it)?')
    answer = json.loads(answer)
    if 'error' in answer:
        raise ExtensionError(f'{where}: {answer["error"]}')
    return answer['html']


def place(translator, node):
    return f'{node.source or translator.builder.current_docname}:{node.line or node.parent.line or "?"}'


def visit_inline(translator, node):
    translator.body.append(render(node.astext(), False, place(translator, node)))
    raise nodes.SkipNode


def visit_display(translator, node):
    translator.body.append('<div class="equation">' + render(node.astext(), True, place(translator, node)) + '</div>\n')
    raise nodes.SkipNode


def setup(app):
    app.add_html_math_renderer('katex', (visit_inline, None), (visit_display, None))
    app.config.html_math_renderer = 'katex'
    return {'parallel_read_safe': True}
