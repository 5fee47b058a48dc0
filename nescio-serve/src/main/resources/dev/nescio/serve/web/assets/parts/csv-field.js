import {parseCsv} from '../csv.js';
import {fresh, h, put} from '../dom.js';
import {bytes, plural, visible} from '../format.js';

const SHOWN = 1024 * 1024;

/** Where CSV is pasted, dropped, chosen as a file or typed. `onReady` is called when a whole text has come at once. */
export function csvField({name, hint, rows, onReady, onInput, check}) {
  const id = fresh('csv');
  let file = null;
  const note = h('p', {class: 'soft small', id: `${id}-note`, role: 'status'}, hint);
  const area = h('textarea', {
    id,
    class: 'code',
    rows,
    dir: 'ltr',
    spellcheck: 'false',
    autocomplete: 'off',
    'aria-describedby': `${id}-note`,
  });
  const picker = h('input', {type: 'file', id: `${id}-file`, accept: '.csv,text/csv,text/plain', 'aria-label': `${name} as a file`});

  const look = () => {
    if (file) {
      put(note, `${file.name}, ${bytes(file.size)}; too long to show here.`);
      return;
    }
    const table = parseCsv(area.value);
    const problem = table.length > 0 ? check(table[0]) : null;
    note.className = problem ? 'small problem' : 'soft small';
    put(note, table.length === 0 ? hint : (problem ?? `${plural(table.length - 1, 'row')}, ${plural(table[0].length, 'column')}.`));
  };
  const set = (text) => {
    file = null;
    area.disabled = false;
    area.value = text;
    look();
    onInput();
  };
  const take = async (chosen) => {
    if (!chosen) return;
    if (chosen.size > SHOWN) {
      set('');
      file = chosen;
      area.disabled = true;
      look();
    } else {
      const text = await utf8(chosen);
      if (text === null) {
        set('');
        note.className = 'small problem';
        put(note, `${visible(chosen.name)} is not text in UTF-8: save it as “CSV UTF-8” first.`);
        return;
      }
      set(text);
    }
    onReady();
  };
  picker.addEventListener('change', () => take(picker.files[0]));
  area.addEventListener('input', () => {
    look();
    onInput();
  });
  area.addEventListener('paste', () => setTimeout(onReady));
  const element = h(
    'div',
    {class: 'drop'},
    h('div', {class: 'row'}, h('label', {for: id}, name), h('span', {class: 'filepick'}, picker)),
    area,
    note,
  );
  acceptDrop(element, take);
  return {
    element,
    set,
    get isEmpty() {
      return !file && area.value.trim() === '';
    },
    get blob() {
      return file ?? new Blob([area.value], {type: 'text/csv'});
    },
    clear: () => {
      picker.value = '';
      set('');
    },
  };
}

/** The text of a file, or null where it is not UTF-8: with letters replaced, two ids could become one. */
async function utf8(file) {
  try {
    return new TextDecoder('utf-8', {fatal: true}).decode(await file.arrayBuffer());
  } catch {
    return null;
  }
}

/** Lets an element take a dropped file. */
export function acceptDrop(element, take) {
  element.addEventListener('dragover', (event) => {
    event.preventDefault();
    element.classList.add('over');
  });
  element.addEventListener('dragleave', () => element.classList.remove('over'));
  element.addEventListener('drop', (event) => {
    event.preventDefault();
    element.classList.remove('over');
    take(event.dataTransfer.files[0]);
  });
}
