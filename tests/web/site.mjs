// Tests the page as a site: it works without a network after the first visit, and updates atomically; and its manual:
// node site.mjs SITE CHROMIUM. Options as for e2e.mjs.
import assert from 'node:assert/strict';
import {appendFileSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {createHash} from 'node:crypto';
import {dirname, join, resolve} from 'node:path';
import {Explorer, launch, patience, serve} from './browser.mjs';
import {arrive, go, walk} from './robots.mjs';

const [built, executable] = process.argv.slice(2);
const site = resolve('site');  // a copy that the tests change
rmSync(site, {recursive: true, force: true});
cpSync(built, site, {recursive: true});
const browser = await launch(executable);
let failed = 0;

async function test(sentence, what) {
  if (!sentence.includes(process.env.ONLY ?? '')) return;
  try {
    await what();
    console.log(`ok: ${sentence}`);
  } catch (error) {
    ++failed;
    console.log(`FAILED: ${sentence}\n${error.stack}`);
  }
}

const ready = (explorer) => explorer.page.evaluate(async () => { await navigator.serviceWorker.ready; });
async function reopened(explorer, address) {
  await explorer.page.goto('about:blank');
  await explorer.page.goto(address);
}

// Visits the site, then calls `what` with the explorer, the address, and a function that stops the server.
async function visit(what) {
  const {address, close} = await serve(site);
  const explorer = await Explorer.open(browser, address, {serviceWorkers: 'allow'});
  try {
    await ready(explorer);
    await what(explorer, address, close);
  } finally {
    await explorer.close();
    close();
  }
}

await test('after the first visit the page, lessons and manual work without a network', () =>
  visit(async (explorer, address, close) => {
    close();
    await explorer.context.setOffline(true);
    await reopened(explorer, address + '#lesson=04&lesson-step=3&lang=zh');
    await explorer.page.waitForFunction(() => window.viz, null, {timeout: patience});
    assert.match((await arrive(explorer)).heading, /[\u4e00-\u9fff]/);
    await walk(explorer, '01-two-memories', 'empty', 'en');
    await explorer.page.goto(address + 'manual/docs/explorer.html#in-the-browser');
    assert.equal(await explorer.page.title(), 'The explorer');
    await explorer.page.click('text=The explorer');
    await explorer.page.waitForFunction(() => window.viz, null, {timeout: patience});
    assert.deepEqual(explorer.errors, []);
  }));

await test('lessons work without a network during the first visit', () =>
  visit(async (explorer, address, close) => {
    await explorer.page.waitForFunction(() => navigator.serviceWorker.controller);
    close();
    await explorer.context.setOffline(true);
    assert.equal((await go(explorer, '#lesson=06&lesson-step=2')).state, 'step');
  }));

// Writes another version of a file; with `honest`, also its hash in the list.
function change(file, honest) {
  const hash = () => 'sha256-' + createHash('sha256').update(readFileSync(`${site}/${file}`)).digest('base64');
  const worker = `${site}/sw.js`, before = hash();
  appendFileSync(`${site}/${file}`, '\n');
  const text = readFileSync(worker, 'utf8').replace(/^const version = '/, "const version = 'x");
  writeFileSync(worker, honest ? text.replace(before, hash()) : text);
}
const versions = (explorer) => explorer.page.evaluate(() => caches.keys());
async function updated(explorer) {
  return explorer.page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    const found = new Promise((done) => registration.addEventListener('updatefound', () => done(registration.installing)));
    await registration.update();
    const worker = await found;
    return new Promise((done) => {
      const look = () => { if (['activated', 'redundant'].includes(worker.state)) done(worker.state); };
      worker.addEventListener('statechange', look);
      look();
    });
  });
}

await test('an incomplete version on the server does not replace the stored one', () =>
  visit(async (explorer) => {
    const before = await versions(explorer);
    change('style.css', false);
    assert.equal(await updated(explorer), 'redundant');
    assert.ok((await versions(explorer)).includes(before[0]));
  }));

rmSync(site, {recursive: true});
cpSync(built, site, {recursive: true});
await test('a new version replaces the old one completely', () =>
  visit(async (explorer, address) => {
    const before = await versions(explorer);
    change('style.css', true);
    assert.equal(await updated(explorer), 'activated');
    const after = await versions(explorer);
    assert.equal(after.length, 1);
    assert.notDeepEqual(after, before);
    const style = await explorer.page.evaluate(async () => (await fetch('style.css')).text());
    assert.equal(style, readFileSync(`${site}/style.css`, 'utf8'));
  }));

// Returns all links of the manual: to a file, and to an anchor in it.
await test('every link of the manual leads to an existing file and heading', async () => {
  const pages = readdirSync(`${built}/manual`, {recursive: true}).filter((name) => name.endsWith('.html'));
  assert.ok(pages.includes('index.html') && pages.includes('docs/explorer.html'));
  const astray = [];
  for (const page of pages) {
    const text = readFileSync(join(built, 'manual', page), 'utf8');
    for (const [, link] of text.matchAll(/ (?:href|src)="([^":]*)"/g)) {
      const [path, place] = link.split('#');
      const file = path ? join(built, 'manual', dirname(page), path) : join(built, 'manual', page);
      const there = existsSync(file) && (!place || readFileSync(file, 'utf8').includes(` id="${decodeURI(place)}"`));
      if (!there) astray.push(`${page}: ${link}`);
    }
  }
  assert.deepEqual(astray, []);
});

await browser.close();
process.exit(failed > 0 ? 1 : 0);
