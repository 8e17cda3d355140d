// Turns the built page into a C++ source file: node embed.mjs PAGE.html OUT.cpp
import {readFileSync, writeFileSync} from 'node:fs';

const [page, out] = process.argv.slice(2);
// Bytes outside printable ASCII as octal escapes, which end after three digits whatever follows; `??` would begin a
// trigraph.
const escaped = (line) => [...line]
                              .map((byte) => {
                                const c = String.fromCharCode(byte);
                                return c === '"' || c === '\\' || c === '?' ? `\\${c}` :
                                    byte >= 32 && byte < 127 ? c :
                                                               `\\${byte.toString(8).padStart(3, '0')}`;
                              })
                              .join('');

const bytes = readFileSync(page);
const kLine = 4096;
const lines = [];
for (let i = 0; i < bytes.length; i += kLine) lines.push(`    "${escaped(bytes.subarray(i, i + kLine))}"`);
writeFileSync(out, `// Made from web/ by web/embed.mjs.
#include "report/page.h"

namespace verne {

namespace {
constexpr char kBytes[] =
${lines.join('\n')};
}  // namespace

const std::string_view kPageTemplate(kBytes, sizeof(kBytes) - 1);

}  // namespace verne
`);
