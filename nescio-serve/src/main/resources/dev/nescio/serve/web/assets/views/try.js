import {call, idempotencyKey} from '../api.js';
import {csvRow} from '../csv.js';
import {h, put} from '../dom.js';
import {count, number, plural, visible} from '../format.js';
import {useKeys} from '../keys.js';
import {announce} from '../notify.js';
import {csvField} from '../parts/csv-field.js';
import {nodeTable} from '../parts/node-table.js';
import {text} from '../parts/node.js';
import {empty, load, loading, problem} from '../parts/state.js';
import {link} from '../router.js';
import {outdated, overview} from '../session.js';

const LISTED = 500;
const NAMES = {id: 'id', from: 'from', to: 'to'};

export async function show(main, {signal, setTitle}) {
  setTitle('Try');
  const columns = h('div');
  const result = h('div', {class: 'stack', 'aria-live': 'polite'});
  let names = NAMES;
  let known = null;
  let sending = null;
  let key = idempotencyKey();

  const unsent = () => {
    key = idempotencyKey();
  };
  const missing = (header, wanted) => wanted.find((name) => !header.includes(name));
  const nodes = csvField({
    name: 'Nodes',
    rows: 9,
    hint: 'A header and one row per node. Paste, type, or drop a file.',
    onInput: unsent,
    onReady: () => send(false),
    check: (header) => {
      if (missing(header, [names.id])) return `There is no column “${names.id}”.`;
      const strange = known ? header.find((name) => name !== names.id && !known.has(name)) : undefined;
      return strange === undefined ? null : `The detector does not know the column “${visible(strange).slice(0, 60)}”.`;
    },
  });
  const edges = csvField({
    name: 'Edges',
    rows: 9,
    hint: 'Optional. An edge joins two new nodes, or a new and a known one.',
    onInput: unsent,
    onReady: () => {
      if (!nodes.isEmpty) send(false);
    },
    check: (header) => {
      const lost = missing(header, [names.from, names.to]);
      return lost === undefined ? null : `There is no column “${lost}”.`;
    },
  });

  async function send(keep) {
    if (nodes.isEmpty && edges.isEmpty) {
      put(result, h('div', {class: 'card'}, problem({title: 'There is nothing to score', text: 'Paste rows or choose a file first.'})));
      return;
    }
    sending?.abort();
    sending = new AbortController();
    const here = AbortSignal.any([signal, sending.signal]);
    const form = new FormData();
    if (!nodes.isEmpty) form.append('nodes', nodes.blob, 'nodes.csv');
    if (!edges.isEmpty) form.append('edges', edges.blob, 'edges.csv');
    put(result, h('div', {class: 'card'}, loading(4, keep ? 'Keeping' : 'Scoring')));
    try {
      const [answer] = await Promise.all([
        call('score', {
          method: 'POST',
          query: {keep: keep ? 'true' : null},
          body: form,
          headers: keep ? {'Idempotency-Key': key} : {},
          signal: here,
        }),
        overview(),
      ]);
      if (keep) outdated();
      put(
        result,
        scored(answer, keep, () => send(true)),
      );
      announce(
        keep ? `${plural(answer.nodes.length, 'node')} kept as batch ${answer.batch}.` : `${plural(answer.nodes.length, 'node')} scored.`,
      );
    } catch (error) {
      if (!here.aborted) put(result, h('div', {class: 'card'}, problem({error, retry: () => send(keep)})));
    }
  }

  const example = h('button', {type: 'button', disabled: true}, 'Use an example');
  put(
    main,
    h(
      'div',
      {class: 'page-head'},
      h(
        'div',
        null,
        h('h1', null, 'Try'),
        h('p', null, 'Score rows that the graph does not hold yet. Nothing is changed unless you keep them.'),
      ),
    ),
    h(
      'div',
      {class: 'stack'},
      h(
        'section',
        {class: 'card no-print', 'aria-label': 'Rows and edges'},
        h('div', {class: 'grid'}, h('div', {class: 'span-8'}, nodes.element), h('div', {class: 'span-4'}, edges.element)),
        h(
          'div',
          {class: 'row try-actions'},
          h('button', {type: 'button', class: 'main', on: {click: () => send(false)}}, 'Score'),
          example,
          h(
            'button',
            {
              type: 'button',
              class: 'quiet',
              on: {
                click: () => {
                  nodes.clear();
                  edges.clear();
                  put(result);
                },
              },
            },
            'Clear',
          ),
        ),
        columns,
      ),
      result,
    ),
  );
  useKeys('Try', [{keys: ['mod+enter'], text: 'Score', typing: true, run: () => send(false)}], signal);

  load(
    columns,
    signal,
    () => call('columns', {signal}),
    (answer) => {
      names = {id: answer.id ?? NAMES.id, from: answer.from ?? NAMES.from, to: answer.to ?? NAMES.to};
      known = answer.columns ? new Set(answer.columns.map((c) => c.name)) : null;
      put(columns, columnsNote(answer));
      example.disabled = false;
      example.addEventListener('click', async () => {
        const near = await call('nodes', {query: {limit: 1, order: '-degree'}, signal}).catch(() => null);
        nodes.set(exampleRows(answer, names));
        edges.set(
          near?.nodes.length > 0
            ? [csvRow([names.from, names.to]), csvRow(['new-1', near.nodes[0].id]), csvRow(['new-2', 'new-1'])].join('\n')
            : '',
        );
        send(false);
      });
    },
    2,
  );
}

