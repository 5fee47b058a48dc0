import {call} from '../api.js';
import {gestures} from '../charts/gestures.js';
import {Scatter} from '../charts/scatter.js';
import {debounce, h, onWidth, put} from '../dom.js';
import {count, number, percent, plural, score, visible} from '../format.js';
import {useKeys} from '../keys.js';
import {classTag, flagSign, idLink} from '../parts/node.js';
import {empty, load} from '../parts/state.js';
import {go, nodeLink} from '../router.js';
import {overview} from '../session.js';

const LISTED = 100;

export async function show(main, {signal, setTitle}) {
  setTitle('Map');
  const body = h('div');
  const under = h('p', null, 'Two principal components of the joint embedding of all hidden states.');
  put(main, h('div', {class: 'page-head'}, h('div', null, h('h1', null, 'Map'), under)), body);
  load(
    body,
    signal,
    async () => (await Promise.all([call('map', {query: {limit: 20000}, signal}), overview()]))[0],
    (data) => {
      if (data.explained?.length === 2) under.append(` They hold ${percent(data.explained[0] + data.explained[1], 2)} of its variance.`);
      if (data.sampled) under.append(` ${count(data.points.id.length)} of ${count(data.total)} nodes are drawn.`);
      if (data.points.id.length === 0)
        put(body, h('div', {class: 'card'}, empty('There is nothing to draw', 'The graph has no nodes yet.')));
      else render(body, data, signal);
    },
    10,
  );
}

function render(body, data, signal) {
  const {points} = data;
  const canvas = h('canvas', {
    tabindex: 0,
    role: 'application',
    'aria-label': `Map of ${plural(points.id.length, 'node')}`,
    'aria-describedby': 'map-help',
  });
  const tip = h('div', {class: 'map-tip', hidden: true});
  const brush = h('div', {class: 'map-brush', hidden: true});
  const scatter = new Scatter(canvas, points);
  const list = mapList(data, scatter);
  let selecting = false;
  let chosen = null;

  const relist = debounce(120, () => {
    if (!chosen && !signal.aborted) list.show(scatter.inside(), 'in view');
  });
  const pick = (indices) => {
    chosen = indices;
    if (indices) list.show(indices, 'selected', () => pick(null));
    else {
      brush.hidden = true;
      list.show(scatter.inside(), 'in view');
    }
  };
  const frame = (rectangle) => {
    brush.hidden = rectangle === null;
    if (!rectangle) return;
    brush.style.transform = `translate(${rectangle.x0}px, ${rectangle.y0}px)`;
    brush.style.width = `${rectangle.x1 - rectangle.x0}px`;
    brush.style.height = `${rectangle.y1 - rectangle.y0}px`;
  };
  const hover = (x, y) => {
    const i = x === null ? -1 : scatter.at(x, y);
    scatter.mark(i);
    tip.hidden = i < 0;
    if (i < 0) return;
    put(
      tip,
      h('bdi', null, visible(points.id[i]).slice(0, 120)),
      h('br'),
      [data.classes[points.class[i]], `epistemic ${number(points.epistemic[i])}`, points.flagged[i] ? 'flagged' : null]
        .filter(Boolean)
        .map(visible)
        .join(' · '),
    );
    const left = scatter.px(i) + 14 + tip.offsetWidth > scatter.width ? scatter.px(i) - 14 - tip.offsetWidth : scatter.px(i) + 14;
    tip.style.transform = `translate(${Math.max(0, left)}px, ${Math.max(0, scatter.py(i) - 16)}px)`;
  };
  gestures(
    canvas,
    scatter,
    {
      hover,
      tap: (x, y) => {
        const i = scatter.at(x, y);
        if (i >= 0) go(nodeLink(points.id[i]));
      },
      brush: (rectangle, done) => {
        frame(rectangle);
        if (done) pick(rectangle ? scatter.inside(rectangle.x0, rectangle.y0, rectangle.x1, rectangle.y1) : null);
      },
      moved: () => {
        tip.hidden = true;
        brush.hidden = true;
        relist();
      },
    },
    () => selecting,
    signal,
  );

  const mode = toggle(
    'Dragging',
    [
      ['Pan', false],
      ['Select', true],
    ],
    false,
    (value) => {
      selecting = value;
      canvas.classList.toggle('selecting', value);
    },
  );
  const legend = h('div', {class: 'map-legend'});
  const colour = toggle(
    'Colour by',
    [
      ['Class', 'class'],
      ['Uncertainty', 'uncertainty'],
    ],
    data.classes.length > 0 ? 'class' : 'uncertainty',
    (value) => {
      scatter.by = value;
      put(
        legend,
        value === 'class' ? classLegend(data) : rampLegend(scatter),
        h('span', {class: 'soft small'}, 'The shape is the class; a ring is flagged.'),
      );
      scatter.draw();
    },
  );
  const only = h('input', {
    type: 'checkbox',
    on: {
      change: (event) => {
        scatter.only = event.target.checked ? (i) => points.flagged[i] === 1 || points.flagged[i] === true : () => true;
        scatter.draw();
        pick(null);
      },
    },
  });
  const zoomed = (action) => () => {
    action();
    brush.hidden = true;
    relist();
  };
  put(
    body,
    h(
      'div',
      {class: 'map-layout'},
      h(
        'section',
        {class: 'card flush', 'aria-label': 'Map'},
        h('div', {class: 'map-tools no-print'}, colour.element, mode.element, h('label', {class: 'check'}, only, 'flagged only')),
        h(
          'div',
          {class: 'map-frame'},
          canvas,
          brush,
          tip,
          h(
            'div',
            {class: 'map-zoom no-print'},
            h('button', {type: 'button', 'aria-label': 'Zoom in', on: {click: zoomed(() => scatter.zoom(1.6))}}, '+'),
            h('button', {type: 'button', 'aria-label': 'Zoom out', on: {click: zoomed(() => scatter.zoom(1 / 1.6))}}, '−'),
            h('button', {type: 'button', 'aria-label': 'Show everything', on: {click: zoomed(() => scatter.reset())}}, '⤢'),
          ),
        ),
        legend,
        h(
          'p',
          {id: 'map-help', class: 'map-legend soft small'},
          'Drag to move, Shift and drag to select, wheel to zoom. With the keyboard: arrows move, + and − zoom, 0 shows everything; the list holds the nodes in view.',
        ),
      ),
      list.element,
    ),
  );
  colour.set();
  onWidth(canvas, signal, () => {
    scatter.resize();
    relist();
  });
  document.addEventListener('themechange', () => scatter.retheme(), {signal});
  useKeys(
    'Map',
    [
      {keys: ['m'], text: 'Go to the map', run: () => canvas.focus()},
      {keys: ['v'], text: 'Go to the list', run: () => list.element.querySelector('a')?.focus()},
      {keys: ['x'], text: 'Forget the selection', run: () => pick(null)},
    ],
    signal,
  );
}

