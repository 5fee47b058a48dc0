import {h, put} from './dom.js';

const at = (id) => document.getElementById(id);

/** Read out by a screen reader, not shown. */
export function announce(text) {
  at('announce').textContent = '';
  requestAnimationFrame(() => {
    at('announce').textContent = text;
  });
}

/** A short message at the edge of the window that goes away by itself. */
export function toast(...content) {
  const box = h('div', {class: 'toast'}, h('span', {class: 'grow'}, ...content));
  at('toasts').append(box);
  while (at('toasts').children.length > 3) at('toasts').firstChild.remove();
  setTimeout(() => box.remove(), 6000);
}

let timer;
/** A line under the header while the service is busy, starting or away. */
export function strip(text, seconds) {
  clearTimeout(timer);
  put(at('strip'), text);
  at('strip').hidden = !text;
  if (text && seconds) timer = setTimeout(() => strip(''), 1000 * seconds);
}
