// Tests the explorer in a real browser: node e2e.mjs FOLDER_OF_THE_PAGE CHROMIUM. Prints a line for each test; exit code 1
// if one fails. ONLY=WORDS runs those whose names contain the words. Widgets are clicked where the program reports them.
import assert from 'node:assert/strict';
import {mkdirSync, writeFileSync} from 'node:fs';
import {launch, patience, serve, Tests} from './browser.mjs';

const [folder, executable] = process.argv.slice(2);
const {address, close} = await serve(folder);
const browser = await launch(executable);

const pictures = 'pictures';  // for people to look at
mkdirSync(pictures, {recursive: true});

const tests = new Tests(browser, address);
const test = (...words) => tests.run(...words);

await test('a link opens at the start, and stays in the address', async (explorer) => {
  const state = await explorer.state();
  assert.equal(state.link, 'batch=1&causal=1&heads=1&seqlen=512&cta=0,0,3,0&time=2000');
  assert.equal(new URL(explorer.page.url()).hash, '#' + state.link);
  assert.match(await explorer.page.title(), /^FlashScope: flash2, N 512, /);
  assert.match(await explorer.sentence(), /\S/);
}, {hash: '#seqlen=512&causal=1&cta=0,0,3,0&time=2000'});

await test('the help shows the licences of all that the page contains', async (explorer) => {
  await explorer.key('?');
  const opened = explorer.page.waitForEvent('popup');
  await explorer.click('help/licences');
  const text = await (await opened).textContent('body');
  for (const name of ['FlashScope', 'emscripten', 'fonts-inter', 'imgui', 'libeigen3-dev'])
    assert.ok(text.includes(`\n${name}\n${'='.repeat(name.length)}\n`), name);
  assert.ok(!text.includes('terms were not found'), 'all terms are complete');
});

await test('a page without a scenario opens on a full card, which the address shows', async (explorer) => {
  const {link} = await explorer.state();
  assert.match(link, /^batch=4&heads=32&cta=[\d,]+&theme=light&time=[\d.]+$/);
  assert.equal(new URL(explorer.page.url()).hash, '#' + link);
  assert.equal((await explorer.state()).can_undo, false);
}, {hash: '#theme=light'});

await test('invalid keys of a link are dropped from the address', async (explorer) => {
  const state = await explorer.state();
  assert.equal(state.link, 'batch=1&heads=1&seqlen=256');
  assert.equal(state.complaints.length, 2);
}, {hash: '#seqlen=256&colour=red&batch=-1'});

await test('a step moves the playhead, the address and the sentence for screen readers', async (explorer) => {
  const sentence = await explorer.sentence(), entries = await explorer.page.evaluate(() => history.length);
  await explorer.click('step');
  await explorer.click('step');
  const state = await explorer.state();
  assert.ok(state.cycles > 0);
  assert.equal(new URL(explorer.page.url()).hash, '#' + state.link);
  assert.notEqual(await explorer.sentence(), sentence);
  assert.equal(await explorer.page.evaluate(() => history.length), entries, 'a step is not a step of the history');
});

await test('playing draws until it is paused, then drawing stops', async (explorer) => {
  await explorer.page.mouse.click(...await explorer.middle('play'), {delay: 20});
  await explorer.page.waitForFunction(() => JSON.parse(window.viz.state()).cycles > 0, null, {timeout: patience});
  await explorer.click('play');
  const paused = await explorer.state();
  assert.equal(paused.playing, false);
  await explorer.page.evaluate(() => new Promise((done) => setTimeout(done, 300)));
  assert.equal((await explorer.state()).drawn, paused.drawn);
}, {hash: '#seqlen=512&loop=1'});  // endless, so that a slow browser does not finish it

await test('changing the algorithm adds a history entry, and the back button undoes it', async (explorer) => {
  if (await explorer.rect('algorithm')) await explorer.click('algorithm');  // a list if the segments do not fit
  const first = (await explorer.state()).widgets.find((name) => name.startsWith('algorithm/'));
  await explorer.click(first);
  const chosen = await explorer.option('algorithm');
  assert.ok(chosen, 'the first algorithm is not the default');
  assert.match(explorer.page.url(), new RegExp(`algorithm=${chosen}`));
  await explorer.page.goBack();
  await explorer.settle();
  assert.equal(await explorer.option('algorithm'), null);
  await explorer.page.goForward();
  await explorer.settle();
  assert.equal(await explorer.option('algorithm'), chosen);
});

