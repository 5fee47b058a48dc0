import {call, part} from '../api.js';
import {h, put} from '../dom.js';
import {count, score, visible} from '../format.js';
import {useKeys} from '../keys.js';
import {Decider} from '../parts/decide.js';
import {bar as progressBar} from '../parts/bar.js';
import {download} from '../parts/download.js';
import {egoCard} from '../parts/ego-card.js';
import {comparedCard, explanation, layersCard, unusualCard} from '../parts/explain.js';
import {historyCard} from '../parts/history.js';
import {classTag, flagTag, idText, roleTag} from '../parts/node.js';
import {reviewBar} from '../parts/review-bar.js';
import {reviewCard} from '../parts/review-card.js';
import {Queue} from '../parts/review-queue.js';
import {empty, load} from '../parts/state.js';
import {valuesCard} from '../parts/values.js';
import {go, link, nodeLink, settle} from '../router.js';
import {changePerson, overview, person, showOpen} from '../session.js';

const ORDERS = {uncertain: 'most uncertain first', spread: 'spread over the map'};
const LISTED = 60;

export async function show(main, {query, signal, setTitle}) {
  setTitle('Review');
  new ReviewPage(main, query.get('order') === 'spread' ? 'spread' : 'uncertain', signal).start();
}

class ReviewPage {
  #node = null;
  #trail = [];
  #classes = [];
  #shown = null;
  #reading = null;
  #decider = new Decider();
  #progress = h('p', {class: 'row progress'});
  #name = h('button', {type: 'button', class: 'link', on: {click: () => changePerson().then(() => this.#showPerson())}});
  #list = h('ol', {on: {keydown: (event) => this.#walk(event)}});
  #stage = h('div', {class: 'stack'});

