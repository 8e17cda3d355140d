#!/usr/bin/env python3
"""Every link in the Markdown files leads somewhere: to a file or folder of the project, and to a heading or `<a id>` of it.

  links.py ROOT         fails when one does not
  links.py --self-test  proves that links to what is missing are found
"""
import pathlib
import re
import sys
import tempfile

LINK = re.compile(r'\]\(([^()\s]+(?:\([^()\s]*\)[^()\s]*)*)(?:\s+"[^"]*")?\)')


def without_code(text):
    """`text` without fenced blocks and code in lines; lines stay where they are."""
    text = re.sub(r'^( *)(```+|~~~+).*?^ *\2[`~]* *$', lambda m: '\n' * m[0].count('\n'), text, flags=re.S | re.M)
    return re.sub(r'(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)', 'code', text)


def anchors(text):
    """What `#...` may name: headings, as GitHub writes them, and `<a id="...">`."""
    found = set(re.findall(r'<a id="([^"]+)">', text))
    text = re.sub(r'^( *)(```+|~~~+).*?^ *\2[`~]* *$', '', text, flags=re.S | re.M)
    for heading in re.findall(r'^#{1,6} +(.*?)[ #]*$', text, re.M):
        heading = re.sub(r'\[([^\]]*)\]\([^)]*\)', r'\1', heading)
        base = slug = re.sub(r'[^\w\- ]', '', heading.strip().lower()).replace(' ', '-')
        times = 0
        while slug in found:
            times += 1
            slug = f'{base}-{times}'
        found.add(slug)
    return found


def problems(root):
    """Each dead link with its file and line, and how many links there are."""
    pages = [page for page in sorted(root.rglob('*.md'))
             if not {'node_modules', 'build', 'out', '.git'} & set(page.relative_to(root).parts)]
    found, count = [], 0
    for page in pages:
        text = without_code(page.read_text(encoding='utf-8'))
        for match in LINK.finditer(text):
            target, _, anchor = match[1].partition('#')
            if re.match(r'[a-z]+:', target):
                continue
            count += 1
            at = f'{page.relative_to(root)}:{text.count(chr(10), 0, match.start()) + 1}'
            file = page.parent / target if target else page
            if not file.exists():
                found.append(f'{at}: there is no {match[1]}')
            elif anchor and file.suffix == '.md' and anchor not in anchors(file.read_text(encoding='utf-8')):
                found.append(f'{at}: {target or page.name} has no heading or <a id> "{anchor}"')
    return found, count


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / 'a.md').write_text('# One: `two` [three](b.md)\n\n# One: two three\n<a id="here"></a>\n'
                                   '[1](#one-two-three) [2](#one-two-three-1) [3](a.md#here) `[4](c.md)`\n'
                                   '```\n[5](c.md)\n```\n[6](https://example.org/none) ![7](b.md)\n', encoding='utf-8')
        (root / 'b.md').write_text('[1](c.md) text\n[2](a.md#none)\n[3](#none "title")\n', encoding='utf-8')
        found, count = problems(root)
        assert [line.split(': ')[0] for line in found] == ['b.md:1', 'b.md:2', 'b.md:3'], found
        assert count == 8, count
    print('dead links are found')


def main():
    if sys.argv[1:] == ['--self-test']:
        return self_test()
    found, count = problems(pathlib.Path(sys.argv[1]))
    print(*found, sep='\n', end='\n' if found else '')
    assert count > 100, f'found only {count} links'
    print(f'{count} links within the project, {len(found)} of them dead')
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main())
