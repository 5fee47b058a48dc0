// Routes live in the hash: #/nodes/ID?order=-epistemic. Ids are percent-encoded, so they never hold a slash.

/** The hash as {view, id, query}. */
export function parse(hash) {
  const [path, search = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  const [view, id] = path.split('/');
  return {view: view || 'overview', id: id === undefined ? null : decoded(id), query: new URLSearchParams(search)};
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The address of a page. */
export function link(view, id = null, query = {}) {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== '') search.set(key, String(value));
  }
  const tail = search.size > 0 ? `?${search}` : '';
  return `#/${view}${id === null ? '' : `/${encodeURIComponent(id)}`}${tail}`;
}

export const nodeLink = (id) => link('nodes', id);

/** Goes to a page. */
export const go = (address) => {
  location.hash = address;
};

/** Changes the address without leaving the page or adding to the history. */
export const settle = (address) => history.replaceState(null, '', address);

/** Whether a text of the service may become a link: routes of this page only. */
export const isRoute = (address) => typeof address === 'string' && /^#\/[a-z]/.test(address);