function columnsNote({columns, features, id}) {
  if (!columns) return h('p', {class: 'soft small'}, `A row holds “${id ?? 'id'}” and then ${count(features)} numbers.`);
  return h(
    'details',
    null,
    h('summary', null, `Columns that a row may hold (${count(columns.length)})`),
    h(
      'ul',
      {class: 'columns-list'},
      columns.map((c) => h('li', {class: 'tag'}, text(c.name), h('span', null, c.kind))),
    ),
  );
}

function exampleRows({columns, features}, names) {
  const header = columns ? columns.map((c) => c.name) : Array.from({length: features}, (_, i) => `feature ${i}`);
  const values = columns ? columns.map((c) => short(c.example ?? '')) : header.map(() => 0);
  return [csvRow([names.id, ...header]), csvRow(['new-1', ...values]), csvRow(['new-2', ...values])].join('\n');
}

/** As many digits as anybody would type. */
const short = (value) => (typeof value === 'number' ? Number(value.toPrecision(5)) : value);

function scored(answer, kept, onKeep) {
  const flagged = answer.nodes.filter((node) => node.flagged).length;
  const most = answer.nodes.reduce((a, node) => Math.max(a, node.epistemic ?? 0), 0);
  const rows = [...answer.nodes].sort((a, b) => b.epistemic - a.epistemic).slice(0, LISTED);
  return [
    h(
      'dl',
      {class: 'figures'},
      [
        ['Scored', count(answer.nodes.length), kept ? `kept as batch ${answer.batch}` : 'not kept'],
        ['Flagged', count(flagged), 'at the threshold in use'],
        ['Largest epistemic', answer.nodes.length > 0 ? number(most) : '–', 'larger is more uncertain'],
        ['Known nodes touched', count(answer.changed), kept ? 'their scores have changed' : 'their scores would change'],
      ].map(([name, value, under]) =>
        h('div', {class: 'figure'}, h('dt', null, name), h('dd', null, value), h('dd', {class: 'under'}, under)),
      ),
    ),
    (answer.notes ?? []).map((note) => h('p', {class: 'note warn'}, h('bdi', null, visible(note)))),
    h(
      'section',
      {class: 'card flush', 'aria-label': 'Scores'},
      h(
        'div',
        {class: 'row result-head'},
        h('h2', null, 'Scores'),
        h('span', {class: 'soft'}, answer.nodes.length > LISTED ? `the ${count(LISTED)} most uncertain` : ''),
        h('span', {class: 'grow'}),
        kept
          ? h('a', {class: 'button', href: link('nodes', null, {kept: 'true'})}, 'See all kept nodes')
          : h(
              'button',
              {type: 'button', class: 'main no-print', on: {click: onKeep}},
              answer.nodes.length > 0 ? 'Keep them in the graph' : 'Keep the edges',
            ),
      ),
      rows.length > 0
        ? nodeTable({nodes: rows, order: '-epistemic', label: 'Scores of new nodes', linked: kept})
        : empty('No new nodes', 'Only edges between known nodes were sent.'),
    ),
  ];
}
