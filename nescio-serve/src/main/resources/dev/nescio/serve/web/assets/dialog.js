import {fresh, h} from './dom.js';

/**
 * Opens a modal dialog and resolves with the value of the pressed action, or null when it was dismissed. An action's value may be a
 * function that is asked when the action is pressed; if it returns undefined, the dialog stays open.
 */
export function openDialog({title, body, actions, wide = false}) {
  return new Promise((resolve) => {
    const id = fresh('dialog');
    let result = null;
    const dialog = h('dialog', {'aria-labelledby': id, class: wide ? 'wide' : null});
    const press = (action) => {
      const value = typeof action.value === 'function' ? action.value() : action.value;
      if (value === undefined) return;
      result = value;
      dialog.close();
    };
    const main = actions.find((action) => action.main);
    const form = h(
      'form',
      {
        method: 'dialog',
        novalidate: true,
        on: {
          submit: (event) => {
            event.preventDefault();
            press(main);
          },
        },
      },
      h('h2', {id}, title),
      body,
      h(
        'div',
        {class: 'actions'},
        actions.map((action) =>
          h(
            'button',
            {
              type: action.main ? 'submit' : 'button',
              class: action.main ? 'main' : null,
              autofocus: action.focus,
              on: action.main ? {} : {click: () => press(action)},
            },
            action.text,
          ),
        ),
      ),
    );
    dialog.append(form);
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(result);
    });
    document.body.append(dialog);
    dialog.showModal();
    dialog.querySelector('[autofocus]')?.focus();
  });
}

/** Asks for one line or one text; resolves with it, trimmed, or with null. */
export function askText({
  title,
  text,
  label,
  value = '',
  placeholder = '',
  type = 'text',
  long = false,
  required = true,
  most = 1000,
  action = 'Save',
  suggestions = [],
}) {
  const id = fresh('field');
  const list =
    suggestions.length > 0
      ? h(
          'datalist',
          {id: `${id}-list`},
          suggestions.map((s) => h('option', {value: s})),
        )
      : null;
  const problem = h('p', {class: 'note bad', role: 'alert', hidden: true});
  const field = h(long ? 'textarea' : 'input', {
    id,
    type: long ? null : type,
    rows: long ? 5 : null,
    maxlength: most,
    placeholder,
    dir: 'auto',
    autocomplete: 'off',
    autofocus: true,
    list: list ? `${id}-list` : null,
    value,
    spellcheck: long ? null : 'false',
  });
  if (long)
    field.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        field.form.requestSubmit();
      }
    });
  return openDialog({
    title,
    body: [text ? h('p', null, text) : null, h('div', {class: 'field'}, h('label', {for: id}, label), field, list), problem],
    actions: [
      {text: 'Cancel', value: null},
      {
        text: action,
        main: true,
        value: () => {
          const given = field.value.trim();
          if (given || !required) return given;
          problem.textContent = `${label}: please fill this in.`;
          problem.hidden = false;
          field.focus();
          return undefined;
        },
      },
    ],
  });
}

export const confirm = ({title, text, action}) =>
  openDialog({
    title,
    body: h('p', null, text),
    actions: [
      {text: 'Cancel', value: null},
      {text: action, main: true, focus: true, value: true},
    ],
  });
