import {h} from '../dom.js';
import {count} from '../format.js';

const SIZES = [25, 50, 100, 200];

/** Where a list stands, with buttons to go on. */
export function pager({total, offset, limit, onPage, onSize}) {
  const last = Math.min(offset + limit, total);
  return h(
    'div',
    {class: 'pager'},
    h('span', {role: 'status'}, total === 0 ? 'No nodes' : `${count(offset + 1)}–${count(last)} of ${count(total)}`),
    h(
      'label',
      {class: 'check wide-only'},
      'Rows',
      h(
        'select',
        {on: {change: (event) => onSize(Number(event.target.value))}},
        SIZES.map((n) => h('option', {value: n, selected: n === limit}, String(n))),
      ),
    ),
    h(
      'span',
      {class: 'row'},
      h('button', {type: 'button', disabled: offset === 0, on: {click: () => onPage(Math.max(0, offset - limit))}}, 'Previous'),
      h('button', {type: 'button', disabled: last >= total, on: {click: () => onPage(offset + limit)}}, 'Next'),
    ),
  );
}
