// Page of the explorer: passes user input to the program, draws while something moves, and updates the address, the
// clipboard, files and the sentence for screen readers. start.js starts it.
'use strict';

const canvas = document.getElementById('canvas');
const description = document.getElementById('description');
let viz = null, keyboard = null;
const packs = new Packs(), notebook = new Notebook(), lessonForm = new LessonForm(document.getElementById('lesson'));
let scheduled = false, last = 0;
let shownLink = '', shownScenario = '';

// Draws the next frame, and continues until the program reports that nothing moves.
function wake() {
  if (scheduled || !viz) return;
  scheduled = true;
  last = performance.now();
  requestAnimationFrame(frame);
}

function frame(now) {
  if (!viz) return;  // the context was lost
  scheduled = false;
  const moves = viz.frame(Math.max(0, now - last) / 1000);
  putPicture();
  if (message.textContent !== '') {
    message.textContent = '';
    performance.mark('first picture');
  }
  last = now;
  share();
  serve();
  packs.serve();
  notebook.serve();
  if (moves) {
    scheduled = true;
    requestAnimationFrame(frame);
  } else {
    rest();
  }
}

// Without WebGL the program draws into memory.
function putPicture() {
  const at = viz.pixels(), {width, height} = canvas;
  if (at === 0) return;
  const pixels = new Uint8ClampedArray(viz.memory().buffer, at, width * height * 4);
  canvas.getContext('2d', {alpha: false}).putImageData(new ImageData(pixels, width, height), 0, 0);
}

// A new scenario is a step in the browser's history.
function share() {
  const scenario = viz.scenario();
  if (scenario === shownScenario) return;
  shownScenario = scenario;
  shownLink = viz.link();
  history.pushState(null, '', '#' + shownLink);
  document.title = viz.title();
}

// Called when nothing moves any more: updates the address, and the sentence that describes the state.
function rest() {
  const link = viz.link();
  if (link !== shownLink) history.replaceState(null, '', '#' + link);
  shownLink = link;
  keepLink(link);
  describe();
  lessonForm.show(viz.lesson());
  if (keyboard.shown) keyboard.show(viz.takesText());
}

// The sentence that describes the state, and the colours of what surrounds the picture.
function describe() {
  const sentence = viz.description();
  if (description.textContent !== sentence) description.textContent = sentence;
  const {dark, link} = JSON.parse(viz.state());
  document.documentElement.className = dark ? '' : 'light';
  nameIn(new URLSearchParams(link).get('lang') === 'zh');
}

// The link of the last visit, which the first view leads back to; empty if the browser stores nothing.
function lastLink() {
  try {
    return localStorage.getItem('flashscope.last') ?? '';
  } catch {
    return '';
  }
}

function keepLink(link) {
  if (new URLSearchParams(link).has('first')) return;
  try {
    localStorage.setItem('flashscope.last', link);
  } catch {
    // a browser that stores nothing begins anew each time
  }
}

function follow() {
  const link = location.hash.slice(1);
  if (link === shownLink) return;
  viz.follow(link);
  viz.last(lastLink());
  shownScenario = viz.scenario();
  shownLink = link;
  document.title = viz.title();
  wake();
}

// Saves files, copies to the clipboard, and shows texts of the page.
function serve() {
  for (let file = JSON.parse(viz.file()); file; file = JSON.parse(viz.file())) {
    const bytes = viz.memory().slice(file.at, file.at + file.bytes);
    if (file.width > 0) savePicture(file, bytes, `#${viz.link()}`);
    else save(file.name, new Blob([bytes], {type: file.type}));
  }
  const copy = JSON.parse(viz.copy());
  if (!copy) return;
  if (copy.show) return showFile(copy.show);
  const text = copy.text ?? location.href.split('#')[0] + '#' + copy.link;
  const done = (good) => { viz.copied(good); wake(); };
  if (navigator.clipboard) navigator.clipboard.writeText(text).then(() => done(true), () => done(false));
  else done(false);  // unavailable on pages without https
}

// Shows a text of the page in a tab of its own, or saves it where the browser opens none.
async function showFile(name) {
  const bytes = carried(name), type = 'text/plain;charset=utf-8';
  if (window.open(bytes ? URL.createObjectURL(new Blob([bytes], {type})) : name, '_blank')) return;
  save(name.split('/').pop(), bytes ? new Blob([bytes], {type}) : await (await fetch(name)).blob());
}

function save(name, blob) {
  const anchor = document.createElement('a');
  anchor.href = URL.createObjectURL(blob);
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 60000);
}

// Saves pixels as a PNG that holds the link, as those of the command screenshot do.
function savePicture(file, bytes, link) {
  const surface = document.createElement('canvas');
  surface.width = file.width;
  surface.height = file.height;
  const pixels = new ImageData(new Uint8ClampedArray(bytes.buffer), file.width, file.height);
  surface.getContext('2d').putImageData(pixels, 0, 0);
  surface.toBlob(async (picture) => {
    const png = new Uint8Array(await picture.arrayBuffer()), header = 33;  // signature and the chunk IHDR
    save(file.name, new Blob([png.subarray(0, header), textChunk('Link', link), png.subarray(header)], {type: file.type}));
  }, file.type);
}

// The chunk tEXt of a PNG: length, type, keyword, a zero, text, and a checksum of all but the length.
function textChunk(keyword, text) {
  const body = new TextEncoder().encode(`tEXt${keyword}\0${text}`), chunk = new Uint8Array(body.length + 8);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, body.length - 4);
  chunk.set(body, 4);
  view.setUint32(body.length + 4, checksum(body));
  return chunk;
}

