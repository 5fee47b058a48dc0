import {call, part} from '../api.js';
import {askText, openDialog} from '../dialog.js';
import {fresh, h, put} from '../dom.js';
import {moment, shorten, time, visible} from '../format.js';
import {announce} from '../notify.js';
import {outdated, who} from '../session.js';
import {classTag, decisionText} from './node.js';
import {describe} from './state.js';

const MOST_BUTTONS = 24;

const sentence = (text) => ` ${text[0].toUpperCase()}${text.slice(1)}.`;

/**
 * Sends decisions and shows whether they are saved. One at a time: while one is under way, further ones are refused, so that a key that is
 * pressed twice never decides on a node that was not seen.
 */
export class Decider {
  #text = h('span', {class: 'state-text', role: 'status'}, 'Decisions are saved at once.');
  #busy = false;

  get element() {
    return this.#text;
  }

  get busy() {
    return this.#busy;
  }

  say(kind, ...content) {
    this.#text.className = `state-text ${kind}`;
    put(this.#text, ...content);
  }

  async #run(action, again) {
    if (this.#busy) return null;
    this.#busy = true;
    try {
      const by = await who();
      if (!by) {
        this.say('bad', 'Not saved: a name is needed.');
        return null;
      }
      this.say('', 'Saving…');
      return await action(by);
    } catch (error) {
      const {title, text} = describe(error);
      this.say(
        'bad',
        `Not saved. ${title}. `,
        h('bdi', null, text),
        ' ',
        again ? h('button', {type: 'button', class: 'link', on: {click: again}}, 'Try again') : null,
      );
      return null;
    } finally {
      this.#busy = false;
    }
  }

  #saved(text) {
    outdated();
    this.say('good', text);
    announce(text);
  }

  /** Changes some of verdict, label and note; resolves with the review as it is now, or null when nothing was saved. */
  decide(node, change, after) {
    return this.#run(
      async (by) => {
        const old = node.review ?? {};
        const wanted = {verdict: old.verdict ?? null, label: old.label ?? null, note: old.note ?? null, ...change, by};
        const review = await this.#put(node, wanted);
        if (!review) return null;
        node.review = review;
        this.#saved(`Saved ${time(review.at)}: ${shorten(node.id, 24)} is ${decisionText(review)}.`);
        after?.(review);
        return review;
      },
      () => this.decide(node, change, after),
    );
  }

  async #put(node, json) {
    try {
      return await call(`review/${part(node.id)}`, {method: 'PUT', json, headers: {'If-Match': `"${node.review?.version ?? 0}"`}});
    } catch (error) {
      if (error.status !== 409) throw error;
      const now = await call(`nodes/${part(node.id)}`);
      const theirs = now.review;
      const replace = await openDialog({
        title: 'Somebody else was faster',
        body: h(
          'p',
          null,
          theirs
            ? [h('bdi', null, visible(theirs.by ?? 'Somebody')), ` decided “${decisionText(theirs)}” on ${moment(theirs.at)}.`]
            : 'The decision on this node was removed meanwhile.',
          ' Yours is not saved yet.',
        ),
        actions: [
          {text: 'Keep theirs', value: false},
          {text: 'Save mine', main: true, value: true},
        ],
      });
      node.review = theirs;
      if (replace) return this.#put(node, json);
      this.say('', 'Not saved: the other decision was kept.');
      return null;
    }
  }

  /** Removes the decision on a node. */
  clear(node, after) {
    return this.#run(
      async (by) => {
        await call(`review/${part(node.id)}`, {method: 'DELETE', query: {by}, headers: {'If-Match': `"${node.review?.version ?? 0}"`}});
        node.review = null;
        this.#saved('The decision was removed.');
        after?.(null);
        return true;
      },
      () => this.clear(node, after),
    );
  }

  /** Undoes or redoes the person's last action; resolves with it. */
  step(kind) {
    return this.#run(
      async (by) => {
        let answer;
        try {
          answer = await call(`review/${kind}`, {method: 'POST', json: {by}});
        } catch (error) {
          if (error.status !== 409) throw error;
          this.say('', error.message);
          return null;
        }
        this.#saved(
          `${kind === 'undo' ? 'Undone' : 'Redone'}: ${shorten(answer.action.id, 24)} is ${decisionText(answer.action.after)} again.${(answer.notes ?? []).map(sentence).join('')}`,
        );
        return answer;
      },
      () => this.step(kind),
    );
  }
}

/** Asks for a label: one of the known classes or a new one. Digits choose a class while nothing is typed, unless classes are called so. */
export function askLabel(node, classes) {
  const id = fresh('label');
  const byDigit = !classes.some((name) => /^\d/.test(name));
  const choose = (name) => {
    field.value = name;
    field.form.requestSubmit();
  };
  const field = h('input', {
    id,
    on: {
      keydown: (event) => {
        const name = byDigit && field.value === '' && /^[1-9]$/.test(event.key) ? classes[event.key - 1] : undefined;
        if (name === undefined) return;
        event.preventDefault();
        choose(name);
      },
    },
    maxlength: 1000,
    dir: 'auto',
    autocomplete: 'off',
    autofocus: true,
    value: node.review?.label ?? '',
    list: `${id}-list`,
  });
  return openDialog({
    title: 'Label this node',
    body: [
      h(
        'div',
        {class: 'label-keys'},
        classes.slice(0, MOST_BUTTONS).map((name, i) =>
          h(
            'button',
            {
              type: 'button',
              on: {click: () => choose(name)},
            },
            classTag(name),
            byDigit && i < 9 ? h('kbd', {'aria-hidden': 'true'}, String(i + 1)) : null,
          ),
        ),
      ),
      h(
        'div',
        {class: 'field'},
        h('label', {for: id}, 'Label; it may be a class that the detector does not know'),
        field,
        h(
          'datalist',
          {id: `${id}-list`},
          classes.map((c) => h('option', {value: c})),
        ),
      ),
    ],
    actions: [
      {text: 'Cancel', value: null},
      {text: 'Save the label', main: true, value: () => field.value.trim() || undefined},
    ],
  });
}

export const askNote = (node) =>
  askText({
    title: 'Note',
    label: 'What others should know; Ctrl Enter saves',
    long: true,
    value: node.review?.note ?? '',
    required: false,
    action: 'Save the note',
  });
