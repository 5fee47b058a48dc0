import {canvasColours, colourOf, shapeOf, tracePath} from './palette.js';

const BINS = 8;
const NAMES = ['ink', 'low', 'mid', 'high', ...Array.from({length: 8}, (_, i) => `c${i}`)];

const channels = (colour) =>
  colour
    .match(/[\d.]+/g)
    .slice(0, 3)
    .map(Number);
const between = (a, b, t) =>
  `rgb(${channels(a)
    .map((v, i) => Math.round(v + (channels(b)[i] - v) * t))
    .join(' ')})`;

/** Points on a canvas with a view that moves. It draws and finds points; what pointers and keys do is decided elsewhere. */
export class Scatter {
  #frame = 0;

  constructor(canvas, points) {
    this.canvas = canvas;
    this.context = canvas.getContext('2d');
    this.points = points;
    this.count = points.x.length;
    this.by = 'class';
    this.only = () => true;
    this.marked = -1;
    this.view = {k: 1, x: 0, y: 0};
    const sorted = [...points.epistemic].filter((v) => v !== null).sort((a, b) => a - b);
    this.low = sorted[Math.floor(0.02 * sorted.length)] ?? 0;
    this.high = sorted[Math.floor(0.98 * sorted.length)] ?? 1;
    this.bins = Uint8Array.from(points.epistemic, (v) =>
      Math.max(0, Math.min(BINS - 1, Math.floor((BINS * (v - this.low)) / (this.high - this.low || 1)))),
    );
    this.#groups();
    this.retheme();
  }

  /** Points of one class and one shade are one path; certain ones are drawn first. */
  #groups() {
    const groups = new Map();
    for (let i = 0; i < this.count; i++) {
      const key = this.bins[i] * 1e6 + this.points.class[i] + 1;
      if (!groups.has(key)) groups.set(key, {bin: this.bins[i], index: this.points.class[i], members: []});
      groups.get(key).members.push(i);
    }
    this.groups = [...groups.entries()].sort((a, b) => a[0] - b[0]).map(([, group]) => group);
  }

  retheme() {
    this.colours = canvasColours(NAMES);
    this.ramp = Array.from({length: BINS}, (_, i) => {
      const t = i / (BINS - 1);
      return t < 0.5 ? between(this.colours.low, this.colours.mid, 2 * t) : between(this.colours.mid, this.colours.high, 2 * t - 1);
    });
    this.draw();
  }

  resize() {
    const {clientWidth: width, clientHeight: height} = this.canvas;
    const ratio = window.devicePixelRatio || 1;
    const first = this.width === undefined;
    this.width = width;
    this.height = height;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    if (first) this.reset();
    else this.draw();
  }

  /** Shows everything. */
  reset() {
    const range = (values) => values.reduce(([a, b], v) => [Math.min(a, v), Math.max(b, v)], [Infinity, -Infinity]);
    const [x0, x1] = this.count > 0 ? range(this.points.x) : [0, 1];
    const [y0, y1] = this.count > 0 ? range(this.points.y) : [0, 1];
    const margin = 28;
    const k = Math.min((this.width - 2 * margin) / (x1 - x0 || 1), (this.height - 2 * margin) / (y1 - y0 || 1));
    this.least = k / 2;
    this.base = k;
    this.view = {k, x: this.width / 2 - (k * (x0 + x1)) / 2, y: this.height / 2 + (k * (y0 + y1)) / 2};
    this.draw();
  }

  px(i) {
    return this.view.k * this.points.x[i] + this.view.x;
  }

  py(i) {
    return this.view.y - this.view.k * this.points.y[i];
  }

  pan(dx, dy) {
    this.view.x += dx;
    this.view.y += dy;
    this.draw();
  }

  zoom(factor, x = this.width / 2, y = this.height / 2) {
    const k = Math.max(this.least, Math.min(this.base * 400, this.view.k * factor));
    const real = k / this.view.k;
    this.view = {k, x: x - (x - this.view.x) * real, y: y - (y - this.view.y) * real};
    this.draw();
  }

  get radius() {
    const crowd = this.count > 8000 ? 2.1 : this.count > 2000 ? 2.8 : 3.8;
    return Math.min(7, crowd * Math.max(1, this.view.k / this.base) ** 0.3);
  }

  draw() {
    if (this.#frame || this.width === undefined) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#paint();
    });
  }

  #paint() {
    const {context, colours, radius} = this;
    context.clearRect(0, 0, this.width, this.height);
    context.globalAlpha = 0.85;
    for (const {bin, index, members} of this.groups) {
      context.beginPath();
      for (const i of members) {
        const x = this.px(i);
        const y = this.py(i);
        if (this.#outside(x, y) || !this.only(i)) continue;
        tracePath(context, shapeOf(index), x, y, radius * (this.by === 'uncertainty' ? 0.8 + 0.07 * bin : 1));
      }
      context.fillStyle = this.by === 'uncertainty' ? this.ramp[bin] : colours[`c${colourOf(index)}`];
      context.fill();
    }
    context.globalAlpha = 1;
    context.beginPath();
    for (let i = 0; i < this.count; i++) {
      if (!this.points.flagged[i] || !this.only(i)) continue;
      const x = this.px(i);
      const y = this.py(i);
      if (this.#outside(x, y)) continue;
      context.moveTo(x + radius + 2.5, y);
      context.arc(x, y, radius + 2.5, 0, 2 * Math.PI);
    }
    context.strokeStyle = colours.ink;
    context.lineWidth = 1.3;
    context.stroke();
    if (this.marked >= 0) {
      context.beginPath();
      context.arc(this.px(this.marked), this.py(this.marked), radius + 6, 0, 2 * Math.PI);
      context.strokeStyle = colours.ink;
      context.lineWidth = 2.5;
      context.stroke();
    }
  }

  #outside(x, y) {
    return x < -8 || y < -8 || x > this.width + 8 || y > this.height + 8;
  }

  mark(i) {
    if (this.marked === i) return;
    this.marked = i;
    this.draw();
  }

  /** The point under a place, or -1. */
  at(x, y, reach = 12) {
    let best = -1;
    let least = reach * reach;
    for (let i = 0; i < this.count; i++) {
      const square = (this.px(i) - x) ** 2 + (this.py(i) - y) ** 2;
      if (square < least && this.only(i)) {
        least = square;
        best = i;
      }
    }
    return best;
  }

  /** The points inside a rectangle of the canvas, the most uncertain first. */
  inside(x0 = 0, y0 = 0, x1 = this.width, y1 = this.height) {
    const found = [];
    for (let i = 0; i < this.count; i++) {
      const x = this.px(i);
      const y = this.py(i);
      if (x >= x0 && x <= x1 && y >= y0 && y <= y1 && this.only(i)) found.push(i);
    }
    return found.sort((a, b) => this.points.epistemic[b] - this.points.epistemic[a]);
  }
}
