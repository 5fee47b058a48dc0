import {call, part} from '../api.js';
import {h, put} from '../dom.js';
import {shorten, visible} from '../format.js';
import {useKeys} from '../keys.js';
import {Decider} from '../parts/decide.js';
import {egoCard} from '../parts/ego-card.js';
import {comparedCard, explanation, layersCard, neighboursCard, unusualCard} from '../parts/explain.js';
import {classTag, flagTag, idText, roleTag} from '../parts/node.js';
import {reviewBar} from '../parts/review-bar.js';
import {reviewCard} from '../parts/review-card.js';
import {load, loading, problem} from '../parts/state.js';
import {valuesCard} from '../parts/values.js';
import {nodeLink, go} from '../router.js';
import {overview, refreshOpen} from '../session.js';

const LONG = 120;

export async function show(main, {id, signal, setTitle}) {
  setTitle(`Node ${shorten(id, 40)}`);
  const body = h('div');
  const tags = h('div', {class: 'row'});
  const heading = h('h1', {class: id.length > LONG ? 'long' : null}, h('span', {class: 'unseen'}, 'Node '), idText(id, {wrap: true}));
  const whole =
    id.length > LONG
      ? h(
          'button',
          {
            type: 'button',
            class: 'link',
            'aria-expanded': 'false',
            on: {
              click: () => {
                const open = heading.classList.toggle('long') === false;
                whole.setAttribute('aria-expanded', String(open));
                whole.textContent = open ? 'Shorten the id' : 'Show the whole id';
              },
            },
          },
          'Show the whole id',
        )
      : null;
  put(main, h('div', {class: 'page-head'}, h('div', {class: 'node-title'}, heading, whole, tags)), body);
  const retry = () => show(main, {id, signal, setTitle});
  put(body, loading(8));
  body.setAttribute('aria-busy', 'true');
  let node;
  let classes = [];
  try {
    [node, classes] = await Promise.all([call(`nodes/${part(id)}`, {signal}), overview().then((o) => o.classes.map((c) => c.name))]);
  } catch (error) {
    if (!signal.aborted)
      put(
        body,
        error.status === 404
          ? problem({title: 'There is no such node', text: 'It may belong to another graph. The nodes can be searched by a part of the id.', link: {href: '#/nodes', text: 'To the nodes'}})
          : problem({error, retry}),
      );
    return;
  } finally {
    if (!signal.aborted) body.removeAttribute('aria-busy');
  }
  if (!signal.aborted) render(body, tags, node, classes, signal);
}

function render(body, tags, node, classes, signal) {
  const decider = new Decider();
  const decision = h('div');
  const explained = h('div', {class: 'stack'});
  const beside = h('div', {class: 'stack'});
  const wide = h('div');
  const headline = h('p', {class: 'headline'});
  put(
    tags,
    node.predicted ? classTag(node.predicted) : null,
    flagTag(node),
    roleTag(node.role),
    node.kept ? h('span', {class: 'tag'}, 'kept') : null,
  );
  const refresh = () => {
    put(
      decision,
      reviewCard(node, () => decider.clear(node, decided)),
    );
    bar.refresh();
  };
  const decided = () => {
    refresh();
    refreshOpen();
  };
  const bar = reviewBar({
    decider,
    signal,
    current: () => node,
    classes: () => classes,
    onDecided: decided,
    onNoted: refresh,
    onStep: ({action}) => {
      if (action.id !== node.id) go(nodeLink(action.id));
      else {
        node.review = action.after;
        decided();
      }
    },
  });
  useKeys('Node', [{keys: ['b'], text: 'Back', run: () => history.back()}], signal);
  put(
    body,
    headline,
    h(
      'div',
      {class: 'grid after-headline'},
      h('div', {class: 'stack span-5'}, valuesCard(node), decision, beside),
      h('div', {class: 'stack span-7'}, egoCard(node.id, {signal}), explained),
      wide,
    ),
    bar,
  );
  refresh();
  load(
    explained,
    signal,
    () => explanation(node.id, signal),
    (why) => {
      put(headline, h('bdi', null, visible(why.headline)));
      put(beside, layersCard(why), unusualCard(why));
      put(explained, neighboursCard(why, node.degree));
      put(wide, comparedCard(why));
    },
    8,
  );
}
