import {call} from '../api.js';
import {tab} from '../storage.js';

const SIZE = 200;

function remembered() {
  try {
    return new Set(JSON.parse(tab.get('skipped') ?? '[]'));
  } catch {
    return new Set();
  }
}

/** The open nodes in their order, skipped ones last. Skipping is this tab's own business; decisions are the service's. */
export class Queue {
  constructor(order) {
    this.order = order;
    this.nodes = [];
    this.open = 0;
    this.total = 0;
    this.skipped = remembered();
  }

  async read(signal) {
    const answer = await call('review/queue', {query: {order: this.order, limit: SIZE}, signal});
    this.open = answer.open;
    this.total = answer.total;
    this.nodes = [...answer.nodes.filter((n) => !this.skipped.has(n.id)), ...answer.nodes.filter((n) => this.skipped.has(n.id))];
    return this;
  }

  get first() {
    return this.nodes[0] ?? null;
  }

  has(id) {
    return this.nodes.some((node) => node.id === id);
  }

  /** Takes a node out that was decided. */
  done(id) {
    if (!this.has(id)) return;
    this.nodes = this.nodes.filter((node) => node.id !== id);
    this.open = Math.max(0, this.open - 1);
  }

  /** Puts a node at the end. */
  skip(id) {
    const node = this.nodes.find((n) => n.id === id);
    if (!node) return;
    this.skipped.add(id);
    this.#remember();
    this.nodes = [...this.nodes.filter((n) => n !== node), node];
  }

  /** A node that somebody came back to is no longer skipped. */
  unskip(id) {
    if (this.skipped.delete(id)) this.#remember();
  }

  #remember() {
    tab.set('skipped', JSON.stringify([...this.skipped]));
  }

  isSkipped(id) {
    return this.skipped.has(id);
  }
}
