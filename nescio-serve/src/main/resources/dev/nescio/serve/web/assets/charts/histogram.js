import {fresh, onWidth, put, s} from '../dom.js';
import {alarms, count, number, percent} from '../format.js';
import {linear, ticks} from './scale.js';

const HEIGHT = 250;
const MARGIN = {top: 26, right: 14, bottom: 40, left: 46};

const shares = (counts) => {
  const all = counts.reduce((a, b) => a + b, 0) || 1;
  return counts.map((n) => n / all);
};

/**
 * Held-out and scored nodes by epistemic uncertainty, with a threshold that pointer and keyboard move. `steps` are the thresholds in
 * ascending order; `onMove` is told the step. Returns a function that moves the threshold from outside.
 */
export function histogram(container, {histogram: data, steps, at, onMove, signal}) {
  const {edges} = data;
  const ordinary = shares(data.ordinary);
  const scored = shares(data.scored);
  const top = Math.max(...ordinary, ...scored, 1e-9);
  let current = at;
  let draw = () => {};

  const move = (step) => {
    current = Math.max(0, Math.min(steps.length - 1, step));
    draw();
    onMove(steps[current]);
  };

  onWidth(container, signal, (width) => {
    const x = linear([edges[0], edges.at(-1)], [MARGIN.left, width - MARGIN.right]);
    const root = linear([0, Math.sqrt(top)], [HEIGHT - MARGIN.bottom, MARGIN.top]);
    const y = (value) => root(Math.sqrt(value));
    const floor = HEIGHT - MARGIN.bottom;
    const clip = {below: fresh('clip'), above: fresh('clip')};
    const rects = {below: s('rect', {y: 0, height: HEIGHT}), above: s('rect', {y: 0, height: HEIGHT})};
    const bars = (kind) =>
      s(
        'g',
        {class: `scored ${kind}`, 'clip-path': `url(#${clip[kind]})`},
        scored.map(
          (v, i) =>
            v > 0 &&
            s('rect', {
              x: x(edges[i]) + 0.5,
              width: Math.max(0.5, x(edges[i + 1]) - x(edges[i]) - 1),
              y: y(v),
              height: floor - y(v),
            }),
        ),
      );
    const outline = ordinary.map((v, i) => `${i === 0 ? 'M' : 'L'}${x(edges[i])} ${y(v)}H${x(edges[i + 1])}`).join('');
    const yTicks = [0.001, 0.01, 0.05, 0.1, 0.2, 0.4, 0.8].filter((v) => v <= top);

    const handle = s(
      'g',
      {
        class: 'threshold',
        role: 'slider',
        tabindex: 0,
        'aria-label': 'Threshold of epistemic uncertainty',
        'aria-valuemin': 0,
        'aria-orientation': 'horizontal',
      },
      s('line', {y1: 14, y2: floor}),
      s('rect', {class: 'grip', x: -7, y: 6, width: 14, height: 22, rx: 4}),
      s('path', {d: 'M-2 12v10M2 12v10'}),
    );
    const picture = s(
      'svg',
      {
        viewBox: `0 0 ${width} ${HEIGHT}`,
        width,
        height: HEIGHT,
        class: 'chart histogram',
        role: 'group',
        'aria-label': 'Histogram of epistemic uncertainty',
      },
      s('defs', null, s('clipPath', {id: clip.below}, rects.below), s('clipPath', {id: clip.above}, rects.above)),
      yTicks.map((v) =>
        s(
          'g',
          {class: 'tick'},
          s('line', {x1: MARGIN.left, x2: width - MARGIN.right, y1: y(v), y2: y(v)}),
          s('text', {x: MARGIN.left - 6, y: y(v) + 4, 'text-anchor': 'end'}, percent(v)),
        ),
      ),
      bars('below'),
      bars('above'),
      s('path', {class: 'held', d: outline}),
      s(
        'g',
        {class: 'axis'},
        s('line', {x1: MARGIN.left, x2: width - MARGIN.right, y1: floor, y2: floor}),
        ticks(edges[0], edges.at(-1), width / 90).map((v) => s('text', {x: x(v), y: floor + 16, 'text-anchor': 'middle'}, number(v))),
        s(
          'text',
          {x: (MARGIN.left + width - MARGIN.right) / 2, y: HEIGHT - 5, 'text-anchor': 'middle', class: 'name'},
          'epistemic uncertainty',
        ),
      ),
      steps.length > 0 ? handle : null,
    );

    draw = () => {
      const cut = steps.length > 0 ? x(Math.max(edges[0], Math.min(edges.at(-1), steps[current].threshold))) : width;
      rects.below.setAttribute('width', Math.max(0, cut));
      rects.above.setAttribute('x', cut);
      rects.above.setAttribute('width', Math.max(0, width - cut));
      if (steps.length === 0) return;
      handle.setAttribute('transform', `translate(${cut} 0)`);
      handle.setAttribute('aria-valuemax', steps.length - 1);
      handle.setAttribute('aria-valuenow', current);
      handle.setAttribute(
        'aria-valuetext',
        `${number(steps[current].threshold)}: ${count(steps[current].flagged)} flagged, about ${alarms(steps[current].expectedFalseAlarms)} false alarms expected`,
      );
    };

    const toPointer = (event) => {
      const value = x.invert(event.clientX - picture.getBoundingClientRect().left);
      let best = 0;
      steps.forEach((step, i) => {
        if (Math.abs(step.threshold - value) < Math.abs(steps[best].threshold - value)) best = i;
      });
      if (best !== current) move(best);
    };
    if (steps.length > 0) {
      picture.addEventListener('pointerdown', (event) => {
        if (event.button !== 0) return;
        picture.setPointerCapture(event.pointerId);
        toPointer(event);
        handle.focus({preventScroll: true});
        event.preventDefault();
      });
      picture.addEventListener('pointermove', (event) => {
        if (picture.hasPointerCapture(event.pointerId)) toPointer(event);
      });
      handle.addEventListener('keydown', (event) => {
        const by = {ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10, Home: -Infinity, End: Infinity}[
          event.key
        ];
        if (by === undefined) return;
        event.preventDefault();
        move(current + by);
      });
    }
    const focused = container.contains(document.activeElement);
    put(container, picture);
    draw();
    if (focused) handle.focus({preventScroll: true});
  });
  return (step) => move(step);
}
