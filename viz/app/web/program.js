// The WebAssembly program: maps its functions to names here. viz/app/main_web*.cpp documents them.
'use strict';

function program(module) {
  const text = (name) => module.cwrap(name, 'string', []);
  const call = (name, ...types) => module.cwrap(name, null, types);
  return {
    memory: () => module.HEAPU8,
    start: call('viz_start', 'string', 'number', 'number', 'number'),
    frame: module.cwrap('viz_frame', 'boolean', ['number']),
    pixels: module.cwrap('viz_pixels', 'number', []),
    key: module.cwrap('viz_key', 'boolean', ['string', 'boolean', 'boolean', 'boolean']),
    rect: module.cwrap('viz_rect', 'string', ['string']),
    resize: call('viz_resize', 'number', 'number', 'number'),
    pointer: call('viz_pointer', 'number', 'number'),
    pointerLeft: call('viz_pointer_left'),
    button: call('viz_button', 'number', 'boolean'),
    touchDown: call('viz_touch_down', 'number', 'number'),
    touchMove: call('viz_touch_move', 'number', 'number'),
    touchUp: call('viz_touch_up'),
    pinchBegin: call('viz_pinch_begin'),
    pinch: call('viz_pinch', 'number', 'number', 'number', 'number', 'number'),
    pinchEnd: call('viz_pinch_end'),
    wheel: call('viz_wheel', 'number'),
    text: call('viz_text', 'string'),
    takesText: module.cwrap('viz_takes_text', 'boolean', []),
    follow: call('viz_follow', 'string'), last: call('viz_last', 'string'),
    room: module.cwrap('viz_room', 'number', ['number']),
    wantedPack: text('viz_wanted_pack'), pack: call('viz_pack', 'string'), noPack: call('viz_no_pack', 'string', 'number'),
    ownFile: call('viz_own_file', 'string'), ownLessons: text('viz_own_lessons'),
    noOwnLessons: call('viz_no_own_lessons', 'string'),
    notebookFault: text('viz_notebook_fault'), notebookAside: call('viz_notebook_aside', 'string'),
    notebookDue: module.cwrap('viz_notebook_due', 'boolean', []), notebook: text('viz_notebook'),
    notKept: call('viz_not_kept'), addNotebook: call('viz_add_notebook', 'string'),
    openProgram: call('viz_open_program', 'string'),
    lesson: text('viz_lesson'), lessonAct: call('viz_lesson_act', 'string', 'string', 'string'),
    copied: call('viz_copied', 'boolean'),
    link: text('viz_link'), scenario: text('viz_scenario'), title: text('viz_title'),
    description: text('viz_description'), state: text('viz_state'), file: text('viz_file'), copy: text('viz_copy'),
  };
}

// A file embedded in the page, as all are in flashscope.html; null if it must be fetched.
function carried(name) {
  const element = document.getElementById(name);
  if (!element) return null;
  const text = atob(element.textContent), bytes = new Uint8Array(text.length);
  for (let n = 0; n < text.length; ++n) bytes[n] = text.charCodeAt(n);
  return bytes;
}
