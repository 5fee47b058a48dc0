import {call, part} from '../api.js';
import {h} from '../dom.js';
import {change, count, number, score, signed} from '../format.js';
import {bar, signedBar} from './bar.js';
import {classTag, idLink, text} from './node.js';

const FEW = 10;
const FAR = 2;
/** Bars of deviations end here, and numbers are not told beyond. */
const LONG = 10;
const MOST = 99;

/** Why a node has its score; parts that an estimator does not have are empty. */
export async function explanation(id, signal) {
  const why = await call(`nodes/${part(id)}/explanation`, {signal});
  return {
    headline: why.headline ?? '',
    layers: why.layers ?? [],
    unusual: why.unusual ?? [],
    compared: why.compared ?? [],
    neighbours: why.neighbours ?? [],
  };
}

const isNumber = (value) => typeof value === 'number';

/** What each layer adds to the score. */
export function layersCard({layers}) {
  return h(
    'section',
    {class: 'card', 'aria-label': 'Layers'},
    h('header', null, h('h2', null, 'What each layer adds'), h('p', null, 'The epistemic score is their sum.')),
    layers.length > 0
      ? h(
          'div',
          {class: 'shares with-amount'},
          layers.map((layer) => [
            text(layer.state),
            bar(layer.share, 'accent'),
            h('span', {class: 'num'}, `${(100 * layer.share).toFixed(1)} %`),
            h('span', {class: 'num soft'}, score(layer.amount)),
          ]),
        )
      : h('p', {class: 'soft'}, 'This estimator has no parts by layer.'),
  );
}

/** Where all training nodes agree there is no deviation to measure with: more than a hundred is as much as can be said. */
const deviations = (value) => (Math.abs(value) < MOST ? signed(value, 2) : value > 0 ? `> +${MOST}` : `< −${MOST}`);