await test('N can be chosen from its list or in the palette', async (explorer) => {
  await explorer.click('seqlen');
  await explorer.click('seqlen/4096');
  assert.equal(await explorer.option('seqlen'), '4096');
  await explorer.key('/');
  await explorer.page.keyboard.type('seqlen 1024');
  await explorer.key('Enter');
  assert.equal(await explorer.option('seqlen'), '1024');
});

await test('a second run opens next to the first, and closes', async (explorer) => {
  await explorer.key('c');
  assert.equal(await explorer.option('compare'), 'standard');
  await explorer.click('compare/end');
  assert.equal(await explorer.option('compare'), null);
}, {hash: '#seqlen=512'});

await test('a new address in the open page is loaded', async (explorer) => {
  await explorer.page.evaluate(() => { location.hash = '#seqlen=2048&theme=light'; });
  await explorer.settle();
  assert.equal((await explorer.state()).link, 'batch=1&heads=1&seqlen=2048&theme=light');
  assert.equal((await explorer.state()).dark, false);
  await explorer.page.goBack();
  await explorer.settle();
  assert.equal(await explorer.option('seqlen'), '256');
}, {hash: '#seqlen=256'});

await test('the theme and the language change with a click', async (explorer) => {
  const sentence = await explorer.sentence();
  await explorer.click('theme');
  assert.equal(await explorer.option('theme'), 'light');
  assert.equal(await explorer.page.evaluate(() => document.documentElement.className), 'light');
  await explorer.click('language');
  await explorer.arrived();
  assert.equal(await explorer.option('lang'), 'zh');
  assert.equal(await explorer.page.evaluate(() => document.documentElement.lang), 'zh');
  assert.notEqual(await explorer.sentence(), sentence);
});

await test('keys play and step, and Tab moves the focus of the browser', async (explorer) => {
  await explorer.key('ArrowRight');
  assert.ok((await explorer.state()).cycles > 0);
  assert.equal(await explorer.page.evaluate(() => document.activeElement.id), 'canvas');
});

await test('the link is copied to the clipboard as an address', async (explorer) => {
  await explorer.click('share');
  await explorer.click('share/link');
  const copied = await explorer.page.evaluate(() => navigator.clipboard.readText());
  assert.equal(copied, address + '#batch=1&heads=1&seqlen=512');
  assert.match((await explorer.state()).notice, /clipboard/);
}, {hash: '#seqlen=512'});

// A saved picture has two pixels per CSS pixel, is one that a browser reads, and holds the link that opens it.
async function checkPicture(explorer, bytes) {
  const {link} = await explorer.state();
  assert.ok(bytes.includes(Buffer.from(`tEXtLink\0#${link}`)), 'the link is in the file');
  const read = await explorer.page.evaluate(async (base64) => {
    const picture = new Image();
    picture.src = `data:image/png;base64,${base64}`;
    await picture.decode();
    return [picture.width / innerWidth, picture.height / innerHeight];
  }, bytes.toString('base64'));
  assert.deepEqual(read, [2, 2]);
  writeFileSync(`${pictures}/saved.png`, bytes);
}

await test('numbers and the picture are downloaded', async (explorer) => {
  for (const [kind, name, begin] of [['csv', 'flashscope-flash2-n512.csv', 'quantity,value'],
                                      ['png', 'flashscope-flash2-n512.png', '\x89PNG']]) {
    await explorer.click('share');
    const download = explorer.page.waitForEvent('download');
    await explorer.click('share/' + kind);
    const file = await download;
    assert.equal(file.suggestedFilename(), name);
    const pieces = [];
    for await (const piece of await file.createReadStream()) pieces.push(piece);
    const bytes = Buffer.concat(pieces);
    assert.ok(bytes.toString('latin1').startsWith(begin), name);
    if (kind === 'png') await checkPicture(explorer, bytes);
  }
}, {hash: '#seqlen=512'});

await test('the canvas has the size of the window in device pixels', async (explorer) => {
  const size = () => explorer.page.evaluate(() => [canvas.width, canvas.height]);
  assert.deepEqual(await size(), [1920, 1200]);
  await explorer.page.setViewportSize({width: 700, height: 900});
  await explorer.settle();
  assert.deepEqual(await size(), [1400, 1800]);
  const [x, y, width, height] = await explorer.rect('play');
  assert.ok(x >= 0 && y >= 0 && x + width <= 700 && y + height <= 900, 'play is inside of the window');
}, {context: {deviceScaleFactor: 2}});

await test('without a link the page uses the colours and the language of the browser', async (explorer) => {
  assert.match((await explorer.state()).link, /^batch=4&heads=32&cta=[\d,]+&lang=zh&theme=light&time=[\d.]+$/);
}, {context: {colorScheme: 'light', locale: 'zh-CN'}});

