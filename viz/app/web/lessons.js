// Lessons: fetches packs (lessons and Chinese), keeps the notebook in the browser's storage, and shows the panel as a
// form for users who cannot see or point at the canvas. Calls the functions of viz/app/main_web_lessons.cpp and, for
// packs, of main_web_packs.cpp.
'use strict';

const longestNotebook = 1 << 20, longestPack = 1 << 19, longestProgram = 1 << 20;  // bytes; the program has these limits
const patienceForPack = 30000;  // milliseconds

// Passes long bytes or text to the program.
function give(viz, what) {
  const bytes = typeof what === 'string' ? new TextEncoder().encode(what) : what;
  const at = viz.room(bytes.length);
  viz.memory().set(bytes, at);
}

// Fetches the pack that the program needs, unless the page contains it. Reports errors, and offers a retry.
class Packs {
  constructor() { this.fetching = new Set(); }

  serve() {
    const name = viz.wantedPack();
    if (name === '' || this.fetching.has(name)) return;
    this.fetching.add(name);
    this.get(name).finally(() => {
      this.fetching.delete(name);
      wake();
    });
  }

  async get(name) {
    const bytes = carried(`${name}.pack`);
    if (!bytes) return this.fetch(name);
    give(viz, bytes);
    viz.pack(name);
  }

  async fetch(name) {
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(), patienceForPack);
    let status = 0, bytes = null;
    try {
      // A damaged pack, or one of another version of the page, is not taken from the cache again.
      const response = await fetch(`${name}.pack`, {cache: 'no-cache', signal: patience.signal});
      status = response.status;
      if (response.ok) bytes = new Uint8Array(await response.arrayBuffer()).subarray(0, longestPack + 1);
    } catch {
      status = 0;
    }
    clearTimeout(timer);
    if (!viz) return;  // the context was lost meanwhile
    if (!bytes) return viz.noPack(name, status);
    give(viz, bytes);
    viz.pack(name);
  }
}

// Notebook in the browser's storage. An unreadable one is set aside, never deleted.
class Notebook {
  constructor() {
    this.key = 'flashscope.notebook';
    this.keeps = true;
    this.aside = '';  // new name of an unreadable notebook
  }

  stored() {
    try {
      return localStorage.getItem(this.key) ?? '';
    } catch {
      return '';
    }
  }

  // Called before the program starts: copies the notebook to its buffer.
  open(viz) {
    const text = this.stored();
    give(viz, text);
    if (text === '' || viz.notebookFault() === '') return;
    give(viz, '');
    try {
      let n = 1;
      while (localStorage.getItem(`${this.key}.unreadable-${n}`) !== null) ++n;
      localStorage.setItem(`${this.key}.unreadable-${n}`, text);
      localStorage.removeItem(this.key);
      this.aside = `${this.key}.unreadable-${n}`;
    } catch {
      this.keeps = false;  // no storage for another one, and it is never overwritten
    }
  }

  // Called after the first frame, which shows notices.
  say() {
    if (this.aside !== '') viz.notebookAside(this.aside);
    if (!this.keeps) viz.notKept();
    this.aside = '';
  }

  serve() {
    if (!viz.notebookDue()) return;
    give(viz, this.stored());
    const text = viz.notebook();
    if (!this.keeps) return;
    try {
      localStorage.setItem(this.key, text);
    } catch {  // full, or the browser stores nothing
      this.keeps = false;
      viz.notKept();
    }
  }

  // Adds a file that was dropped on the page.
  async add(file) {
    const text = await file.slice(0, longestNotebook + 1).text();
    if (!viz) return;
    give(viz, text);
    viz.addNotebook(file.name);
    wake();
  }
}

// Creates an element with a text, attributes, and a click handler. A text with scripts is a list of [text, level].
function element(tag, text = '', attributes = {}, click = null) {
  const made = document.createElement(tag);
  const pieces = typeof text === 'string' ? [[text, 0]] : text;
  made.append(...pieces.map(([piece, level]) => level === 0 ? piece : element(level > 0 ? 'sup' : 'sub', piece)));
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (click) made.addEventListener('click', click);
  return made;
}

// A table whose first row has the headings.
function tableOf(rows) {
  const table = element('table');
  table.append(...rows.map((cells, n) => {
    const row = element('tr');
    row.append(...cells.map((cell) => n === 0 ? element('th', cell, {scope: 'col'}) : element('td', cell)));
    return row;
  }));
  return table;
}

// Panel as headings, paragraphs and forms. Rebuilt when the panel changes; typing is not interrupted.
class LessonForm {
  constructor(section) {
    this.section = section;
    this.words = section.querySelector('.words');
    this.controls = section.querySelector('.controls');
    this.shown = '';
    this.spoken = '';
  }

