// Chromium with the explorer: a web server for one folder, the actions of tests on the page, and the test runner.
import assert from 'node:assert/strict';
import {createServer} from 'node:http';
import {readFile} from 'node:fs/promises';
import {extname, join, normalize} from 'node:path';
import {chromium} from 'playwright-core';

// Milliseconds after which a test fails: far more than any wait takes, even on slow machines.
export const patience = Number(process.env.PATIENCE ?? 600000);

const types = {'.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml', '.txt': 'text/plain', '.webmanifest': 'application/manifest+json'};

// Serves a folder; resolves to its address.
export async function serve(folder) {
  const server = createServer(async (request, response) => {
    const path = normalize(new URL(request.url, 'http://x').pathname);
    const file = join(folder, path.endsWith('/') ? path + 'index.html' : path);
    try {
      const bytes = await readFile(file);
      response.writeHead(200, {'content-type': types[extname(file)] ?? 'application/octet-stream'});
      response.end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  return {address: `http://127.0.0.1:${server.address().port}/`, close: () => server.close()};
}

// WebGL in software: test machines have no graphics card.
export function launch(executablePath, extra = []) {
  const gl = extra.length > 0 ? extra : ['--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
  return chromium.launch({executablePath, args: ['--no-sandbox', ...gl]});
}

// One page with the explorer. Input arrives as browser events; results are read from the state.
export class Explorer {
  // Leaves the first view, which plays, unless the test is about it.
  static async open(browser, address, {firstView = false, ...options} = {}) {
    const context = await browser.newContext({
      viewport: {width: 960, height: 600}, deviceScaleFactor: 1, colorScheme: 'dark', locale: 'en-US',
      permissions: ['clipboard-read', 'clipboard-write'], serviceWorkers: 'block', ...options,
    });
    context.setDefaultTimeout(patience);
    const page = await context.newPage();
    const explorer = new Explorer(page, context);
    page.on('request', (request) => explorer.requests.push(request.url()));
    page.on('pageerror', (error) => explorer.errors.push(String(error)));
    page.on('console', (text) => {
      if (text.type() === 'error') explorer.errors.push(text.text());
    });
    await page.goto(address);
    await page.waitForFunction(() => window.viz, null, {timeout: patience});
    if (!firstView && await explorer.option('first')) await page.keyboard.press('Escape', {delay: 20});
    if (!firstView || options.reducedMotion) await explorer.settle();  // else the film would be over
    return explorer;
  }

  constructor(page, context) {
    this.page = page;
    this.context = context;
    this.errors = [];
    this.requests = [];  // addresses
  }

  state() { return this.page.evaluate(() => JSON.parse(window.viz.state())); }
  rect(name) { return this.page.evaluate((n) => JSON.parse(window.viz.rect(n)), name); }
  sentence() { return this.page.locator('#description').textContent(); }
  async option(name) { return new URLSearchParams((await this.state()).link).get(name); }

  // Waits until nothing moves and everything is drawn.
  async settle() {
    await this.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    await this.page.waitForFunction(() => JSON.parse(window.viz.state()).idle, null, {timeout: patience});
  }

  // Waits until no pack is being fetched.
  async arrived() {
    await this.page.waitForFunction(() => window.viz.wantedPack() === '', null, {timeout: patience});
    await this.settle();
  }

  // Returns the middle of a widget, in CSS pixels; throws if it is not shown.
  async middle(name) {
    const rect = await this.rect(name);
    if (!rect) throw new Error(`no widget is called ${name}; there are ${(await this.state()).widgets}`);
    return [rect[0] + rect[2] / 2, rect[1] + rect[3] / 2];
  }

  async click(name) {
    await this.page.mouse.click(...await this.middle(name), {delay: 20});
    await this.settle();
  }

  async tap(name) {
    await this.page.touchscreen.tap(...await this.middle(name));
    await this.settle();
  }

  // Moves two fingers around the middle of a widget from a distance of `from` CSS pixels to `to`.
  async pinch(name, from, to) {
    const [x, y] = await this.middle(name);
    const touch = await this.context.newCDPSession(this.page);
    const fingers = (apart) => [{x: x - apart / 2, y, id: 1}, {x: x + apart / 2, y, id: 2}];
    const send = (type, touchPoints) => touch.send('Input.dispatchTouchEvent', {type, touchPoints});
    await send('touchStart', fingers(from).slice(0, 1));
    await send('touchStart', fingers(from));
    const steps = 5;
    for (let n = 1; n <= steps; ++n) await send('touchMove', fingers(from + (to - from) * n / steps));
    await send('touchEnd', []);
    await this.settle();
  }

  async key(name) {
    await this.page.keyboard.press(name, {delay: 20});
    await this.settle();
  }

  // Drops folders and files on the page, by their paths.
  async drop(...files) {
    this.mouse ??= await this.context.newCDPSession(this.page);
    const data = {items: [], files, dragOperationsMask: 1};
    for (const type of ['dragEnter', 'dragOver', 'drop']) {
      await this.mouse.send('Input.dispatchDragEvent', {type, x: 300, y: 300, data});
    }
  }

  // Violates the page's policy by a request and an image from elsewhere and a script without a hash; returns what was blocked.
  async refused() {
    const refused = await this.page.evaluate(async () => {
      const directives = [];
      document.addEventListener('securitypolicyviolation', (event) => directives.push(event.effectiveDirective));
      await fetch('http://127.0.0.1:1/').catch(() => {});
      const script = document.createElement('script');
      script.textContent = 'window.intruder = true';
      document.body.append(script);
      const picture = new Image();
      picture.src = 'http://127.0.0.1:1/x.png';
      await new Promise((done) => { picture.onerror = done; });
      await new Promise((done) => setTimeout(done));
      return {directives: directives.map((name) => name.replace(/-elem$/, '')).sort(), intruder: window.intruder};
    });
    this.errors.length = 0;  // drops the errors of these three
    return refused;
  }

  close() { return this.context.close(); }
}

// Runs the tests of a page one after the other, each in its own window; with ONLY, those whose name contains its words.
export class Tests {
  constructor(browser, address) {
    Object.assign(this, {browser, address, failed: 0});
  }

  async run(sentence, what, {hash = '', context = {}} = {}) {
    if (!sentence.includes(process.env.ONLY ?? '')) return;
    const start = Date.now();
    let explorer;
    try {
      explorer = await Explorer.open(this.browser, this.address + hash, context);
      await what(explorer);
      assert.deepEqual(explorer.errors, []);
      console.log(`ok: ${sentence} (${Date.now() - start} ms)`);
    } catch (error) {
      ++this.failed;
      const page = explorer?.errors.join('\n') ?? 'it did not open';
      console.log(`FAILED: ${sentence}\n${error.stack}\nof the page: ${page}`);
    }
    await explorer?.close();
  }
}
