// node one_file.mjs PAGE FILE: writes the page of the folder PAGE as one file, which a browser opens without a server
// or network. Style and scripts are inlined, and allowed by their hashes; the program and the packs are data in base64,
// which carried() of program.js reads.
import {createHash} from 'node:crypto';
import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

const [folder, output] = process.argv.slice(2);
const read = (name) => readFileSync(join(folder, name));
const hashes = {script: [], style: []};

// Inlines the text of a file in an element; rejects text that would end it early.
function inline(tag, name) {
  const text = read(name).toString();
  if (new RegExp(`</${tag}|<!--`, 'i').test(text)) throw Error(`${name} has "</${tag}" or "<!--" in it`);
  hashes[tag].push(`'sha256-${createHash('sha256').update(text).digest('base64')}'`);
  return `<${tag}>${text}</${tag}>`;
}

// A block of data, which no browser runs as a script.
const data = (name) => `<script type="application/octet-stream" id="${name}">${read(name).toString('base64')}</script>\n`;

const packs = ['lessons', 'words'].flatMap((below) => readdirSync(join(folder, below)).sort().map((name) => `${below}/${name}`));
const carried = ['flashscope.wasm', 'about/licences.txt', ...packs].map(data).join('');
const before = /<script src="/;  // data must precede the scripts that read it
const html = read('index.html').toString()
  .replace(before, (first) => carried + first)
  .replace(/<link rel="manifest".*\n/, '')
  .replace('icon.svg', `data:image/svg+xml;base64,${read('icon.svg').toString('base64')}`)
  .replace(/ manifest-src 'self'; worker-src 'self';/, '')
  .replace(/<link rel="stylesheet" href="([^"]*)">/g, (_, name) => inline('style', name))
  .replace(/<script src="([^"]*)"><\/script>/g, (_, name) => inline('script', name))
  .replace(/script-src 'self'/, () => `script-src ${hashes.script.join(' ')}`)
  .replace(/style-src 'self'/, () => `style-src ${hashes.style.join(' ')}`);
writeFileSync(output, html);
