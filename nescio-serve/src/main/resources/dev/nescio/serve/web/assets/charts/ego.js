import {onWidth, put, s} from '../dom.js';
import {number, pValue, shorten, visible} from '../format.js';
import {layout} from './force.js';
import {classIndex, colourOf, shapePath, shapeOf} from './palette.js';

const LABELS_UP_TO = 24;
const EVERYDAY = {0: 11, 1: 7.5, 2: 6};

/** What a screen reader says about a node of the picture. */
const spoken = (node) =>
  [
    visible(node.id),
    node.hop === 0 ? 'the node itself' : `${node.hop} ${node.hop === 1 ? 'hop' : 'hops'} away`,
    node.predicted ? `predicted ${visible(node.predicted)}` : null,
    `epistemic ${number(node.epistemic)}`,
    node.pValue === null ? null : `p-value ${pValue(node.pValue)}`,
    node.flagged ? 'flagged' : null,
  ]
    .filter(Boolean)
    .join(', ');

/** A graph that grows: nodes by id, and edges between them without doubles. */
export class EgoGraph {
  constructor(centre) {
    this.centre = centre;
    this.nodes = [];
    this.edges = [];
    this.places = new Map();
    this.pairs = new Set();
  }

  /** Adds an answer of the service; hops are counted from the centre of this graph. */
  add(answer, from = 0) {
    for (const node of answer.nodes) {
      if (this.places.has(node.id)) continue;
      this.places.set(node.id, this.nodes.length);
      this.nodes.push({...node, hop: node.hop + from});
    }
    for (const [a, b] of answer.edges) {
      const ends = [this.places.get(a), this.places.get(b)].sort((i, j) => i - j);
      const key = ends.join(' ');
      if (ends.includes(undefined) || this.pairs.has(key)) continue;
      this.pairs.add(key);
      this.edges.push(ends);
    }
    layout(this.nodes, this.edges);
    return this;
  }
}

/** Draws an ego graph; one node at a time is in the tab order and the arrow keys walk. */
export function drawEgo(container, graph, {height, onChoose, signal}) {
  let focus = 0;
  let chosen = -1;
  onWidth(container, signal, (width) => {
    const margin = 26;
    const reach = graph.nodes.reduce((box, n) => ({x: Math.max(box.x, Math.abs(n.x)), y: Math.max(box.y, Math.abs(n.y))}), {x: 60, y: 60});
    const scale = Math.min((width / 2 - margin) / reach.x, (height / 2 - margin) / reach.y, 1.4);
    const wide = Math.min((width / 2 - margin - 20) / reach.x, scale * 1.7);
    const px = (n) => width / 2 + n.x * wide;
    const py = (n) => height / 2 + n.y * scale;
    const small = graph.nodes.length > 120 ? 0.62 : graph.nodes.length > 50 ? 0.8 : 1;
    const marks = graph.nodes.map((node, i) => {
      const r = (EVERYDAY[node.hop] ?? 5.5) * (node.hop === 0 ? 1 : small);
      const index = node.predicted === null || node.predicted === '' ? -1 : classIndex(node.predicted);
      const labelled = node.hop === 0 || graph.nodes.length <= LABELS_UP_TO;
      return s(
        'g',
        {
          class: `ego-node${node.hop === 0 ? ' centre' : ''}${i === chosen ? ' chosen' : ''}`,
          role: 'button',
          tabindex: i === focus ? 0 : -1,
          'aria-label': spoken(node),
          transform: `translate(${px(node).toFixed(1)} ${py(node).toFixed(1)})`,
          data: {i},
        },
        s('title', null, spoken(node)),
        s('circle', {class: 'hit', r: Math.max(12, r + 4)}),
        node.flagged ? s('circle', {class: 'ring', r: r + 3.5}) : null,
        s('path', {class: `mark c${colourOf(index)}`, d: shapePath(shapeOf(index), r)}),
        labelled ? s('text', {y: r + 14, 'text-anchor': 'middle'}, shorten(node.id, 16)) : null,
      );
    });
    const focusOn = (i) => {
      marks[focus].setAttribute('tabindex', -1);
      focus = i;
      marks[i].setAttribute('tabindex', 0);
      marks[i].focus({preventScroll: true});
    };
    const choose = (i) => {
      chosen = i;
      marks.forEach((mark, j) => mark.classList.toggle('chosen', i === j));
      onChoose(graph.nodes[i]);
    };
    const picture = s(
      'svg',
      {
        viewBox: `0 0 ${width} ${height}`,
        width,
        height,
        class: 'ego',
        role: 'group',
        'aria-label': `Neighbourhood, ${graph.nodes.length} nodes; arrow keys walk, Enter chooses`,
      },
      s(
        'g',
        {class: 'ego-edges'},
        graph.edges.map(([a, b]) =>
          s('line', {
            x1: px(graph.nodes[a]).toFixed(1),
            y1: py(graph.nodes[a]).toFixed(1),
            x2: px(graph.nodes[b]).toFixed(1),
            y2: py(graph.nodes[b]).toFixed(1),
          }),
        ),
      ),
      [...marks].reverse(),
    );
    picture.addEventListener('click', (event) => {
      const mark = event.target.closest('.ego-node');
      if (!mark) return;
      focusOn(Number(mark.dataset.i));
      choose(focus);
    });
    picture.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const way = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[event.key];
      if (way) {
        event.preventDefault();
        focusOn(towards(graph.nodes, focus, way));
      } else if (event.key === 'Enter' || event.key === ' ') {
        event.preventDefault();
        choose(focus);
      }
    });
    const focused = container.contains(document.activeElement);
    put(container, picture);
    if (focused) marks[focus].focus({preventScroll: true});
  });
}

/** The nearest node in a direction, or the same one where there is none. */
function towards(nodes, from, [wx, wy]) {
  let best = from;
  let least = Infinity;
  nodes.forEach((node, i) => {
    const dx = node.x - nodes[from].x;
    const dy = node.y - nodes[from].y;
    const along = dx * wx + dy * wy;
    const across = Math.abs(dx * wy) + Math.abs(dy * wx);
    if (i !== from && along > 1 && along + 2 * across < least) {
      least = along + 2 * across;
      best = i;
    }
  });
  return best;
}
