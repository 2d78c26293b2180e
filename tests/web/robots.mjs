// Robots that play lessons in the browser: they answer through the form that mirrors the panel.
import assert from 'node:assert/strict';
import {patience} from './browser.mjs';

export const panel = (explorer) => explorer.page.evaluate(() => JSON.parse(window.viz.lesson()));
// Waits until the panel shows a step, the list, or the reason why there is none.
export async function arrive(explorer) {
  await explorer.arrived();
  await explorer.page.waitForFunction(() => {
    const lesson = JSON.parse(window.viz.lesson());
    return lesson && (lesson.state !== 'waiting' || lesson.failed);
  }, null, {timeout: patience});
  await explorer.settle();
  return panel(explorer);
}
export async function press(explorer, id) {
  await explorer.page.evaluate((name) => document.getElementById(name).click(), id);
  await explorer.settle();
  return panel(explorer);
}
export async function go(explorer, hash) {
  await explorer.page.evaluate((to) => { location.hash = to; }, hash);
  await explorer.settle();
  return arrive(explorer);
}

// Types or chooses an answer in the form and checks it. For a goal, changes the scenario as the answer states.
export async function give(explorer, question, answer) {
  if (question.kind === 'until') {
    const now = new URLSearchParams((await explorer.state()).link);
    for (const [name, value] of new URLSearchParams(answer)) now.set(name, value);
    await go(explorer, '#' + decodeURIComponent(now.toString()));
  } else {
    await explorer.page.evaluate(({key, typed}) => {
      const radio = [...document.querySelectorAll(`#lesson form[data-key="${key}"] input[type=radio]`)];
      const chosen = radio.find((one) => one.value === typed);
      if (chosen) chosen.checked = true;
      const field = document.getElementById('lesson-answer-' + key);
      if (field) field.value = typed;
    }, {key: question.key, typed: answer});
  }
  const after = await press(explorer, 'lesson-check-' + question.key);
  return after.questions.find((one) => one.key === question.key);
}

// A text without its scripts' places.
const plain = (text) => typeof text === 'string' ? text : text.map(([piece]) => piece).join('');

// Returns the answer that the panel shows after "Show me", as a user would type it.
function read(question, shown) {
  if (question.kind === 'choice') return question.choices.find((one) => plain(one.label) === shown.expected).name;
  if (question.kind !== 'order') return shown.expected;
  const places = question.lines.map((line, n) => [shown.answer.indexOf(line), n + 1]);
  return places.sort((a, b) => a[0] - b[0]).map(([, n]) => n).join(' ');
}
// Gets the answer with "Show me" and enters it.
async function know(explorer, question) {
  const {questions} = await press(explorer, 'lesson-show-' + question.key);
  const shown = questions.find((one) => one.key === question.key);
  await press(explorer, 'lesson-again-' + question.key);
  const after = await give(explorer, question, read(question, shown));
  assert.match(after.answer, /^(Right\.|正确。)/, `${question.key}: ${JSON.stringify(shown)} ${JSON.stringify(after)}`);
}

// Each robot takes a question, and answers it or leaves it open.
let seed = 18;
const random = (n) => { seed = (seed * 48271) % 2147483647; return seed % n; };
const nonsense = ['', ' ', '0', '-1', '4.4 GB', '1e99', 'abc', '0, 0', '3 1 2', 'N*d', '<b>', '数', 'x'.repeat(5000)];
const robots = {
  perfect: know,
  async wrong(explorer, question) {
    if (question.kind === 'until') return;
    const choices = question.choices.map((one) => one.name);
    const tries = {choice: choices, order: [question.lines.map((_, n) => n + 1).join(' '), question.lines.map((_, n) => question.lines.length - n).join(' ')], tile: ['0, 0', '1, 0'],
      number: ['987654321', '987654322'], formula: ['N+d+1', 'N+d+2']}[question.kind];
    let wrong = 0;  // another try is offered, with an explanation
    for (const one of tries) {
      const after = await give(explorer, question, one);
      if (!after.over) {
        assert.match(after.said, /^(Not yet\.|还不对。)/, `${question.key}: ${after.error_message}`);
        assert.ok(++wrong < 2, question.key);
        continue;
      }
      if (wrong > 0 && /^(Right\.|正确。)/.test(after.answer)) return;  // there were only two choices
      if (/^Not yet\./.test(after.answer)) return assert.ok(after.answer.length > 30, after.answer);  // with an explanation
      await press(explorer, 'lesson-again-' + question.key);
    }
    assert.fail(`${question.key}: nothing is wrong`);
  },
  async random(explorer, question) {
    for (let n = 0; n < 3; ++n) {
      const typed = nonsense[random(nonsense.length)];
      const after = await give(explorer, question, question.kind === 'until' ? '' : typed);
      if (after.over) return;
    }
  },
  async empty() {},
};

// Plays a lesson from its first step to the list.
export async function walk(explorer, id, robot, language) {
  let now = await go(explorer, `#lesson=${id}&lesson-step=1&lang=${language}`);
  for (let n = 1; n <= now.steps; ++n) {
    assert.deepEqual([now.state, now.step], ['step', n], id);
    assert.ok(now.heading && now.blocks.length > 0 && !now.changed, `${id} step ${n}`);
    assert.equal((await explorer.state()).error, '');
    for (let asked = ''; ;) {
      const open = (await panel(explorer)).questions.find((one) => !one.over);
      if (!open || open.key === asked) break;
      asked = open.key;
      await robots[robot](explorer, open);
    }
    now = await press(explorer, 'lesson-next-');
  }
  assert.equal(now.state, 'list');
}