  show(json) {
    if (json === this.shown) return;
    this.shown = json;
    const lesson = JSON.parse(json);
    this.section.hidden = lesson === null;
    const focus = document.activeElement?.id;
    const fields = [...this.controls.querySelectorAll('input[type=text]')];
    const typed = Object.fromEntries(fields.map((field) => [field.id, field.value]));
    this.say(lesson ? this.text(lesson) : []);
    this.controls.replaceChildren(...(lesson ? this.forms(lesson) : []));
    for (const [id, value] of Object.entries(typed)) {
      const field = document.getElementById(id);
      if (field) field.value = value;
    }
    if (!focus?.startsWith('lesson-')) return;
    (document.getElementById(focus) ?? this.controls.querySelector('button'))?.focus();
  }

  // Screen readers announce changes in here, so it changes only when the text does.
  say(parts) {
    const now = parts.map((part) => part.textContent).join('\n');
    if (now === this.spoken) return;
    this.spoken = now;
    this.words.replaceChildren(...parts);
  }

  text(lesson) {
    const parts = [element('h2', lesson.title)];
    if (lesson.state === 'list' && lesson.routes.length > 0)
      parts.push(element('h3', lesson.routes_title), ...lesson.routes.map((route) => element('p', route)));
    if (lesson.state !== 'step') return parts;
    parts.push(element('p', lesson.place), element('h3', lesson.heading));
    const tags = {paragraph: 'p', equations: 'pre', myth: 'blockquote', item: 'p'};
    for (const {kind, text} of [...lesson.blocks, ...lesson.told])
      parts.push(kind === 'table' ? tableOf(text) : element(tags[kind], text));
    return parts;
  }

  act(action, key = '', text = '') {
    viz.lessonAct(action, key, text);
    wake();
  }

  button(labels, action, key = '') {
    const attributes = {type: 'button', id: `lesson-${action}-${key}`};
    return element('button', labels[action], attributes, () => this.act(action, key));
  }

  forms(lesson) {
    const labels = lesson.labels, ways = element('nav');
    const buttons = {
      list: ['close'],
      waiting: [...(lesson.failed ? ['retry'] : []), 'list', 'close'],
      step: ['back', 'next', ...(lesson.changed ? ['restore'] : []), 'list', 'close'],
    }[lesson.state];
    ways.append(...buttons.map((action) => this.button(labels, action)));
    const rows = (lesson.lessons ?? []).flatMap((row) => {
      const score = row.questions > 0 ? `${row.answered} / ${row.questions}` : '';
      const text = [row.title, row.facts, score, row.progress].filter((part) => part !== '').join(', ');
      const attributes = {type: 'button', id: `lesson-open-${row.id}`};
      const button = element('button', text, attributes, () => this.act('open', row.id));
      return row.chapter === '' ? [button] : [element('h3', row.chapter), button];
    });
    return [...rows, ...(lesson.questions ?? []).map((question) => this.form(labels, question)), ways];
  }

  form(labels, question) {
    const form = element('form', '', {'data-key': question.key}), fields = element('fieldset');
    fields.append(element('legend', question.text));
    for (const hint of question.hints) fields.append(element('p', hint));
    if (question.over) {
      fields.append(element('p', question.answer, {role: 'status'}), this.button(labels, 'again', question.key));
    } else {
      if (question.said) fields.append(element('p', question.said, {role: 'status'}));
      fields.append(...this.fields(question));
      fields.append(element('button', labels.check, {id: `lesson-check-${question.key}`}));
      if (question.more_hints) fields.append(this.button(labels, 'hint', question.key));
      fields.append(this.button({show: question.show}, 'show', question.key));
    }
    if (question.complaint) fields.append(element('p', question.complaint, {role: 'alert'}));
    form.append(fields);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const values = new FormData(form);
      for (const {name, value} of question.options)
        if (values.get(name) !== value) this.act('set', name, values.get(name));
      this.act('check', question.key, values.get('answer') ?? '');
    });
    return form;
  }

  // Choices are selected, an order is typed as line numbers, and a goal has a field for each option that it allows.
  fields(question) {
    if (question.kind === 'until') {
      return question.options.map(({name, label, value}) => {
        const field = element('label', `${label} `);
        field.append(element('input', '', {type: 'text', name, value, id: `lesson-option-${name}`, autocomplete: 'off'}));
        return field;
      });
    }
    if (question.kind === 'choice') {
      return question.choices.map((choice, n) => {
        const label = element('label', choice.label);
        const id = `lesson-choice-${question.key}-${n}`;
        label.prepend(element('input', '', {type: 'radio', name: 'answer', value: choice.name, id}));
        return label;
      });
    }
    const lines = element('ol');
    lines.append(...question.lines.map((line) => element('li', line)));
    const id = `lesson-answer-${question.key}`;
    const attributes = {type: 'text', name: 'answer', id, autocomplete: 'off', 'aria-label': element('p', question.text).textContent};
    const field = element('input', '', attributes);
    return question.lines.length > 0 ? [lines, field] : [field];
  }
}
