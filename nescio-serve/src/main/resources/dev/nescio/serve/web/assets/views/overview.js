import {drift} from '../charts/drift.js';
import {h, put} from '../dom.js';
import {alarms as expected, count, date, moment, percent, plural, pValue, visible} from '../format.js';
import {bar} from '../parts/bar.js';
import {classTag} from '../parts/node.js';
import {empty, load} from '../parts/state.js';
import {thresholdCard} from '../parts/threshold-card.js';
import {isRoute, link} from '../router.js';
import {overview} from '../session.js';

/** Milliseconds. */
const LOOK_AGAIN = 2000;

export async function show(main, {signal, setTitle}) {
  setTitle('Overview');
  const title = h('h1', null, 'Overview');
  const under = h('p', null, ' ');
  const body = h('div');
  put(main, h('div', {class: 'page-head'}, h('div', null, title, under)), body);
  load(
    body,
    signal,
    () => overview({fresh: true}),
    (data) => {
      put(title, h('bdi', {dir: 'auto'}, visible(data.name)));
      put(
        under,
        'Detector ',
        h('bdi', null, visible(data.detector.name)),
        `: ${data.detector.model ?? 'embeddings'}, ${data.detector.estimator}. Loaded ${moment(data.detector.loadedAt)}.`,
      );
      if (data.stale > 0) under.append(` ${plural(data.stale, 'node')} will be scored again, because of new edges.`);
      if (data.nodes === 0)
        put(
          body,
          h(
            'div',
            {class: 'card'},
            empty(
              'There are no nodes yet',
              'Score some rows and keep them; they appear here.',
              h('a', {class: 'button', href: '#/try'}, 'Score rows'),
            ),
          ),
        );
      else render(body, data, signal);
    },
    8,
  );
}

function render(body, data, signal) {
  const flagged = figure('Flagged', count(data.flagged), `${percent(data.flagged / (data.scored || 1))} of scored nodes`, 'flagged');
  const alarms = figure('False alarms expected', expected(data.expectedFalseAlarms), `alpha ${percent(data.alpha)}`);
  const decided = data.review.done + data.review.open;
  const shown = (decision) => {
    flagged.set(count(decision.flagged), `${percent(decision.flagged / (data.scored || 1))} of scored nodes`);
    alarms.set(expected(decision.expectedFalseAlarms), `alpha ${percent(decision.alpha)}`);
  };
  put(
    body,
    h(
      'dl',
      {class: 'figures'},
      figure('Nodes', count(data.nodes), `${plural(data.edges, 'edge')}, ${plural(data.kept.nodes, 'node')} kept`),
      figure('Scored', count(data.scored), `${count(data.training)} are training nodes`),
      flagged,
      alarms,
      figure('Reviewed', count(data.review.done), `${count(data.review.open)} of ${count(decided)} open`),
    ),
    h(
      'div',
      {class: 'grid'},
      h('div', {class: 'stack span-8'}, thresholdCard(data, signal, shown), freshDriftCard(data, signal)),
      h('div', {class: 'stack span-4'}, nextCard(data), reviewCard(data), classCard(data)),
    ),
  );
}

function figure(name, value, note, kind = '') {
  const large = h('dd', null, value);
  const under = h('dd', {class: 'under'}, note);
  const box = h('div', {class: `figure ${kind}`}, h('dt', null, name), large, under);
  box.set = (v, n) => {
    large.textContent = v;
    under.textContent = n;
  };
  return box;
}

function nextCard(data) {
  const steps = data.next ?? [];
  return h(
    'section',
    {class: 'card', 'aria-labelledby': 'next-title'},
    h('header', null, h('h2', {id: 'next-title'}, 'What to do next')),
    steps.length === 0
      ? h('p', {class: 'soft'}, 'Nothing needs you now.')
      : h(
          'ol',
          {class: 'next'},
          steps.map((step) => h('li', null, isRoute(step.href) ? h('a', {href: step.href}, step.text) : step.text)),
        ),
  );
}

function reviewCard({review}) {
  const all = review.open + review.done;
  return h(
    'section',
    {class: 'card', 'aria-labelledby': 'progress-title'},
    h(
      'header',
      null,
      h('h2', {id: 'progress-title'}, 'Review'),
      h('a', {href: '#/review'}, review.open > 0 ? 'Continue' : 'See decisions'),
    ),
    bar(all === 0 ? 0 : review.done / all, 'accent'),
    h('p', {class: 'soft small'}, all === 0 ? 'No flagged node waits.' : `${count(review.done)} decided, ${plural(review.open, 'flagged node')} open`),
    h(
      'dl',
      {class: 'readout small'},
      [
        ['Ordinary', review.ordinary],
        ['Strange', review.strange],
        ['Labelled', review.labelled],
      ].map(([k, v]) => h('div', null, h('dt', null, k), h('dd', null, count(v)))),
    ),
  );
}

