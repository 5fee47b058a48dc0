/** A straight line from one interval to another. */
export function linear([a, b], [from, to]) {
  const width = b - a || 1;
  const scale = (value) => from + ((value - a) / width) * (to - from);
  scale.invert = (at) => a + ((at - from) / (to - from || 1)) * width;
  return scale;
}

/** Round numbers inside an interval, about so many. */
export function ticks(a, b, about) {
  const rough = (b - a || 1) / Math.max(1, about);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((m) => m >= rough);
  const found = [];
  for (let i = Math.ceil(a / step - 1e-9); i * step <= b + 1e-9 * step; i++) found.push(Number((i * step).toPrecision(12)));
  return found;
}
