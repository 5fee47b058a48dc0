const counts = new Intl.NumberFormat('en');
const MISSING = '–';
const minus = (text) => text.replace(/^-/, '−');

/** A whole number with groups: 3,000. */
export const count = (value) => (value === null || value === undefined ? MISSING : counts.format(Math.round(value)));

/** Four significant digits, at most. */
export function number(value, digits = 4) {
  if (value === null || value === undefined) return MISSING;
  if (typeof value !== 'number') return String(value);
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size < 1e-4 || size >= 1e7) return minus(value.toExponential(2).replace('e+', 'e'));
  const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(size)));
  return minus(new Intl.NumberFormat('en', {maximumFractionDigits: Math.min(decimals, 6)}).format(value));
}

/** A score in a column: the same number of decimals in every row. */
export const score = (value) =>
  value === null || value === undefined
    ? MISSING
    : Math.abs(value) >= 1000
      ? number(value)
      : minus(value.toFixed(Math.abs(value) >= 100 ? 1 : 3));

/** An expected number of false alarms; small ones keep a digit. */
export const alarms = (value) => (value === null || value === undefined ? MISSING : value < 10 ? number(value, 2) : count(value));

/** A probability in a column. */
export const share = (value) => (value === null || value === undefined ? MISSING : value.toFixed(3));

export const pValue = (value) =>
  value === null || value === undefined ? MISSING : value < 1e-4 ? value.toExponential(1) : value.toFixed(4);

/** 0.05 as 5 %. */
export const percent = (value, digits = 3) => (value === null || value === undefined ? MISSING : `${number(100 * value, digits)} %`);

/** A change with its sign; the minus is a real one. */
export const signed = (value, digits = 3) =>
  value === null || value === undefined ? MISSING : (value > 0 ? '+' : value < 0 ? '−' : '') + number(Math.abs(value), digits);

/** A difference of scores in a column. */
export const change = (value) =>
  value === null || value === undefined ? MISSING : (value > 0 ? '+' : value < 0 ? '−' : '') + score(Math.abs(value));

const day = new Intl.DateTimeFormat('en-GB', {day: 'numeric', month: 'short', year: 'numeric'});
const clock = new Intl.DateTimeFormat('en-GB', {hour: '2-digit', minute: '2-digit', second: '2-digit'});
const valid = (text) => text && !Number.isNaN(Date.parse(text));

export const date = (text) => (valid(text) ? day.format(new Date(text)) : MISSING);
export const time = (text) => (valid(text) ? clock.format(new Date(text)) : MISSING);
export const moment = (text) => (valid(text) ? `${date(text)}, ${time(text)}` : MISSING);

/** "1 node", "2 nodes". */
export const plural = (n, one, many = `${one}s`) => `${count(n)} ${Math.round(n) === 1 ? one : many}`;

/** Characters that control, change the direction or cannot be seen as visible signs, so that an id cannot pretend to be another. */
export const visible = (text) =>
  String(text)
    .replace(/[\u0000-\u001f]/g, (c) => String.fromCharCode(0x2400 + c.charCodeAt(0)))
    .replace(/[\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g, (c) => `[U+${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`);

/** At most so many characters, without cutting one in half. */
export function shorten(text, length) {
  const characters = Array.from(visible(text));
  return characters.length <= length ? characters.join('') : `${characters.slice(0, length - 1).join('')}…`;
}

export function bytes(n) {
  if (n < 1024) return `${n} bytes`;
  return n < 1024 * 1024 ? `${number(n / 1024, 3)} KiB` : `${number(n / 1024 / 1024, 3)} MiB`;
}
