import {h} from '../dom.js';
import {moment, visible} from '../format.js';
import {reviewTag} from './node.js';

/** What was decided about a node, by whom and when. */
export function reviewCard(node, onClear) {
  const {review} = node;
  return h(
    'section',
    {class: 'card', 'aria-label': 'Decision'},
    h(
      'header',
      null,
      h('h2', null, 'Decision'),
      review ? h('button', {type: 'button', class: 'link no-print', on: {click: onClear}}, 'Remove') : null,
    ),
    review
      ? [
          h('p', {class: 'row'}, reviewTag(review)),
          review.note ? h('p', {class: 'note', dir: 'auto'}, visible(review.note)) : null,
          h('p', {class: 'soft small'}, h('bdi', null, visible(review.by ?? 'unknown')), `, ${moment(review.at)}`),
        ]
      : h('p', {class: 'soft'}, 'Nobody has decided yet.'),
  );
}
