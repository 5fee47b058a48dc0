import {h} from './dom.js';
import {local} from './storage.js';
import {openDialog} from './dialog.js';

const sets = [];
let pending = null;

/** Single-letter keys can be switched off, for people whose speech input would press them. */
const areOn = () => local.get('keys') !== 'off';

/**
 * Adds shortcuts until the signal aborts: [{keys: ['j'], text: 'Next row', run}]. A key may be a sequence ("g n") or hold Ctrl ("mod+z").
 * With `typing` it also works inside fields.
 */
export function useKeys(name, shortcuts, signal) {
  const set = {name, shortcuts};
  sets.push(set);
  signal?.addEventListener('abort', () => sets.splice(sets.indexOf(set), 1), {once: true});
}

const types = (target) =>
  target instanceof Element && target.closest('input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]') !== null;

function find(key) {
  for (let i = sets.length - 1; i >= 0; i--) {
    const found = sets[i].shortcuts.find((shortcut) => shortcut.keys.includes(key));
    if (found) return found;
  }
  return null;
}

const begins = (key) => sets.some((set) => set.shortcuts.some((shortcut) => shortcut.keys.some((k) => k.startsWith(`${key} `))));

function pressed(event) {
  if (event.defaultPrevented || event.isComposing || document.querySelector('dialog[open]')) return;
  const typing = types(event.target);
  const mod = event.ctrlKey || event.metaKey;
  if (event.altKey || (!mod && (typing || !areOn()))) return;
  const key = mod ? `mod+${event.shiftKey ? 'shift+' : ''}${event.key.toLowerCase()}` : event.key;
  const sequence = pending ? `${pending} ${key}` : key;
  pending = null;
  const found = find(sequence) ?? find(key);
  if (typing && !found?.typing) return;
  if (found) {
    if ((key === ' ' || key === 'Enter') && event.target.closest?.('a, button, summary, [role=slider]')) return;
    event.preventDefault();
    found.run(event);
  } else if (!mod && begins(key)) {
    pending = key;
    setTimeout(() => {
      pending = null;
    }, 1200);
  }
}

const NAMES = {
  ' ': 'Space',
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  'mod+z': 'Ctrl Z',
  'mod+shift+z': 'Ctrl Shift Z',
  'mod+y': 'Ctrl Y',
  'mod+enter': 'Ctrl Enter',
};
const shown = (key) => (NAMES[key] ?? key).split(' ').map((k) => h('kbd', null, k));

/** One key as it is printed on a button. */
export const keyCap = (key) => h('kbd', {'aria-hidden': 'true'}, NAMES[key] ?? key.toUpperCase());

export function showKeys() {
  const groups = [...sets].reverse().map((set) =>
    h(
      'section',
      null,
      h('h3', null, set.name),
      h(
        'ul',
        null,
        set.shortcuts
          .filter((shortcut) => shortcut.text)
          .map((shortcut) =>
            h(
              'li',
              null,
              h('span', null, shortcut.text),
              h(
                'span',
                null,
                shortcut.keys.map((key, i) => [i > 0 ? ' or ' : '', shown(key)]),
              ),
            ),
          ),
      ),
    ),
  );
  const off = h('input', {type: 'checkbox', on: {change: (event) => local.set('keys', event.target.checked ? 'on' : 'off')}});
  off.checked = areOn();
  openDialog({
    title: 'Keyboard shortcuts',
    wide: true,
    body: [h('div', {class: 'keys'}, groups), h('label', {class: 'check'}, off, 'Single-letter shortcuts are on')],
    actions: [{text: 'Close', main: true, focus: true, value: null}],
  });
}

export function startKeys() {
  document.addEventListener('keydown', pressed);
}
