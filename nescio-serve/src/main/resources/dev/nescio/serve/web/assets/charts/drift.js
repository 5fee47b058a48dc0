import {onWidth, put, s} from '../dom.js';
import {date, pValue} from '../format.js';
import {linear} from './scale.js';
import {shapePath} from './palette.js';

const HEIGHT = 170;
const MARGIN = {top: 12, right: 14, bottom: 28, left: 46};

/** The p-value of every kept batch on a logarithmic axis; a triangle has drifted, an open circle held too few nodes to say, or is being looked at. */
export function drift(container, batches, signal) {
  const known = batches.filter((b) => b.pValue !== null);
  const least = Math.min(0.01, ...known.map((b) => Math.max(b.pValue, 1e-9)));
  onWidth(container, signal, (width) => {
    const x = linear([0, Math.max(1, batches.length - 1)], [MARGIN.left + 10, width - MARGIN.right - 10]);
    const y = linear([0, Math.log10(least)], [MARGIN.top, HEIGHT - MARGIN.bottom]);
    const place = (b) => y(b.pValue === null ? 0 : Math.log10(Math.max(b.pValue, least)));
    const decades = Array.from({length: Math.floor(-Math.log10(least)) + 1}, (_, i) => 10 ** -i);
    const every = Math.ceil(batches.length / Math.max(1, Math.floor(width / 60)));
    const line = known.map((b, i) => `${i === 0 ? 'M' : 'L'}${x(batches.indexOf(b))} ${place(b)}`).join('');
    put(
      container,
      s(
        'svg',
        {
          viewBox: `0 0 ${width} ${HEIGHT}`,
          width,
          height: HEIGHT,
          class: 'chart drift',
          role: 'img',
          'aria-label': `p-values of ${batches.length} batches; the table below holds the same numbers`,
        },
        decades.map((v) =>
          s(
            'g',
            {class: 'tick'},
            s('line', {x1: MARGIN.left, x2: width - MARGIN.right, y1: y(Math.log10(v)), y2: y(Math.log10(v))}),
            s('text', {x: MARGIN.left - 6, y: y(Math.log10(v)) + 4, 'text-anchor': 'end'}, String(v)),
          ),
        ),
        s('path', {class: 'line', d: line}),
        batches.map((b, i) =>
          s(
            'path',
            {
              class: b.drifted ? 'drifted' : b.pValue === null || b.tooFew ? 'few' : 'fine',
              d: shapePath(b.drifted ? 2 : 0, b.drifted ? 6 : 4.5),
              transform: `translate(${x(i)} ${place(b)})`,
            },
            s(
              'title',
              null,
              `batch ${b.batch}, ${date(b.at)}: ${b.tooFew ? 'too few nodes to say' : b.pending ? 'being looked at' : `p-value ${pValue(b.pValue)}`}${b.drifted ? ', drifted' : ''}`,
            ),
          ),
        ),
        s(
          'g',
          {class: 'axis'},
          batches.map((b, i) => i % every === 0 && s('text', {x: x(i), y: HEIGHT - 8, 'text-anchor': 'middle'}, String(b.batch))),
        ),
      ),
    );
  });
}
