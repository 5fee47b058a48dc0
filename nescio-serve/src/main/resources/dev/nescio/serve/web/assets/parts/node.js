import {h, s} from '../dom.js';
import {visible} from '../format.js';
import {mark} from '../charts/palette.js';
import {nodeLink} from '../router.js';

/** An id as text: isolated from the direction around it, cut to one line unless it may wrap. */
export const idText = (id, {wrap = false} = {}) =>
  h('bdi', {class: wrap ? 'id' : 'id cut', dir: 'auto', title: wrap ? null : id}, visible(id));

export const idLink = (id) => h('a', {href: nodeLink(id), class: 'id cut', dir: 'auto', title: id}, visible(id));

export const text = (value) => h('bdi', {dir: 'auto', title: value}, visible(value));

/** A class: its mark and its name. */
export const classTag = (name) =>
  name === null || name === undefined || name === ''
    ? h('span', {class: 'soft'}, '–')
    : h('span', {class: 'class'}, mark(name), text(name));

const flag = () =>
  s('svg', {viewBox: '0 0 10 10', width: 9, height: 9, 'aria-hidden': 'true'}, s('path', {d: 'M5 .5 9.8 9.5H.2z', fill: 'currentColor'}));

/** The flag alone, for narrow columns. */
export const flagSign = () => h('span', {class: 'flag-sign', title: 'flagged'}, flag(), h('span', {class: 'unseen'}, 'flagged '));

export const flagTag = (node) => (node.flagged ? h('span', {class: 'tag flagged'}, flag(), 'flagged') : null);

export const roleTag = (role) => h('span', {class: 'tag'}, role);

/** What was decided about a node, in a word or two. */
export function reviewTag(review) {
  if (!review || (!review.verdict && !review.label)) return review?.note ? h('span', {class: 'tag'}, 'note') : null;
  return [
    review.verdict ? h('span', {class: review.verdict === 'strange' ? 'tag warn' : 'tag good'}, review.verdict) : null,
    review.label ? h('span', {class: 'tag accent'}, text(review.label)) : null,
  ];
}

/** The same in words, for sentences. */
export function decisionText(review) {
  if (!review) return 'open';
  const said = [review.verdict, review.label ? `label ${visible(review.label)}` : null].filter(Boolean);
  return `${said.length > 0 ? said.join(', ') : 'open'}${review.note ? ' with a note' : ''}`;
}