await test('without a link the first view plays, and Escape leads to the explorer', async (explorer) => {
  const time = async () => Number(await explorer.option('run-time'));
  assert.equal(await explorer.option('first'), '1');
  assert.ok((await explorer.state()).playing);
  const before = await time();
  await explorer.page.waitForFunction((past) => Number(new URLSearchParams(window.viz.link()).get('run-time')) > past, before);
  await explorer.page.keyboard.press('Escape', {delay: 20});
  await explorer.settle();
  assert.equal(await explorer.option('first'), null);
  assert.match((await explorer.state()).link, /^batch=4&heads=32&cta=/);
}, {context: {firstView: true}});

await test('Escape in the first view leads to where the last visit ended', async (explorer) => {
  await explorer.key('6');
  const {link} = await explorer.state();
  await explorer.page.goto('about:blank');
  await explorer.page.goto(address);
  await explorer.page.waitForFunction(() => window.viz);
  assert.equal(await explorer.option('first'), '1');
  await explorer.page.keyboard.press('Escape', {delay: 20});
  await explorer.settle();
  assert.equal((await explorer.state()).link, link);
}, {hash: '#seqlen=512'});

await test('the first view stands still where the user wants less motion, and describes itself', async (explorer) => {
  assert.ok(!(await explorer.state()).playing);
  assert.match(await explorer.sentence(), /is done; .* Learn: .* Ask: .* Build: /);
}, {context: {firstView: true, reducedMotion: 'reduce'}});

await test('a tap on a phone steps, and nothing stays hovered', async (explorer) => {
  await explorer.tap('step');
  assert.ok((await explorer.state()).cycles > 0);
}, {context: {viewport: {width: 390, height: 844}, deviceScaleFactor: 2, hasTouch: true, isMobile: true}});

await test('two fingers zoom the matrix, and press nothing', async (explorer) => {
  const {cycles} = await explorer.state();
  await explorer.pinch('matrix', 60, 180);
  const zoom = Number(await explorer.option('matrix-zoom'));
  assert.ok(Math.abs(zoom - 3) < 0.1, `the zoom is ${zoom}`);
  assert.equal((await explorer.state()).cycles, cycles);
  await explorer.tap('matrix/fit');
  assert.equal(await explorer.option('matrix-zoom'), null);
}, {context: {viewport: {width: 390, height: 844}, deviceScaleFactor: 2, hasTouch: true, isMobile: true}});

await test('taps open the controls that do not fit on a phone, compare and search', async (explorer) => {
  await explorer.tap('playback');
  await explorer.tap('loop');
  assert.equal(await explorer.option('loop'), '1');
  await explorer.tap('playback');
  await explorer.tap('compare');
  assert.equal(await explorer.option('compare'), 'standard');
  await explorer.tap('tab');
  await explorer.tap('tab/memory');
  await explorer.tap('compare');
  await explorer.tap('palette');
  assert.equal(await explorer.option('overlay'), 'palette');
}, {context: {viewport: {width: 390, height: 844}, deviceScaleFactor: 2, hasTouch: true, isMobile: true}});

await test('the on-screen keyboard opens and closes with a text field', async (explorer) => {
  const active = () => explorer.page.evaluate(() => document.activeElement.id);
  assert.equal(await active(), 'canvas');
  await explorer.tap('palette');
  assert.equal(await active(), 'typing');
  await explorer.page.keyboard.type('seqlen 10248');
  await explorer.key('Backspace');
  await explorer.key('Enter');
  assert.equal(await explorer.option('seqlen'), '1024');
  assert.equal(await active(), 'canvas');
}, {context: {viewport: {width: 390, height: 844}, deviceScaleFactor: 2, hasTouch: true, isMobile: true}});

await test('a window below the smallest size still draws', async (explorer) => {
  assert.ok((await explorer.state()).drawn > 0);
}, {context: {viewport: {width: 200, height: 150}}});

await test('the canvas is not empty', async (explorer) => {
  const ms = await explorer.page.evaluate(() => performance.getEntriesByName('first picture')[0].startTime);
  console.log(`first picture after ${Math.round(ms)} ms`);
  const png = await explorer.page.screenshot();
  assert.ok(png.length > 10000, `a screenshot of ${png.length} bytes is nearly empty`);
});

await test('the page runs and requests only its own files', async (explorer) => {
  assert.deepEqual(await explorer.refused(),
    {directives: ['connect-src', 'img-src', 'script-src'], intruder: undefined});
});

await browser.close();

close();
process.exit(tests.failed > 0 ? 1 : 0);
