import {call} from './api.js';
import {askText} from './dialog.js';
import {local} from './storage.js';
import {setClasses} from './charts/palette.js';
import {count} from './format.js';

let known = null;

/** The overview: asked once and then remembered, unless a fresh one is wanted. */
export function overview({fresh = false} = {}) {
  if (fresh || !known) {
    const asked = call('overview').then((data) => {
      setClasses(data.classes.map((c) => c.name));
      showOpen(data.review.open);
      return data;
    });
    known = asked;
    asked.catch(() => {
      if (known === asked) known = null;
    });
  }
  return known;
}

/** The next reader of the overview gets a new one. */
export function outdated() {
  known = null;
}

/** The number of open nodes beside "Review" in the header. */
export function showOpen(open) {
  const badge = document.getElementById('nav-open');
  badge.hidden = !open;
  badge.textContent = open > 999 ? '999+' : count(open);
  badge.setAttribute('aria-label', `${count(open)} open`);
}

/** Asks how many nodes are open and shows it. */
export async function refreshOpen() {
  const queue = await call('review/queue', {query: {limit: 1}}).catch(() => null);
  if (queue) showOpen(queue.open);
}

export const person = () => local.get('who');

/** Who decides; asked once and remembered in this browser. Null when the question was dismissed. */
export async function who() {
  return person() ?? changePerson();
}

export async function changePerson() {
  const name = await askText({
    title: 'Who decides?',
    text: 'Every decision is kept with a name and a time. The name is remembered in this browser.',
    label: 'Your name',
    value: person() ?? '',
    most: 100,
    action: 'Remember',
  });
  if (name) local.set('who', name);
  return name;
}