// CRC-32 of PNG: the polynomial 0xEDB88320, bits from the low end.
function checksum(bytes) {
  let sum = -1;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; ++bit) sum = (sum >>> 1) ^ (0xEDB88320 & -(sum & 1));
  }
  return ~sum >>> 0;
}

const size = () => {
  const dpr = Math.min(4, Math.max(0.5, window.devicePixelRatio || 1));
  return [Math.max(1, Math.round(innerWidth * dpr)), Math.max(1, Math.round(innerHeight * dpr)), dpr];
};

function resize() {
  const [width, height, dpr] = size();
  canvas.width = width;
  canvas.height = height;
  viz.resize(width, height, dpr);
  wake();
}

// Calls the program with the event, then draws.
function on(target, name, react, options) {
  target.addEventListener(name, (event) => { react(event); wake(); }, options);
}

// A tap may request the keyboard, which a phone shows only during the tap: so its effect is computed at once.
function showKeyboard() {
  for (let n = 0; n < 4; ++n) viz.frame(0);
  keyboard.show(viz.takesText());
}

function listen() {
  const dpr = () => size()[2];
  const buttons = [0, 2, 1];  // left, middle, right in the program's numbering
  const touches = (event) => event.pointerType === 'touch';
  const fingers = new Fingers(dpr);
  keyboard = new ScreenKeyboard(document.getElementById('typing'), canvas, {
    text: (typed) => { viz.text(typed); wake(); },
    key: (name) => { tap(name); wake(); },
  });
  on(canvas, 'pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId);
    if (touches(event)) return fingers.down(event);
    canvas.focus();
    if (!event.isPrimary) return;
    viz.pointer(event.clientX * dpr(), event.clientY * dpr());
    if (event.button < 3) viz.button(buttons[event.button], true);
  });
  on(canvas, 'pointermove', (event) => {
    if (touches(event)) fingers.move(event);
    else if (event.isPrimary) viz.pointer(event.clientX * dpr(), event.clientY * dpr());
  });
  const release = (event) => {
    if (touches(event)) {
      fingers.up(event);
      return showKeyboard();
    }
    if (!event.isPrimary) return;
    if (event.button >= 0 && event.button < 3) viz.button(buttons[event.button], false);
  };
  on(canvas, 'pointerup', release);
  on(canvas, 'pointercancel', release);
  // The mouse event that a browser emulates after a tap would move the focus back to the canvas.
  canvas.addEventListener('touchend', (event) => { if (event.cancelable) event.preventDefault(); }, {passive: false});
  on(canvas, 'pointerleave', (event) => { if (!touches(event)) viz.pointerLeft(); });
  on(canvas, 'wheel', (event) => {
    event.preventDefault();
    viz.wheel(-event.deltaY / (event.deltaMode === 0 ? 100 : 3));
  }, {passive: false});
  listenToKeys();
  on(keyboard.field, 'keydown', (event) => {
    if (['Enter', 'Escape', 'ArrowUp', 'ArrowDown'].includes(event.key)) tap(event.key);
  });
  on(window, 'resize', resize);
  on(window, 'popstate', follow);
  on(window, 'dragover', (event) => event.preventDefault());
  on(window, 'drop', (event) => {
    event.preventDefault();
    take(event.dataTransfer);
  });
  on(window, 'hashchange', follow);
  on(document, 'visibilitychange', () => {});  // a page that becomes visible redraws
  canvas.addEventListener('webglcontextlost', () => {
    viz = null;
    message.textContent = tell('The graphics driver dropped the picture: reload the page to continue where you were.',
        '图形驱动收回了画面：请重新加载页面，即可从原处继续。');
  });
}

// Opens a recorded program that was dropped on the page.
async function openProgram(file) {
  const bytes = new Uint8Array(await file.slice(0, longestProgram + 1).arrayBuffer());
  if (!viz) return;
  give(viz, bytes);
  viz.openProgram(file.name);
  wake();
}

// Handles dropped items: folders of lessons, a recorded program, or a notebook.
async function take(dropped) {
  const folders = droppedFolders(dropped.items);
  const [file] = dropped.files;
  if (folders.length === 0) return file && (file.name.endsWith('.fscope') ? openProgram(file) : notebook.add(file));
  const fault = await takeOwnLessons(viz, droppedLessons(folders));
  if (fault !== '') viz?.noOwnLessons(fault);
  wake();
}

function tap(key) {
  if (viz.key(key, true, false, false)) viz.key(key, false, false, false);
}

// With Ctrl, Alt or Meta, all keys but these belong to the browser, and so does Tab.
const withCtrl = new Set(['arrowleft', 'arrowright', 'z', 'y', 'k']);

function listenToKeys() {
  const down = new Set();
  on(canvas, 'keydown', (event) => {
    const ctrl = event.ctrlKey || event.metaKey;
    if (event.key === 'Tab' || event.altKey || (ctrl && !withCtrl.has(event.key.toLowerCase()))) return;
    if (!event.repeat && viz.key(event.key, true, ctrl, event.shiftKey)) down.add(event.key);
    if (event.key.length === 1 && !ctrl) viz.text(event.key);
    event.preventDefault();
  });
  const release = (key) => { if (down.delete(key)) viz.key(key, false, false, false); };
  on(canvas, 'keyup', (event) => {
    if (event.key === 'Control' || event.key === 'Meta') down.forEach(release);  // some browsers omit the other releases
    release(event.key);
  });
  on(window, 'blur', () => down.forEach(release));
}
