import {call} from '../api.js';
import {confirm} from '../dialog.js';
import {h, put} from '../dom.js';
import {bytes, change, count, moment, plural, score, visible} from '../format.js';
import {announce} from '../notify.js';
import {acceptDrop} from '../parts/csv-field.js';
import {download} from '../parts/download.js';
import {classTag, flagTag, idLink} from '../parts/node.js';
import {load, loading, problem} from '../parts/state.js';
import {outdated, overview} from '../session.js';

export async function show(main, {signal, setTitle}) {
  setTitle('Detector');
  const current = h('div');
  const result = h('div', {class: 'stack', 'aria-live': 'polite'});
  const command = h('code', null, training(null));
  const picker = h('input', {type: 'file', id: 'detector-file', accept: '.nescio,application/octet-stream'});
  const reread = () =>
    load(
      current,
      signal,
      () => overview({fresh: true}),
      ({detector}) => put(current, facts(detector)),
      3,
    );

  async function take(file) {
    if (!file) return;
    const sure = await confirm({
      title: 'Load this detector?',
      text: `${visible(file.name)}, ${bytes(file.size)}. It replaces the detector in use for everybody, without a restart; every node is scored again. Decisions are kept.`,
      action: 'Load it',
    });
    picker.value = '';
    if (sure) await upload(file);
  }

  async function upload(file) {
    put(
      result,
      h(
        'div',
        {class: 'card'},
        h('p', {class: 'soft'}, 'Loading the detector and scoring every node…'),
        loading(4, 'Loading the detector'),
      ),
    );
    try {
      const answer = await call('detector', {
        method: 'POST',
        query: {name: file.name.replace(/\.nescio$/, '').slice(0, 200)},
        body: file,
        headers: {'Content-Type': 'application/octet-stream'},
        signal,
        patience: 3600,
      });
      outdated();
      put(result, changes(answer));
      announce('The new detector is in use.');
      reread();
    } catch (error) {
      if (!signal.aborted)
        put(
          result,
          h(
            'div',
            {class: 'card'},
            problem({error, retry: () => upload(file)}),
            h('p', {class: 'soft'}, 'The detector that was in use stays.'),
          ),
        );
    }
  }

  picker.addEventListener('change', () => take(picker.files[0]));
  const zone = h(
    'div',
    {class: 'dropzone no-print'},
    h('label', {for: 'detector-file'}, 'A detector file (.nescio): choose it, or drop it here'),
    picker,
  );
  acceptDrop(zone, take);
  put(
    main,
    h(
      'div',
      {class: 'page-head'},
      h('div', null, h('h1', null, 'Detector'), h('p', null, 'What scores the nodes, and how to replace it by a better one.')),
    ),
    h(
      'div',
      {class: 'grid'},
      h(
        'div',
        {class: 'stack span-7'},
        h('section', {class: 'card', 'aria-label': 'Detector in use'}, h('header', null, h('h2', null, 'In use')), current),
        h(
          'section',
          {class: 'card', 'aria-label': 'Load a detector'},
          h(
            'header',
            null,
            h('h2', null, 'Load another'),
            h('p', null, 'A file that cannot be used is refused, and the one in use stays.'),
          ),
          zone,
        ),
      ),
      h(
        'section',
        {class: 'card span-5', 'aria-label': 'From labels to a better detector'},
        h('header', null, h('h2', null, 'From labels to a better detector')),
        h(
          'ol',
          {class: 'steps'},
          h(
            'li',
            null,
            h('div', null, h('a', {href: '#/review'}, 'Review'), ' flagged nodes and label those that the network does not know.'),
          ),
          h('li', null, h('div', null, 'Export the labels: ', download('labels.csv', 'review/labels.csv', {}, 'labels.csv'), '.')),
          h(
            'li',
            null,
            h(
              'div',
              null,
              'Train again with them:',
              h(
                'pre',
                {tabindex: 0, role: 'group', 'aria-label': 'Command'},
                command,
              ),
            ),
          ),
          h('li', null, h('div', null, 'Load the new detector here and see what changed.')),
        ),
      ),
      result,
    ),
  );
  reread();
  call('columns', {signal})
    .then(({label}) => put(command, training(label)))
    .catch(() => {});
}

