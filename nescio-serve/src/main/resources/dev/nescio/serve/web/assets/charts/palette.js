import {s} from '../dom.js';

// A class has a colour and a shape, so that neither has to be seen to tell classes apart.

const COLOURS = 8;
const indices = new Map();

export function setClasses(names) {
  indices.clear();
  names.forEach((name, i) => indices.set(name, i));
}

export const classIndex = (name) => {
  if (!indices.has(name)) indices.set(name, indices.size);
  return indices.get(name);
};

export const colourOf = (index) => (index < 0 ? 6 : index % COLOURS);
export const shapeOf = (index) => (index < 0 ? 0 : (index + Math.floor(index / COLOURS)) % SHAPES.length);

const polygon = (points) => (r) => points.map(([x, y], i) => [x * r, y * r, i === 0 ? 'M' : 'L']);
const star = (tips, inner) =>
  polygon(
    Array.from({length: 2 * tips}, (_, i) => {
      const angle = (Math.PI * i) / tips - Math.PI / 2;
      const size = i % 2 === 0 ? 1.25 : inner;
      return [size * Math.cos(angle), size * Math.sin(angle)];
    }),
  );
const SHAPES = [
  null,
  polygon([
    [-0.9, -0.9],
    [0.9, -0.9],
    [0.9, 0.9],
    [-0.9, 0.9],
  ]),
  polygon([
    [0, -1.2],
    [1.15, 0.85],
    [-1.15, 0.85],
  ]),
  polygon([
    [0, -1.25],
    [1.25, 0],
    [0, 1.25],
    [-1.25, 0],
  ]),
  polygon([
    [0, 1.2],
    [1.15, -0.85],
    [-1.15, -0.85],
  ]),
  star(5, 0.55),
  polygon([
    [-1.1, 0],
    [-0.55, -1],
    [0.55, -1],
    [1.1, 0],
    [0.55, 1],
    [-0.55, 1],
  ]),
  star(4, 0.5),
];

/** Draws a shape around a point of a canvas path. */
export function tracePath(context, shape, x, y, r) {
  if (shape === 0) {
    context.moveTo(x + r, y);
    context.arc(x, y, r, 0, 2 * Math.PI);
    return;
  }
  for (const [dx, dy, step] of SHAPES[shape](r)) {
    if (step === 'M') context.moveTo(x + dx, y + dy);
    else context.lineTo(x + dx, y + dy);
  }
  context.closePath();
}

/** A shape around the origin as SVG path data. */
export function shapePath(shape, r) {
  if (shape === 0) return `M${r} 0A${r} ${r} 0 1 1 ${-r} 0A${r} ${r} 0 1 1 ${r} 0Z`;
  return `${SHAPES[shape](r)
    .map(([x, y, step]) => `${step}${x.toFixed(2)} ${y.toFixed(2)}`)
    .join('')}Z`;
}

/** The small mark of a class for lists and legends. */
export function mark(name) {
  const index = classIndex(name);
  return s(
    'svg',
    {viewBox: '-6 -6 12 12', width: 12, height: 12, 'aria-hidden': 'true'},
    s('path', {d: shapePath(shapeOf(index), 4), class: `c${colourOf(index)}`}),
  );
}

/** Colours as the canvas needs them: resolved for the theme in use. */
export function canvasColours(names) {
  const probe = document.createElement('i');
  probe.hidden = true;
  document.body.append(probe);
  const found = Object.fromEntries(
    names.map((name) => {
      probe.style.color = `var(--${name})`;
      return [name, getComputedStyle(probe).color];
    }),
  );
  probe.remove();
  return found;
}
