// Starts the program, or reports why it cannot start.
'use strict';

// The link of the address; without one the first view, in the colours and the language of the browser. Nothing moves for
// who wants no motion, unless the link says.
function firstLink() {
  const link = location.hash.slice(1).split('&').filter((part) => part !== '');
  if (link.length === 0) {
    if (chinese) link.push('lang=zh');
    if (matchMedia('(prefers-color-scheme: light)').matches) link.push('theme=light');
  }
  if (matchMedia('(prefers-reduced-motion: reduce)').matches && !link.some((part) => part.startsWith('still='))) link.push('still=1');
  return link.join('&');
}

// Loads the program embedded in the page, or next to it; null if it is unavailable, which is reported.
async function loaded() {
  const wasmBinary = carried('flashscope.wasm');
  if (!wasmBinary && location.protocol === 'file:') {
    cannotStart(tell(
        'it is opened as a file, and browsers fetch nothing for a file. Open flashscope.html instead, which ' +
            'contains everything, or serve this folder by a web server, as ./flashscope serve does.',
        '它是作为文件打开的，浏览器不会为文件获取其他内容。请改为打开 flashscope.html，它把一切放在一个文件里；' +
            '或用网页服务器提供此文件夹，例如 ./flashscope serve。'));
    return null;
  }
  try {
    return await createFlashScope(wasmBinary ? {canvas, wasmBinary} : {canvas});
  } catch (error) {
    cannotStart(await whyNotLoaded(error, wasmBinary));
    return null;
  }
}

async function whyNotLoaded(error, wasmBinary) {
  const answer = wasmBinary ? {ok: true} : await fetch('flashscope.wasm', {method: 'HEAD'}).catch(() => null);
  if (!answer) {
    return tell('flashscope.wasm cannot be fetched, no server answers. Reload the page when there is a connection.',
        '无法获取 flashscope.wasm，服务器没有应答。请在有网络时重新加载页面。');
  }
  if (!answer.ok) {
    return tell(`flashscope.wasm cannot be fetched, the server answers ${answer.status}.`,
        `无法获取 flashscope.wasm，服务器应答 ${answer.status}。`);
  }
  return `${error}. ` + tell('Either flashscope.wasm is damaged, and the page must be fetched again, or this browser is too old. ',
      '或者 flashscope.wasm 已损坏，请重新获取页面；或者此浏览器太旧。') + needed;
}

async function start() {
  const module = failed ? null : await loaded();
  if (!module) return;
  const started = program(module), folder = new URLSearchParams(location.search).get('lessons');
  const fault = folder === null ? '' : await takeOwnLessons(started, fetchedLessons(folder));
  const [width, height, dpr] = size();
  canvas.width = width;
  canvas.height = height;
  notebook.open(started);
  started.start(firstLink(), width, height, dpr);
  started.last(lastLink());
  viz = started;
  window.viz = viz;  // for tests and curious users: JSON.parse(viz.state())
  shownScenario = viz.scenario();
  document.title = viz.title();
  describe();  // at once: the film of the first view plays for a while
  listen();
  notebook.say();
  if (fault !== '') viz.noOwnLessons(fault);
  canvas.focus();
  wake();
  // A site stores itself in the browser; the page as one file has no manifest.
  if (document.querySelector('link[rel=manifest]')) navigator.serviceWorker?.register('sw.js').catch(() => {});
}

start().catch((error) => cannotStart(`${error}.`));
