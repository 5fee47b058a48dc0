// Storage may be switched off or full; then a value lasts as long as the page.

const memory = new Map();

function guarded(open) {
  return {
    get(key) {
      try {
        return open().getItem(`nescio.${key}`) ?? memory.get(key) ?? null;
      } catch {
        return memory.get(key) ?? null;
      }
    },
    set(key, value) {
      memory.set(key, value);
      try {
        open().setItem(`nescio.${key}`, value);
      } catch {
        /* kept in memory */
      }
    },
    remove(key) {
      memory.delete(key);
      try {
        open().removeItem(`nescio.${key}`);
      } catch {
        /* kept in memory only */
      }
    },
  };
}

/** Lasts in this browser. */
export const local = guarded(() => localStorage);

/** Lasts until the tab is closed; the token is kept here. */
export const tab = guarded(() => sessionStorage);
