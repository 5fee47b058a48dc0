import {h, put} from '../dom.js';
import {keyCap, useKeys} from '../keys.js';
import {askLabel, askNote} from './decide.js';

const button = (text, key, run) => h('button', {type: 'button', 'aria-keyshortcuts': key, on: {click: run}}, text, keyCap(key));

/**
 * The buttons of a review with their keys. `current` gives the node that is shown; `onDecided` is told when a verdict or a label was saved,
 * `onNoted` when a note was, `onStep` when an action was undone or redone. `more` are further shortcuts with buttons: {text, keys, run}.
 */
export function reviewBar({decider, current, classes, onDecided, onNoted, onStep, more = [], signal}) {
  const verdict = (value) => current() && decider.decide(current(), {verdict: value}, onDecided);
  const label = async (value) => {
    const node = current();
    if (!node || decider.busy) return;
    const chosen = value ?? (await askLabel(node, classes()));
    if (chosen) decider.decide(node, {label: chosen}, onDecided);
  };
  const note = async () => {
    const node = current();
    if (!node || decider.busy) return;
    const text = await askNote(node);
    if (text !== null) decider.decide(node, {note: text || null}, onNoted);
  };
  const step = async (kind) => {
    const answer = await decider.step(kind);
    if (answer) onStep(answer);
  };
  const ordinary = button('Ordinary', 'o', () => verdict('ordinary'));
  const strange = button('Strange', 's', () => verdict('strange'));
  const labelButton = button('Label', 'l', () => label());
  const noteButton = button('Note', 'n', note);
  useKeys(
    'Review',
    [
      {keys: ['o'], text: 'Ordinary', run: () => verdict('ordinary')},
      {keys: ['s'], text: 'Strange', run: () => verdict('strange')},
      {keys: ['l'], text: 'Choose or write a label', run: () => label()},
      ...Array.from({length: 9}, (_, i) => ({
        keys: [String(i + 1)],
        text: i === 0 ? 'Label with the first class, and so on to 9' : '',
        run: () => {
          if (classes()[i] !== undefined) label(classes()[i]);
        },
      })),
      {keys: ['n'], text: 'Write a note', run: note},
      {keys: ['u', 'mod+z'], text: 'Undo your last action', run: () => step('undo')},
      {keys: ['r', 'mod+shift+z', 'mod+y'], text: 'Redo it', run: () => step('redo')},
      ...more.map(({keys, text, run}) => ({keys, text, run})),
    ],
    signal,
  );
  const bar = h(
    'div',
    {class: 'review-bar', role: 'group', 'aria-label': 'Decide on this node'},
    ordinary,
    strange,
    labelButton,
    noteButton,
    more.filter((m) => m.button).map((m) => button(m.button, m.keys[0], m.run)),
    decider.element,
    button('Undo', 'u', () => step('undo')),
    button('Redo', 'r', () => step('redo')),
  );
  /** Shows what is decided on the node at hand. */
  bar.refresh = () => {
    const review = current()?.review;
    ordinary.setAttribute('aria-pressed', String(review?.verdict === 'ordinary'));
    strange.setAttribute('aria-pressed', String(review?.verdict === 'strange'));
    labelButton.setAttribute('aria-pressed', String(Boolean(review?.label)));
    noteButton.setAttribute('aria-pressed', String(Boolean(review?.note)));
    put(noteButton, review?.note ? 'Note ✓' : 'Note', keyCap('n'));
  };
  return bar;
}