/** The command that learns from decisions; the column of labels is named, or it would be taken for a feature. */
const training = (label) =>
  ['nescio train nodes.csv --edges edges.csv', label ? `--label ${quoted(label)}` : null, '--labels labels.csv --out better.nescio']
    .filter(Boolean)
    .join(' ');

const quoted = (word) => (/^[\w.-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

const FACTS = [
  ['Name', 'name'],
  ['Model', 'model'],
  ['Estimator', 'estimator'],
  ['Version', 'version'],
];

const facts = (detector) =>
  h(
    'dl',
    {class: 'pairs'},
    FACTS.map(([name, key]) => [h('dt', null, name), h('dd', null, h('bdi', null, visible(detector[key] ?? '–')))]),
    h('dt', null, 'Loaded'),
    h('dd', null, moment(detector.loadedAt)),
  );

function changes({before, after, changed, nodes}) {
  const both = [
    ...FACTS.map(([name, key]) => [name, visible(before[key] ?? '–'), visible(after[key] ?? '–')]),
    ['Loaded', moment(before.loadedAt), moment(after.loadedAt)],
  ];
  return [
    h('p', {class: 'note good'}, 'The new detector is in use.'),
    h(
      'dl',
      {class: 'figures'},
      [
        ['Predictions changed', changed.predictions],
        ['Newly flagged', changed.flaggedNow],
        ['No longer flagged', changed.noLongerFlagged],
      ].map(([name, n]) => h('div', {class: 'figure'}, h('dt', null, name), h('dd', null, count(n)), h('dd', {class: 'under'}, 'nodes'))),
    ),
    h(
      'section',
      {class: 'card', 'aria-label': 'Before and after'},
      h('header', null, h('h2', null, 'Before and after')),
      h(
        'div',
        {class: 'scroll'},
        h(
          'table',
          null,
          h('thead', null, h('tr', null, h('td'), h('th', {scope: 'col'}, 'Before'), h('th', {scope: 'col'}, 'After'))),
          h(
            'tbody',
            null,
            both.map(([name, a, b]) =>
              h(
                'tr',
                null,
                h('th', {scope: 'row'}, name),
                h('td', {class: a === b ? 'soft' : null}, a),
                h('td', {class: a === b ? 'soft' : 'own'}, b),
              ),
            ),
          ),
        ),
      ),
    ),
    h(
      'section',
      {class: 'card flush long', 'aria-label': 'Largest changes'},
      h(
        'header',
        null,
        h('h2', null, 'What changed most'),
        h('p', null, nodes.length === 0 ? 'No flag and no prediction has changed.' : `${plural(nodes.length, 'node')}: changed flags first, then changed predictions.`),
      ),
      h(
        'div',
        {class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Largest changes'},
        h(
          'table',
          null,
          h(
            'thead',
            null,
            h(
              'tr',
              null,
              h('th', {scope: 'col'}, 'Node'),
              h('th', {scope: 'col'}, 'Predicted'),
              h('th', {scope: 'col', class: 'num'}, 'Epistemic'),
              h('th', {scope: 'col', class: 'num'}, 'Change'),
              h('th', {scope: 'col'}, 'Flag'),
            ),
          ),
          h('tbody', null, nodes.map(changeRow)),
        ),
      ),
    ),
  ];
}

function changeRow({id, before, after}) {
  const same = before.predicted === after.predicted;
  return h(
    'tr',
    null,
    h('td', {class: 'cuts'}, idLink(id)),
    h(
      'td',
      null,
      h('span', {class: 'row'}, same ? classTag(after.predicted) : [classTag(before.predicted), '→', classTag(after.predicted)]),
    ),
    h('td', {class: 'num change'}, h('span', {class: 'was'}, `${score(before.epistemic)} → `), score(after.epistemic)),
    h('td', {class: 'num'}, change(after.epistemic - before.epistemic)),
    h(
      'td',
      null,
      before.flagged === after.flagged
        ? flagTag(after)
        : h('span', {class: after.flagged ? 'tag flagged' : 'tag good'}, after.flagged ? 'newly flagged' : 'no longer flagged'),
    ),
  );
}