function classCard({classes}) {
  const rows = classes.map((c) =>
    h(
      'tr',
      null,
      h('th', {scope: 'row'}, classTag(c.name)),
      h('td', {class: 'num'}, h('a', {href: link('nodes', null, {class: c.name})}, count(c.nodes))),
      h('td', {class: 'num'}, h('a', {href: link('nodes', null, {class: c.name, flagged: 'true'})}, count(c.flagged))),
      h('td', {class: 'num'}, percent(c.flagged / (c.nodes || 1), 2)),
    ),
  );
  return h(
    'section',
    {class: 'card', 'aria-labelledby': 'classes-title'},
    h('header', null, h('h2', {id: 'classes-title'}, 'Predicted classes')),
    classes.length === 0
      ? h('p', {class: 'soft'}, 'This detector predicts no classes; it was fitted on embeddings.')
      : h(
          'div',
          {class: 'scroll'},
          h(
            'table',
            null,
            h(
              'thead',
              null,
              h(
                'tr',
                null,
                h('th', {scope: 'col'}, 'Class'),
                h('th', {scope: 'col', class: 'num'}, 'Nodes'),
                h('th', {scope: 'col', class: 'num'}, 'Flagged'),
                h('th', {scope: 'col', class: 'num'}, 'Share'),
              ),
            ),
            h('tbody', null, rows),
          ),
        ),
  );
}

/** Looked at again and again as long as the service still looks at batches. */
function freshDriftCard(data, signal) {
  let card = driftCard(data, signal);
  let left = data.driftPending;
  const again = async () => {
    if (signal.aborted) return;
    const now = await overview({fresh: true}).catch(() => null);
    if (signal.aborted) return;
    if (now && now.driftPending !== left) {
      const next = driftCard(now, signal);
      card.replaceWith(next);
      card = next;
      left = now.driftPending;
    }
    if (left > 0) setTimeout(again, LOOK_AGAIN);
  };
  if (left > 0) setTimeout(again, LOOK_AGAIN);
  return card;
}

/** What it means that no batch is said to have drifted. */
function silence(batches, pending) {
  if (batches.every((b) => b.tooFew)) return 'Too few nodes, in the batches or held out, to tell.';
  if (pending > 0) return 'No batch is known to have drifted.';
  return batches.some((b) => b.tooFew) ? 'No batch that is large enough to tell has drifted.' : 'No batch has drifted.';
}

function driftCard({drift: batches, driftPending: pending}, signal) {
  const card = h(
    'section',
    {class: 'card', 'aria-labelledby': 'drift-title'},
    h(
      'header',
      null,
      h('h2', {id: 'drift-title'}, 'Drift of kept batches'),
      h('p', null, 'A small p-value: the batch no longer resembles the held-out nodes, and the threshold promises less.'),
    ),
  );
  if (batches.length === 0) {
    card.append(
      empty(
        'No batch was kept yet',
        'Score new rows and keep them: each batch becomes a point.',
        h('a', {class: 'button', href: '#/try'}, 'Score rows'),
      ),
    );
    return card;
  }
  const chart = h('div', {class: 'plot'});
  drift(chart, batches, signal);
  const moved = batches.filter((b) => b.drifted).at(-1);
  card.append(
    chart,
    moved
      ? h(
          'p',
          {class: 'note warn'},
          `Batch ${moved.batch} has drifted`,
          moved.causes?.length > 0 ? [': ', h('bdi', null, moved.causes.map(visible).join(', '))] : '',
          '.',
        )
      : h('p', {class: 'soft'}, silence(batches, pending)),
    pending > 0 ? h('p', {class: 'soft small'}, `${plural(pending, 'batch', 'batches')} still being looked at.`) : '',
    h(
      'details',
      null,
      h('summary', null, 'Batches as a table'),
      h(
        'div',
        {class: 'scroll'},
        h(
          'table',
          null,
          h(
            'thead',
            null,
            h(
              'tr',
              null,
              ['Batch', 'Kept', 'Nodes', 'p-value', 'Result'].map((t, i) =>
                h('th', {scope: 'col', class: i > 1 && i < 4 ? 'num' : null}, t),
              ),
            ),
          ),
          h(
            'tbody',
            null,
            [...batches]
              .reverse()
              .map((b) =>
                h(
                  'tr',
                  null,
                  h('th', {scope: 'row'}, String(b.batch)),
                  h('td', null, date(b.at)),
                  h('td', {class: 'num'}, count(b.nodes)),
                  h('td', {class: 'num'}, pValue(b.pValue)),
                  h(
                    'td',
                    null,
                    b.tooFew ? 'too few nodes to tell' : b.pending ? 'being looked at' : b.drifted ? ['drifted', ...(b.causes ?? []).map(visible)].join(', ') : 'no drift',
                  ),
                ),
              ),
          ),
        ),
      ),
    ),
  );
  return card;
}
