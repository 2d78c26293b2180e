// Tests the Chinese texts, which are a pack, in a real browser: node words.mjs FOLDER_OF_THE_PAGE CHROMIUM. Options as for
// lessons.mjs.
import assert from 'node:assert/strict';
import {mkdirSync} from 'node:fs';
import {launch, serve, Tests} from './browser.mjs';
import {arrive} from './robots.mjs';

const [folder, executable] = process.argv.slice(2);
const {address, close} = await serve(folder);
const browser = await launch(executable);
const pictures = 'pictures';  // for people to look at
mkdirSync(pictures, {recursive: true});
const chinese = /[\u4e00-\u9fff]/;
const pack = address + 'words/zh.pack';

const tests = new Tests(browser, address);
const test = (...words) => tests.run(...words);

// Returns the files fetched below a folder of the page, in order.
async function fetched(explorer, below) {
  const all = await explorer.page.evaluate(() => performance.getEntriesByType('resource').map((one) => one.name));
  return all.filter((name) => name.startsWith(address + below));
}

await test('the Chinese texts are not fetched for English', async (explorer) => {
  await explorer.arrived();
  assert.deepEqual(await fetched(explorer, 'words/'), []);
  assert.doesNotMatch(await explorer.sentence(), chinese);
}, {hash: '#seqlen=512'});

await test('a link in Chinese fetches the texts once, and shows them', async (explorer) => {
  await explorer.arrived();
  assert.deepEqual(await fetched(explorer, 'words/'), [pack]);
  assert.match(await explorer.sentence(), chinese);
  assert.equal(await explorer.option('lang'), 'zh');
  await explorer.page.screenshot({path: `${pictures}/words-zh.png`});
}, {hash: '#seqlen=512&lang=zh', context: {viewport: {width: 1280, height: 800}}});

await test('a browser set to Chinese fetches the texts, and starts the first view in Chinese', async (explorer) => {
  await explorer.arrived();
  assert.deepEqual(await fetched(explorer, 'words/'), [pack]);
  assert.match(await explorer.sentence(), chinese);
  await explorer.page.screenshot({path: `${pictures}/words-first-zh.png`});
}, {context: {locale: 'zh-CN', firstView: true, reducedMotion: 'reduce', viewport: {width: 1280, height: 800}}});

await test('the language button fetches the texts once, however often it is pressed', async (explorer) => {
  const english = await explorer.sentence();
  for (const said of [chinese, /^[^\u4e00-\u9fff]*$/, chinese]) {
    await explorer.click('language');
    await explorer.arrived();
    assert.match(await explorer.sentence(), said);
  }
  assert.deepEqual(await fetched(explorer, 'words/'), [pack]);
  await explorer.click('language');
  assert.equal(await explorer.sentence(), english);
}, {hash: '#seqlen=512'});

await test('the page is in English until the texts are loaded', async (explorer) => {
  let release;
  const held = new Promise((resolve) => { release = resolve; });
  await explorer.context.route('**/words/*.pack', async (route) => { await held; await route.continue(); });
  await explorer.click('language');
  assert.equal(await explorer.option('lang'), 'zh');
  assert.doesNotMatch(await explorer.sentence(), chinese);
  await explorer.key('ArrowRight');
  assert.ok((await explorer.state()).cycles > 0, 'the explorer continues');
  release();
  await explorer.arrived();
  assert.match(await explorer.sentence(), chinese);
  assert.deepEqual(await fetched(explorer, 'words/'), [pack]);
}, {hash: '#seqlen=512'});

await test('a lesson in Chinese waits for the texts, and is not fetched in English', async (explorer) => {
  const lesson = await arrive(explorer);
  assert.match(lesson.heading, chinese);
  assert.deepEqual(await fetched(explorer, 'words/'), [pack]);
  assert.deepEqual(await fetched(explorer, 'lessons/'), [address + 'lessons/04-online-softmax.zh.pack']);
  await explorer.page.screenshot({path: `${pictures}/words-lesson-zh.png`});
}, {hash: '#lesson=04&lesson-step=3&lang=zh', context: {viewport: {width: 1280, height: 800}}});

const lesson = async (route) => (await route.fetch({url: `${address}lessons/04-online-softmax.zh.pack`})).body();
const cut = async (route) => (await (await route.fetch()).body()).subarray(0, 5000);
const broken = [
  ['no server answers', (route) => route.abort(), /words\/zh\.pack cannot be fetched, no server/],
  ['the server has none', (route) => route.fulfill({status: 404}), /the server answers 404/],
  ['it is cut off', async (route) => route.fulfill({body: await cut(route)}), /is damaged/],
  ['it is another pack', async (route) => route.fulfill({body: await lesson(route)}), /is damaged/],
];
for (const [what, how, said] of broken) {
  await test(`if they are unavailable, because ${what}, the page reports it, and English stays`, async (explorer) => {
    await explorer.context.route('**/words/*.pack', how);
    await explorer.click('language');
    await explorer.arrived();
    assert.match((await explorer.state()).notice, said);
    assert.equal(await explorer.option('lang'), null);
    assert.doesNotMatch(await explorer.sentence(), chinese);
    await explorer.page.screenshot({path: `${pictures}/words-missed.png`});
    explorer.errors.length = 0;  // drops the errors of the network
    await explorer.context.unroute('**/words/*.pack');
    await explorer.click('language');
    await explorer.arrived();
    assert.match(await explorer.sentence(), chinese, 'the button tries again');
  }, {hash: '#seqlen=512', context: {viewport: {width: 1280, height: 800}}});
}

await browser.close();
close();
process.exit(tests.failed > 0 ? 1 : 0);
