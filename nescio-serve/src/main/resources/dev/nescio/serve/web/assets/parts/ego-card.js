import {call, part} from '../api.js';
import {drawEgo, EgoGraph} from '../charts/ego.js';
import {h, put} from '../dom.js';
import {count, number, plural} from '../format.js';
import {announce, toast} from '../notify.js';
import {classTag, flagTag, idLink} from './node.js';
import {load, oneLine} from './state.js';

const FIRST = 80;
const MOST = 400;
const EXPAND = 40;

/** The neighbourhood of a node, drawn; one or two hops, expandable. */
export function egoCard(id, {signal, height = 380}) {
  let hops = 1;
  let limit = FIRST;
  let drawing = null;
  let reading = null;
  let expanded = false;
  const picture = h('div', {class: 'plot'});
  const below = h('div', {class: 'chosen-node no-print'});
  const note = h('p', {class: 'soft small'});
  const legend = h('ul', {class: 'legend'});
  const buttons = [1, 2].map((n) =>
    h(
      'button',
      {
        type: 'button',
        'aria-pressed': String(n === hops),
        on: {
          click: () => {
            hops = n;
            limit = FIRST;
            buttons.forEach((button, i) => button.setAttribute('aria-pressed', String(i + 1 === n)));
            read();
          },
        },
      },
      n === 1 ? '1 hop' : '2 hops',
    ),
  );

  const draw = (graph, omitted) => {
    drawing?.abort();
    drawing = new AbortController();
    const names = [...new Set(graph.nodes.map((n) => n.predicted).filter(Boolean))].sort();
    put(
      legend,
      names.slice(0, 10).map((name) => h('li', null, classTag(name))),
      graph.nodes.some((n) => n.flagged) ? h('li', null, h('i', {class: 'swatch ring'}), 'flagged') : null,
    );
    put(
      note,
      `${plural(graph.nodes.length, 'node')}, ${plural(graph.edges.length, 'edge')}. `,
      omitted > 0
        ? [
            // Some that one answer left out may be drawn by another.
            `${expanded ? 'Up to ' : ''}${count(omitted)} more are not drawn. `,
            limit < MOST
              ? h(
                  'button',
                  {
                    type: 'button',
                    class: 'link',
                    on: {
                      click: () => {
                        limit = MOST;
                        read();
                      },
                    },
                  },
                  'Draw more',
                )
              : null,
          ]
        : null,
    );
    put(below, h('span', {class: 'soft'}, 'Choose a node to see its values.'));
    drawEgo(picture, graph, {
      height: graph.nodes.length === 1 ? 140 : height,
      signal: AbortSignal.any([signal, drawing.signal]),
      onChoose: (node) => choose(graph, omitted, node),
    });
  };
  const choose = (graph, omitted, node) => {
    put(
      below,
      idLink(node.id),
      classTag(node.predicted),
      h('span', null, `epistemic ${number(node.epistemic)}`),
      flagTag(node),
      h('span', {class: 'soft'}, `degree ${count(node.degree)}`),
      node.hop === 0 ? null : h('button', {type: 'button', on: {click: () => expand(graph, omitted, node)}}, 'Show its neighbours'),
    );
    announce(below.textContent);
  };
  const expand = async (graph, omitted, node) => {
    const current = AbortSignal.any([signal, reading.signal]);
    try {
      const before = graph.nodes.length;
      const answer = await call(`nodes/${part(node.id)}/ego`, {query: {hops: 1, limit: EXPAND}, signal: current});
      graph.add(answer, node.hop);
      expanded = true;
      draw(graph, omitted + answer.omitted);
      choose(graph, omitted + answer.omitted, node);
      toast(
        graph.nodes.length === before
          ? 'All of its neighbours are drawn already.'
          : `${plural(graph.nodes.length - before, 'node')} added.`,
      );
    } catch (error) {
      if (!current.aborted) toast(oneLine(error));
    }
  };
  /** Reads and draws anew; whatever an earlier reading still waits for is no longer wanted. */
  const read = () => {
    reading?.abort();
    reading = new AbortController();
    const current = AbortSignal.any([signal, reading.signal]);
    put(below);
    load(
      picture,
      current,
      () => call(`nodes/${part(id)}/ego`, {query: {hops, limit}, signal: current}),
      (answer) => {
        expanded = false;
        draw(new EgoGraph(id).add(answer), answer.omitted);
      },
      5,
    );
  };
  read();
  return h(
    'section',
    {class: 'card', 'aria-label': 'Neighbourhood'},
    h('header', null, h('h2', null, 'Neighbourhood'), h('div', {class: 'group no-print', role: 'group', 'aria-label': 'Hops'}, buttons)),
    legend,
    picture,
    below,
    note,
  );
}
