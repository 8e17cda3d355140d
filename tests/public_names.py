#!/usr/bin/env python3
"""Lists public names of the headers under include/ that have no `///` comment: types, aliases, functions and data.

  public_names.py ROOT         fails when there is one
  public_names.py --self-test  proves on a made-up header that every kind is found

A comment stands above a declaration, or behind it as `///<`; `///@{` and `///@}` share one among several. Enumerators,
copies, moves, destructors and constructors without arguments need none. It reads C++ as clang-format leaves it here: no
macro makes a declaration, and no line holds two.
"""
import pathlib
import re
import sys

TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])\'|^[ \t]*#(?:\\\n|[^\n])*|\n|[A-Za-z_]\w*|.',
                   re.S | re.M)


def without_arguments(text):
    """`text` without what stands in angle brackets, and without what may look like such brackets."""
    text = re.sub(r'operator\s*(?:\(\)|\[\]|[^\s\w(]+)', 'operator_', text).replace('->', ' ')
    while True:
        shorter = re.sub(r'<[^<>]*>', '', text)
        if shorter == text:
            return text
        text = shorter


def kind_of(text, scope):
    """What a declaration declares: 'type', 'alias', 'function', 'data', or None where it needs no comment."""
    text = re.sub(r'\b(VERNE_API|VERNE_INLINE|inline|constexpr|static|virtual|explicit|mutable)\b', ' ', text).strip()
    if not text or re.match(r'(friend\s+)?(VERNE_API\s+)?(class|struct)\s+\w+$', text):
        return None
    if re.match(r'(extern\s+template|static_assert|using\s+namespace|using\s+[\w:]+$)', text):
        return None
    plain = without_arguments(text)
    plain = re.sub(r'^\s*template\s*(requires\s*\([^()]*(\([^()]*\)[^()]*)*\)\s*)?', '', plain).strip()
    if re.match(r'(class|struct|enum)\b', plain):
        return 'type'
    if re.match(r'using\s+\w+\s*=', plain):
        return 'alias'
    head = re.split(r'[={]', plain, maxsplit=1)[0]
    if '(' not in head:
        return 'data'
    compact = re.sub(r'\s', '', plain if 'operator' not in text else text)
    own = scope or ' '
    if compact.startswith(('~', f'{own}()', f'{own}({own}&&', f'{own}(const{own}&)')):
        return None
    if f'operator=({own}&&' in compact or f'operator=(const{own}&' in compact:
        return None
    return 'function'


def undocumented(text):
    """Line, kind and declaration of each public name without a comment."""
    found = []
    scopes = [('namespace', '', True)]  # kind, name, whether its members are public now
    declaration, begin, comment, shared = '', 0, False, False
    line, parens, fresh = 1, 0, 0  # fresh: line breaks since the last comment

    def finish(at, rest):
        nonlocal declaration, comment
        kind = kind_of(declaration, scopes[-1][1])
        public = all(scope[2] for scope in scopes)
        if kind and public and not (comment or shared or '///<' in rest):
            found.append((begin, kind, ' '.join(declaration.split())[:90]))
        declaration, comment = '', False

    lines = text.split('\n')
    skip = 0  # depth of braces whose contents do not count
    for match in TOKEN.finditer(text):
        token = match.group()
        here = line
        line += token.count('\n')
        if token == '\n':
            fresh += 1
            if fresh > 1 and not declaration.strip():
                comment = False
            continue
        if token.isspace():
            declaration += ' ' if declaration else ''
            continue
        if token.startswith('//') or token.startswith('/*') or token.lstrip().startswith('#'):
            if token.startswith('///@{'):
                shared = comment
            elif token.startswith('///@}'):
                shared = False
            elif token.startswith('///<'):
                comment = comment or bool(declaration.strip())
            elif token.startswith('///') and not declaration.strip():
                comment = True
            fresh = 0
            continue
        fresh = 0
        if skip:
            skip += (token == '{') - (token == '}')
            if skip == 0:
                if parens == 0 and kind_of(declaration, scopes[-1][1]) == 'function':
                    finish(here, lines[here - 1])
            continue
        if not declaration.strip():
            begin = here
        if token in '()':
            parens += (token == '(') - (token == ')')
        if token == '{':
            head = declaration.strip()
            if parens == 0 and re.match(r'(inline\s+)?namespace\b', head):
                scopes.append(('namespace', '', 'detail' not in head))
                declaration, comment = '', False
            elif parens == 0 and re.match(r'(class|struct)\b', re.sub(r'template\s*<.*>\s*(?=class|struct)', '', head)):
                name = re.search(r'(?:class|struct)\s+(?:VERNE_API\s+)?(\w+)', re.sub(r'template\s*<.*>\s*(?=class|struct)', '', head))[1]
                is_class = re.search(r'\bclass\s+(?:VERNE_API\s+)?' + name, head) is not None
                declaration += '{'  # tells a definition from a forward declaration
                finish(here, '')
                scopes.append(('class', name, not is_class))
            else:
                skip = 1
        elif token == '}':
            scopes.pop()
            declaration, comment = '', False
        elif token == ';' and parens == 0:
            finish(here, lines[here - 1])
        elif token == ':' and declaration.strip() in ('public', 'private', 'protected'):
            scopes[-1] = (*scopes[-1][:2], declaration.strip() == 'public')
            declaration, comment = '', False
        else:
            declaration += token
    return found


EXAMPLE = '''
namespace verne {
struct Forward;
struct Bare {
  int number = 0;
  double shown = 1;  ///< has one
};

/// A comment that a blank line parts from what follows.

using Alias = int;
enum class Mode { on, off };
template <class T>
T twice(const T& x) { return x + x; }
/// Has one.
class VERNE_API Good {
 public:
  Good();
  Good(Good&&) noexcept;
  Good& operator=(const Good&) = delete;
  ~Good();
  explicit Good(int size) : size_{size} {}
  bool operator==(const Good&) const = default;
  std::function<void(double t)> at{};
  /// Shared.
  ///@{
  int size() const { return size_; }
  int rows() const;
  ///@}
  int columns() const;
 private:
  int size_ = 0;
};
namespace detail {
void hidden();
}
}
'''


def main():
    if sys.argv[1:] == ['--self-test']:
        found = [(kind, text) for _, kind, text in undocumented(EXAMPLE)]
        kinds = [kind for kind, _ in found]
        assert kinds == ['type', 'data', 'alias', 'type', 'function', 'function', 'function', 'data', 'function'], found
        assert not undocumented('/// Adds.\nint add(int a, int b);\n'), 'a comment was not seen'
        print('every kind of name without a comment is found')
        return 0
    root = pathlib.Path(sys.argv[1])
    count = files = 0
    for header in sorted((root / 'include').rglob('*.h')):
        files += 1
        for line, kind, text in undocumented(header.read_text(encoding='utf-8')):
            print(f'{header.relative_to(root)}:{line}: this {kind} has no comment: {text}')
            count += 1
    assert files > 50, f'found only {files} headers'
    print(f'{count} public names of {files} headers have no comment')
    return 1 if count else 0


if __name__ == '__main__':
    sys.exit(main())