/** Features far from what is usual. */
export function unusualCard({unusual}, most = FEW) {
  const largest = Math.min(LONG, Math.max(FAR, ...unusual.map((u) => Math.abs(u.deviations ?? 0))));
  return h(
    'section',
    {class: 'card', 'aria-label': 'Unusual features'},
    h(
      'header',
      null,
      h('h2', null, 'Unusual features'),
      h('p', null, 'Against the training nodes it was compared with, in standard deviations.'),
    ),
    unusual.length === 0
      ? h('p', {class: 'soft'}, 'No feature stands out.')
      : h(
          'div',
          {class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Unusual features'},
          h(
            'table',
            null,
            h(
              'thead',
              null,
              h(
                'tr',
                null,
                h('th', {scope: 'col'}, 'Feature'),
                h('th', {scope: 'col', class: 'num'}, 'Value'),
                h('th', {scope: 'col', class: 'num'}, 'Usual'),
                h('th', {scope: 'col', class: 'num'}, 'Deviations'),
                h('td', {class: 'wide-only'}),
              ),
            ),
            h(
              'tbody',
              null,
              unusual
                .slice(0, most)
                .map((u) =>
                  h(
                    'tr',
                    null,
                    h('th', {scope: 'row', class: 'wraps'}, text(u.feature)),
                    h('td', {class: 'num'}, number(u.value)),
                    h('td', {class: 'num soft'}, number(u.usual)),
                    h('td', {class: 'num'}, deviations(u.deviations)),
                    h('td', {class: 'wide-only'}, signedBar(Math.max(-1, Math.min(1, (u.deviations ?? 0) / largest)), Math.abs(u.deviations) >= FAR ? 'flag' : '')),
                  ),
                ),
            ),
          ),
        ),
  );
}

/** This node beside the training nodes it was compared with, feature by feature. */
export function comparedCard({compared}) {
  const card = h(
    'section',
    {class: 'card', 'aria-label': 'Compared training nodes'},
    h(
      'header',
      null,
      h('h2', null, 'Compared with training nodes'),
      h('p', null, 'The nearest training nodes, feature by feature. Marked: far from this node, by the spread of the row.'),
    ),
  );
  if (compared.length === 0) {
    card.append(h('p', {class: 'soft'}, 'This estimator compares with no single nodes.'));
    return card;
  }
  const rows = featureRows(compared);
  const body = h('tbody', null, rows.slice(0, FEW).map(compareRow));
  card.append(
    h(
      'div',
      {class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Features side by side'},
      h(
        'table',
        {class: 'compare'},
        h(
          'thead',
          null,
          h(
            'tr',
            null,
            h('th', {scope: 'col'}, 'Feature'),
            h('th', {scope: 'col', class: 'num'}, 'This node'),
            compared.map((c) =>
              h(
                'th',
                {scope: 'col'},
                idLink(c.node),
                c.trueClass ? classTag(c.trueClass) : null,
                ' ',
                h('span', {class: 'soft'}, `distance ${number(c.distance, 3)}`),
              ),
            ),
          ),
        ),
        body,
      ),
    ),
  );
  if (rows.length > FEW) {
    const more = h(
      'button',
      {
        type: 'button',
        class: 'link no-print',
        on: {
          click: () => {
            body.append(...rows.slice(FEW).map(compareRow));
            more.remove();
          },
        },
      },
      `Show all ${count(rows.length)} features`,
    );
    card.append(more);
  }
  return card;
}

/** One row per feature, those that differ most first. */
function featureRows(compared) {
  const rows = new Map();
  compared.forEach((c, i) =>
    c.features.forEach((f) => {
      if (!rows.has(f.feature)) rows.set(f.feature, {feature: f.feature, value: f.value, others: new Array(compared.length).fill(null)});
      rows.get(f.feature).others[i] = f.other;
    }),
  );
  return [...rows.values()]
    .map((row) => {
      const numbers = row.others.filter(isNumber);
      const mean = numbers.reduce((a, b) => a + b, 0) / (numbers.length || 1);
      // Where all of them are equal, whatever differs is far.
      const spread = Math.sqrt(numbers.reduce((a, b) => a + (b - mean) ** 2, 0) / (numbers.length || 1)) || 1e-6 * (Math.abs(mean) || 1);
      const far =
        isNumber(row.value) && numbers.length > 0
          ? Math.abs(row.value - mean) / spread
          : Number(row.others.some((o) => o !== row.value)) * FAR;
      return {...row, spread, far};
    })
    .sort((a, b) => b.far - a.far);
}

function compareRow(row) {
  return h(
    'tr',
    null,
    h('th', {scope: 'row', class: 'wraps'}, text(row.feature)),
    h('td', {class: 'num own'}, number(row.value)),
    row.others.map((other) => {
      const numeric = isNumber(other) && isNumber(row.value);
      const far = numeric ? Math.abs(other - row.value) >= FAR * row.spread : other !== row.value;
      return h(
        'td',
        {class: `num${far ? ' far' : ''}`},
        number(other),
        numeric ? h('span', {class: 'delta'}, signed(other - row.value, 2)) : null,
      );
    }),
  );
}

/** Neighbours by what their edge adds to the score. */
export function neighboursCard({neighbours}, degree) {
  const largest = Math.max(1e-9, ...neighbours.map((n) => Math.abs(n.adds ?? 0)));
  return h(
    'section',
    {class: 'card', 'aria-label': 'Neighbours'},
    h(
      'header',
      null,
      h('h2', null, 'Neighbours'),
      h(
        'p',
        null,
        degree > neighbours.length
          ? `By how much larger the score is with the edge than without; ${count(neighbours.length)} of ${count(degree)} were tried.`
          : 'By how much larger the score is with the edge than without.',
      ),
    ),
    neighbours.length === 0
      ? h('p', {class: 'soft'}, 'This node has no neighbours: its score rests on its own features.')
      : h(
          'div',
          {class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Neighbours'},
          h(
            'table',
            {class: 'neighbours'},
            h(
              'thead',
              null,
              h(
                'tr',
                null,
                h('th', {scope: 'col'}, 'Node'),
                h('th', {scope: 'col'}, 'Predicted'),
                h('th', {scope: 'col', class: 'num'}, 'Epistemic'),
                h('th', {scope: 'col', class: 'num'}, 'Adds'),
                h('td', {class: 'wide-only'}),
              ),
            ),
            h(
              'tbody',
              null,
              neighbours.map((n) =>
                h(
                  'tr',
                  null,
                  h('td', {class: 'cuts'}, idLink(n.node)),
                  h('td', null, classTag(n.predicted)),
                  h('td', {class: 'num'}, score(n.epistemic)),
                  h('td', {class: 'num'}, change(n.adds)),
                  h('td', {class: 'wide-only'}, signedBar((n.adds ?? 0) / largest, n.adds > 0 ? 'flag' : '')),
                ),
              ),
            ),
          ),
        ),
  );
}
