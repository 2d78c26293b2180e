// Somebody's own lessons in place of the built-in ones. The page fetches this file when there are some.

const ownFile = /(?:^|\/)(\d\d-[\w-]+\/(?:lesson\.toml|en\.md|zh\.md))$/;
const longestOwnFile = 1 << 18;  // characters

// Hands their files over by their names, all or none. Why not; empty for nothing.
export async function take(viz, files) {
  try {
    const all = Object.entries(await files), long = all.find(([, text]) => text.length > longestOwnFile);
    if (long) throw Error(`${long[0]} is longer than ${longestOwnFile >> 10} KiB`);
    for (const [name, text] of all) {
      give(viz, text);
      viz.ownFile(name);
    }
    return viz.ownLessons();
  } catch (error) {
    return error.message;
  }
}

// From a folder of this origin, which no server lists: its index.txt names theirs, one per line.
export async function fetched(folder) {
  const base = new URL(folder.replace(/\/*$/, '/'), location.href);
  if (base.origin !== location.origin) throw Error(`${base.origin} is another origin than this page`);
  const read = async (name) => {
    const response = await fetch(new URL(name, base), {cache: 'no-cache'});
    if (!response.ok) throw Error(`${base.pathname}${name}: the server answers ${response.status}`);
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

// From folders that were dropped on the page: of lessons, or with some in them.
export async function dropped(folders) {
  const files = {}, later = (ask) => new Promise(ask);
  const visit = async (entry, depth) => {
    const name = entry.fullPath.match(ownFile)?.[1];
    if (entry.isFile && name) files[name] = await (await later((done, fail) => entry.file(done, fail))).text();
    if (!entry.isDirectory || depth === 0) return;
    const reader = entry.createReader();
    const some = () => later((done, fail) => reader.readEntries(done, fail));
    for (let entries; (entries = await some()).length > 0;) {
      for (const one of entries) await visit(one, depth - 1);
    }
  };
  for (const folder of folders) await visit(folder, 2);
  return files;
}
