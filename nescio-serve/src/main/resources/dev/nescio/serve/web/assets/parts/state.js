import {h, put} from '../dom.js';
import {visible} from '../format.js';

const TITLES = {
  0: 'The service does not answer',
  400: 'The service did not understand this',
  401: 'A token is needed',
  404: 'Not found',
  409: 'Somebody else was faster',
  413: 'That is too much at once',
  422: 'The service refused this',
  429: 'The service is busy',
  500: 'The service failed',
  503: 'The service is starting or stopping',
  507: 'The disk of the service is full',
};
const TEXTS = {
  0: 'Check that it still runs and that you are online.',
  429: 'Too many requests at once. Wait a moment and try again.',
  507: 'Nothing was saved. Reading goes on; make room on the disk, then try again.',
};

const sentence = (text) => text[0].toUpperCase() + text.slice(1) + (/[.!?…]$/.test(text) ? '' : '.');

/** A title and a text for whatever went wrong. */
export function describe(error) {
  const status = error.status ?? -1;
  if (status < 0) return {title: 'This page has made a mistake', text: String(error.message ?? error)};
  const title = TITLES[status] ?? `Status ${status}`;
  const said = error.message === `${title}.` ? [] : [error.message];
  return {title, text: [...said, TEXTS[status]].filter(Boolean).map(sentence).join(' ')};
}

/** What went wrong in one line, for places with little room. */
export function oneLine(error) {
  const {title, text} = describe(error);
  return visible(`${title}. ${text}`);
}

/** A designed error state, with a way out. */
export function problem({error, title, text, retry, link}) {
  const said = error ? describe(error) : {title, text};
  return h(
    'div',
    {class: 'state', role: 'alert'},
    h('h2', null, said.title),
    h('p', null, h('bdi', null, visible(said.text))),
    error?.requestId ? h('p', {class: 'request'}, 'Request ', h('code', null, error.requestId)) : null,
    h(
      'div',
      {class: 'row'},
      retry ? h('button', {type: 'button', on: {click: retry}}, 'Try again') : null,
      link ? h('a', {class: 'button', href: link.href}, link.text) : null,
    ),
  );
}

/** Nothing to show, and why that is so. */
export const empty = (title, text, ...actions) =>
  h(
    'div',
    {class: 'state centre'},
    h('h2', null, title),
    h('p', null, text),
    actions.length > 0 ? h('div', {class: 'row'}, actions) : null,
  );

export const loading = (lines = 4, text = 'Loading') =>
  h(
    'div',
    {class: 'skeleton', role: 'status'},
    h('span', {class: 'unseen'}, text),
    Array.from({length: lines}, (_, i) => h('i', {vars: {'--w': `${[92, 74, 84, 58, 80, 66][i % 6]}%`}})),
  );

/** Fills a container: a skeleton first, then what the data make of it, or an error with a way to try again. */
export async function load(container, signal, fetch, render, lines) {
  const waiting = setTimeout(() => put(container, loading(lines)), container.hasChildNodes() ? 150 : 0);
  container.setAttribute('aria-busy', 'true');
  try {
    const data = await fetch();
    clearTimeout(waiting);
    if (signal.aborted) return;
    render(data);
  } catch (error) {
    clearTimeout(waiting);
    if (signal.aborted || error.name === 'AbortError') return;
    put(container, problem({error, retry: () => load(container, signal, fetch, render, lines)}));
  } finally {
    if (!signal.aborted) container.removeAttribute('aria-busy');
  }
}
