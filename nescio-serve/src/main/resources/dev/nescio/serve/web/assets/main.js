import {connect} from './api.js';
import {put} from './dom.js';
import {askText} from './dialog.js';
import {startKeys, useKeys, showKeys} from './keys.js';
import {announce, strip} from './notify.js';
import {go, parse} from './router.js';
import {local} from './storage.js';
import {problem} from './parts/state.js';
import {overview} from './session.js';
import * as detector from './views/detector.js';
import * as map from './views/map.js';
import * as node from './views/node.js';
import * as nodes from './views/nodes.js';
import * as overviewPage from './views/overview.js';
import * as review from './views/review.js';
import * as tryPage from './views/try.js';

const VIEWS = {overview: overviewPage, nodes, node, review, map, try: tryPage, detector};
const THEMES = {system: 'System', light: 'Light', dark: 'Dark'};
const main = document.getElementById('main');
let leaving = null;

function setTitle(text) {
  document.title = text ? `${text} – Nescio` : 'Nescio';
}

/** Shows the page of the address; a view has put its heading there when this returns, and goes on loading. */
async function show() {
  leaving?.abort();
  leaving = new AbortController();
  const {signal} = leaving;
  const route = parse(location.hash);
  const name = route.view === 'nodes' && route.id !== null ? 'node' : route.view;
  for (const a of document.querySelectorAll('#nav a')) {
    if (a.dataset.view === route.view) a.setAttribute('aria-current', 'page');
    else a.removeAttribute('aria-current');
  }
  put(main);
  window.scrollTo(0, 0);
  try {
    if (!Object.hasOwn(VIEWS, name)) {
      setTitle('Not found');
      put(
        main,
        problem({title: 'There is no such page', text: 'The address may be old.', link: {href: '#/overview', text: 'To the overview'}}),
      );
      return;
    }
    await VIEWS[name].show(main, {...route, signal, setTitle});
  } catch (error) {
    if (signal.aborted) return;
    put(main, problem({error, retry: show}));
  }
}

/** The heading takes the focus, so that the keyboard and a screen reader continue on the new page. */
function arrive() {
  const heading = main.querySelector('h1');
  if (heading) {
    heading.tabIndex = -1;
    heading.focus({preventScroll: true});
  }
  announce(document.title);
}

function showTheme(theme) {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  document.getElementById('theme-text').textContent = THEMES[theme];
  document.getElementById('theme').setAttribute('aria-label', `Colours: ${theme === 'system' ? 'as the system' : theme}`);
  document.dispatchEvent(new Event('themechange'));
}

function nextTheme() {
  const order = Object.keys(THEMES);
  const theme = order[(order.indexOf(local.get('theme') ?? 'system') + 1) % order.length];
  local.set('theme', theme);
  showTheme(theme);
}

connect({
  askToken: (wrong) =>
    askText({
      title: 'This service needs a token',
      text: wrong
        ? 'The token was not accepted. Ask whoever runs the service.'
        : 'Whoever runs the service has it. It is kept until this tab is closed.',
      label: 'Token',
      type: 'password',
      most: 4096,
      action: 'Continue',
    }),
  onWaiting: (error, seconds) =>
    strip(
      error.status === 429
        ? `The service is busy. Trying again in ${Math.ceil(seconds)} s.`
        : `The service is starting or stopping. Trying again in ${Math.ceil(seconds)} s.`,
      seconds + 0.5,
    ),
});

startKeys();
useKeys('Everywhere', [
  {keys: ['g o'], text: 'Overview', run: () => go('#/overview')},
  {keys: ['g n'], text: 'Nodes', run: () => go('#/nodes')},
  {keys: ['g r'], text: 'Review', run: () => go('#/review')},
  {keys: ['g m'], text: 'Map', run: () => go('#/map')},
  {keys: ['g t'], text: 'Try', run: () => go('#/try')},
  {keys: ['g d'], text: 'Detector', run: () => go('#/detector')},
  {keys: ['?'], text: 'Show the keys of this page', run: showKeys},
]);
document.getElementById('keys').addEventListener('click', showKeys);
document.getElementById('theme').addEventListener('click', nextTheme);
document.querySelector('.skip').addEventListener('click', (event) => {
  event.preventDefault();
  main.focus();
});
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => document.dispatchEvent(new Event('themechange')));
window.addEventListener('offline', () => strip('There is no network. What you see may be old; nothing can be saved.'));
window.addEventListener('online', () => strip(''));
window.addEventListener('hashchange', () => {
  show();
  arrive();
});
showTheme(local.get('theme') ?? 'system');
show();
overview().catch(() => {
  /* the page itself says what is wrong */
});
