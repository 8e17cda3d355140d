// Builds the page and turns it into a C++ source file: node build_page.mjs OUT.cpp
// The page is kept in dist/ under a hash of what it was made from, so that several builds of the program make it once.
// It gets its name when it is whole: builds may run at the same time.
import {execFileSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {existsSync, mkdtempSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

function hashOfSources() {
  const hash = createHash('sha256');
  const files = readdirSync('src', {recursive: true, withFileTypes: true})
                    .filter((entry) => entry.isFile())
                    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
                    .sort();
  const others = ['index.html', 'vite.config.js', 'tsconfig.json', 'package-lock.json', '../THIRD_PARTY_NOTICES'];
  for (const file of [...files, ...others]) hash.update(`${file}\n`).update(readFileSync(file));
  return hash.digest('hex');
}

const page = `dist/${hashOfSources()}.html`;
if (!existsSync(page)) {
  mkdirSync('dist', {recursive: true});
  const folder = mkdtempSync('dist/making_');
  execFileSync('npx', ['vite', 'build', '--logLevel', 'warn', '--outDir', folder], {stdio: 'inherit'});
  renameSync(join(folder, 'index.html'), page);
  rmSync(folder, {recursive: true});
}

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
writeFileSync(process.argv[2], `// Made from web/ by web/build_page.mjs.
#include "report/page.h"

namespace verne {

namespace {
constexpr char kBytes[] =
${lines.join('\n')};
}  // namespace

const std::string_view kPageTemplate(kBytes, sizeof(kBytes) - 1);

}  // namespace verne
`);
