// Opens the pages from disk, as their readers do: node docs/site/check.mjs build/docs
// Needs Chromium, and playwright-core of web/.
import {existsSync} from 'node:fs';
import {createRequire} from 'node:module';
import {resolve} from 'node:path';
import {pathToFileURL} from 'node:url';

const {chromium} = createRequire(resolve('web/package.json'))('playwright-core');
const root = pathToFileURL(resolve(process.argv[2])).href;
const browser = await chromium.launch(
    {executablePath: ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync), args: ['--no-sandbox']});
const page = await browser.newPage();
const problems = [];
page.on('pageerror', (error) => problems.push(`${page.url()}: ${error.message}`));
page.on('requestfailed', (request) => problems.push(`${page.url()}: no ${request.url()}`));
const expect = (what, holds) => holds || problems.push(`${page.url()}: ${what}`);

await page.goto(`${root}/index.html`);
await page.waitForURL(`${root}/docs/README.html`);
await page.goto(`${root}/docs/theory/dynamics.html`);
expect('equations are missing', await page.locator('.katex-display').count() > 20);
expect('an equation was not rendered', !(await page.locator('article').innerText()).includes('$$'));
await page.goto(`${root}/api/cpp/dynamics/dynamics.html`);
expect('the reference lacks inverse_dynamics', await page.getByText('inverse_dynamics').count() > 2);
await page.goto(`${root}/search.html?q=payload`);
await page.waitForFunction('document.querySelectorAll("#search-results li").length > 3', null, {timeout: 20000})
    .catch(() => expect('the search finds nothing', false));
await browser.close();
console.log(problems.join('\n') || 'the pages open from disk, with equations, search and the reference');
process.exit(problems.length ? 1 : 0);
