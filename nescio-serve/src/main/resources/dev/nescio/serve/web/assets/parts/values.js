import {h} from '../dom.js';
import {count, number, percent, pValue, share} from '../format.js';
import {bar} from './bar.js';
import {classTag} from './node.js';

const MOST_CLASSES = 6;

const meaning = (node) => {
  if (node.pValue === null) return node.role === 'training' ? 'training nodes have none' : 'not known';
  return `as high or higher for ${percent(node.pValue, 2)} of ordinary nodes`;
};

/** What the detector says about a node. */
export function valuesCard(node) {
  const probabilities = Object.entries(node.probabilities ?? {}).sort((a, b) => b[1] - a[1]);
  const pairs = [
    ['Epistemic', [h('b', null, number(node.epistemic)), h('span', {class: 'soft small'}, ' distance from all that was seen in training')]],
    ['p-value', [h('b', null, pValue(node.pValue)), h('span', {class: 'soft small'}, ` ${meaning(node)}`)]],
    node.aleatoric === null
      ? null
      : ['Aleatoric', [h('b', null, share(node.aleatoric)), h('span', {class: 'soft small'}, ' noise of the prediction, 0 to 1')]],
    node.labelSet?.length > 0 ? ['Label set', h('span', {class: 'row'}, node.labelSet.map(classTag))] : null,
    node.label ? ['Known label', classTag(node.label)] : null,
    ['Degree', count(node.degree)],
  ].filter(Boolean);
  return h(
    'section',
    {class: 'card', 'aria-label': 'Scores'},
    h('header', null, h('h2', null, 'Scores')),
    h(
      'dl',
      {class: 'pairs'},
      pairs.map(([name, value]) => [h('dt', null, name), h('dd', null, value)]),
    ),
    probabilities.length === 0
      ? null
      : h(
          'div',
          {class: 'probabilities'},
          h('h3', null, 'Probability by class'),
          h(
            'div',
            {class: 'shares'},
            probabilities
              .slice(0, MOST_CLASSES)
              .map(([name, p]) => [classTag(name), bar(p, name === node.predicted ? 'accent' : ''), h('span', {class: 'num'}, share(p))]),
          ),
          probabilities.length > MOST_CLASSES
            ? h('p', {class: 'soft small'}, `and ${count(probabilities.length - MOST_CLASSES)} more classes`)
            : null,
        ),
  );
}
