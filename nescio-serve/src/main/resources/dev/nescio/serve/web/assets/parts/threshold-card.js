import {call} from '../api.js';
import {histogram} from '../charts/histogram.js';
import {h, put} from '../dom.js';
import {alarms as expected, count, number, percent, plural} from '../format.js';
import {announce, toast} from '../notify.js';
import {link} from '../router.js';
import {outdated} from '../session.js';
import {oneLine} from './state.js';

const inOrder = (a, b) => a.threshold - b.threshold || b.alpha - a.alpha;

/** The place of a decision among the steps, which are in order; it is added where it is not there yet. */
function include(steps, {threshold, flagged, expectedFalseAlarms, alpha}) {
  const same = steps.findIndex((t) => t.alpha === alpha);
  if (same >= 0) return same;
  const after = steps.findIndex((t) => inOrder(t, {threshold, alpha}) > 0);
  const at = after < 0 ? steps.length : after;
  steps.splice(at, 0, {threshold, flagged, expectedFalseAlarms, alpha});
  return at;
}

/** The step that is nearest to an alpha at which nothing can be flagged. */
const nearest = (steps, alpha) => steps.reduce((best, t, i) => (Math.abs(t.alpha - alpha) < Math.abs(steps[best].alpha - alpha) ? i : best), 0);

/** The histogram with its threshold; `shown` is told what the threshold under the hand would flag. */
export function thresholdCard(data, signal, shown) {
  const steps = [...data.thresholds].filter((t) => t.threshold !== null).sort(inOrder);
  const flags = typeof data.threshold === 'number';
  const at = flags ? include(steps, data) : nearest(steps, data.alpha);
  const out = Object.fromEntries(['threshold', 'flagged', 'alarms', 'alpha'].map((k) => [k, h('dd')]));
  const list = h('a', {class: 'button'});
  const use = h('button', {type: 'button', class: 'main'}, 'Use this threshold');
  const back = h('button', {type: 'button', class: 'quiet'}, 'Back');
  const promise = h('span', null, data.promise);
  const promised = h('p', {class: 'promise measure'}, h('span', {class: 'soft'}, 'In use: '), promise);
  const note = h('p', {class: 'soft small', role: 'status'});
  let saved = flags ? steps[at] : null;
  let chosen = steps[at];

  const moved = (step) => {
    chosen = step;
    put(out.threshold, number(step.threshold));
    put(out.flagged, count(step.flagged));
    put(out.alarms, `about ${expected(step.expectedFalseAlarms)}`);
    put(out.alpha, percent(step.alpha));
    put(list, `List ${plural(step.flagged, 'node')}`);
    list.href = link('nodes', null, {flagged: 'true', alpha: step.alpha});
    use.disabled = step === saved;
    back.hidden = saved === null || step === saved;
    note.textContent = step === saved ? 'This threshold is in use.' : 'Not in use yet.';
    shown(step);
  };
  const chart = h('div', {class: 'plot'});
  const move = histogram(chart, {histogram: data.histogram, steps, at, signal, onMove: moved});
  back.addEventListener('click', () => move(steps.indexOf(saved)));
  use.addEventListener('click', async () => {
    use.disabled = true;
    note.textContent = 'Saving…';
    try {
      const decision = await call('decision', {method: 'PUT', json: {alpha: chosen.alpha}});
      saved = chosen;
      moved(chosen);
      shown(decision);
      promise.textContent = decision.promise;
      outdated();
      announce(`Saved. ${decision.promise}`);
      toast('The threshold is in use for everybody.');
    } catch (error) {
      use.disabled = false;
      note.textContent = oneLine(error);
    }
  });

  const card = h(
    'section',
    {class: 'card', 'aria-labelledby': 'threshold-title'},
    h(
      'header',
      null,
      h('h2', {id: 'threshold-title'}, 'Where to draw the line'),
      h(
        'p',
        null,
        'Drag the line, or focus it and press the arrow keys. Larger is more uncertain. Heights are shares of each group on a square-root scale.',
      ),
    ),
    h(
      'ul',
      {class: 'legend'},
      h('li', null, h('i', {class: 'swatch held'}), 'held-out nodes (ordinary)'),
      h('li', null, h('i', {class: 'swatch below'}), 'scored nodes'),
      h('li', null, h('i', {class: 'swatch above'}), 'scored nodes, flagged'),
    ),
    chart,
  );
  if (steps.length === 0) {
    card.append(h('p', {class: 'note warn'}, 'There are too few held-out nodes to set a threshold.'), promised);
    return card;
  }
  moved(chosen);
  if (saved === null) {
    // The line is where it could be; what holds is that nothing is flagged.
    shown(data);
    note.textContent = 'Not in use: nothing is flagged now.';
  }
  card.append(
    h(
      'dl',
      {class: 'readout'},
      [
        ['Threshold', out.threshold],
        ['Flagged', out.flagged],
        ['False alarms expected', out.alarms],
        ['Alpha', out.alpha],
      ].map(([k, v]) => h('div', null, h('dt', null, k), v)),
    ),
    h(
      'div',
      {class: 'row no-print'},
      use,
      list,
      back,
      h('span', {class: 'grow'}),
      allow(data, signal, (decision) => move(include(steps, decision))),
    ),
    note,
    promised,
  );
  return card;
}

/** Sets the threshold by the number of false alarms that somebody has time for. */
function allow(data, signal, moveTo) {
  const field = h('input', {
    type: 'number',
    id: 'allow',
    min: 1,
    max: Math.max(1, data.scored - 1),
    step: 1,
    inputmode: 'numeric',
    class: 'narrow',
    'aria-describedby': 'allow-note',
  });
  const note = h('span', {id: 'allow-note', class: 'soft small', role: 'status'});
  return h(
    'form',
    {
      class: 'row',
      on: {
        submit: async (event) => {
          event.preventDefault();
          if (!(Number(field.value) > 0)) return;
          try {
            const decision = await call('decision', {query: {falseAlarms: field.value}, signal});
            if (decision.threshold === null) note.textContent = decision.promise;
            else {
              moveTo(decision);
              note.textContent = `Threshold ${number(decision.threshold)}`;
            }
          } catch (error) {
            if (!signal.aborted) toast(oneLine(error));
          }
        },
      },
    },
    h('label', {for: 'allow'}, 'Allow false alarms'),
    field,
    h('button', {type: 'submit'}, 'Find'),
    note,
  );
}
