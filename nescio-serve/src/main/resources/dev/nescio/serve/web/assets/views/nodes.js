import {call} from '../api.js';
import {debounce, h, put} from '../dom.js';
import {percent, visible} from '../format.js';
import {useKeys} from '../keys.js';
import {download} from '../parts/download.js';
import {nodeTable, walk} from '../parts/node-table.js';
import {pager} from '../parts/pager.js';
import {empty, load} from '../parts/state.js';
import {link, settle} from '../router.js';
import {overview} from '../session.js';
import {local} from '../storage.js';

const FILTERS = ['q', 'flagged', 'class', 'role', 'kept', 'reviewed', 'minEpistemic', 'maxEpistemic', 'alpha'];
const ROLES = ['training', 'validation', 'held-out', 'seen', 'new'];

export async function show(main, {query, signal, setTitle}) {
  setTitle('Nodes');
  const state = {
    order: query.get('order') ?? '-epistemic',
    offset: Number(query.get('offset')) || 0,
    limit: Number(local.get('rows')) || 50,
  };
  for (const key of FILTERS) state[key] = query.get(key) ?? '';
  const body = h('div', {class: 'rows'});
  let asked = null;
  let classes = [];
  const known = overview().then(
    (o) => {
      classes = o.classes.map((c) => c.name);
    },
    () => {
      /* the list itself says what is wrong */
    },
  );

  const reload = async (then) => {
    asked?.abort();
    asked = new AbortController();
    const {limit, ...shown} = state;
    settle(link('nodes', null, {...shown, offset: state.offset || null, order: state.order === '-epistemic' ? null : state.order}));
    const here = AbortSignal.any([signal, asked.signal]);
    await load(
      body,
      here,
      async () => (await Promise.all([call('nodes', {query: {...shown, limit}, signal: here}), known]))[0],
      (page) => {
        put(
          body,
          page.nodes.length > 0
            ? nodeTable({nodes: page.nodes, order: state.order, label: 'Nodes', onOrder: (order) => change({order})})
            : nothing(state, clear),
          pager({
            total: page.total,
            offset: page.offset,
            limit: page.limit,
            onPage: (offset) => turn(offset),
            onSize: (rows) => {
              local.set('rows', rows);
              change({limit: rows});
            },
          }),
        );
        then?.();
      },
      12,
    );
  };
  const change = (values) => {
    const back = document.activeElement?.closest('th')?.cellIndex;
    Object.assign(state, {offset: 0}, values);
    reload(() => {
      if (back !== undefined) body.querySelectorAll('th')[back]?.querySelector('button')?.focus();
    });
  };
  const turn = (offset, first = true) => {
    state.offset = offset;
    reload(() => {
      body.scrollIntoView({block: 'nearest'});
      const links = body.querySelectorAll('tbody a');
      links[first ? 0 : links.length - 1]?.focus();
    });
  };
  const toolbar = h('form', {class: 'toolbar', role: 'search', 'aria-label': 'Nodes', on: {submit: (event) => event.preventDefault()}});
  const clear = () => {
    for (const key of FILTERS) state[key] = '';
    put(toolbar, fields(state, change, classes));
    change({});
  };
  put(toolbar, fields(state, change, classes));
  put(
    main,
    h(
      'div',
      {class: 'page-head'},
      h('div', null, h('h1', null, 'Nodes'), h('p', null, 'Scored by the detector in use. Training nodes have no p-value.')),
      h(
        'p',
        {class: 'row no-print'},
        'Whole table:',
        download('CSV', 'table', {format: 'csv'}, 'scores.csv'),
        download('Parquet', 'table', {format: 'parquet'}, 'scores.parquet'),
        download('NDJSON', 'table', {format: 'ndjson'}, 'scores.ndjson'),
      ),
    ),
    h('section', {class: 'card flush long', 'aria-label': 'Nodes by filter'}, toolbar, body),
  );

  const step = (by) => {
    if (walk(body, by)) return;
    const button = body.querySelector(`.pager button:${by > 0 ? 'last' : 'first'}-of-type`);
    if (button && !button.disabled) turn(Math.max(0, state.offset + by * state.limit), by > 0);
  };
  useKeys(
    'Nodes',
    [
      {keys: ['j', 'ArrowDown'], text: 'Next row', run: () => step(1)},
      {keys: ['k', 'ArrowUp'], text: 'Row above', run: () => step(-1)},
      {keys: ['Enter'], text: 'Open the node', run: () => document.activeElement?.closest('tr')?.querySelector('a')?.click()},
      {keys: [']'], text: 'Next page', run: () => body.querySelector('.pager button:last-of-type:enabled')?.click()},
      {keys: ['['], text: 'Page before', run: () => body.querySelector('.pager button:first-of-type:enabled')?.click()},
      {keys: ['/'], text: 'Search', run: () => toolbar.querySelector('input').focus()},
    ],
    signal,
  );

  reload();
  await known;
  if (!signal.aborted) put(toolbar.querySelector('#filter-class'), classOptions(state, classes));
}

