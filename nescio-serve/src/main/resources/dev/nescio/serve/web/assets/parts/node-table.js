import {h} from '../dom.js';
import {count, pValue, score, share} from '../format.js';
import {classTag, flagSign, flagTag, idLink, idText, reviewTag, roleTag} from './node.js';

const COLUMNS = [
  {key: 'id', text: 'Id', kind: 'col-id', order: 'id'},
  {key: 'predicted', text: 'Predicted', kind: 'col-class'},
  {key: 'epistemic', text: 'Epistemic', kind: 'col-num num', order: '-epistemic'},
  {key: 'pValue', text: 'p-value', kind: 'col-num num wide-only', order: 'pValue'},
  {key: 'aleatoric', text: 'Aleatoric', kind: 'col-num num wide-only', order: '-aleatoric'},
  {key: 'confidence', text: 'Confidence', kind: 'col-num num wide-only'},
  {key: 'degree', text: 'Degree', kind: 'col-num num wide-only', order: '-degree'},
  {key: 'role', text: 'Role', kind: 'col-num wide-only'},
  {key: 'status', text: 'Status', kind: 'col-class wide-only'},
];

function head(column, order, onOrder) {
  const down = order === `-${column.key}`;
  const sorted = down || order === column.key;
  const text = [column.text, sorted ? h('span', {class: 'arrow', 'aria-hidden': 'true'}, down ? '↓' : '↑') : null];
  const turned = () => onOrder(sorted ? (down ? column.key : `-${column.key}`) : column.order);
  return h(
    'th',
    {scope: 'col', class: column.kind, 'aria-sort': sorted ? (down ? 'descending' : 'ascending') : null},
    column.order && onOrder ? h('button', {type: 'button', on: {click: turned}}, text) : text,
  );
}

/** Rows of nodes. With `onOrder` the columns can be ordered; ids are links unless the nodes exist only on this page. */
export function nodeTable({nodes, order, onOrder, label, linked = true}) {
  return h(
    'table',
    {class: 'nodes-table', 'aria-label': label},
    h(
      'thead',
      null,
      h(
        'tr',
        null,
        COLUMNS.map((column) => head(column, order, onOrder)),
      ),
    ),
    h(
      'tbody',
      null,
      nodes.map((node) =>
        h(
          'tr',
          {class: 'rowlink'},
          h('td', {class: 'col-id'}, linked ? idLink(node.id) : idText(node.id)),
          h('td', null, classTag(node.predicted)),
          h('td', {class: 'num'}, node.flagged ? flagSign() : null, score(node.epistemic)),
          h('td', {class: 'num wide-only'}, pValue(node.pValue)),
          h('td', {class: 'num wide-only'}, share(node.aleatoric)),
          h('td', {class: 'num wide-only'}, share(node.confidence)),
          h('td', {class: 'num wide-only'}, count(node.degree)),
          h('td', {class: 'wide-only'}, roleTag(node.role)),
          h(
            'td',
            {class: 'wide-only'},
            h('span', {class: 'tags'}, flagTag(node), reviewTag(node.review), node.kept ? h('span', {class: 'tag'}, 'kept') : null),
          ),
        ),
      ),
    ),
  );
}

/** Moves the focus by so many rows; returns whether there was one. */
export function walk(table, by) {
  const links = [...table.querySelectorAll('tbody a')];
  const at = links.indexOf(document.activeElement?.closest('tr')?.querySelector('a'));
  const next = links[at < 0 ? (by > 0 ? 0 : links.length - 1) : at + by];
  next?.focus();
  return next !== undefined;
}
