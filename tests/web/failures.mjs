// Tests the errors of a page that cannot start: node failures.mjs FOLDER_OF_THE_PAGE CHROMIUM. Options as for e2e.mjs.
import assert from 'node:assert/strict';
import {pathToFileURL} from 'node:url';
import {launch, patience, serve} from './browser.mjs';

const [folder, executable] = process.argv.slice(2);
const {address, close} = await serve(folder);
const browser = await launch(executable);
const file = `${pathToFileURL(folder)}/index.html`;
let failed = 0;

// Opens the page in a language after `prepare`, and returns the message that replaces "loading".
async function said(where, prepare, locale) {
  const context = await browser.newContext({serviceWorkers: 'block', locale}), page = await context.newPage();
  context.setDefaultTimeout(patience);
  await prepare(page);
  await page.goto(where);
  await page.waitForFunction(() => !/^(Loading|正在加载)/.test(document.getElementById('message').textContent));
  const text = await page.locator('#message').textContent();
  await context.close();
  return text;
}

// Text common to both languages: names, files, and the browser's error messages.
const quoted = /(file|https?):\S+|flashscope\.\w+|\.\/flashscope serve|WebAssembly|Chrome|Firefox|Safari|（[^）]*）|\w*Error[^。]*\. /g;

async function test(sentence, where, prepare, expected) {
  if (!sentence.includes(process.env.ONLY ?? '')) return;
  try {
    assert.match(await said(where, prepare, 'en-GB'), expected);
    const chinese = await said(where, prepare, 'zh-CN');
    assert.match(chinese, /^探索器无法启动：/);
    assert.doesNotMatch(chinese.replace(quoted, ''), /[A-Za-z]{2}/);
    console.log(`ok: ${sentence}`);
  } catch (error) {
    ++failed;
    console.log(`FAILED: ${sentence}\n${error.stack}`);
  }
}

const instead = (path, answer) => (page) => page.route(`**/${path}`, (route) => route.fulfill(answer));
const versions = /Chrome 97, Firefox 100, Safari 16/;

await test('a page opened as a file names flashscope.html', file, () => {},
  /^The explorer cannot start: it is opened as a file.*flashscope\.html.*\.\/flashscope serve/);
await test('a browser without WebAssembly gets an error', address,
  (page) => page.addInitScript(() => { delete window.WebAssembly; }), /no WebAssembly, or it is switched off.*Chrome 97/);
await test('a browser without WebAssembly exceptions gets an error', address,
  (page) => page.addInitScript(() => { WebAssembly.validate = () => false; }), /no exceptions in WebAssembly.*Chrome 97/);
await test('a browser that cannot parse a script gets an error', address, instead('shell.js', {body: 'const a = ?;'}),
  /a script cannot be read here \(.*SyntaxError.*Chrome 97/);
await test('a missing script is named', address, instead('touch.js', {status: 404}), /touch\.js cannot be fetched/);
await test('a missing program is named', address, instead('flashscope.wasm', {status: 404}),
  /flashscope\.wasm cannot be fetched, the server answers 404\./);
await test('a program that cannot be fetched is named', address,
  (page) => page.route('**/flashscope.wasm', (route) => route.abort()),
  /flashscope\.wasm cannot be fetched, no server answers\./);
await test('a damaged program is reported', address, instead('flashscope.wasm', {body: '<html>no</html>'}),
  new RegExp(`CompileError.*flashscope\\.wasm is damaged.*${versions.source}`));

await browser.close();
close();
process.exit(failed > 0 ? 1 : 0);
