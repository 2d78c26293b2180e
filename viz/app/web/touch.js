// What a touch screen has: fingers, and a keyboard that comes and goes.
'use strict';

// One finger is the pointer. With a second one both zoom and move what is between them, until all are lifted.
class Fingers {
  constructor(dpr) {
    this.dpr = dpr;
    this.places = new Map();
    this.pinching = false;
  }

  place(event) { return {x: event.clientX * this.dpr(), y: event.clientY * this.dpr()}; }

  // The middle of the first two, and how far apart they are.
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

// The keyboard on the screen comes only to a field of the page, so one that nobody sees takes what is typed and hands it
// on. Such keyboards change whole words, so after each change the field is compared with before.
class ScreenKeyboard {
  // text(typed) and key(name) take what was typed; home is where the focus goes back to.
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

  // One character always stands there, or the field would not say that another one was taken away.
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

  // Called within the tap that asks for it: at other times a phone refuses.
  show(wanted) {
    if (wanted === this.shown) return;
    this.clear();
    (wanted ? this.field : this.home).focus({preventScroll: true});
  }
}
