#!/usr/bin/env python3
"""Writes the pages of the API reference: reference.py ROOT FOLDER

C++: a page for each header under include/verne, for Breathe to fill. Python: names and types from the stubs of the
package, what they do from the docstrings of the built module, which must be importable.
"""
import ast
import importlib
import inspect
import pathlib
import sys

LAYERS = ['model', 'io', 'dynamics', 'structures', 'motion', 'simulate', 'trajectory', 'nlp', 'codegen', 'report', 'spatial',
          'base']


def underlined(text, line='='):
    return f'{text}\n{line * len(text)}\n\n'


def write_cpp(include, folder):
    layers = sorted((path.name for path in include.iterdir() if path.is_dir()),
                    key=lambda name: (LAYERS + [name]).index(name))
    pages = []
    for layer in layers:
        headers = sorted((include / layer).glob('*.h'))
        text = underlined(layer) + '.. toctree::\n\n'
        for header in headers:
            name = f'verne/{layer}/{header.name}'
            page = folder / 'cpp' / layer / header.stem
            page.parent.mkdir(parents=True, exist_ok=True)
            page.with_suffix('.rst').write_text(
                underlined(f'``{name}``') + f'.. code-block:: cpp\n\n   #include <{name}>\n\n.. doxygenfile:: {name}\n',
                encoding='utf-8')
            text += f'   {header.name} <{layer}/{header.stem}>\n'
        (folder / 'cpp' / f'{layer}.rst').write_text(text, encoding='utf-8')
        pages.append(layer)
    (folder / 'cpp.rst').write_text(
        underlined('C++') + 'Header by header, in the layers of :doc:`/docs/architecture`; what sizes, units, axes and signs '
        'mean is in :doc:`/docs/conventions`. The program that uses a function first is among the examples of the sources '
        '(``examples/``).\n\n.. toctree::\n   :maxdepth: 2\n\n' +
        ''.join(f'   cpp/{page}\n' for page in pages), encoding='utf-8')


def docstring(owner, name):
    """The words of a docstring, without the signature that pybind11 puts first."""
    lines = (inspect.getdoc(getattr(owner, name, None)) or '').split('\n')
    return '\n'.join(lines[2:] if lines[0].startswith(f'{name}(') else lines).strip()


def indented(text, depth):
    return ''.join(f'{"   " * depth}{line}\n' if line.strip() else '\n' for line in text.split('\n'))


def entry(kind, head, text, depth, options=()):
    lines = f'.. py:{kind}:: {head}\n' + ''.join(f'   {option}\n' for option in options) + '\n' + indented(text, 1) + '\n'
    return indented(lines.rstrip() + '\n', depth)


def signature(function, method):
    arguments = ast.unparse(function.args)
    if method:
        arguments = arguments.removeprefix('self').removeprefix(', ')
    result = ast.unparse(function.returns) if function.returns else 'None'
    return f'{function.name}({arguments}) -> {result}'


def is_overload(item):
    return any(isinstance(decorator, ast.Name) and decorator.id == 'overload' for decorator in item.decorator_list)


def members(node, owner):
    overloads = {}  # all signatures of a name, under one heading
    for item in node.body:
        if isinstance(item, ast.FunctionDef) and is_overload(item):
            overloads.setdefault(item.name, []).append(signature(item, True))
    for item in node.body:
        if isinstance(item, ast.FunctionDef) and is_overload(item):
            if item.name in overloads:
                head = '\n              '.join(overloads.pop(item.name))  # below the first one
                yield entry('method', head, docstring(owner, item.name), 1)
        elif isinstance(item, ast.FunctionDef) and item.decorator_list:
            yield entry('property', item.name, docstring(owner, item.name), 1, [f':type: {ast.unparse(item.returns)}'])
        elif isinstance(item, ast.FunctionDef):
            yield entry('method', signature(item, True), docstring(owner, item.name), 1)
        elif isinstance(item, ast.AnnAssign):
            yield entry('attribute', item.target.id, '', 1, [f':type: {ast.unparse(item.annotation)}'])


def write_python(stubs, folder):
    package = importlib.import_module('verne')
    text = underlined('Python') + f'.. py:module:: verne\n\n{package.__doc__.strip()} :doc:`/docs/python` shows them at work.\n\n'
    tree = ast.parse(stubs.read_text(encoding='utf-8'))
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    text += underlined('Functions', '-')
    for node in functions:
        text += entry('function', signature(node, False), docstring(package, node.name), 0)
    text += underlined('Classes', '-')
    for node in classes:
        owner = getattr(package, node.name, None)
        kind = 'exception' if owner and issubclass(owner, Exception) else 'class'
        text += entry(kind, node.name, owner.__doc__ or '' if owner else '', 0) + '\n' + '\n'.join(members(node, owner))
    (folder / 'python.rst').write_text(text, encoding='utf-8')


def main():
    root, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    write_cpp(root / 'include' / 'verne', folder)
    write_python(root / 'python' / 'verne' / '__init__.pyi', folder)


if __name__ == '__main__':
    main()
