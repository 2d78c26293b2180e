// Tests lessons in a real browser: node lessons.mjs FOLDER_OF_THE_PAGE CHROMIUM. Robots play every lesson in both
// languages; then missing and damaged packs, and the notebook. With ROBOTS=all every robot plays every lesson, else each
// lesson has one of them. Options as for e2e.mjs.
import assert from 'node:assert/strict';
import {cpSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {resolve} from 'node:path';
import {Explorer, launch, serve, Tests} from './browser.mjs';
import {arrive, give, go, panel, press, walk} from './robots.mjs';

const [folder, executable] = process.argv.slice(2);
const {address, close} = await serve(folder);
const browser = await launch(executable);
const pictures = 'pictures';  // for people to look at
mkdirSync(pictures, {recursive: true});

const tests = new Tests(browser, address);
const test = (...words) => tests.run(...words);

// Reads the lessons from the page's own list.
const list = await Explorer.open(browser, address + '#lesson=list');
const {lessons} = await arrive(list);
await list.close();

const narrow = {viewport: {width: 640, height: 480}};
const walks = [['perfect', 'en'], ['perfect', 'zh'], ['wrong', 'en'], ['random', 'zh'], ['empty', 'en']];
// Assigns one robot to each lesson, and a lesson or two to each robot; with ROBOTS=all, all robots to every lesson.
const share = process.env.ROBOTS === 'all' ? () => true : (lesson, walk) => (lesson + walk) % walks.length === 0;
for (const [number, [robot, language]] of walks.entries()) {
  await test(`the ${robot} robot walks its lessons (${language})`, async (explorer) => {
    assert.equal(lessons.length, 9);
    for (const {id, questions} of lessons.filter((_, lesson) => share(lesson, number))) {
      await walk(explorer, id, robot, language);
      const row = (await panel(explorer)).lessons.find((one) => one.id === id);
      assert.equal(row.questions, questions);
      if (robot === 'perfect') assert.equal(row.answered, questions, id);
      if (robot === 'empty') assert.equal(row.answered, 0, id);
    }
  }, {hash: '#lesson=list', context: narrow});
}

await test('a link opens a step, and only its pack is fetched', async (explorer) => {
  const lesson = await arrive(explorer);
  assert.deepEqual([lesson.state, lesson.step, lesson.place], ['step', 5, 'step 5 of 13']);
  const fetched = await explorer.page.evaluate(() => performance.getEntriesByType('resource').map((one) => one.name));
  const packs = fetched.filter((name) => name.includes('/lessons/'));
  assert.deepEqual(packs, [address + 'lessons/07-flash1-by-hand.en.pack']);
  assert.match(await explorer.page.locator('#lesson .words').textContent(), /FlashAttention-1 by hand/);
  await explorer.page.screenshot({path: `${pictures}/lesson-07-5.png`});
}, {hash: '#lesson=07&lesson-step=5', context: {viewport: {width: 1280, height: 800}}});

await test('a lesson is opened and answered, and its scenario restored, with the pointer', async (explorer) => {
  await arrive(explorer);
  await explorer.page.screenshot({path: `${pictures}/list.png`});
  await explorer.click('lesson/open/02-eight-trips');
  const lesson = await arrive(explorer);
  const question = lesson.questions[0];
  await explorer.click('lesson/answer/' + question.key);
  await explorer.page.keyboard.type('12345');
  await explorer.click('lesson/check/' + question.key);
  assert.match((await panel(explorer)).questions[0].said, /^Not yet\./);
  await explorer.page.screenshot({path: `${pictures}/wrong.png`});
  await go(explorer, '#' + (await explorer.state()).link.replace('seqlen=1024', 'seqlen=512'));
  await explorer.click('lesson/restore');
  assert.equal((await panel(explorer)).changed, false);
}, {hash: '#lesson=list', context: {viewport: {width: 1280, height: 900}}});

await test('changing the language fetches its pack with its characters', async (explorer) => {
  await arrive(explorer);
  await explorer.click('language');
  const lesson = await arrive(explorer);
  assert.match(lesson.heading, /[\u4e00-\u9fff]/);
  assert.equal(lesson.step, 3);
  await explorer.page.screenshot({path: `${pictures}/lesson-04-3-zh.png`});
}, {hash: '#lesson=04&lesson-step=3', context: {viewport: {width: 1280, height: 800}}});

// Missing packs: the page continues without them, and retries on request.
const bytes = async (route, id) => (await (await route.fetch({url: `${address}lessons/${id}.en.pack`})).body());
const broken = [
  ['no server answers', (route) => route.abort(), /lessons\/06-does-it-fit\.en\.pack cannot be fetched: no server/],
  ['the server has none', (route) => route.fulfill({status: 404}), /the server answers 404\..*next to the page/],
  ['it is something else', (route) => route.fulfill({body: '<html>no</html>'}), /damaged.*is not a pack/],
  ['it is cut off', async (route) => route.fulfill({body: (await bytes(route, '06-does-it-fit')).subarray(0, 5000)}),
    /damaged.*bytes follow/],
  ['it is another lesson', async (route) => route.fulfill({body: await bytes(route, '05-little-memory')}),
    /damaged.*another lesson/],
];
for (const [what, how, said] of broken) {
  await test(`if a pack is unavailable, because ${what}, the panel shows it, and tries again`, async (explorer) => {
    await explorer.context.route('**/lessons/06*.pack', how);
    const missed = await go(explorer, '#lesson=06&lesson-step=2');
    assert.equal(missed.state, 'waiting');
    assert.match(missed.title, said);
    await explorer.page.screenshot({path: `${pictures}/missed.png`});
    await explorer.key('ArrowRight');
    assert.ok((await explorer.state()).cycles > 0, 'the explorer continues');
    explorer.errors.length = 0;  // drops the errors of the network
    await explorer.context.unroute('**/lessons/06*.pack');
    await explorer.click('lesson/fetch');
    const lesson = await arrive(explorer);
    assert.deepEqual([lesson.state, lesson.step], ['step', 2]);
  }, {context: {viewport: {width: 1280, height: 800}}});
}

await test('an unknown lesson opens the list and suggests the nearest name', async (explorer) => {
  assert.equal((await arrive(explorer)).state, 'list');
  assert.match((await explorer.state()).notice, /unknown lesson/);
}, {hash: '#lesson=99-nothing'});

const stored = (explorer) => explorer.page.evaluate(() => localStorage.getItem('flashscope.notebook'));
await test('answers stay in the browser, and the lesson resumes where the learner stopped', async (explorer) => {
  const {questions} = await arrive(explorer);
  await give(explorer, questions[0], '7');
  await press(explorer, 'lesson-next-');
  const kept = JSON.parse(await stored(explorer)).lessons[0];
  assert.equal(kept.answers[0].given, '7');
  await explorer.page.goto('about:blank');  // closes the page without notice
  await explorer.page.goto(address + '#lesson=02');
  await explorer.page.waitForFunction(() => window.viz);
  const again = await arrive(explorer);
  assert.equal(again.step, 2);
  await explorer.page.reload();
  await explorer.page.waitForFunction(() => window.viz);
  assert.equal((await arrive(explorer)).changed, false, 'a link of a step is that step');
  const first = await press(explorer, 'lesson-back-');
  assert.match(first.questions[0].said, /^Not yet\./);
  // Another window answers as well: no answer is lost.
  const other = await explorer.context.newPage();
  await other.goto(address + '#lesson=05&lesson-step=1');
  await other.waitForSelector('#lesson form', {state: 'attached'});
  await other.evaluate(() => { document.querySelector('#lesson form button:last-of-type').click(); });
  await other.waitForFunction(() => localStorage.getItem('flashscope.notebook').includes('05-little-memory'));
  await press(explorer, 'lesson-next-');
  const both = JSON.parse(await stored(explorer)).lessons.map((one) => one.id).sort();
  assert.deepEqual(both, ['02-eight-trips', '05-little-memory']);
}, {hash: '#lesson=02&lesson-step=1'});

await test('an unreadable notebook is set aside, never deleted', async (explorer) => {
  const bad = '{"schema": 7, "lessons": []}';
  await explorer.page.evaluate((text) => localStorage.setItem('flashscope.notebook', text), bad);
  await explorer.page.goto('about:blank');
  await explorer.page.goto(address + '#lesson=01');
  await explorer.page.waitForFunction(() => window.viz);
  await arrive(explorer);
  assert.match((await explorer.state()).notice, /kept as flashscope\.notebook\.unreadable-1/);
  assert.equal(await explorer.page.evaluate(() => localStorage.getItem('flashscope.notebook.unreadable-1')), bad);
});

await test('without storage the page shows a warning and continues', async (explorer) => {
  await explorer.page.evaluate(() => { Storage.prototype.setItem = () => { throw new Error('full'); }; });
  const {questions} = await go(explorer, '#lesson=02&lesson-step=1');
  assert.match((await explorer.state()).notice, /not kept/);
  await give(explorer, questions[0], '7');
  assert.ok((await give(explorer, questions[0], '8')).over);
});

await test('the notebook is saved as a file, and restored when it is dropped on the page', async (explorer) => {
  const {questions} = await arrive(explorer);
  await give(explorer, questions[0], '7');
  await press(explorer, 'lesson-list-');
  const download = explorer.page.waitForEvent('download');
  await explorer.page.mouse.move(...await explorer.middle('lesson/open/01-two-memories'));
  await explorer.page.mouse.wheel(0, 5000);
  await explorer.settle();
  await explorer.click('lesson/save');
  assert.equal((await download).suggestedFilename(), 'flashscope-notebook.json');
  const mine = JSON.parse(await stored(explorer));
  mine.lessons.push({...mine.lessons[0], id: '03-fuse-it', step: 'before', answers: []});
  const drop = async (text, said) => {
    await explorer.page.evaluate((json) => {
      const files = new DataTransfer();
      files.items.add(new File([json], 'mine.json'));
      window.dispatchEvent(new DragEvent('drop', {dataTransfer: files}));
    }, text);
    await explorer.page.waitForFunction((words) => JSON.parse(window.viz.state()).notice.includes(words), said);
    await explorer.settle();
    return JSON.parse(await stored(explorer)).lessons.map((one) => one.id);
  };
  const both = ['02-eight-trips', '03-fuse-it'];
  assert.deepEqual(await drop(JSON.stringify(mine), 'mine.json are in your notebook'), both);
  assert.deepEqual(await drop('{"schema": 7}', 'schema 7 is unknown'), both);
}, {hash: '#lesson=02&lesson-step=1', context: {viewport: {width: 1280, height: 900}}});

// A teacher's own lessons: the tour and a built-in one under other names, in a folder on a server.
const own = resolve('own');
rmSync(own, {recursive: true, force: true});
for (const [id, name] of [['02-eight-trips', '21-mine'], ['00-tour', '22-tour']]) {
  cpSync(`${process.env.LESSONS}/${id}`, `${own}/${name}`, {recursive: true});
  const toml = `${own}/${name}/lesson.toml`;
  writeFileSync(toml, readFileSync(toml, 'utf8').replace(/^id = .*$/m, `id = "${name}"`));
}
const long = resolve('long/20-long');
cpSync(`${own}/22-tour`, long, {recursive: true});
writeFileSync(`${long}/zh.md`, 'x'.repeat(300000));
writeFileSync(`${own}/index.txt`, '21-mine\n22-tour\n');
const answer = (route) => {
  const [, file] = new URL(route.request().url()).pathname.split('/mine/');
  return route.fulfill({path: `${own}/${file}`}).catch(() => route.fulfill({status: 404}));
};
const ownOnes = async (explorer) => (await panel(explorer)).lessons.map((one) => one.id);

await test("a teacher's own lessons are loaded from a folder next to the page", async (explorer) => {
  await explorer.context.route('**/mine/**', answer);
  await explorer.page.goto(address + '?lessons=mine#lesson=21&lesson-step=3');
  await explorer.page.waitForFunction(() => window.viz);
  const lesson = await arrive(explorer);
  assert.deepEqual([lesson.state, lesson.step], ['step', 3]);
  await explorer.page.screenshot({path: `${pictures}/own.png`});
  await press(explorer, 'lesson-list-');
  assert.deepEqual(await ownOnes(explorer), ['21-mine', '22-tour']);
}, {context: {viewport: {width: 1280, height: 800}}});

const notHere = [
  ['?lessons=nowhere', /Your lessons are not here: \/nowhere\/index\.txt: the server answers 404/],
  ['?lessons=https://elsewhere.example/x', /another origin/],
  ['?lessons=empty', /no folder such as 21-mine/],
  ['?lessons=wrong', /21-mine\/lesson\.toml.*7/],
];
await test("if lessons are unavailable the page keeps its own, and shows the reason", async (explorer) => {
  await explorer.context.route('**/empty/**', (route) => route.fulfill({body: ''}));
  await explorer.context.route('**/wrong/**', (route) =>
    route.fulfill({body: route.request().url().endsWith('index.txt') ? '21-mine' : '\n'.repeat(6) + '= 7'}));
  for (const [query, said] of notHere) {
    await explorer.page.goto('about:blank');
    await explorer.page.goto(address + query + '#lesson=list');
    await explorer.page.waitForFunction(() => window.viz);
    await arrive(explorer);
    assert.match((await explorer.state()).notice, said);
    assert.equal((await ownOnes(explorer)).length, 9);
  }
  explorer.errors.length = 0;  // drops the errors of the network
});

await test('a folder of lessons dropped on the page replaces the built-in ones', async (explorer) => {
  await give(explorer, (await arrive(explorer)).questions[0], '7');
  for (const [folder, ids] of [[own, ['21-mine', '22-tour']], [`${own}/22-tour`, ['22-tour']]]) {
    await explorer.drop(folder);
    await explorer.page.waitForFunction((n) => JSON.parse(window.viz.lesson()).lessons?.length === n, ids.length);
    assert.deepEqual(await ownOnes(explorer), ids);
  }
  await explorer.drop(long);
  await explorer.page.waitForFunction(() => JSON.parse(window.viz.state()).notice.includes('is longer than 256 KiB'));
  await explorer.drop(own);  // without the files that were too long
  await explorer.page.waitForFunction(() => JSON.parse(window.viz.lesson()).lessons?.length === 2);
  await explorer.drop(resolve(pictures));
  await explorer.page.waitForFunction(() => JSON.parse(window.viz.state()).notice.includes('no folder such as'));
  await press(explorer, 'lesson-open-22-tour');
  assert.equal((await arrive(explorer)).state, 'step');
}, {hash: '#lesson=02&lesson-step=1', context: {viewport: {width: 1280, height: 800}}});

await test('a table of a lesson is a table, and a script is a script', async (explorer) => {
  await arrive(explorer);
  const words = explorer.page.locator('#lesson .words');
  assert.deepEqual(await words.locator('th').allTextContents(), ['kernel', 'comes in', 'goes out']);
  assert.equal(await words.locator('td').count(), 9);
  await explorer.page.goto(address + '#lesson=04&lesson-step=3');
  await arrive(explorer);
  assert.ok(await words.locator('sub').count() > 0);
}, {hash: '#lesson=02&lesson-step=3', context: {viewport: {width: 1280, height: 800}}});

await test('a goal is reached by the fields of its options', async (explorer) => {
  const [question] = (await arrive(explorer)).questions;
  assert.deepEqual(question.options.map((option) => option.name), ['gpu']);
  await explorer.page.evaluate(() => { document.getElementById('lesson-option-gpu').value = 'toy'; });
  await press(explorer, `lesson-check-${question.key}`);
  await explorer.page.waitForFunction(() => JSON.parse(window.viz.lesson()).questions[0].over);
}, {hash: '#lesson=01&lesson-step=11', context: {viewport: {width: 1280, height: 800}}});

await test('a question can be answered in the form with the keyboard', async (explorer) => {
  await arrive(explorer);
  await explorer.page.keyboard.press('Tab');
  assert.match(await explorer.page.evaluate(() => document.activeElement.id), /^lesson-/);
  await explorer.page.screenshot({path: `${pictures}/form.png`});
  assert.ok((await explorer.page.locator('#lesson').boundingBox()).width > 200, 'it is seen while it is used');
}, {hash: '#lesson=02&lesson-step=1', context: {viewport: {width: 1280, height: 800}}});

await browser.close();
close();
process.exit(tests.failed > 0 ? 1 : 0);