  constructor(main, order, signal) {
    this.signal = signal;
    this.queue = new Queue(order);
    this.history = historyCard({signal, onRestore: (action) => this.#restore(action)});
    this.toggle = h(
      'button',
      {type: 'button', 'aria-expanded': 'false', 'aria-keyshortcuts': 'h', on: {click: () => this.#toggleHistory()}},
      'History',
    );
    this.bar = reviewBar({
      decider: this.#decider,
      signal,
      current: () => this.#node,
      classes: () => this.#classes,
      onDecided: () => this.#decided(),
      onNoted: () => this.#changed(),
      onStep: ({action}) => this.#visit(action.id),
      more: [
        {keys: ['j', ' '], text: 'Skip', button: 'Skip', run: () => this.#skip()},
        {keys: ['k'], text: 'Back to the node before', run: () => this.#back()},
        {
          keys: ['e', 'Enter'],
          text: 'Open the node with all its evidence',
          run: () => {
            if (this.#node) go(nodeLink(this.#node.id));
          },
        },
        {keys: ['h'], text: 'Show or hide the history', run: () => this.#toggleHistory()},
      ],
    });
    const order_ = h(
      'select',
      {id: 'queue-order', on: {change: (event) => this.#reorder(event.target.value)}},
      Object.entries(ORDERS).map(([value, text]) => h('option', {value, selected: value === order}, text)),
    );
    put(
      main,
      h(
        'div',
        {class: 'page-head'},
        h('div', {class: 'grow'}, h('h1', null, 'Review'), this.#progress),
        h(
          'div',
          {class: 'row no-print'},
          h('label', {for: 'queue-order'}, 'Order'),
          order_,
          this.toggle,
          download('Labels as CSV', 'review/labels.csv', {}, 'labels.csv'),
        ),
      ),
      h(
        'div',
        {class: 'review-layout'},
        h('section', {class: 'card queue', 'aria-label': 'Queue'}, h('header', null, h('h2', null, 'Queue')), this.#list),
        h('div', {class: 'stack'}, this.#stage, this.bar, this.history.card),
      ),
    );
    useKeys('Queue', [{keys: ['w'], text: 'Change who decides', run: () => changePerson().then(() => this.#showPerson())}], signal);
  }

  start() {
    this.bar.hidden = true;
    this.#read(async (signal) => {
      this.#classes = (await overview()).classes.map((c) => c.name);
      await this.queue.read(signal);
      return this.queue.first;
    }, false);
  }

  /** Fetches a node and shows it. Until it is there, no key decides on anything. */
  #read(fetch, focus = true) {
    this.#node = null;
    this.#reading?.abort();
    this.#reading = new AbortController();
    const signal = AbortSignal.any([this.signal, this.#reading.signal]);
    load(
      this.#stage,
      signal,
      () => fetch(signal),
      (node) => this.#go(node, focus),
      8,
    );
  }

  #go(node, focus = true) {
    this.#node = node;
    this.#shown?.abort();
    this.#shown = new AbortController();
    this.bar.hidden = node === null;
    this.#showProgress();
    this.#showList();
    if (node === null) {
      put(
        this.#stage,
        h(
          'div',
          {class: 'card'},
          this.queue.total === 0
            ? empty(
                'No flagged node waits',
                'Nodes that the detector flags appear here.',
                h('a', {class: 'button', href: '#/overview'}, 'Move the threshold'),
              )
            : empty(
                'Every flagged node is decided',
                'Export the labels, train again with them, and load the new detector.',
                download('Labels as CSV', 'review/labels.csv', {}, 'labels.csv'),
                h('a', {href: '#/detector'}, 'Load a detector'),
              ),
        ),
      );
      return;
    }
    this.#showNode(node, AbortSignal.any([this.signal, this.#shown.signal]));
    this.bar.refresh();
    if (focus) {
      window.scrollTo(0, 0);
      this.#stage.querySelector('h2').focus({preventScroll: true});
    }
  }

  #showNode(node, signal) {
    const why = h('div', {class: 'stack'});
    const side = h('div', {class: 'stack'});
    const headline = h('p', {class: 'headline'});
    this.decision = h('div');
    this.#changed();
    put(
      this.#stage,
      h(
        'div',
        {class: 'node-title'},
        h(
          'h2',
          {tabindex: -1, class: node.id.length > 120 ? 'long' : null},
          h('span', {class: 'unseen'}, 'Node '),
          idText(node.id, {wrap: true}),
        ),
        node.predicted ? classTag(node.predicted) : null,
        flagTag(node),
        roleTag(node.role),
        h('a', {href: nodeLink(node.id)}, 'All evidence'),
      ),
      headline,
      h(
        'div',
        {class: 'grid'},
        h('div', {class: 'stack span-5'}, valuesCard(node), this.decision, side),
        h('div', {class: 'stack span-7'}, egoCard(node.id, {signal, height: 300}), why),
      ),
    );
    load(
      why,
      signal,
      () => explanation(node.id, signal),
      (found) => {
        put(headline, h('bdi', null, visible(found.headline)));
        put(side, layersCard(found), unusualCard(found, 5));
        put(why, comparedCard({compared: found.compared.slice(0, 3)}));
      },
    );
  }

  /** The decision on the node at hand has changed, but it stays where it is. */
  #changed() {
    put(
      this.decision,
      this.#node?.review ? reviewCard(this.#node, () => this.#decider.clear(this.#node, () => this.#visit(this.#node.id))) : null,
    );
    this.bar.refresh();
    this.#showPerson();
    this.history.refresh();
  }

  #decided() {
    this.#trail.push(this.#node.id);
    this.queue.done(this.#node.id);
    this.#showPerson();
    this.history.refresh();
    this.#next();
  }

  #skip() {
    if (!this.#node || this.#decider.busy) return;
    this.#trail.push(this.#node.id);
    this.queue.skip(this.#node.id);
    this.#decider.say('', 'Skipped; it comes again at the end.');
    this.#next();
  }

  /** To the first open node; where the part that was read is used up, the rest is read. */
  #next() {
    if (this.queue.first || this.queue.open === 0) this.#go(this.queue.first);
    else this.#read(async (signal) => (await this.queue.read(signal)).first);
  }

  #back() {
    const id = this.#trail.pop();
    if (id === undefined) {
      this.#decider.say('', 'This is the first node of this visit.');
      return;
    }
    this.queue.unskip(id);
    this.#visit(id);
  }

  /** Shows any node, as it is now. */
  #visit(id) {
    this.#read(async (signal) => {
      const [node] = await Promise.all([call(`nodes/${part(id)}`, {signal}), this.queue.read(signal)]);
      return this.queue.nodes.find((n) => n.id === id) ?? node;
    });
    this.history.refresh();
  }

  async #restore({id, before}) {
    const node = await call(`nodes/${part(id)}`, {signal: this.signal}).catch(() => null);
    if (!node) return;
    const done = before
      ? await this.#decider.decide(node, {verdict: before.verdict, label: before.label, note: before.note})
      : await this.#decider.clear(node);
    if (done) this.#visit(id);
  }

  #reorder(order) {
    settle(link('review', null, {order: order === 'uncertain' ? null : order}));
    this.queue = new Queue(order);
    this.start();
  }

  #toggleHistory() {
    const open = this.history.toggle();
    this.toggle.setAttribute('aria-expanded', String(open));
    if (open) this.history.card.scrollIntoView({block: 'nearest'});
  }

  #showPerson() {
    put(this.#name, person() ? h('bdi', null, visible(person())) : 'Say who you are');
  }

  #showProgress() {
    const done = this.queue.total - this.queue.open;
    showOpen(this.queue.open);
    put(
      this.#progress,
      progressBar(this.queue.total === 0 ? 1 : done / this.queue.total, 'accent'),
      `${count(done)} of ${count(this.queue.total)} decided, ${count(this.queue.open)} open. Decided by `,
      this.#name,
    );
    this.#showPerson();
  }

  /** One button of the queue is in the tab order; the arrow keys reach the others. */
  #walk(event) {
    const by = {ArrowDown: 1, ArrowUp: -1}[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const buttons = [...this.#list.querySelectorAll('button')];
    buttons[buttons.indexOf(document.activeElement) + by]?.focus();
  }

  #showList() {
    const nodes = this.queue.nodes.slice(0, LISTED);
    const at = Math.max(
      0,
      nodes.findIndex((node) => node.id === this.#node?.id),
    );
    put(
      this.#list,
      nodes.map((node, i) =>
        h(
          'li',
          null,
          h(
            'button',
            {
              type: 'button',
              tabindex: i === at ? 0 : -1,
              'aria-current': node.id === this.#node?.id ? 'true' : null,
              on: {
                click: () => {
                  if (!this.#decider.busy) this.#go(node);
                },
              },
            },
            idText(node.id),
            h('span', {class: 'num soft'}, this.queue.isSkipped(node.id) ? 'skipped ' : '', score(node.epistemic)),
          ),
        ),
      ),
      this.queue.open > nodes.length ? h('li', {class: 'soft small more'}, `and ${count(this.queue.open - nodes.length)} more`) : null,
    );
  }
}
