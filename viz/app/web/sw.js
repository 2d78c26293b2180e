// Stores the site in the browser, so that it works offline after the first visit. site.mjs inserts `version` and
// `files` above these lines: the hash of each file by its path, of a folder's index.html by the folder's path. A
// version is stored whole or not at all; the next one replaces it when it is complete.
'use strict';

const kept = `flashscope-${version}`;

async function keepOne(cache, [path, integrity]) {
  const answer = await fetch(path, {integrity, cache: 'no-cache'});
  if (!answer.ok) throw Error(`${path}: the server answers ${answer.status}`);
  // Browsers reject a page that was redirected.
  await cache.put(path, answer.redirected ? new Response(await answer.blob(), {headers: answer.headers}) : answer);
}

async function keepAll() {
  const cache = await caches.open(kept);
  await Promise.all(Object.entries(files).map((file) => keepOne(cache, file)));
  await skipWaiting();
}

async function forgetOthers() {
  const others = (await caches.keys()).filter((name) => name.startsWith('flashscope-') && name !== kept);
  await Promise.all(others.map((name) => caches.delete(name)));
  await clients.claim();
}

async function answerTo(request) {
  const path = new URL(request.url).pathname.replace(/\/index\.html$/, '/');
  return await (await caches.open(kept)).match(new URL(path, location.href).href) ?? fetch(request);
}

addEventListener('install', (event) => event.waitUntil(keepAll()));
addEventListener('activate', (event) => event.waitUntil(forgetOthers()));
addEventListener('fetch', (event) => {
  const {method, url} = event.request;
  if (method === 'GET' && new URL(url).origin === location.origin) event.respondWith(answerTo(event.request));
});
