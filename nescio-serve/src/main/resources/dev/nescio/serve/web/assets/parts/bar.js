import {h} from '../dom.js';

const within = (value) => `${Math.max(0, Math.min(100, 100 * value)).toFixed(2)}%`;

/** A bar for a share between 0 and 1; the number itself stands beside it. */
export const bar = (share, kind = '') =>
  h('span', {class: `bar ${kind}`, 'aria-hidden': 'true'}, h('i', {vars: {'--w': within(share ?? 0)}}));

/** A bar that goes left or right of the middle, for a value between -1 and 1. */
export function signedBar(value, kind = '') {
  const half = Math.min(1, Math.abs(value ?? 0)) / 2;
  return h(
    'span',
    {class: `bar signed ${kind}`, 'aria-hidden': 'true'},
    h('i', {vars: {'--w': within(half), '--x': within(value < 0 ? 0.5 - half : 0.5)}}),
  );
}