function toggle(name, options, value, onChange) {
  const buttons = options.map(([text, v]) =>
    h('button', {type: 'button', 'aria-pressed': String(v === value), on: {click: () => choose(v)}}, text),
  );
  const choose = (chosen) => {
    buttons.forEach((button, i) => button.setAttribute('aria-pressed', String(options[i][1] === chosen)));
    onChange(chosen);
  };
  return {
    element: h(
      'div',
      {class: 'row', role: 'group', 'aria-label': name},
      h('span', {class: 'soft small'}, name),
      h('span', {class: 'group'}, buttons),
    ),
    set: () => choose(value),
  };
}

const classLegend = ({classes}) =>
  h(
    'ul',
    {class: 'legend'},
    classes.slice(0, 24).map((name) => h('li', null, classTag(name))),
  );

const rampLegend = (scatter) =>
  h('p', {class: 'row soft small'}, `epistemic ${number(scatter.low, 3)}`, h('i', {class: 'ramp'}), `${number(scatter.high, 3)} and more`);

/** Nodes in view or selected; pointing at one shows it on the map. */
function mapList({points, classes}, scatter) {
  const title = h('h2', null, 'Nodes');
  const items = h('ol');
  const forget = h('button', {type: 'button', class: 'link', hidden: true}, 'Forget');
  let end = () => {};
  forget.addEventListener('click', () => end());
  const element = h(
    'section',
    {class: 'card flush map-side', 'aria-label': 'Nodes of the map'},
    h('header', null, title, forget, h('p', null, `The most uncertain ${LISTED}, at most.`)),
    h('div', {class: 'map-list'}, items),
  );
  return {
    element,
    show(indices, what, onForget) {
      end = onForget ?? end;
      forget.hidden = !onForget;
      title.textContent = `${plural(indices.length, 'node')} ${what}`;
      put(
        items,
        indices.length === 0
          ? h('li', {class: 'soft'}, 'No nodes here.')
          : indices.slice(0, LISTED).map((i) =>
              h(
                'li',
                {
                  on: {
                    pointerenter: () => scatter.mark(i),
                    pointerleave: () => scatter.mark(-1),
                    focusin: () => scatter.mark(i),
                    focusout: () => scatter.mark(-1),
                  },
                },
                h('span', {class: 'row'}, idLink(points.id[i]), classes[points.class[i]] ? classTag(classes[points.class[i]]) : null),
                h('span', {class: 'num'}, points.flagged[i] ? flagSign() : null, score(points.epistemic[i])),
              ),
            ),
      );
    },
  };
}
