// The user's own lessons instead of the built-in ones: from a folder of this origin, or dropped on the page.
'use strict';

const ownFile = /(?:^|\/)(\d\d-[\w-]+\/(?:lesson\.toml|en\.md|zh\.md))$/;
const longestOwnFile = 1 << 18;  // characters

// Passes the files by their names to the program, all or none. Returns the error; empty if there is none.
async function takeOwnLessons(viz, files) {
  try {
    const all = Object.entries(await files), long = all.find(([, text]) => text.length > longestOwnFile);
    if (long) throw Error(long[0] + tell(' is longer than ', ' 超过 ') + `${longestOwnFile >> 10} KiB`);
    for (const [name, text] of all) {
      give(viz, text);
      viz.ownFile(name);
    }
    return viz.ownLessons();
  } catch (error) {
    return error.message;
  }
}

// Loads a folder of this origin. Servers list no folders, so its index.txt names the files, one per line.
async function fetchedLessons(folder) {
  if (location.protocol === 'file:') {
    throw Error(tell('a page that is opened as a file fetches none: drop the folder on it',
        '作为文件打开的页面不能获取课程：请把文件夹拖到页面上'));
  }
  const base = new URL(folder.replace(/\/*$/, '/'), location.href);
  if (base.origin !== location.origin) throw Error(base.origin + tell(' is another origin than this page', ' 与此页面不同源'));
  const read = async (name) => {
    const response = await fetch(new URL(name, base), {cache: 'no-cache'});
    if (!response.ok) throw Error(base.pathname + name + tell(': the server answers ', '：服务器应答 ') + response.status);
    return response.text();
  };
  const index = await read('index.txt'), files = {};
  for (const id of index.split(/\s+/)) {
    for (const name of ['lesson.toml', 'en.md', 'zh.md'].map((file) => `${id}/${file}`)) {
      if (ownFile.test(name)) files[name] = await read(name);
    }
  }
  return files;
}

// Returns the folders in a drop event, each as the browser's handle, or as an older entry if there are no handles. (A
// page opened as a file may only read handles.) Called during the event: the items are gone afterwards.
function droppedFolders(items) {
  return [...items].filter((item) => item.webkitGetAsEntry?.()?.isDirectory)
    .map((item) => item.getAsFileSystemHandle?.() ?? item.webkitGetAsEntry());
}

const entriesOf = async function* (folder) {
  if (folder.values) return yield* folder.values();
  const reader = folder.createReader();
  const some = () => new Promise((done, fail) => reader.readEntries(done, fail));
  for (let entries; (entries = await some()).length > 0;) yield* entries;
};
const isFolder = (entry) => entry.isDirectory ?? entry.kind === 'directory';
const fileOf = (entry) => entry.getFile?.() ?? new Promise((done, fail) => entry.file(done, fail));

// Loads dropped folders: of lessons, or containing some.
async function droppedLessons(folders) {
  const files = {};
  const visit = async (entry, path, depth) => {
    const name = path.match(ownFile)?.[1];
    if (!isFolder(entry) && name) files[name] = await (await fileOf(entry)).text();
    if (!isFolder(entry) || depth === 0) return;
    for await (const one of entriesOf(entry)) await visit(one, `${path}/${one.name}`, depth - 1);
  };
  for (const folder of await Promise.all(folders)) await visit(folder, folder.name, 2);
  return files;
}
