// Tests the page as one file, opened from file:// without a network, with WebGL 2 and without: node one_file.mjs FILE
// CHROMIUM. Options as for e2e.mjs.
import assert from 'node:assert/strict';
import {copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {resolve} from 'node:path';
import {pathToFileURL} from 'node:url';
import {launch, patience, Tests} from './browser.mjs';
import {arrive, give, go, panel, press, walk} from './robots.mjs';

const [built, executable] = process.argv.slice(2);
const longest = 6e6;  // bytes
const folder = resolve('one file #1');  // named as a user may save it
rmSync(folder, {recursive: true, force: true});
mkdirSync(folder);
const file = `${folder}/flashscope.html`, pictures = 'pictures';
copyFileSync(built, file);
const address = pathToFileURL(file).href;
mkdirSync(pictures, {recursive: true});

// A user's own lesson: a built-in one under another name.
const own = `${folder}/mine`;
cpSync(`${process.env.LESSONS}/02-eight-trips`, `${own}/21-mine`, {recursive: true});
const toml = `${own}/21-mine/lesson.toml`;
writeFileSync(toml, readFileSync(toml, 'utf8').replace(/^id = .*$/m, 'id = "21-mine"'));

// A program recorded in Python, and the same with an unknown verb.
const recorded = resolve(`${process.env.LESSONS}/../tests/recorded/programs/my-flash2.fscope`);
const damaged = `${folder}/damaged.fscope`;
const recordedText = readFileSync(recorded, 'utf8');
writeFileSync(damaged, recordedText.replaceAll('gemm_nt', 'gemm_xx'));

const race = '#batch=1&heads=2&seqlen=512&algorithm=flash1&compare=algorithm:standard,algorithm:flash2&play=run';
const pixels = {};  // pixels of one link, by renderer

async function testAll(painter, flags) {
  const browser = await launch(executable, flags);
  const tests = new Tests(browser, address);
  const test = (sentence, what, {hash = '', context = {}} = {}) =>
    tests.run(`${painter}: ${sentence}`, what, {hash, context: {offline: true, ...context}});

  await test('it opens from a file and sends no requests', async (explorer) => {
    assert.equal((await explorer.state()).painter, painter);
    assert.match(await explorer.sentence(), /\S/);
    await explorer.click('step');
    await explorer.click('theme');
    const {link} = await explorer.state();
    assert.equal(new URL(explorer.page.url()).hash, '#' + link);
    assert.deepEqual(explorer.requests.filter((one) => !/^(data|blob):/.test(one)), [address]);
  }, {hash: '#seqlen=512'});

  await test('it carries the licences', async (explorer) => {
    await explorer.key('?');
    const opened = explorer.page.waitForEvent('popup');
    await explorer.click('help/licences');
    assert.match(await (await opened).textContent('body'), /\nfonts-inter\n===/);
  });

  await test('its picture is not empty', async (explorer) => {
    await explorer.page.mouse.move(480, 2);
    await explorer.settle();
    const png = await explorer.page.screenshot({path: `${pictures}/one-file-${painter}.png`});
    pixels[painter] = await explorer.page.evaluate(async (address) => {
      const picture = new Image();
      picture.src = address;
      await picture.decode();
      const copy = new OffscreenCanvas(picture.width, picture.height).getContext('2d');
      copy.drawImage(picture, 0, 0);
      return copy.getImageData(0, 0, picture.width, picture.height).data.reduce((all, value) => all + String.fromCharCode(value), '');
    }, `data:image/png;base64,${png.toString('base64')}`);
    assert.ok(new Set(pixels[painter]).size > 50, 'it is nearly empty');
  }, {hash: '#seqlen=512&causal=1&time=2000'});

  await test('a lesson is played to its end, and its answers are stored', async (explorer) => {
    const row = (lesson) => lesson.lessons.find((one) => one.id === '02-eight-trips');
    const stored = () => explorer.page.evaluate(() => ({...localStorage}));
    let before, after;
    // If the browser loses even what the test itself stored, nothing can be tested, and the lesson is played again.
    for (let round = 1; after?.mark === undefined; ++round) {
      assert.ok(round <= 3, 'Chromium lost its storage in each of three reloads');
      await walk(explorer, '02-eight-trips', 'perfect', 'en');
      const {answered, questions} = row(await panel(explorer));
      assert.equal(answered, questions);
      await explorer.page.evaluate(() => localStorage.setItem('mark', 'kept'));
      before = await stored();
      assert.match(before['flashscope.notebook'] ?? '', /02-eight-trips/);
      await explorer.page.reload();
      await explorer.page.waitForFunction(() => window.viz, null, {timeout: patience});
      after = await stored();
    }
    assert.deepEqual(after, before);
    const {answered, questions} = row(await go(explorer, '#lesson=list'));
    assert.equal(answered, questions);
  }, {hash: '#lesson=list'});

  await test('a lesson in Chinese has its texts and characters in the file', async (explorer) => {
    const lesson = await arrive(explorer);
    assert.deepEqual([lesson.state, lesson.step], ['step', 3]);
    assert.match(lesson.heading, /[\u4e00-\u9fff]/);
    await explorer.page.screenshot({path: `${pictures}/one-file-zh-${painter}.png`});
  }, {hash: '#lesson=04&lesson-step=3&lang=zh'});

  await test('three runs race to the end', async (explorer) => {
    const begin = await explorer.sentence();
    await explorer.key(' ');  // returns when nothing moves any more
    assert.notEqual(await explorer.sentence(), begin);
    await explorer.page.screenshot({path: `${pictures}/one-file-race-${painter}.png`});
  }, {hash: race});

  await test("a user's own lessons can be dropped on it", async (explorer) => {
    await arrive(explorer);
    await explorer.drop(own);
    await explorer.page.waitForFunction(() => JSON.parse(window.viz.lesson()).lessons?.length === 1);
    await explorer.settle();
    await press(explorer, 'lesson-open-21-mine');
    const lesson = await arrive(explorer);
    assert.equal(lesson.state, 'step');
    await give(explorer, lesson.questions[0], '7');
    assert.ok((await give(explorer, lesson.questions[0], '8')).over);
  }, {hash: '#lesson=list'});

  await test('a recorded program dropped on the page opens, a damaged one changes nothing', async (explorer) => {
    const dropped = async (path) => {
      const {notice} = await explorer.state();
      await explorer.drop(path);
      await explorer.page.waitForFunction((before) => JSON.parse(window.viz.state()).notice !== before, notice,
                                          {timeout: patience});
      await explorer.settle();
      return (await explorer.state()).notice;
    };
    assert.equal(await dropped(recorded), 'This is the program of my-flash2.fscope.');
    await explorer.click('tab/code');
    const listing = async () => (await explorer.state()).widgets.filter((name) => /^line\/\d+$/.test(name)).sort();
    const shown = await listing(), verbs = new Set([...recordedText.matchAll(/^ *(\d+) (r\d+ = )?[a-z_]+ /gm)].map(([, line]) => line));
    assert.ok([...verbs].filter((line) => shown.includes(`line/${line}`)).length > 10, `${shown} of ${[...verbs]}`);
    assert.ok(verbs.has((await explorer.sentence()).match(/ Line (\d+) on /)[1]));
    assert.equal(await explorer.option('algorithm'), 'my-flash2');
    assert.match(await dropped(damaged), /damaged\.fscope: .*gemm_xx/);
    assert.deepEqual([await listing(), await explorer.option('algorithm')], [shown, 'my-flash2']);
  }, {hash: '#seqlen=512'});

  await test('a picture is saved, and the link is copied', async (explorer) => {
    await explorer.click('share');
    const download = explorer.page.waitForEvent('download');
    await explorer.click('share/png');
    assert.equal((await download).suggestedFilename(), 'flashscope-flash2-n512.png');
    await explorer.click('share');
    await explorer.click('share/link');
    await explorer.page.waitForFunction(() => JSON.parse(window.viz.state()).notice.includes('clipboard'));
    assert.match((await explorer.state()).notice, /^Copied/);
  }, {hash: '#seqlen=512'});

  await test('a lesson folder in the address is an error: it needs a server', async (explorer) => {
    await explorer.page.goto(`${address}?lessons=mine#lesson=list`);
    await explorer.page.waitForFunction(() => window.viz, null, {timeout: patience});
    await arrive(explorer);
    assert.match((await explorer.state()).notice, /opened as a file.*drop the folder/);
  });

  await test('a script without a hash does not run, and nothing is loaded from elsewhere', async (explorer) => {
    assert.deepEqual(await explorer.refused(),
      {directives: ['connect-src', 'img-src', 'script-src'], intruder: undefined});
  });

  await browser.close();
  return tests.failed;
}

let failed = await testAll('WebGL', []) + await testAll('software', ['--disable-gpu', '--disable-3d-apis']);

function check(sentence, holds) {
  console.log(`${holds ? 'ok' : 'FAILED'}: ${sentence}`);
  if (!holds) ++failed;
}
const {size} = statSync(file);
check(`it has ${size} bytes, allowed are ${longest}`, size <= longest);
check('its policy has no unsafe-inline', !readFileSync(file, 'utf8').includes('unsafe-inline'));
if (pixels.WebGL && pixels.software) {
  const [one, other] = [pixels.WebGL, pixels.software].map((text) => Buffer.from(text, 'latin1'));
  const apart = one.filter((value, n) => Math.abs(value - other[n]) > 32).length / one.length;
  check(`the two pictures differ in ${(apart * 100).toFixed(3)} % of their values, allowed is 1 %`, apart < 0.01);
}
process.exit(failed > 0 ? 1 : 0);
