import {file, fileAddress, needsToken} from '../api.js';
import {h} from '../dom.js';
import {toast} from '../notify.js';
import {oneLine} from './state.js';

/** A link to a file of the service. A plain link cannot carry a token; with one, the file is fetched first. */
export function download(text, path, query, name) {
  const a = h('a', {href: fileAddress(path, query), download: name}, text);
  a.addEventListener('click', async (event) => {
    if (!needsToken()) return;
    event.preventDefault();
    try {
      save(await file(path, query), name);
    } catch (error) {
      toast(oneLine(error));
    }
  });
  return a;
}

function save(blob, name) {
  const address = URL.createObjectURL(blob);
  const a = h('a', {href: address, download: name, hidden: true});
  document.body.append(a);
  a.click();
  a.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
