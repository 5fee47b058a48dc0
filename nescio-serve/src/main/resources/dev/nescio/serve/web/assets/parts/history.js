import {call} from '../api.js';
import {h, put} from '../dom.js';
import {moment, visible} from '../format.js';
import {decisionText, idLink} from './node.js';
import {empty, load} from './state.js';

/** What was decided, newest first; every line can be put back to what it was before. */
export function historyCard({signal, onRestore}) {
  const body = h('div');
  const refresh = () =>
    load(
      body,
      signal,
      () => call('review/history', {query: {limit: 100}, signal}),
      ({actions}) => {
        put(
          body,
          actions.length === 0
            ? empty('Nothing was decided yet', 'Every decision appears here, with who and when.')
            : h(
                'div',
                {class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'History'},
                h(
                  'table',
                  {class: 'history'},
                  h(
                    'thead',
                    null,
                    h(
                      'tr',
                      null,
                      ['When', 'Who', 'Node', 'Before', 'After', ''].map((t) => (t ? h('th', {scope: 'col'}, t) : h('td'))),
                    ),
                  ),
                  h(
                    'tbody',
                    null,
                    actions.map((action) =>
                      h(
                        'tr',
                        null,
                        h('td', {class: 'soft'}, moment(action.at)),
                        h(
                          'td',
                          null,
                          h('bdi', null, visible(action.by ?? '')),
                          action.kind === 'review' ? null : h('span', {class: 'tag'}, action.kind),
                        ),
                        h('td', {class: 'cuts'}, idLink(action.id)),
                        h('td', {class: 'soft'}, decisionText(action.before)),
                        h('td', null, decisionText(action.after)),
                        h(
                          'td',
                          {class: 'num'},
                          h(
                            'button',
                            {
                              type: 'button',
                              class: 'link',
                              'aria-label': `Put ${visible(action.id).slice(0, 80)} back to ${decisionText(action.before)}`,
                              on: {click: () => onRestore(action)},
                            },
                            'Put back',
                          ),
                        ),
                      ),
                    ),
                  ),
                ),
              ),
        );
      },
      4,
    );
  const card = h(
    'section',
    {class: 'card long', 'aria-label': 'History', hidden: true},
    h(
      'header',
      null,
      h('h2', null, 'History'),
      h(
        'p',
        null,
        'The newest hundred actions of everybody. Undo takes back your own last action; “put back” sets a node to what it was before a line.',
      ),
    ),
    body,
  );
  return {
    card,
    refresh: () => {
      if (!card.hidden) refresh();
    },
    toggle: () => {
      card.hidden = !card.hidden;
      if (!card.hidden) refresh();
      return !card.hidden;
    },
  };
}