const classOptions = (state, classes) =>
  [['', 'all'], ...[...new Set([...classes, state.class])].filter(Boolean).map((c) => [c, visible(c)])].map(([value, text]) =>
    h('option', {value, selected: value === state.class}, text),
  );

function fields(state, change, classes) {
  const later = (key) => debounce(250, (event) => change({[key]: event.target.value}));
  const select = (key, name, options) => {
    const id = `filter-${key}`;
    return h(
      'div',
      {class: 'field'},
      h('label', {for: id}, name),
      h('select', {id, on: {change: (event) => change({[key]: event.target.value})}}, options),
    );
  };
  const plain = (key, pairs) => pairs.map(([value, text]) => h('option', {value, selected: value === state[key]}, text));
  const bound = (key, name) =>
    h('input', {
      type: 'number',
      step: 'any',
      value: state[key],
      'aria-label': name,
      placeholder: key.startsWith('min') ? 'from' : 'to',
      on: {input: later(key)},
    });
  return [
    h(
      'div',
      {class: 'field'},
      h('label', {for: 'filter-q'}, 'Search ids'),
      h('input', {
        id: 'filter-q',
        type: 'search',
        dir: 'auto',
        maxlength: 1000,
        value: state.q,
        placeholder: 'part of an id',
        'aria-keyshortcuts': '/',
        on: {input: later('q')},
      }),
    ),
    select(
      'flagged',
      state.alpha ? `Flagged at ${percent(Number(state.alpha))}` : 'Flagged',
      plain('flagged', [
        ['', 'all'],
        ['true', 'flagged'],
        ['false', 'not flagged'],
      ]),
    ),
    select('class', 'Predicted', classOptions(state, classes)),
    select('role', 'Role', plain('role', [['', 'all'], ...ROLES.map((r) => [r, r])])),
    select(
      'kept',
      'Kept',
      plain('kept', [
        ['', 'all'],
        ['true', 'kept here'],
        ['false', 'of the graph'],
      ]),
    ),
    select(
      'reviewed',
      'Review',
      plain('reviewed', [
        ['', 'all'],
        ['false', 'open'],
        ['true', 'decided'],
      ]),
    ),
    h(
      'fieldset',
      {class: 'field'},
      h('legend', {class: 'unseen'}, 'Epistemic uncertainty'),
      h('label', {'aria-hidden': 'true'}, 'Epistemic'),
      h('div', {class: 'range'}, bound('minEpistemic', 'Epistemic uncertainty from'), bound('maxEpistemic', 'Epistemic uncertainty to')),
    ),
  ];
}

function nothing(state, clear) {
  const filtered = FILTERS.some((key) => state[key] !== '');
  return filtered
    ? empty(
        'No node matches',
        'Search looks for a part of the id. Try fewer filters.',
        h('button', {type: 'button', on: {click: clear}}, 'Remove the filters'),
      )
    : empty(
        'There are no nodes yet',
        'Score some rows and keep them; they appear here.',
        h('a', {class: 'button', href: '#/try'}, 'Score rows'),
      );
}
