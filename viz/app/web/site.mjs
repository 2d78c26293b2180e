// node site.mjs SITE ROOT [CMARK]: completes the page in the folder SITE to a site: the pages of README.md and docs/ of
// the tree ROOT as HTML in manual/, made by the program CMARK (cmark-gfm) and omitted without it, and sw.js, which
// stores all of it in the browser.
import {execFileSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {dirname, join, relative} from 'node:path';

const [site, root, cmark] = process.argv.slice(2);
const here = import.meta.dirname ?? dirname(new URL(import.meta.url).pathname);
const manual = join(site, 'manual');

function put(file, text) {
  mkdirSync(dirname(file), {recursive: true});
  writeFileSync(file, text);
}

const isFolder = (path) => existsSync(path) && statSync(path).isDirectory();
const indexed = (path) => path.replace(/(^|\/)README\.md$/, '$1index.html').replace(/\.md$/, '.html');

// Anchors of headings, as repository hosts generate them and links of these pages use them.
const anchor = (heading) => heading.replace(/<[^>]*>|&[a-z]+;/g, '').replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-').toLowerCase();

function whole(title, up, body) {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'self'; img-src 'self'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="${up}../icon.svg">
<link rel="stylesheet" href="${up}manual.css">
</head>
<body>
<nav><a href="${up}../index.html">The explorer</a> <a href="${up}docs/index.html">All pages</a></nav>
${body}</body>
</html>
`;
}

// Writes a page and its link targets: other pages recursively, other files as they are.
function writePage(path, done) {
  if (done.has(path)) return;
  done.add(path);
  const markdown = readFileSync(join(root, path)).toString();
  const body = execFileSync(cmark, ['--unsafe', '--extension', 'table'], {input: markdown}).toString()
    .replace(/<h(\d)>(.*?)<\/h\1>/g, (_, level, words) => `<h${level} id="${anchor(words)}">${words}</h${level}>`)
    .replace(/ (href|src)="([^"#:]+)(#[^"]*)?"/g, (all, name, link, place = '') => {
      const target = join(dirname(path), decodeURI(link));
      if (!existsSync(join(root, target)) || isFolder(join(root, target))) throw Error(`${path}: ${link} is not a file`);
      if (link.endsWith('.md')) writePage(target, done);
      else put(join(manual, target), readFileSync(join(root, target)));
      return ` ${name}="${indexed(link)}${place}"`;
    });
  const title = markdown.match(/^# (.*)$/m)?.[1] ?? path;
  put(join(manual, indexed(path)), whole(title, relative(dirname(path), '.') ? relative(dirname(path), '.') + '/' : '', body));
}

function writeManual() {
  const done = new Set();
  writePage('README.md', done);
  for (const name of readdirSync(join(root, 'docs'))) if (name.endsWith('.md')) writePage(`docs/${name}`, done);
  copyFileSync(join(here, 'manual.css'), join(manual, 'manual.css'));
}

// All files below a folder, as paths.
function filesIn(folder, below = '') {
  return readdirSync(join(folder, below), {withFileTypes: true}).sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((one) => (one.isDirectory() ? filesIn(folder, `${below}${one.name}/`) : [below + one.name]));
}

function writeWorker() {
  const hash = (bytes) => createHash('sha256').update(bytes).digest('base64');
  const files = {};
  for (const path of filesIn(site).filter((name) => name !== 'sw.js')) {
    files['./' + path.replace(/(^|\/)index\.html$/, '$1')] = 'sha256-' + hash(readFileSync(join(site, path)));
  }
  const list = JSON.stringify(files, null, 0).replaceAll('",', '",\n');
  put(join(site, 'sw.js'), `const version = '${hash(list)}', files = ${list};\n` + readFileSync(join(here, 'sw.js')));
}

rmSync(manual, {recursive: true, force: true});
if (cmark) writeManual();
writeWorker();
