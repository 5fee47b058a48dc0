// Elements are made here and nowhere else; texts only ever become text nodes.

const SVG = 'http://www.w3.org/2000/svg';

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === 'on') for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    else if (name === 'vars') for (const [key, v] of Object.entries(value)) element.style.setProperty(key, v);
    else if (name === 'data') Object.assign(element.dataset, value);
    else if (name === 'value') element.value = value;
    else if (value === true) element.setAttribute(name, '');
    else element.setAttribute(name, String(value));
  }
  append(element, children);
  return element;
}

function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

/** An HTML element: h('p', {class: 'soft', on: {click}}, 'text', other). */
export const h = (tag, properties, ...children) => fill(document.createElement(tag), properties, children);

/** An SVG element. */
export const s = (tag, properties, ...children) => fill(document.createElementNS(SVG, tag), properties, children);

/** Puts children in place of what an element holds. */
export function put(element, ...children) {
  element.replaceChildren();
  append(element, children);
  return element;
}

let last = 0;
/** A fresh element id, for labels. */
export const fresh = (prefix) => `${prefix}-${++last}`;

/** Calls a function at most once per pause. */
export function debounce(wait, action) {
  let timer;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...values), wait);
  };
}

/** Calls back with the width of an element, now and when it changes, until the signal aborts. */
export function onWidth(element, signal, action) {
  let width = 0;
  const look = () => {
    const now = Math.floor(element.clientWidth);
    if (now > 0 && now !== width) action((width = now));
  };
  // The observer alone would speak one frame late, and what is written beside a picture would not be true of it until then.
  // What is not in the page yet has no width: whoever makes it puts it there in the same step, and this looks right behind it.
  if (element.isConnected) look();
  else queueMicrotask(() => signal.aborted || look());
  const observer = new ResizeObserver(look);
  observer.observe(element);
  signal.addEventListener('abort', () => observer.disconnect());
}
