// Touch input: fingers, and the on-screen keyboard.
'use strict';

// One finger is the pointer. With a second one, both zoom and pan, until all are lifted.
class Fingers {
  constructor(dpr) {
    this.dpr = dpr;
    this.places = new Map();
    this.pinching = false;
  }

  place(event) { return {x: event.clientX * this.dpr(), y: event.clientY * this.dpr()}; }

  // Midpoint of the first two fingers, and their distance.
  pair() {
    const [a, b] = this.places.values();
    return {x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, apart: Math.max(1, Math.hypot(a.x - b.x, a.y - b.y))};
  }

  down(event) {
    this.places.set(event.pointerId, this.place(event));
    if (this.places.size === 1) return viz.touchDown(...Object.values(this.place(event)));
    if (this.pinching) return;
    this.pinching = true;
    this.began = this.pair();
    viz.pinchBegin();
  }

  move(event) {
    if (!this.places.has(event.pointerId)) return;
    if (!this.pinching) {
      this.places.set(event.pointerId, this.place(event));
      return viz.touchMove(...Object.values(this.place(event)));
    }
    if (this.places.size < 2) return;
    const before = this.pair();
    this.places.set(event.pointerId, this.place(event));
    const now = this.pair();
    viz.pinch(this.began.x, this.began.y, now.apart / before.apart, now.x - before.x, now.y - before.y);
  }

  up(event) {
    if (!this.places.delete(event.pointerId) || this.places.size > 0) return;
    if (this.pinching) viz.pinchEnd();
    else viz.touchUp();
    this.pinching = false;
  }
}

// The on-screen keyboard opens only for a field of the page, so an invisible field takes the typed text and passes it
// on. Such keyboards replace whole words, so each change is compared with the previous contents.
class ScreenKeyboard {
  // text(typed) and key(name) receive the input; home gets the focus back.
  constructor(field, home, {text, key}) {
    this.field = field;
    this.home = home;
    this.text = text;
    this.key = key;
    this.clear();
    field.addEventListener('input', (event) => this.changed(event.isComposing));
    field.addEventListener('compositionend', () => this.clear());
  }

  get shown() { return document.activeElement === this.field; }

  // One character always remains, or the field would not report a deletion.
  clear() { this.seen = this.field.value = '\u200b'; }

  changed(composing) {
    const {seen, field: {value}} = this;
    let same = 0;
    while (same < seen.length && seen[same] === value[same]) ++same;
    for (let n = seen.length; n > same; --n) this.key('Backspace');
    if (value.length > same) this.text(value.slice(same));
    this.seen = value;
    if (!composing) this.clear();
  }

  // Called during the tap that requests it: at other times a phone refuses.
  show(wanted) {
    if (wanted === this.shown) return;
    this.clear();
    (wanted ? this.field : this.home).focus({preventScroll: true});
  }
}
